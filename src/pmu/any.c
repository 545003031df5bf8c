// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Hardware without limits, and hardware of which only the number of filters is known. */
#include "model.h"

const struct itf_pmu_model itf_pmu_any = {
	.name = "any",
	.max_filters = ~0u,
	.start = true,
	.point = true,
	.sized_start_stop = true,
	.mixed = true,
};

const struct itf_pmu_model itf_pmu_count = {
	.name = "nr_addr_filters",
	.slots = 1,
	.start = true,
	.point = true,
	.sized_start_stop = true,
	.mixed = true,
};
