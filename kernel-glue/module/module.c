// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The engine and its tests as a module. Changes nothing in perf core. */
#include <linux/module.h>

MODULE_DESCRIPTION("The engine of itrace-filter, with its KUnit suites");
MODULE_LICENSE("Dual MIT/GPL");
