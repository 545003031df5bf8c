/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * As much of a kernel as the glue needs to be compiled and run in a process: types, memory, lists,
 * files and mappings. All of <linux/...> that the glue includes leads here. The include paths of
 * the C library are not in reach of what includes this.
 */
#ifndef STUB_LINUX_KERNEL_H
#define STUB_LINUX_KERNEL_H

typedef _Bool bool;
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size_t;

enum {
	false = 0,
	true = 1
};

#define NULL ((void *)0)
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
#define EOPNOTSUPP 95
#define BITS_PER_LONG (8 * (int)sizeof(long))
#define GFP_KERNEL 0
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define container_of(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

/* ---------- memory and text; stub.c has them from the C library */

void *stub_alloc(size_t size);
void kfree(const void *p);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int memcmp(const void *a, const void *b, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
__attribute__((format(printf, 3, 4))) int scnprintf(char *buf, size_t size, const char *format, ...);

/* How many more allocations succeed; below 0: all. */
extern int stub_allocations;

#define kzalloc_node(size, flags, node) ((void)(node), stub_alloc(size))
#define cpu_to_node(cpu) (cpu)

char *kmemdup_nul(const char *s, size_t len, int flags);

/* ---------- lists */

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name) struct list_head name = { &name, &name }

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->next = list;
	entry->prev = list->prev;
	list->prev->next = entry;
	list->prev = entry;
}

#define list_for_each_entry(pos, head, member) \
	for (pos = container_of((head)->next, __typeof__(*pos), member); &pos->member != (head); \
	     pos = container_of(pos->member.next, __typeof__(*pos), member))

/* ---------- files; a name is that of the inode of this number: "1", "2" and "dir" */

#define LOOKUP_FOLLOW 1
#define S_ISREG(mode) ((mode) == 1)

struct inode {
	int i_mode;
};

struct dentry {
	struct inode *inode;
};

struct path {
	struct dentry *dentry;
};

struct file {
	struct inode *inode;
};

int kern_path(const char *name, unsigned int flags, struct path *path);

static inline struct inode *d_inode(const struct dentry *dentry)
{
	return dentry->inode;
}

static inline struct inode *file_inode(const struct file *file)
{
	return file->inode;
}

static inline const struct inode *file_user_inode(const struct file *file)
{
	return file->inode;
}

/* ---------- memory of tasks: an array of mappings */

#define PAGE_SHIFT 12
#define VM_EXEC 4ul

struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_pgoff, vm_flags;
	struct file *vm_file;
	struct mm_struct *vm_mm;
};

struct mm_struct {
	struct vm_area_struct *maps;
	size_t count;
};

#define VMA_ITERATOR(name, mm, addr) \
	struct { struct mm_struct *of; size_t next; } name = { (mm), 0 }
#define for_each_vma(it, vma) \
	while (((vma) = (it).next < (it).of->count ? &(it).of->maps[(it).next++] : NULL))

static inline struct vm_area_struct *vma_lookup(struct mm_struct *mm, unsigned long addr)
{
	size_t i;

	for (i = 0; i < mm->count; i++) {
		if (addr >= mm->maps[i].vm_start && addr < mm->maps[i].vm_end)
			return &mm->maps[i];
	}
	return NULL;
}

/* ---------- events */

enum perf_addr_filter_action_t {
	PERF_ADDR_FILTER_ACTION_STOP = 0,
	PERF_ADDR_FILTER_ACTION_START,
	PERF_ADDR_FILTER_ACTION_FILTER
};

struct perf_addr_filter {
	struct list_head entry;
	struct path path;
	unsigned long offset, size;
	enum perf_addr_filter_action_t action;
};

struct perf_addr_filters_head {
	struct list_head list;
};

struct perf_addr_filter_range {
	unsigned long start, size;
};

struct pmu {
	unsigned int nr_addr_filters;
};

#define PERF_ATTACH_TASK 4

struct perf_event {
	int cpu;
	unsigned int attach_state;
	struct pmu *pmu;
};

#endif
