// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address filters: what perf core asks of the engine in lib/itrace_filter/. The engine knows text
 * and arithmetic; files, memory and mappings are known here; events are core.c's.
 */
#include <linux/fs.h>
#include <linux/list.h>
//+7
#include <linux/mm.h>
//-
#include <linux/namei.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <itf/filter.h>

#include "addr_filter.h"

/*
 * Address range filtering: limiting the data to certain
 * instruction address ranges. Filters are ioctl()ed to us from
 * userspace as ascii strings.
 *
 * Filter string format:
 *
//<8
 * ACTION RANGE_SPEC
//-
//+8
 * ACTION [SOURCE:]RANGE_SPEC
//-
 * where ACTION is one of the
 *  * "filter": limit the trace to this region
 *  * "start": start tracing from this address
 *  * "stop": stop tracing at this address/region;
//+8
 * SOURCE, if it is there, is
 *  * "kernel": RANGE_SPEC is that of kernel addresses
 *  * "file":   RANGE_SPEC is that of an object file;
//-
 * RANGE_SPEC is
 *  * for kernel addresses: <start address>[/<size>]
 *  * for object files:     <start offset>[/<size>]@</path/to/object/file>
 *
 * if <size> is not specified or is zero, the range is treated as a single
//<8
 * address; not valid for ACTION=="filter".
//-
//+8
 * address; not valid for ACTION=="filter", except that with a SOURCE and no
 * <size> at all it is the one byte at <start>.
//-
 *
 * A range ends at or before the end of the address space: it may not wrap.
//+8
 * The whole grammar is in Documentation/trace/address-filters.rst.
//-
 */
static const struct itf_syntax syntax = {
//<8
	.dialect	= ITF_DIALECT_MAINLINE,
//-
//+8
	.dialect	= ITF_DIALECT_ANY,
//-
	.addr_bits	= BITS_PER_LONG,
};

static const enum perf_addr_filter_action_t actions[] = {
	[ITF_ACTION_FILTER]	= PERF_ADDR_FILTER_ACTION_FILTER,
	[ITF_ACTION_START]	= PERF_ADDR_FILTER_ACTION_START,
	[ITF_ACTION_STOP]	= PERF_ADDR_FILTER_ACTION_STOP,
};

/* Of the errors of the grammar all are EINVAL but one. */
static int parse_errno(enum itf_error error)
{
	if (error == ITF_OK)
		return 0;
	return itf_error_errno(error) == ITF_ERANGE ? -ERANGE : -EINVAL;
}

static int open_object(const struct itf_filter *parsed, struct path *path)
{
	char *name;
	int ret;

	name = kmemdup_nul(parsed->path, parsed->path_len, GFP_KERNEL);
	if (!name)
		return -ENOMEM;

	/* look up the path and grab its inode */
	ret = kern_path(name, LOOKUP_FOLLOW, path);
	kfree(name);
	if (ret)
		return ret;

	return S_ISREG(d_inode(path->dentry)->i_mode) ? 0 : -EINVAL;
}

static int add_filter(struct perf_event *event, const struct itf_filter *parsed,
		      struct list_head *filters)
{
	int node = cpu_to_node(event->cpu == -1 ? 0 : event->cpu);
	struct perf_addr_filter *filter;

	/*
	 * For now, we only support file-based filters in per-task events;
	 * doing so for CPU-wide events requires additional context switching
	 * trickery, since same object code will be mapped at different
	 * virtual addresses in different processes. The context is not looked
	 * at: it is not locked.
	 */
	if (parsed->source == ITF_SOURCE_FILE && !(event->attach_state & PERF_ATTACH_TASK))
		return -EOPNOTSUPP;

	filter = kzalloc_node(sizeof(*filter), GFP_KERNEL, node);
	if (!filter)
		return -ENOMEM;

	filter->action = actions[parsed->action];
	filter->offset = parsed->start;
	filter->size = parsed->size;
//+8
	/* No driver knows a region without a size: the one byte at its start. */
	if (parsed->action == ITF_ACTION_FILTER && !parsed->size)
		filter->size = 1;
//-
	list_add_tail(&filter->entry, filters);

	return parsed->source == ITF_SOURCE_FILE ? open_object(parsed, &filter->path) : 0;
}

/**
 * perf_addr_filters_parse() - make filters from text
 * @event:	the event that they are for
 * @text:	the text, NUL-terminated
 * @filters:	an empty list; the filters in the order of the text are added. On failure
 *		some may be there and are the caller's to free
 *
 * Filters are judged from left to right, each with its file, before the next is looked at; their
 * number is judged last.
 *
 * Return: 0, -EINVAL, -ERANGE, -ENOMEM, -EOPNOTSUPP for a file on a CPU-wide event and for more
 * filters than the PMU has, or what kern_path() returns.
 */
int perf_addr_filters_parse(struct perf_event *event, const char *text, struct list_head *filters)
{
	struct itf_parser parser;
	struct itf_filter parsed;
	int count = 0;
	int ret;

	itf_parser_init(&parser, text, strlen(text), &syntax);
	while (itf_parser_next(&parser, &parsed)) {
		ret = add_filter(event, &parsed, filters);
		if (ret)
			return ret;
		count++;
	}
	ret = parse_errno(parser.error);
	if (ret)
		return ret;

	return count > (int)event->pmu->nr_addr_filters ? -EOPNOTSUPP : 0;
}
//+7

static const struct inode *code_inode(const struct vm_area_struct *vma)
{
	return vma->vm_file && (vma->vm_flags & VM_EXEC) ? @INODE@(vma->vm_file) : NULL;
}

static void set_code(struct perf_mapped_code *code, const struct vm_area_struct *vma)
{
	code->inode = code_inode(vma);
	code->run = (struct itf_mapping){
		.start	= vma->vm_start,
		.size	= vma->vm_end - vma->vm_start,
		.offset	= (u64)vma->vm_pgoff << PAGE_SHIFT,
		.prot	= ITF_PROT_EXEC,
	};
}

/* Extend mapped code by what follows it directly, in both the file and memory. */
static bool join_code(struct perf_mapped_code *code, const struct perf_mapped_code *next)
{
	struct itf_piece run = {
		.start	= code->run.start,
		.size	= code->run.size,
		.offset	= code->run.offset,
	};
	const struct itf_piece more = {
		.start	= next->run.start,
		.size	= next->run.size,
		.offset	= next->run.offset,
	};

	if (next->inode != code->inode || !itf_piece_join(&run, &more))
		return false;
	code->run.size = run.size;
	return true;
}

/* Likewise at either end, by the mapping that is at an address, if it is code. */
static bool grow_code(struct perf_mapped_code *code, struct mm_struct *mm, unsigned long addr)
{
	const struct vm_area_struct *vma = vma_lookup(mm, addr);
	struct perf_mapped_code other;

	if (!vma || !code_inode(vma))
		return false;
	set_code(&other, vma);
	if (addr >= code->run.start)
		return join_code(code, &other);
	if (!join_code(&other, code))
		return false;
	*code = other;
	return true;
}

/**
 * perf_mapped_code_around() - the code that a mapping is part of
 * @vma:	a mapping; its mm::mmap_lock is held
 * @code:	set to the run of executable mappings of one file that @vma lies in: mprotect()
 *		splits mappings, a filter is none the wiser
 *
 * Return: false if @vma maps no file or is not executable.
 */
bool perf_mapped_code_around(struct vm_area_struct *vma, struct perf_mapped_code *code)
{
	struct mm_struct *mm = vma->vm_mm;

	if (!code_inode(vma))
		return false;
	set_code(code, vma);
	while (code->run.start && grow_code(code, mm, code->run.start - 1))
		;
	while (grow_code(code, mm, code->run.start + code->run.size))
		;
	return true;
}

/**
 * perf_addr_filter_resolve() - the range of a filter in mapped code
 * @filter:	a filter
 * @code:	mapped code
 * @range:	set if @code holds any byte of @filter, to those that it holds
 *
 * Sharing an edge is not holding a byte. Nothing wraps: offsets are those of the file, also
 * where an unsigned long is shorter.
 *
 * Return: whether @code holds any byte of @filter; if not, @range is as it was.
 */
bool perf_addr_filter_resolve(const struct perf_addr_filter *filter,
			      const struct perf_mapped_code *code,
			      struct perf_addr_filter_range *range)
{
	const struct itf_range want = { .start = filter->offset, .size = filter->size };
	struct itf_piece piece;

	/* d_inode(NULL) won't be equal to any mapped user-space file */
	if (!filter->path.dentry || d_inode(filter->path.dentry) != code->inode)
		return false;

	if (!itf_piece_of(&want, &code->run, &piece))
		return false;

	range->start = piece.start;
	range->size = piece.size;
	return true;
}

/* The first code in memory that holds the filter. */
static void resolve_in_mm(const struct perf_addr_filter *filter, struct mm_struct *mm,
			  struct perf_addr_filter_range *range)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct perf_mapped_code code = { }, next;
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma) {
		if (code_inode(vma) != d_inode(filter->path.dentry))
			continue;
		set_code(&next, vma);
		if (join_code(&code, &next))
			continue;
		if (perf_addr_filter_resolve(filter, &code, range))
			return;
		code = next;
	}
	perf_addr_filter_resolve(filter, &code, range);
}

/**
 * perf_addr_filters_resolve() - the ranges of all filters of an event
 * @ifh:	the filters; their lock is held
 * @mm:		the task's memory with mm::mmap_lock held, NULL if it has none
 * @ranges:	all set: a filter without a file has its own range, one with a file that of the
 *		first code in @mm that holds it, or {0, 0}
 */
void perf_addr_filters_resolve(const struct perf_addr_filters_head *ifh, struct mm_struct *mm,
			       struct perf_addr_filter_range *ranges)
{
	const struct perf_addr_filter *filter;

	list_for_each_entry(filter, &ifh->list, entry) {
		*ranges = (struct perf_addr_filter_range){ };
		if (!filter->path.dentry) {
			ranges->start = filter->offset;
			ranges->size = filter->size;
		} else if (mm) {
			resolve_in_mm(filter, mm, ranges);
		}
		ranges++;
	}
}
//-
