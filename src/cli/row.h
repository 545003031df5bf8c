/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Rows of the tables for people: what a filter is, in numbers and in words. */
#ifndef ITF_CLI_ROW_H
#define ITF_CLI_ROW_H

#include <stdio.h>

#include "../host/set.h"

/* Columns before what belongs to a row but stands below it. */
#define ROW_INDENT 4

/**
 * struct row_layout - how wide the columns of the filters of a set are
 * @start: of the start
 * @size: of the size
 */
struct row_layout {
	int start;
	int size;
};

/**
 * row_layout() - make the columns as wide as the set needs
 * @set: the set
 *
 * Return: the layout.
 */
struct row_layout row_layout(const struct filter_set *set);

/**
 * row_heading() - print the heading of a table of filters
 * @out: where to
 * @layout: of the set
 */
void row_heading(FILE *out, const struct row_layout *layout);

/**
 * row_filter() - print one filter: numbers, object file, and what it asks for in plain words
 * @out: where to
 * @set: the set
 * @index: which
 * @layout: of the set
 *
 * Return: true; false if memory ran out.
 */
bool row_filter(FILE *out, const struct filter_set *set, size_t index,
		const struct row_layout *layout);

/**
 * row_size() - a number of bytes in words
 * @size: bytes
 * @text: set to "512 bytes", "1.5 MiB" and so on
 */
void row_size(u64 size, char text[24]);

/**
 * row_words() - print a text in lines of whole words
 * @out: where to
 * @text: printable text
 * @column: where the first line begins; what is before that is printed already
 * @indent: where the other lines begin
 */
void row_words(FILE *out, const char *text, size_t column, size_t indent);

#endif
