/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the harnesses share: one entry, assertions that no build turns off, and the input taken
 * apart. A harness states its property in its first comment and knows nothing of who feeds it:
 * libFuzzer, AFL++ and replay.c all call the one function.
 */
#ifndef ITF_FUZZ_FUZZ_H
#define ITF_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <itf/env.h>

#include "gen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What inputs of this harness look like. */
extern const enum gen_format fuzz_format;

/* Why a harness has nothing to compare with, or NULL; not every harness has it. */
const char *fuzz_skip(void) __attribute__((weak));

#define FUZZ_ASSERT(condition)                                                                     \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__, \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* A copy of exactly @size bytes, so that a sanitizer sees every byte read behind them. */
static inline void *fuzz_copy(const void *bytes, size_t size)
{
	void *copy = calloc(1, size);

	if (size) {
		FUZZ_ASSERT(copy);
		memcpy(copy, bytes, size);
	}
	return copy;
}

/**
 * struct fuzz_bytes - input being taken apart; when it is used up, zeros come
 * @p: next byte
 * @left: bytes from there on
 */
struct fuzz_bytes {
	const uint8_t *p;
	size_t left;
};

static inline u8 fuzz_u8(struct fuzz_bytes *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static inline u64 fuzz_u64(struct fuzz_bytes *in)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < 64; i += 8)
		value |= (u64)fuzz_u8(in) << i;
	return value;
}

#endif
