// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * AFL++'s custom mutator, a shared object for all harnesses: ITF_FUZZER names the one that runs.
 * AFL++ makes its own changes beside these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

struct mutator {
	enum gen_format format;
	uint64_t seed;
	uint8_t *bytes;
	size_t room;
};

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max_size);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
	const char *harness = getenv("ITF_FUZZER");
	struct mutator *m = calloc(1, sizeof(*m));

	(void)afl;
	if (!m)
		return NULL;
	m->format = harness ? gen_format_of(harness) : GEN_FORMATS;
	m->seed = (uint64_t)seed << 32;
	if (m->format != GEN_FORMATS)
		return m;
	fprintf(stderr, "afl_mutator: ITF_FUZZER does not name a harness\n");
	free(m);
	return NULL;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *other,
		       size_t other_size, size_t max_size)
{
	struct mutator *m = data;

	(void)other;
	(void)other_size;
	if (m->room < max_size) {
		uint8_t *bytes = realloc(m->bytes, max_size);

		if (!bytes) {
			*out = buf;
			return size;
		}
		m->bytes = bytes;
		m->room = max_size;
	}
	if (size > max_size)
		size = max_size;
	memcpy(m->bytes, buf, size);
	*out = m->bytes;
	return gen_mutate(m->format, m->bytes, size, max_size, m->seed++);
}

void afl_custom_deinit(void *data)
{
	struct mutator *m = data;

	free(m->bytes);
	free(m);
}
