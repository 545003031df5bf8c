/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tokens of the filter grammar. The lexer knows bytes and nothing of their meaning; it is told which
 * of three kinds of place it stands in. Not part of the library's interface.
 */
#ifndef ITF_CORE_LEX_H
#define ITF_CORE_LEX_H

#include <itf/env.h>

/**
 * enum itf_place - where in a filter the lexer stands
 * @ITF_PLACE_ACTION: before an action
 * @ITF_PLACE_RANGE: in a range
 * @ITF_PLACE_PATH: right behind "@", quotes are ordinary bytes
 * @ITF_PLACE_QUOTABLE_PATH: right behind "@", a double quote opens a quoted path
 */
enum itf_place {
	ITF_PLACE_ACTION,
	ITF_PLACE_RANGE,
	ITF_PLACE_PATH,
	ITF_PLACE_QUOTABLE_PATH
};

/**
 * enum itf_token - what the lexer found
 * @ITF_TOKEN_END: the end of the text; the only token of 0 bytes
 * @ITF_TOKEN_SEP: one or more separators
 * @ITF_TOKEN_NUL: one NUL byte
 * @ITF_TOKEN_FILTER: the whole token "filter"
 * @ITF_TOKEN_START: the whole token "start"
 * @ITF_TOKEN_STOP: the whole token "stop"
 * @ITF_TOKEN_TRACESTOP: the whole token "tracestop", or another case of the four words
 * @ITF_TOKEN_WORD: any other run of bytes up to a separator, NUL or the end
 * @ITF_TOKEN_FILE: "file:"
 * @ITF_TOKEN_KERNEL: "kernel:"
 * @ITF_TOKEN_NUMBER: a number as the kernel's base-0 numbers are written
 * @ITF_TOKEN_BAD_OCTAL: decimal digits with a leading 0 and an 8 or 9 among them
 * @ITF_TOKEN_JUNK: a run without "/", "@", ":" that is no number
 * @ITF_TOKEN_SLASH: "/"
 * @ITF_TOKEN_AT: "@"
 * @ITF_TOKEN_STAR: "*"
 * @ITF_TOKEN_PATH: a run of bytes up to a separator, NUL or the end
 * @ITF_TOKEN_QUOTED: a quoted path with both quotes
 * @ITF_TOKEN_BAD_QUOTE: a quote and what of a quoted path is right behind it
 */
enum itf_token {
	ITF_TOKEN_END,
	ITF_TOKEN_SEP,
	ITF_TOKEN_NUL,
	ITF_TOKEN_FILTER,
	ITF_TOKEN_START,
	ITF_TOKEN_STOP,
	ITF_TOKEN_TRACESTOP,
	ITF_TOKEN_OTHER_CASE,
	ITF_TOKEN_WORD,
	ITF_TOKEN_FILE,
	ITF_TOKEN_KERNEL,
	ITF_TOKEN_NUMBER,
	ITF_TOKEN_BAD_OCTAL,
	ITF_TOKEN_JUNK,
	ITF_TOKEN_SLASH,
	ITF_TOKEN_AT,
	ITF_TOKEN_STAR,
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
 * The tokens of a text, one behind the other, cover it without gaps. No byte at or beyond @len is read.
 */
enum itf_token itf__lex(const char *text, size_t len, size_t *pos, enum itf_place place);

#endif
