// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: from any bytes the reader of perf.data makes the records that a second reader makes
 * (second_perfdata.h), in the same order; both come to the same end, and where a file is damaged
 * they agree at which byte; so they do about the filters that were recorded; it stops when told to.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "second_perfdata.h"

const enum gen_format fuzz_format = GEN_PERFDATA;

/* The second reader searches where the first one sorts. */
#define MAX_SIZE (1u << 14)

struct compare {
	const struct second *want;
	size_t count;
	size_t stop_after;
};

static bool compare(const struct perfdata_record *record, void *ctx)
{
	struct compare *c = ctx;
	const struct perfdata_record *want = &c->want->records[c->count];

	FUZZ_ASSERT(c->count < c->want->count);
	FUZZ_ASSERT(record->kind == want->kind && record->at == want->at);
	FUZZ_ASSERT(record->has_time == want->has_time && record->time == want->time);
	FUZZ_ASSERT(record->pid == want->pid && record->tid == want->tid);
	FUZZ_ASSERT(record->ppid == want->ppid && record->ptid == want->ptid);
	FUZZ_ASSERT(record->start == want->start && record->size == want->size);
	FUZZ_ASSERT(record->offset == want->offset && record->prot == want->prot);
	FUZZ_ASSERT(record->has_inode == want->has_inode && record->inode == want->inode);
	FUZZ_ASSERT(record->major == want->major && record->minor == want->minor);
	FUZZ_ASSERT(record->exec == want->exec && record->truncated == want->truncated);
	FUZZ_ASSERT(record->lost == want->lost && record->name_len == want->name_len);
	if (record->name_len)
		FUZZ_ASSERT(!memcmp(record->name, want->name, want->name_len));
	return ++c->count != c->stop_after;
}

static void check_end(const struct perfdata_end *end, const struct second *want)
{
	FUZZ_ASSERT(end->records == want->end.records && end->data == want->end.data);
	FUZZ_ASSERT(end->broken == want->end.broken && end->at == want->end.at);
	FUZZ_ASSERT(!end->broken == !end->why);
}

static void rewound(int fd)
{
	FUZZ_ASSERT(lseek(fd, 0, SEEK_SET) == 0);
}

static void check_records(int fd, const struct second *want)
{
	struct compare c = { .want = want };
	struct perfdata_end end;

	rewound(fd);
	FUZZ_ASSERT(perfdata_read(fd, compare, &c, &end, NULL));
	FUZZ_ASSERT(c.count == want->count);
	check_end(&end, want);
	if (want->count > 1) {
		c = (struct compare){ .want = want, .stop_after = want->count / 2 };
		rewound(fd);
		errno = EINTR;
		FUZZ_ASSERT(!perfdata_read(fd, compare, &c, &end, NULL) && !errno);
		FUZZ_ASSERT(c.count == c.stop_after);
	}
}

static void check_filters(int fd, const struct second *want)
{
	struct perfdata_end end;
	char *filters;

	rewound(fd);
	FUZZ_ASSERT(perfdata_filters(fd, &filters, &end, NULL));
	FUZZ_ASSERT(!filters == !want->filters);
	if (filters)
		FUZZ_ASSERT(strlen(filters) == want->filters_len &&
			    !memcmp(filters, want->filters, want->filters_len));
	check_end(&end, want);
	free(filters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct second *want;
	u8 *bytes;

	if (size > MAX_SIZE)
		return 0;
	if (fd < 0)
		fd = memfd_create("fuzz_perfdata", 0);
	FUZZ_ASSERT(fd >= 0 && ftruncate(fd, 0) == 0);
	FUZZ_ASSERT(pwrite(fd, data, size, 0) == (ssize_t)size);
	bytes = fuzz_copy(data, size);
	want = second_read(bytes, size, false);
	if (!want->too_much)
		check_records(fd, want);
	second_free(want);
	want = second_read(bytes, size, true);
	if (!want->too_much)
		check_filters(fd, want);
	second_free(want);
	free(bytes);
	return 0;
}
