/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tokens of the filter grammar. The lexer knows bytes and nothing of their meaning; it is told
 * which of the kinds of place below it stands in. Not part of the library's interface.
 */
#ifndef ITF_CORE_LEX_H
#define ITF_CORE_LEX_H

#include <itf/env.h>

/**
 * enum itf_place - where in a filter the lexer stands
 * @ITF_PLACE_ACTION: before an action
 * @ITF_PLACE_SOURCE: where a source may stand
 * @ITF_PLACE_RANGE: in a range, behind the source
 * @ITF_PLACE_PATH: right behind "@", quotes are ordinary bytes
 * @ITF_PLACE_QUOTABLE_PATH: right behind "@", a double quote opens a quoted path
 */
enum itf_place {
	ITF_PLACE_ACTION,
	ITF_PLACE_SOURCE,
	ITF_PLACE_RANGE,
	ITF_PLACE_PATH,
	ITF_PLACE_QUOTABLE_PATH
};

/**
 * enum itf_token - what the lexer found
 * @ITF_TOKEN_END: the end of the text, 0 bytes
 * @ITF_TOKEN_NONE: no source where one may stand, 0 bytes
 * @ITF_TOKEN_SEP: one or more separators
 * @ITF_TOKEN_NUL: one NUL byte
 * @ITF_TOKEN_FILTER: the run "filter", where an action belongs
 * @ITF_TOKEN_START: the run "start", likewise
 * @ITF_TOKEN_STOP: the run "stop", likewise
 * @ITF_TOKEN_TRACESTOP: the run "tracestop", likewise
 * @ITF_TOKEN_REST: a run that begins with "/" or "@", where an action belongs
 * @ITF_TOKEN_WORD: any other run, where an action belongs
 * @ITF_TOKEN_FILE: "file:"
 * @ITF_TOKEN_KERNEL: "kernel:"
 * @ITF_TOKEN_NUMBER: a number as the kernel's base-0 numbers are written
 * @ITF_TOKEN_BAD_OCTAL: decimal digits with a leading 0 and an 8 or 9 among them
 * @ITF_TOKEN_SYMBOL: what may be the name of a function, in a range
 * @ITF_TOKEN_JUNK: any other run without "/", "@" and ":", in a range
 * @ITF_TOKEN_SLASH: "/"
 * @ITF_TOKEN_AT: "@"
 * @ITF_TOKEN_STAR: "*"
 * @ITF_TOKEN_COLON: ":"
 * @ITF_TOKEN_PATH: a run, behind "@"
 * @ITF_TOKEN_QUOTED: a quoted path with both quotes
 * @ITF_TOKEN_BAD_QUOTE: a quote and what of a quoted path is right behind it
 *
 * A run is one or more bytes up to a separator, NUL or the end.
 */
enum itf_token {
	ITF_TOKEN_END,
	ITF_TOKEN_NONE,
	ITF_TOKEN_SEP,
	ITF_TOKEN_NUL,
	ITF_TOKEN_FILTER,
	ITF_TOKEN_START,
	ITF_TOKEN_STOP,
	ITF_TOKEN_TRACESTOP,
	ITF_TOKEN_REST,
	ITF_TOKEN_WORD,
	ITF_TOKEN_FILE,
	ITF_TOKEN_KERNEL,
	ITF_TOKEN_NUMBER,
	ITF_TOKEN_BAD_OCTAL,
	ITF_TOKEN_SYMBOL,
	ITF_TOKEN_JUNK,
	ITF_TOKEN_SLASH,
	ITF_TOKEN_AT,
	ITF_TOKEN_STAR,
	ITF_TOKEN_COLON,
	ITF_TOKEN_PATH,
	ITF_TOKEN_QUOTED,
	ITF_TOKEN_BAD_QUOTE
};

/**
 * itf__lex() - the next token
 * @text: the text
 * @len: bytes in @text
 * @pos: first byte of the token, at most @len; moved behind the token
 * @place: where in a filter this is
 *
 * The tokens of a text, one behind the other, cover it without gaps. No byte at or beyond @len is
 * read.
 *
 * Return: what the token is.
 */
enum itf_token itf__lex(const char *text, size_t len, size_t *pos, enum itf_place place);

#endif
