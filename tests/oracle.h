/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The grammar of SPEC 2 a second time, as plainly as it can be said: cut the text into tokens
 * first, then judge each token as a whole. Shares nothing with the engine, not even its names;
 * slow, and good for nothing but to be compared with.
 */
#ifndef ITF_TESTS_ORACLE_H
#define ITF_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct oracle - one text being read
 * @text: the text
 * @len: bytes in @text
 * @pos: first byte not read yet
 * @dialect: 'a' for any, 's' for seed, 'm' for mainline
 * @quotes: quoted paths are known
 * @addr_bits: 32 or 64
 * @max_len: longest text, 0 for no limit
 * @scratch: room for @len + 1 bytes: the decoded path of the last filter
 * @error: NULL, or the name of what is wrong
 */
struct oracle {
	const char *text;
	size_t len;
	size_t pos;
	char dialect;
	bool quotes;
	unsigned int addr_bits;
	size_t max_len;
	char *scratch;
	const char *error;
};

/**
 * struct oracle_filter - what a filter says
 * @action: "filter", "start" or "stop"
 * @file: it has a path
 * @has_source: it names its source
 * @has_size: it names a size
 * @quoted: its path stands in quotes
 * @start: number
 * @size: number, or 0
 * @start_base: 8, 10 or 16
 * @size_base: likewise, 0 without a size
 * @path_len: bytes of the decoded path, which is in the oracle's scratch
 * @off: where its action begins
 * @end: where its range ends
 */
struct oracle_filter {
	const char *action;
	bool file;
	bool has_source;
	bool has_size;
	bool quoted;
	uint64_t start;
	uint64_t size;
	unsigned int start_base;
	unsigned int size_base;
	size_t path_len;
	size_t off;
	size_t end;
};

/* The next filter; false at the end or on error. */
bool oracle_next(struct oracle *o, struct oracle_filter *f);

#endif
