// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Rows of the tables for people. Says what a filter asks for, not what comes of it. */
#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "show.h"

#define ACTION_WIDTH 6

static int hex_width(u64 number)
{
	return snprintf(NULL, 0, "0x%llx", (unsigned long long)number);
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

struct row_layout row_layout(const struct filter_set *set)
{
	struct row_layout layout = { .start = 5, .size = 5 };

	for (size_t i = 0; i < set->count; i++) {
		layout.start = max_int(layout.start, hex_width(set->filters[i].start));
		layout.size = max_int(layout.size, hex_width(set->filters[i].size));
	}
	return layout;
}

void row_heading(FILE *out, const struct row_layout *layout)
{
	fprintf(out, "%s %s  %-*s  %-*s  %-*s  %s%s\n", show_style(out, SHOW_HEADING), "#",
		ACTION_WIDTH, "ACTION", layout->start, "START", layout->size, "SIZE", "OBJECT",
		show_style(out, SHOW_PLAIN));
}

void row_size(u64 size, char text[24])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	u64 tenths = size / 1024 * 10 + size % 1024 * 10 / 1024;
	size_t unit = 0;

	if (size < 1024 || (size < 10000 && size % 1024)) {
		snprintf(text, 24, "%u byte%s", (unsigned int)size, size == 1 ? "" : "s");
		return;
	}
	for (; tenths >= 10240; unit++)
		tenths /= 1024;
	if (tenths % 10)
		snprintf(text, 24, "%u.%u %s", (unsigned int)(tenths / 10),
			 (unsigned int)(tenths % 10), units[unit]);
	else
		snprintf(text, 24, "%u %s", (unsigned int)(tenths / 10), units[unit]);
}

void row_words(FILE *out, const char *text, size_t column, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && column + 1 + len > SHOW_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			first = true;
		}
		if (!first) {
			fputc(' ', out);
			column++;
		}
		show_text(out, text, len);
		column += len;
		first = false;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* ---------------------------------------------------------------------- plain words */

static void say_meaning(FILE *out, const struct itf_filter *f)
{
	static const char *const verbs[] = {
		[ITF_ACTION_FILTER] = "trace",
		[ITF_ACTION_START] = "start to trace at",
		[ITF_ACTION_STOP] = "stop tracing at",
	};
	bool file = f->source == ITF_SOURCE_FILE;
	unsigned long long start = f->start, last = f->start + f->size - 1;
	char text[160], size[24];

	if (f->size > 1) {
		row_size(f->size, size);
		snprintf(text, sizeof(text), "%s %s 0x%llx to 0x%llx (%s)", verbs[f->action],
			 file ? "file bytes" : "addresses", start, last, size);
	} else {
		snprintf(text, sizeof(text), "%s %s 0x%llx%s", verbs[f->action],
			 file ? "file byte" : "address", start,
			 itf_in_mainline(f) ? "" : " alone: today's kernel needs a size here");
	}
	fprintf(out, "%*s", ROW_INDENT, "");
	row_words(out, text, ROW_INDENT, ROW_INDENT);
}

/* ---------------------------------------------------------------------- rows */

/* The object file behind the numbers if there is room, else on lines of its own. */
static void show_object(FILE *out, const char *path, size_t len, size_t column)
{
	if (column < SHOW_COLUMNS &&
	    show_columns(path, len, SHOW_COLUMNS - column) <= SHOW_COLUMNS - column) {
		fputs("  ", out);
		show_text(out, path, len);
		fputc('\n', out);
		return;
	}
	fputc('\n', out);
	show_wrapped(out, path, len, ROW_INDENT);
}

bool row_filter(FILE *out, const struct filter_set *set, size_t index,
		const struct row_layout *layout)
{
	const struct itf_filter *f = &set->filters[index];
	char *path = NULL;
	char size[24];
	int column;

	if (f->source == ITF_SOURCE_FILE) {
		path = set_path(f);
		if (!path)
			return false;
	}
	snprintf(size, sizeof(size), f->size ? "0x%llx" : "point", (unsigned long long)f->size);
	column = fprintf(out, "%2zu  %-*s  0x%-*llx  %-*s", index, ACTION_WIDTH,
			 itf_action_name(f->action), layout->start - 2,
			 (unsigned long long)f->start, layout->size, size);
	if (column < 0)
		column = 0;
	if (path)
		show_object(out, path, itf_path_decode(f, NULL, 0), (size_t)column + 2);
	else
		fputs("  absolute addresses\n", out);
	free(path);
	say_meaning(out, f);
	return true;
}
