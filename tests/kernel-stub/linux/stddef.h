/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the engine takes from the kernel's <linux/stddef.h>, to compile it as the kernel would. */
#ifndef _LINUX_STDDEF_H
#define _LINUX_STDDEF_H

#define NULL ((void *)0)

enum {
	false = 0,
	true = 1
};

#endif
