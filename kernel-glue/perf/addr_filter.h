/* SPDX-License-Identifier: GPL-2.0-only */
/* Address filters: from text to a list, and from the mappings of a task to ranges. */
#ifndef _KERNEL_EVENTS_ADDR_FILTER_H
#define _KERNEL_EVENTS_ADDR_FILTER_H

//+7
#include <itf/range.h>

struct inode;
//-
struct list_head;
//+7
struct mm_struct;
struct perf_addr_filter;
struct perf_addr_filter_range;
struct perf_addr_filters_head;
//-
struct perf_event;
//+7
struct vm_area_struct;
//-

int perf_addr_filters_parse(struct perf_event *event, const char *text, struct list_head *filters);
//+7

/**
 * struct perf_mapped_code - executable mappings of one file, adjacent in both file and memory
 * @inode: the file, compared for equality only
 * @run: all of them as one mapping
 */
struct perf_mapped_code {
	const struct inode	*inode;
	struct itf_mapping	run;
};

bool perf_mapped_code_around(struct vm_area_struct *vma, struct perf_mapped_code *code);
bool perf_addr_filter_resolve(const struct perf_addr_filter *filter,
			      const struct perf_mapped_code *code,
			      struct perf_addr_filter_range *range);
void perf_addr_filters_resolve(const struct perf_addr_filters_head *ifh, struct mm_struct *mm,
			       struct perf_addr_filter_range *ranges);
//-

#endif /* _KERNEL_EVENTS_ADDR_FILTER_H */
