// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The glue without a kernel: text to a list, mappings to ranges, and no memory at every point. */
#include <kunit/test.h>
#include <linux/kernel.h>

#include "addr_filter.h"

#define MAX 8

static struct inode inodes[] = { { 1 }, { 1 }, { 2 } };
static struct dentry dentries[] = { { &inodes[0] }, { &inodes[1] }, { &inodes[2] } };
static struct file files[] = { { &inodes[0] }, { &inodes[1] } };

int kern_path(const char *name, unsigned int flags, struct path *path)
{
	(void)flags;
	if (!strcmp(name, "1"))
		path->dentry = &dentries[0];
	else if (!strcmp(name, "2"))
		path->dentry = &dentries[1];
	else if (!strcmp(name, "dir"))
		path->dentry = &dentries[2];
	else
		return -ENOENT;
	return 0;
}

static struct pmu pmu = { .nr_addr_filters = 4 };
static struct perf_event task_event = { .cpu = -1, .attach_state = PERF_ATTACH_TASK, .pmu = &pmu };
static struct perf_event cpu_event = { .pmu = &pmu };

static void free_list(struct list_head *list)
{
	while (list->next != list) {
		struct perf_addr_filter *filter =
			container_of(list->next, struct perf_addr_filter, entry);

		list->next = filter->entry.next;
		list->next->prev = list;
		kfree(filter);
	}
}

static int parse(struct perf_event *event, const char *text)
{
	LIST_HEAD(list);
	int ret = perf_addr_filters_parse(event, text, &list);

	free_list(&list);
	return ret;
}

static void errors_are_the_kernels(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, parse(&task_event, ""), 0);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 1/1@1,filter 2/2,start 3"), 0);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "bogus"), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 0x10000000000000000/0@gone"), -ERANGE);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 1/0@gone"), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 1/1@gone,bogus"), -ENOENT);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "bogus,filter 1/1@gone"), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 1/1@dir"), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse(&cpu_event, "filter 1/1@gone"), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parse(&cpu_event, "filter 1/1"), 0);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 0xffffffffffffffff/2"), -EINVAL);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "start 1 start 2 start 3 start 4"), 0);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "start 1 start 2 start 3 start 4 start 5"),
			-EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, parse(&task_event, "start 1 start 2 start 3 start 4 start 5@gone"),
			-ENOENT);
}

static void no_memory_is_enomem(struct kunit *test)
{
	int i;

	for (i = 0; i < 4; i++) {
		stub_allocations = i;
		KUNIT_EXPECT_EQ(test, parse(&task_event, "filter 1/1@1,filter 2/2@2"), -ENOMEM);
	}
	stub_allocations = -1;
}

static void a_filter_with_a_source_is_one_byte(struct kunit *test)
{
	struct perf_addr_filter *filter;
	LIST_HEAD(list);

	KUNIT_ASSERT_EQ(test, perf_addr_filters_parse(&task_event, "filter file:7@1", &list), 0);
	filter = container_of(list.next, struct perf_addr_filter, entry);
	KUNIT_EXPECT_EQ(test, filter->offset, 7);
	KUNIT_EXPECT_EQ(test, filter->size, 1);
	KUNIT_EXPECT_EQ(test, filter->action, PERF_ADDR_FILTER_ACTION_FILTER);
	free_list(&list);
}

struct range_case {
	const char *filter;
	struct perf_addr_filter_range range;
};

/* Headers, text in two mappings that are one, a hole, text again; then another file. */
static struct vm_area_struct maps[] = {
	{ 0x10000, 0x12000, 0, 0, &files[0], NULL },
	{ 0x12000, 0x13000, 2, VM_EXEC, &files[0], NULL },
	{ 0x13000, 0x14000, 3, VM_EXEC, &files[0], NULL },
	{ 0x15000, 0x16000, 5, VM_EXEC, &files[0], NULL },
	{ 0x16000, 0x17000, 6, VM_EXEC, &files[1], NULL },
	{ 0x17000, 0x18000, 7, VM_EXEC, NULL, NULL },
};

static struct mm_struct mm = { maps, ARRAY_SIZE(maps) };

static const struct range_case range_cases[] = {
	{ "filter 0/0x100000@1", { 0x12000, 0x2000 } },
	{ "filter 0x2000/0x1000@1", { 0x12000, 0x1000 } },
	{ "filter 0x2f00/0x200@1", { 0x12f00, 0x200 } },
	{ "filter 0x4000/0x1000@1", { 0, 0 } },
	{ "filter 0x4000/0x1001@1", { 0x15000, 1 } },
	{ "start 0x2000@1", { 0x12000, 0 } },
	{ "filter 0x6000/0x1000@2", { 0x16000, 0x1000 } },
	{ "filter 0x7000/0x1000@2", { 0, 0 } },
	{ "filter 0xf000/0x10", { 0xf000, 0x10 } },
};

static void ranges_are_those_of_code(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(range_cases); i++) {
		const struct range_case *c = &range_cases[i];
		struct perf_addr_filters_head head = { { &head.list, &head.list } };
		struct perf_addr_filter_range range = { 1, 1 };

		KUNIT_ASSERT_EQ(test, perf_addr_filters_parse(&task_event, c->filter, &head.list), 0);
		perf_addr_filters_resolve(&head, &mm, &range);
		KUNIT_EXPECT_EQ(test, range.start, c->range.start);
		KUNIT_EXPECT_EQ(test, range.size, c->range.size);
		perf_addr_filters_resolve(&head, NULL, &range);
		KUNIT_EXPECT_EQ(test, range.size, c->range.start == 0xf000 ? 0x10 : 0);
		free_list(&head.list);
	}
}

static void code_around_a_mapping_is_all_of_it(struct kunit *test)
{
	struct perf_mapped_code code;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(maps); i++)
		maps[i].vm_mm = &mm;
	KUNIT_EXPECT_FALSE(test, perf_mapped_code_around(&maps[0], &code));
	KUNIT_EXPECT_FALSE(test, perf_mapped_code_around(&maps[5], &code));
	for (i = 1; i <= 2; i++) {
		KUNIT_EXPECT_TRUE(test, perf_mapped_code_around(&maps[i], &code));
		KUNIT_EXPECT_EQ(test, code.run.start, 0x12000);
		KUNIT_EXPECT_EQ(test, code.run.size, 0x2000);
		KUNIT_EXPECT_EQ(test, code.run.offset, 0x2000);
	}
	KUNIT_EXPECT_TRUE(test, perf_mapped_code_around(&maps[3], &code));
	KUNIT_EXPECT_EQ(test, code.run.size, 0x1000);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(errors_are_the_kernels),
	KUNIT_CASE(no_memory_is_enomem),
	KUNIT_CASE(a_filter_with_a_source_is_one_byte),
	KUNIT_CASE(ranges_are_those_of_code),
	KUNIT_CASE(code_around_a_mapping_is_all_of_it),
	{ },
};

static struct kunit_suite suite = {
	.name = "addr_filter",
	.test_cases = cases,
};

kunit_test_suites(&suite);
