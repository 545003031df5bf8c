// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From digits to a value, by the kernel's base-0 rule (KERNEL-FACTS 1.4). The lexer has seen to
 * it that only digits of the base come in; what is left to judge is the size of the value.
 */
#include "number.h"

static u32 digit(char c)
{
	if (c <= '9')
		return (u32)(c - '0');
	return (u32)((c | 0x20) - 'a') + 10;
}

bool itf__number(const char *digits, size_t len, u64 max, u64 *value, u8 *base)
{
	u64 sum = 0;
	size_t i = 0;

	*base = 10;
	if (len > 1 && digits[0] == '0') {
		*base = (digits[1] | 0x20) == 'x' ? 16 : 8;
		i = *base == 16 ? 2 : 1;
	}
	for (; i < len; i++) {
		if (__builtin_mul_overflow(sum, (u64)*base, &sum) ||
		    __builtin_add_overflow(sum, (u64)digit(digits[i]), &sum))
			return false;
	}
	if (sum > max)
		return false;
	*value = sum;
	return true;
}
