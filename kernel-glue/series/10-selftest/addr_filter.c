// SPDX-License-Identifier: GPL-2.0
/*
 * Address filters: what PERF_EVENT_IOC_SET_FILTER accepts and how it refuses the rest. Needs a PMU
 * with address filters, such as intel_pt or cs_etm, and is skipped without one.
 */
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kselftest_harness.h"

#define DEVICES "/sys/bus/event_source/devices"

static unsigned int read_number(const char *device, const char *name)
{
	char path[PATH_MAX];
	unsigned int value;
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", device, name);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%u", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

/* The first PMU that has address filters: its type, or 0. */
static unsigned int find_pmu(unsigned int *nr_filters)
{
	DIR *dir = opendir(DEVICES);
	unsigned int type = 0;
	struct dirent *entry;

	while (dir && !type && (entry = readdir(dir))) {
		*nr_filters = read_number(entry->d_name, "nr_addr_filters");
		if (*nr_filters)
			type = read_number(entry->d_name, "type");
	}
	if (dir)
		closedir(dir);
	return type;
}

FIXTURE(addr_filter)
{
	unsigned int nr_filters;
	int fd;
};

FIXTURE_SETUP(addr_filter)
{
	struct perf_event_attr attr = {
		.size		= sizeof(attr),
		.disabled	= 1,
		.exclude_kernel	= 1,
	};

	self->fd = -1;
	attr.type = find_pmu(&self->nr_filters);
	if (!attr.type)
		SKIP(return, "no PMU with address filters");
	self->fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (self->fd < 0)
		SKIP(return, "the PMU cannot be opened: %s", strerror(errno));
}

/* A test that the setup skips runs all the same in older harnesses. */
#define skipped(self) ((self)->fd < 0)

FIXTURE_TEARDOWN(addr_filter)
{
	if (self->fd >= 0)
		close(self->fd);
}

static int set_filter(int fd, const char *filter)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) ? errno : 0;
}

TEST_F(addr_filter, accepts_ranges)
{
	if (skipped(self))
		return;

	EXPECT_EQ(0, set_filter(self->fd, "filter 0x1000/0x200@/proc/self/exe"));
	EXPECT_EQ(0, set_filter(self->fd, "filter,4096/01000@/proc/self/exe\n"));
	EXPECT_EQ(0, set_filter(self->fd, "filter 0X1000/0x200"));
	EXPECT_EQ(0, set_filter(self->fd, "filter file:0x1000/0x200@/proc/self/exe"));
	EXPECT_EQ(0, set_filter(self->fd, "filter kernel:0x1000/0x200"));
}

TEST_F(addr_filter, empty_clears)
{
	if (skipped(self))
		return;

	EXPECT_EQ(0, set_filter(self->fd, ""));
	EXPECT_EQ(0, set_filter(self->fd, " ,\n"));
}

TEST_F(addr_filter, refuses_what_is_not_in_the_grammar)
{
	static const char *const wrong[] = {
		"bogus", "filter", "filter 0x1000", "filter 0x1000/0", "filter 08/1",
		"filter +1/1", "filter 1/1@", "filter 1/1/1", "Filter 1/1", "filter filter 1/1",
		"filter 1/1 2/2", "filter\t1/1", "filter file:1/1",
		"filter kernel:1/1@/proc/self/exe",
	};
	size_t i;

	if (skipped(self))
		return;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		EXPECT_EQ(EINVAL, set_filter(self->fd, wrong[i])) {
			TH_LOG("\"%s\"", wrong[i]);
		}
	}
}

TEST_F(addr_filter, numbers_fit_an_address)
{
	if (skipped(self))
		return;

	EXPECT_EQ(ERANGE, set_filter(self->fd, "filter 0x10000000000000000/1"));
	EXPECT_EQ(ERANGE, set_filter(self->fd, "filter 1/0x10000000000000000"));
}

TEST_F(addr_filter, ranges_do_not_wrap)
{
	if (skipped(self))
		return;

	EXPECT_EQ(EINVAL, set_filter(self->fd, sizeof(long) == 8 ?
				     "filter 0xffffffffffffff00/0x101" :
				     "filter 0xffffff00/0x101"));
}

TEST_F(addr_filter, files_are_looked_up)
{
	if (skipped(self))
		return;

	EXPECT_EQ(ENOENT, set_filter(self->fd, "filter 1/1@/nonexistent-file"));
	EXPECT_EQ(EINVAL, set_filter(self->fd, "filter 1/1@/"));
}

TEST_F(addr_filter, first_bad_filter_decides)
{
	if (skipped(self))
		return;

	EXPECT_EQ(ENOENT, set_filter(self->fd, "filter 1/1@/nonexistent-file,bogus"));
	EXPECT_EQ(EINVAL, set_filter(self->fd, "bogus,filter 1/1@/nonexistent-file"));
}

TEST_F(addr_filter, no_more_than_the_pmu_has)
{
	char filters[4096] = "";
	unsigned int i;

	if (skipped(self))
		return;

	for (i = 0; i <= self->nr_filters && i < 100; i++)
		strcat(filters, "filter 0x1000/0x10,");
	EXPECT_EQ(EOPNOTSUPP, set_filter(self->fd, filters));
}

TEST_F(addr_filter, bad_pointers)
{
	if (skipped(self))
		return;

	EXPECT_EQ(EFAULT, set_filter(self->fd, NULL));
}

TEST_HARNESS_MAIN
