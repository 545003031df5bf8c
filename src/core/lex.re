// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The lexer: which bytes form a token. lex.c is made from lex.re by re2c 3.0 and never edited:
 *
 *	re2c -W -Werror -i --no-generation-date --no-version -o lex.c lex.re
 *
 * Interprets nothing: the value of a number and what may follow what are for others to judge.
 */
#include "lex.h"

/* The byte at a cursor, or 0 at the end of the text: no byte behind the text is ever read. */
static u8 peek(const u8 *text, size_t len, size_t cursor)
{
	return cursor < len ? text[cursor] : 0;
}

/*!re2c
	re2c:api = custom;
	re2c:api:style = free-form;
	re2c:define:YYCTYPE = "u8";
	re2c:define:YYPEEK = "peek(bytes, len, cursor)";
	re2c:define:YYSKIP = "cursor++;";
	re2c:define:YYBACKUP = "marker = cursor;";
	re2c:define:YYRESTORE = "cursor = marker;";
	re2c:define:YYLESSTHAN = "cursor >= len";
	re2c:yyfill:enable = 0;
	re2c:eof = 0;
	re2c:indent:string = "\t";

	nul = [\x00];
	sep = [ ,\n]+;
	run = [^ ,\n\x00]+;
	hex = [0-9a-fA-F];
	number = "0" [xX] hex+ | "0" [0-7]* | [1-9] [0-9]*;
	escape = "\\" ([\\"nt] | "x" ("0" [1-9a-fA-F] | [1-9a-fA-F] hex));
	quoted = ["] ([^"\\\x00] | escape)*;
*/

static enum itf_token lex_action(const u8 *bytes, size_t len, size_t *pos)
{
	size_t cursor = *pos;
	enum itf_token token;

	/*!re2c
		$		{ token = ITF_TOKEN_END; goto done; }
		*		{ token = ITF_TOKEN_NUL; goto done; }
		sep		{ token = ITF_TOKEN_SEP; goto done; }
		"filter"	{ token = ITF_TOKEN_FILTER; goto done; }
		"start"		{ token = ITF_TOKEN_START; goto done; }
		"stop"		{ token = ITF_TOKEN_STOP; goto done; }
		"tracestop"	{ token = ITF_TOKEN_TRACESTOP; goto done; }
		[/@] [^ ,\n\x00]*	{ token = ITF_TOKEN_REST; goto done; }
		run		{ token = ITF_TOKEN_WORD; goto done; }
	*/
done:
	*pos = cursor;
	return token;
}

static enum itf_token lex_source(const u8 *bytes, size_t len, size_t *pos)
{
	size_t cursor = *pos, marker = *pos;
	enum itf_token token;

	/*!re2c
		$		{ return ITF_TOKEN_NONE; }
		*		{ return ITF_TOKEN_NONE; }
		"file:"		{ token = ITF_TOKEN_FILE; goto done; }
		"kernel:"	{ token = ITF_TOKEN_KERNEL; goto done; }
	*/
done:
	*pos = cursor;
	return token;
}

static enum itf_token lex_range(const u8 *bytes, size_t len, size_t *pos)
{
	size_t cursor = *pos;
	enum itf_token token;

	/*!re2c
		$		{ token = ITF_TOKEN_END; goto done; }
		*		{ token = ITF_TOKEN_COLON; goto done; }
		nul		{ token = ITF_TOKEN_NUL; goto done; }
		sep		{ token = ITF_TOKEN_SEP; goto done; }
		"/"		{ token = ITF_TOKEN_SLASH; goto done; }
		"@"		{ token = ITF_TOKEN_AT; goto done; }
		"*"		{ token = ITF_TOKEN_STAR; goto done; }
		number		{ token = ITF_TOKEN_NUMBER; goto done; }
		"0" [0-9]+	{ token = ITF_TOKEN_BAD_OCTAL; goto done; }
		[a-zA-Z_.$] [^ ,\n\x00/@:]*	{ token = ITF_TOKEN_SYMBOL; goto done; }
		[^ ,\n\x00/@:]+	{ token = ITF_TOKEN_JUNK; goto done; }
	*/
done:
	*pos = cursor;
	return token;
}

static enum itf_token lex_path(const u8 *bytes, size_t len, size_t *pos)
{
	size_t cursor = *pos;
	enum itf_token token;

	/*!re2c
		$		{ token = ITF_TOKEN_END; goto done; }
		*		{ token = ITF_TOKEN_NUL; goto done; }
		sep		{ token = ITF_TOKEN_SEP; goto done; }
		run		{ token = ITF_TOKEN_PATH; goto done; }
	*/
done:
	*pos = cursor;
	return token;
}

static enum itf_token lex_quoted(const u8 *bytes, size_t len, size_t *pos)
{
	size_t cursor = *pos, marker = *pos;
	enum itf_token token;

	/*!re2c
		$		{ token = ITF_TOKEN_END; goto done; }
		*		{ token = ITF_TOKEN_NUL; goto done; }
		sep		{ token = ITF_TOKEN_SEP; goto done; }
		[^ ,\n\x00"] [^ ,\n\x00]*	{ token = ITF_TOKEN_PATH; goto done; }
		quoted		{ token = ITF_TOKEN_BAD_QUOTE; goto done; }
		quoted ["]	{ token = ITF_TOKEN_QUOTED; goto done; }
	*/
done:
	*pos = cursor;
	return token;
}

enum itf_token itf__lex(const char *text, size_t len, size_t *pos, enum itf_place place)
{
	const u8 *bytes = (const u8 *)text;

	switch (place) {
	case ITF_PLACE_ACTION:
		return lex_action(bytes, len, pos);
	case ITF_PLACE_SOURCE:
		return lex_source(bytes, len, pos);
	case ITF_PLACE_RANGE:
		return lex_range(bytes, len, pos);
	case ITF_PLACE_PATH:
		return lex_path(bytes, len, pos);
	default:
		return lex_quoted(bytes, len, pos);
	}
}
