/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The platform, and nothing else: integer types, bool, size_t and the mem* functions. This is the
 * only file of the engine that knows whether it is compiled for the kernel or for userspace.
 *
 * The engine needs no library. The mem* names below are compiler builtins; what the compiler does
 * not expand it emits as calls to memcpy, memmove, memset or memcmp, which are the only symbols
 * that the engine may leave undefined.
 */
#ifndef ITF_ENV_H
#define ITF_ENV_H

#ifdef __KERNEL__
#include <linux/stddef.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>

/* A program that has these names already (with the same widths) defines ITF_HAVE_KERNEL_TYPES. */
#ifndef ITF_HAVE_KERNEL_TYPES
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
#endif
#endif

#define itf_memcmp(a, b, n) __builtin_memcmp(a, b, n)
#define itf_memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define itf_memmove(to, from, n) __builtin_memmove(to, from, n)

#endif
