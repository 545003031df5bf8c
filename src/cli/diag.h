/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Messages for people: on standard error, and the carets under a span of the input. */
#ifndef ITF_CLI_DIAG_H
#define ITF_CLI_DIAG_H

#include <stdio.h>

#include <itf/error.h>

/* Exit statuses (SPEC 6). */
enum status {
	STATUS_FINE = 0,
	STATUS_WRONG = 1, /* the filter is wrong or refused */
	STATUS_TROUBLE = 2, /* usage or environment; nothing on standard output */
	STATUS_UNCOVERED = 3 /* resolve or watch worked, but what they found is bad */
};

/**
 * diag_error() - print "itf: error: ..."
 * @format: of printf, without a newline
 */
__attribute__((format(printf, 1, 2))) void diag_error(const char *format, ...);

/**
 * diag_warning() - print "itf: warning: ..."
 * @format: of printf, without a newline
 */
__attribute__((format(printf, 1, 2))) void diag_warning(const char *format, ...);

/**
 * diag_hint() - print "hint: ..."
 * @hint: the hint; nothing is printed for NULL and ""
 */
void diag_hint(const char *hint);

/**
 * diag_memory() - say that memory ran out
 *
 * Return: STATUS_TROUBLE.
 */
enum status diag_memory(void);

/**
 * diag_input() - print the input, or what is around the span, and carets under the span
 * @out: where to
 * @text: the input, any bytes
 * @len: bytes in @text
 * @span: a part of it; of length 0, one caret marks the place
 */
void diag_input(FILE *out, const char *text, size_t len, struct itf_span span);

/**
 * diag_progress() - on a terminal, tell now and then how far a long read has come
 * @bytes: read so far
 */
void diag_progress(u64 bytes);

/* Take the progress line away before anything else is printed. */
void diag_progress_end(void);

#endif
