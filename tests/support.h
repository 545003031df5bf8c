/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the unit tests share: text that ends at an unreadable page, and readers for the vector
 * files. Knows nothing of the engine.
 */
#ifndef ITF_TESTS_SUPPORT_H
#define ITF_TESTS_SUPPORT_H

#include <stddef.h>

/**
 * struct guarded - bytes that end where readable memory ends
 * @text: the bytes
 * @len: how many
 * @base: private
 * @mapped: private
 */
struct guarded {
	char *text;
	size_t len;
	void *base;
	size_t mapped;
};

/* Copy @len bytes so that reading one more faults. */
struct guarded guard(const void *bytes, size_t len);

/* Release what guard() made. */
void unguard(struct guarded *g);

/* One line of a vector file, split at tabs, and its number. */
struct vector {
	char **fields;
	size_t count;
	unsigned int line;
};

/* The lines of a vector file, comments and blank lines left out. */
struct vectors {
	struct vector *rows;
	size_t count;
};

/* Read tests/vectors/@name below $srcdir, before tests run; the program fails if it cannot. */
struct vectors vectors_read(const char *name);

/* Undo \n, \t, \r, \0, \xHH and \\ in place; returns the length. */
size_t unescape(char *text);

#endif
