/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * As much of a kernel as the functions that tools/cut-kernel.sh cuts out need to be compiled and
 * run in a process. Included by kernel.c only; has no rule of the filters in it.
 */
#ifndef ITF_FUZZ_KERNEL_SHIM_H
#define ITF_FUZZ_KERNEL_SHIM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define noinline __attribute__((noinline))
#define fallthrough __attribute__((fallthrough))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
#define min(a, b)                       \
	({                              \
		__typeof__(a) _a = (a); \
		__typeof__(b) _b = (b); \
		_a < _b ? _a : _b;      \
	})

/* ---------- text and numbers; the C locale's idea of a digit is the kernel's */

static inline char _tolower(char c)
{
	return (char)(c | 0x20);
}

static inline int isdigit(int c)
{
	return c >= '0' && c <= '9';
}

static inline int isxdigit(int c)
{
	return isdigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static inline unsigned long long div_u64(unsigned long long n, unsigned int base)
{
	return n / base;
}

/* The kernel has it inline: unsigned long is not unsigned long long. */
#define kstrtoul(s, base, result) _kstrtoul(s, base, result)

/* ---------- memory; there is always some */

#define GFP_KERNEL 0

static inline void *shim_memory(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

static inline char *kmemdup_nul(const char *s, size_t len, int flags)
{
	char *copy = shim_memory(len + 1);

	(void)flags;
	memcpy(copy, s, len);
	return copy;
}

#define kstrdup(s, flags) kmemdup_nul(s, strlen(s), flags)
#define kzalloc_node(size, flags, node) ((void)(node), shim_memory(size))
#define kfree(p) free(p)
#define cpu_to_node(cpu) (cpu)

/* ---------- lists */

struct list_head {
	struct list_head *next, *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->next = list;
	entry->prev = list->prev;
	list->prev->next = entry;
	list->prev = entry;
}

static inline void list_del(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

#define list_for_each_entry_safe(pos, n, head, member)                    \
	for (pos = container_of((head)->next, __typeof__(*pos), member),  \
	    n = container_of(pos->member.next, __typeof__(*pos), member); \
	     &pos->member != (head);                                      \
	     pos = n, n = container_of(n->member.next, __typeof__(*n), member))

/* ---------- files: every name is that of a regular file of its own */

#define LOOKUP_FOLLOW 0

struct inode {
	mode_t i_mode;
};

struct dentry {
	struct inode *d_inode;
	char *name;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct inode *f_inode;
};

#define d_inode(dentry) ((dentry)->d_inode)
#define file_inode(file) ((file)->f_inode)
#define file_user_inode(file) ((file)->f_inode)

static inline int kern_path(const char *name, int flags, struct path *path)
{
	static struct inode regular = { .i_mode = S_IFREG };

	(void)flags;
	path->dentry = shim_memory(sizeof(*path->dentry));
	path->dentry->d_inode = &regular;
	path->dentry->name = kmemdup_nul(name, strlen(name), GFP_KERNEL);
	return 0;
}

static inline void path_put(struct path *path)
{
	if (!path->dentry)
		return;
	free(path->dentry->name);
	free(path->dentry);
}

/* ---------- events and mappings */

struct perf_event_context {
	void *task;
};

struct perf_event {
	int cpu;
	struct perf_event_context *ctx;
	struct {
		unsigned int nr_file_filters;
	} addr_filters;
};

/* Pages of one byte show every offset; those of the machine show what wraps. */
static unsigned int page_shift;
#define PAGE_SHIFT page_shift

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

#endif
