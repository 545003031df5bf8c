/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A second reader of perf.data, for fuzz_perfdata to compare with: it has the whole file in memory,
 * looks at fields one after the other, and sorts by searching. Shares nothing with the first but
 * the form of its answers.
 */
#ifndef ITF_FUZZ_SECOND_PERFDATA_H
#define ITF_FUZZ_SECOND_PERFDATA_H

#include "host/perfdata.h"

/**
 * struct second - what was read
 * @records: array of @count records in the order in which they are handed out; names point into
 *	the file, or into what was decompressed
 * @count: records
 * @end: as perfdata_read() sets it; its reasons are not compared
 * @filters: as perfdata_filters() finds them, or NULL; not NUL-terminated
 * @filters_len: bytes in @filters
 * @too_much: so much was compressed that the reader gave up, and nothing here is to be compared
 * @plain: private: what compressed records held
 * @plain_count: private
 */
struct second {
	struct perfdata_record *records;
	size_t count;
	struct perfdata_end end;
	const u8 *filters;
	size_t filters_len;
	bool too_much;
	u8 *plain[64];
	size_t plain_count;
};

/* Read a file, its records or the filters in it; release what was read with second_free(). */
struct second *second_read(const u8 *bytes, size_t size, bool filters);

void second_free(struct second *s);

#endif
