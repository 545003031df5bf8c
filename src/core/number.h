/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The value of a number token. Not part of the library's interface. */
#ifndef ITF_CORE_NUMBER_H
#define ITF_CORE_NUMBER_H

#include <itf/env.h>

/**
 * itf__number() - the value of a number (KERNEL-FACTS 1.4)
 * @digits: a number as ITF_TOKEN_NUMBER allows it
 * @len: bytes in @digits, at least 1
 * @max: largest value allowed
 * @value: set on success
 * @base: set to 8, 10 or 16, always; a lone 0 is decimal
 *
 * Return: whether the value is at most @max.
 */
bool itf__number(const char *digits, size_t len, u64 max, u64 *value, u8 *base);

#endif
