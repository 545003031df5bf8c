// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The versions of the kernel that harnesses compare with. See kernel.h. */
#include "kernel.h"

extern const struct kernel kernel_6_1, kernel_6_12;

const struct kernel *const kernels[] = {
	&kernel_6_1,
	&kernel_6_12,
	NULL,
};
