// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* UTF-8, as RFC 3629 has it. Independent of the locale: JSON is UTF-8 everywhere. */
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/*
 * Length of the character that @first begins, the bits of the code point in @first, its lowest
 * value.
 */
static size_t lead(u8 first, u32 *bits, u32 *lowest)
{
	if (first < 0x80) {
		*bits = first;
		*lowest = 0;
		return 1;
	}
	if ((first & 0xe0) == 0xc0) {
		*bits = first & 0x1f;
		*lowest = 0x80;
		return 2;
	}
	if ((first & 0xf0) == 0xe0) {
		*bits = first & 0x0f;
		*lowest = 0x800;
		return 3;
	}
	if ((first & 0xf8) == 0xf0) {
		*bits = first & 0x07;
		*lowest = 0x10000;
		return 4;
	}
	return 0;
}

size_t utf8_char(const char *text, size_t len, u32 *code)
{
	u32 value, lowest;
	size_t size;

	if (!len)
		return 0;
	size = lead((u8)text[0], &value, &lowest);
	if (!size || size > len)
		return 0;
	for (size_t i = 1; i < size; i++) {
		u8 byte = (u8)text[i];

		if ((byte & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (byte & 0x3f);
	}
	if (value < lowest || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return size;
}

bool utf8_valid(const char *text, size_t len)
{
	size_t pos = 0;
	u32 code;

	while (pos < len) {
		size_t size = utf8_char(text + pos, len - pos, &code);

		if (!size)
			return false;
		pos += size;
	}
	return true;
}

char *utf8_repair(const char *text, size_t len, size_t *out_len)
{
	static const char replacement[3] = { '\xef', '\xbf', '\xbd' };
	size_t pos = 0, used = 0, room;
	char *out;
	u32 code;

	/* Each byte becomes three at most. */
	if (__builtin_mul_overflow(len, sizeof(replacement), &room) || room + 1 == 0)
		return NULL;
	out = malloc(room + 1);
	if (!out)
		return NULL;
	while (pos < len) {
		size_t size = utf8_char(text + pos, len - pos, &code);

		if (size) {
			memcpy(out + used, text + pos, size);
			used += size;
			pos += size;
		} else {
			memcpy(out + used, replacement, sizeof(replacement));
			used += sizeof(replacement);
			pos++;
		}
	}
	out[used] = '\0';
	*out_len = used;
	return out;
}
