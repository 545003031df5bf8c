/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The one generator of inputs: everything from one seed, the same on every machine. It makes
 * inputs and changes inputs; the fuzzers' mutators and the property tests both use it. Knows the
 * shape of inputs and nothing of the engine.
 */
#ifndef ITF_FUZZ_GEN_H
#define ITF_FUZZ_GEN_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum gen_format - what an input looks like
 * @GEN_PARSE: a byte of syntax (GEN_*), then text
 * @GEN_TEXT: text for today's kernel
 * @GEN_RANGE: GEN_RANGE_SIZE bytes: seven numbers of eight bytes, little-endian, and a byte
 * @GEN_TRACK: filters and events: see fuzz_track.c
 * @GEN_PMU: two bytes of hardware, then filters of GEN_PMU_FILTER bytes
 * @GEN_MAPS: text of /proc/PID/maps
 * @GEN_PERFDATA: a perf.data file
 */
enum gen_format {
	GEN_PARSE,
	GEN_TEXT,
	GEN_RANGE,
	GEN_TRACK,
	GEN_PMU,
	GEN_MAPS,
	GEN_PERFDATA,
	GEN_FORMATS
};

/* The byte of syntax: '0' and these bits, so that seeds can be read and written by hand. */
#define GEN_DIALECT 0x03 /* 0 and 3: any, 1: seed, 2: mainline */
#define GEN_QUOTES 0x04
#define GEN_32_BITS 0x08
#define GEN_SHORT 0x40 /* text of more than GEN_MAX_LEN bytes is too long */
#define GEN_MAX_LEN 24

#define GEN_RANGE_SIZE 57
#define GEN_PMU_HEAD 2
#define GEN_PMU_FILTER 17

/* GEN_TRACK: one byte of place, GEN_TRACK_FILTERS filters, and events to the end. */
#define GEN_TRACK_FILTERS 4
#define GEN_TRACK_FILTER 3
#define GEN_TRACK_HEAD (1 + GEN_TRACK_FILTERS * GEN_TRACK_FILTER)
#define GEN_TRACK_EVENT 6

/**
 * struct gen - a generator at work
 * @state: of the random numbers
 * @bytes: what was made so far
 * @used: how many bytes that are
 * @max: how many fit; what does not is left out
 */
struct gen {
	uint64_t state;
	uint8_t *bytes;
	size_t used;
	size_t max;
};

void gen_init(struct gen *g, uint64_t seed, void *bytes, size_t max);

/* A number below @n, which is not 0. */
unsigned int gen_below(struct gen *g, unsigned int n);

/* A number that is likely to be at some edge. */
uint64_t gen_number(struct gen *g);

/* Add bytes, as far as they fit. */
void gen_put(struct gen *g, const void *bytes, size_t size);

/* Add a whole input. */
void gen_input(struct gen *g, enum gen_format format);

/* Add the text of a filter set; one in some has something wrong. */
void gen_filters(struct gen *g);

/* Add a perf.data file; something that might stand in one. */
void gen_perfdata(struct gen *g);
void gen_perfdata_part(struct gen *g);

/**
 * gen_mutate() - change an input in a way that suits its format
 * @format: its format
 * @bytes: the input, changed in place
 * @size: bytes in it
 * @max: bytes that fit
 * @seed: decides what is changed
 *
 * Return: the new size, at most @max.
 */
size_t gen_mutate(enum gen_format format, uint8_t *bytes, size_t size, size_t max, uint64_t seed);

/* The format of inputs of a harness, by its name; GEN_FORMATS if there is no such harness. */
enum gen_format gen_format_of(const char *harness);

#endif
