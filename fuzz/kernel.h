/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel's own code, as tools/cut-kernel.sh cut it out of a version: what harnesses compare
 * with. All numbers are unsigned long, as there.
 */
#ifndef ITF_FUZZ_KERNEL_H
#define ITF_FUZZ_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct kernel_filter - one filter that the kernel has read
 * @action: "filter", "start" or "stop"
 * @start: offset or address
 * @size: bytes
 * @path: name of the object file, NULL if there is none
 */
struct kernel_filter {
	const char *action;
	unsigned long start;
	unsigned long size;
	const char *path;
};

/**
 * struct kernel - one version
 * @version: such as "6.1"
 * @parse: read a filter set; calls @take for each filter in order once all have been read.
 *	@cpu_wide: the event has no task. Return: 0 or a negative errno
 * @adjust: match a file filter and a mapping of the same file, and clip; @pgoff is in units of
 *	1 << @shift bytes
 */
struct kernel {
	const char *version;
	int (*parse)(const char *text, bool cpu_wide,
		     void (*take)(const struct kernel_filter *filter, void *ctx), void *ctx);
	bool (*adjust)(const struct kernel_filter *filter, unsigned long start, unsigned long end,
		       unsigned long pgoff, unsigned int shift, unsigned long *range_start,
		       unsigned long *range_size);
};

/* All versions, ended by NULL; without functions if the source was not there to build with. */
extern const struct kernel *const kernels[];

#endif
