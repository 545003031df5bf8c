// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bytes on a terminal. The locale says whether it understands UTF-8, and how wide a character is.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "show.h"
#include "utf8.h"

/* A text that takes more lines than this when wrapped loses its middle. */
#define MOST_LINES ((size_t)4)

static bool locale_is_utf8(void)
{
	static int known = -1;

	if (known < 0)
		known = !strcmp(nl_langinfo(CODESET), "UTF-8");
	return known;
}

static struct show_cell escaped(u8 byte)
{
	static const char named[] = { ['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r' };
	struct show_cell cell = { .bytes = 1 };

	if (byte < sizeof(named) && named[byte])
		snprintf(cell.text, sizeof(cell.text), "\\%c", named[byte]);
	else
		snprintf(cell.text, sizeof(cell.text), "\\x%02x", byte);
	cell.columns = strlen(cell.text);
	return cell;
}

struct show_cell show_cell(const char *text, size_t len)
{
	struct show_cell cell = { .bytes = 1, .columns = 1 };
	u32 code;
	size_t size;
	int width;

	if (text[0] >= ' ' && text[0] <= '~') {
		cell.text[0] = text[0];
		return cell;
	}
	size = locale_is_utf8() ? utf8_char(text, len, &code) : 0;
	/* What has no width of its own may turn the direction of writing, or hide in another. */
	width = size > 1 ? wcwidth((wchar_t)code) : 0;
	if (width <= 0)
		return escaped((u8)text[0]);
	cell.bytes = size;
	cell.columns = (size_t)width;
	memcpy(cell.text, text, size);
	return cell;
}

struct show_cell show_cell_before(const char *text, size_t pos)
{
	for (size_t back = pos < 4 ? pos : 4; back > 1; back--) {
		struct show_cell cell = show_cell(text + pos - back, back);

		if (cell.bytes == back)
			return cell;
	}
	return show_cell(text + pos - 1, 1);
}

size_t show_columns(const char *text, size_t len, size_t limit)
{
	size_t columns = 0, pos = 0;

	while (pos < len && columns <= limit) {
		struct show_cell cell = show_cell(text + pos, len - pos);

		columns += cell.columns;
		pos += cell.bytes;
	}
	return columns;
}

/* Print what fits in @columns. Return: bytes printed. */
static size_t show_some(FILE *out, const char *text, size_t len, size_t columns)
{
	size_t pos = 0;

	while (pos < len) {
		struct show_cell cell = show_cell(text + pos, len - pos);

		if (cell.columns > columns)
			break;
		columns -= cell.columns;
		pos += cell.bytes;
		fputs(cell.text, out);
	}
	return pos;
}

void show_text(FILE *out, const char *text, size_t len)
{
	show_some(out, text, len, SIZE_MAX);
}

/* Where the last @columns columns of a text begin. */
static size_t tail(const char *text, size_t len, size_t columns)
{
	size_t pos = len;

	while (pos) {
		struct show_cell cell = show_cell_before(text, pos);

		if (cell.columns > columns)
			break;
		columns -= cell.columns;
		pos -= cell.bytes;
	}
	return pos;
}

static void show_lines(FILE *out, const char *text, size_t len, size_t indent)
{
	size_t pos = 0;

	while (pos < len) {
		fprintf(out, "%*s", (int)indent, "");
		pos += show_some(out, text + pos, len - pos, SHOW_COLUMNS - indent);
		fputc('\n', out);
	}
}

void show_wrapped(FILE *out, const char *text, size_t len, size_t indent)
{
	size_t line = SHOW_COLUMNS - indent;
	size_t all = MOST_LINES * line;
	size_t from;

	if (show_columns(text, len, all) <= all) {
		show_lines(out, text, len, indent);
		return;
	}
	/* The end of a path tells more than its middle. */
	fprintf(out, "%*s", (int)indent, "");
	show_some(out, text, len, line);
	from = tail(text, len, line);
	fprintf(out, "\n%*s...\n", (int)indent, "");
	show_lines(out, text + from, len - from, indent);
}

static bool takes_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !(no_color && *no_color) && isatty(fileno(out)) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

const char *show_style(FILE *out, enum show_style style)
{
	static const char *const sequences[] = {
		[SHOW_PLAIN] = "\033[0m", [SHOW_HEADING] = "\033[1m", [SHOW_GOOD] = "\033[32m",
		[SHOW_POOR] = "\033[33m", [SHOW_BAD] = "\033[1;31m",  [SHOW_HINT] = "\033[36m",
	};
	static int known_stdout = -1, known_stderr = -1;
	int *known = out == stderr ? &known_stderr : &known_stdout;

	if (*known < 0)
		*known = takes_colour(out);
	return *known ? sequences[style] : "";
}
