// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Messages for people. Whatever comes from the input goes through show.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"
#include "show.h"

static void message(const char *kind, enum show_style style, const char *format, va_list args)
{
	char text[8192];

	vsnprintf(text, sizeof(text), format, args);
	diag_progress_end();
	/* On a terminal, what was said before must not come after. */
	fflush(stdout);
	fprintf(stderr, "%sitf: %s: %s", show_style(stderr, style), kind,
		show_style(stderr, SHOW_PLAIN));
	show_text(stderr, text, strlen(text));
	fputc('\n', stderr);
}

void diag_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message("error", SHOW_BAD, format, args);
	va_end(args);
}

void diag_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message("warning", SHOW_POOR, format, args);
	va_end(args);
}

void diag_hint(const char *hint)
{
	if (!hint || !*hint)
		return;
	fprintf(stderr, "%shint:%s ", show_style(stderr, SHOW_HINT),
		show_style(stderr, SHOW_PLAIN));
	show_text(stderr, hint, strlen(hint));
	fputc('\n', stderr);
}

enum status diag_memory(void)
{
	diag_error("%s", strerror(ENOMEM));
	return STATUS_TROUBLE;
}

/* ---------------------------------------------------------------------- carets */

#define INDENT ((size_t)2)
#define ROOM (SHOW_COLUMNS - INDENT)
#define CUT "..."
#define CUT_LEN ((size_t)3)

/* The part of the input that is shown: bytes [from, to). */
struct window {
	size_t from;
	size_t to;
};

/* As many bytes before @pos as fit in @columns. */
static size_t back_from(const char *text, size_t pos, size_t columns)
{
	while (pos) {
		struct show_cell cell = show_cell_before(text, pos);

		if (cell.columns > columns)
			break;
		columns -= cell.columns;
		pos -= cell.bytes;
	}
	return pos;
}

static size_t forth_from(const char *text, size_t len, size_t pos, size_t columns)
{
	while (pos < len) {
		struct show_cell cell = show_cell(text + pos, len - pos);

		if (cell.columns > columns)
			break;
		columns -= cell.columns;
		pos += cell.bytes;
	}
	return pos;
}

/*
 * All of the input if it fits with a place for a caret behind it; else the beginning of the span,
 * a third of the line before it, and what else fits.
 */
static struct window window_around(const char *text, size_t len, struct itf_span span)
{
	struct window window = { 0, len };
	size_t room = ROOM - 1 - 2 * CUT_LEN;
	size_t right;

	if (show_columns(text, len, ROOM - 1) <= ROOM - 1)
		return window;
	right = show_columns(text + span.off, len - span.off, room);
	if (right > room - room / 3)
		right = room - room / 3;
	window.from = back_from(text, span.off, room - right);
	window.to = forth_from(text, len, window.from, room);
	return window;
}

static bool in_span(size_t pos, size_t bytes, struct itf_span span)
{
	return pos + bytes > span.off && pos < span.off + span.len;
}

static void put_carets(FILE *out, const char *text, size_t len, struct window window,
		       struct itf_span span)
{
	size_t pos = window.from;
	size_t blanks = INDENT + (window.from ? CUT_LEN : 0);
	size_t carets = 0;

	while (pos < window.to) {
		struct show_cell cell = show_cell(text + pos, len - pos);

		if (in_span(pos, cell.bytes, span))
			carets += cell.columns;
		else if (pos < span.off)
			blanks += cell.columns;
		pos += cell.bytes;
	}
	fprintf(out, "%*s%s", (int)blanks, "", show_style(out, SHOW_GOOD));
	do
		fputc('^', out);
	while (carets-- > 1);
	fprintf(out, "%s\n", show_style(out, SHOW_PLAIN));
}

void diag_input(FILE *out, const char *text, size_t len, struct itf_span span)
{
	struct window window = window_around(text, len, span);

	fprintf(out, "%*s%s", (int)INDENT, "", window.from ? CUT : "");
	show_text(out, text + window.from, window.to - window.from);
	fprintf(out, "%s\n", window.to < len ? CUT : "");
	put_carets(out, text, len, window, span);
}

/* ---------------------------------------------------------------------- progress */

#define FIRST_AFTER_MS 500
#define EVERY_MS 200

static bool progress_shown;

static u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

void diag_progress(u64 bytes)
{
	static u64 next;
	u64 now = now_ms();

	if (!next)
		next = now + FIRST_AFTER_MS;
	if (now < next || !isatty(STDERR_FILENO))
		return;
	next = now + EVERY_MS;
	progress_shown = true;
	fprintf(stderr, "\ritf: %llu KiB read ", (unsigned long long)(bytes / 1024));
	fflush(stderr);
}

void diag_progress_end(void)
{
	if (progress_shown) {
		fputs("\r\033[K", stderr);
		/* It ends no line, and what comes next may go another way to the same terminal. */
		fflush(stderr);
	}
	progress_shown = false;
}
