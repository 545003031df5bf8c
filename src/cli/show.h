/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bytes that somebody else chose, on a terminal: what cannot be printed as it is comes escaped,
 * so that it can neither move the cursor nor hide what is there, and every column is accounted
 * for.
 */
#ifndef ITF_CLI_SHOW_H
#define ITF_CLI_SHOW_H

#include <stdio.h>

#include <itf/env.h>

/* No line of human output is wider than this. */
#define SHOW_COLUMNS ((size_t)80)

/**
 * struct show_cell - one character, or one byte that is none, as it is shown
 * @bytes: bytes of the input
 * @columns: columns on the terminal
 * @text: what to print, NUL-terminated
 */
struct show_cell {
	size_t bytes;
	size_t columns;
	char text[8];
};

/**
 * show_cell() - the cell that a text begins with
 * @text: any bytes
 * @len: bytes in @text, at least 1
 *
 * Return: the cell.
 */
struct show_cell show_cell(const char *text, size_t len);

/**
 * show_cell_before() - the cell that ends at a place
 * @text: any bytes
 * @pos: bytes before the place, at least 1
 *
 * Return: the cell.
 */
struct show_cell show_cell_before(const char *text, size_t pos);

/**
 * show_columns() - how wide a text is
 * @text: any bytes
 * @len: bytes in @text
 * @limit: more is not counted
 *
 * Return: columns; something above @limit if it is wider than that.
 */
size_t show_columns(const char *text, size_t len, size_t limit);

/**
 * show_text() - print a text on one line, all of it
 * @out: where to
 * @text: any bytes
 * @len: bytes in @text
 */
void show_text(FILE *out, const char *text, size_t len);

/**
 * show_wrapped() - print a text on lines of its own
 * @out: where to
 * @text: any bytes
 * @len: bytes in @text
 * @indent: blanks before each line
 *
 * What would take more than a few lines loses its middle.
 */
void show_wrapped(FILE *out, const char *text, size_t len, size_t indent);

/* enum show_style - what a piece of output is */
enum show_style {
	SHOW_PLAIN,
	SHOW_HEADING,
	SHOW_GOOD,
	SHOW_POOR,
	SHOW_BAD,
	SHOW_HINT
};

/**
 * show_style() - the escape sequence that begins a style
 * @out: where it will be printed
 * @style: which; SHOW_PLAIN ends all others
 *
 * Return: a static string: "" unless @out is a terminal that takes colour and NO_COLOR is not set.
 */
const char *show_style(FILE *out, enum show_style style);

#endif
