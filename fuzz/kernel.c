// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One version of the kernel's own code behind kernel.h. Compiled once a version, with KERNEL_CUT
 * the file to include, KERNEL_VERSION its name and KERNEL_SYMBOL what to call it here. The code of
 * the kernel is compiled as it is, with all that these warnings would say of it.
 */
#include "kernel.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-variable"

#include "kernel_shim.h"
#include KERNEL_CUT

extern const struct kernel KERNEL_SYMBOL;

#ifdef KERNEL_MISSING
const struct kernel KERNEL_SYMBOL = { .version = KERNEL_VERSION };
#else

static int parse(const char *text, bool cpu_wide,
		 void (*take)(const struct kernel_filter *filter, void *ctx), void *ctx)
{
	static const char *const actions[] = {
		[PERF_ADDR_FILTER_ACTION_STOP] = "stop",
		[PERF_ADDR_FILTER_ACTION_START] = "start",
		[PERF_ADDR_FILTER_ACTION_FILTER] = "filter",
	};
	struct perf_event_context context = { .task = cpu_wide ? NULL : &context };
	struct perf_event event = { .cpu = -1, .ctx = &context };
	struct perf_addr_filter *filter, *next;
	struct list_head filters;
	int error;

	INIT_LIST_HEAD(&filters);
	error = perf_event_parse_addr_filter(&event, (char *)text, &filters);
	if (error)
		return error;
	list_for_each_entry_safe(filter, next, &filters, entry) {
		const struct kernel_filter seen = {
			.action = actions[filter->action],
			.start = filter->offset,
			.size = filter->size,
			.path = filter->path.dentry ? filter->path.dentry->name : NULL,
		};

		take(&seen, ctx);
	}
	free_filters_list(&filters);
	return 0;
}

static bool adjust(const struct kernel_filter *filter, unsigned long start, unsigned long end,
		   unsigned long pgoff, unsigned int shift, unsigned long *range_start,
		   unsigned long *range_size)
{
	struct inode inode = { .i_mode = S_IFREG };
	struct dentry dentry = { .d_inode = &inode };
	struct file file = { .f_inode = &inode };
	struct perf_addr_filter cut = {
		.path = { .dentry = &dentry },
		.offset = filter->start,
		.size = filter->size,
	};
	struct vm_area_struct vma = {
		.vm_start = start,
		.vm_end = end,
		.vm_pgoff = pgoff,
		.vm_file = &file,
	};
	struct perf_addr_filter_range range = { 0, 0 };

	page_shift = shift;
	if (!perf_addr_filter_vma_adjust(&cut, &vma, &range))
		return false;
	*range_start = range.start;
	*range_size = range.size;
	return true;
}

const struct kernel KERNEL_SYMBOL = {
	.version = KERNEL_VERSION,
	.parse = parse,
	.adjust = adjust,
};

#endif
