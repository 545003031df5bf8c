/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the engine takes from the kernel's <linux/types.h>, to compile it as the kernel would. */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

typedef _Bool bool;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size_t;

#endif
