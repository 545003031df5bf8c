/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is UTF-8 and what is not. Knows nothing of who asks, or of the locale. */
#ifndef ITF_CLI_UTF8_H
#define ITF_CLI_UTF8_H

#include <itf/env.h>

/**
 * utf8_char() - the character that a text begins with
 * @text: any bytes
 * @len: bytes in @text
 * @code: set to the code point, if there is a character
 *
 * Return: its length, 1 to 4 bytes; 0 if @len is 0 or the first byte begins no character: overlong
 * forms, surrogates and what is above U+10FFFF are none.
 */
size_t utf8_char(const char *text, size_t len, u32 *code);

/**
 * utf8_valid() - is a text UTF-8 throughout
 * @text: any bytes
 * @len: bytes in @text
 *
 * Return: whether it is.
 */
bool utf8_valid(const char *text, size_t len);

/**
 * utf8_repair() - a text with U+FFFD in place of each byte that is not UTF-8
 * @text: any bytes
 * @len: bytes in @text
 * @out_len: set to the bytes of the result
 *
 * Return: allocated text that ends with a NUL of its own; NULL if memory ran out.
 */
char *utf8_repair(const char *text, size_t len, size_t *out_len);

#endif
