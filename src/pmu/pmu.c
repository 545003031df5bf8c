// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The one checker for all models, and the hardware view of a range. Knows no model by name. */
#include "model.h"

void itf_pmu_init(struct itf_pmu *pmu, const struct itf_pmu_model *model)
{
	pmu->model = model;
	pmu->slots = model->slots;
	pmu->vaddr_bits = model->vaddr_bits;
}

const char *itf_pmu_name(const struct itf_pmu *pmu)
{
	return pmu->model->name;
}

/* What the driver says to filter @i when it has taken those before it. */
static enum itf_error judge(const struct itf_pmu *pmu, const struct itf_filter *filters, size_t i)
{
	const struct itf_pmu_model *model = pmu->model;
	const struct itf_filter *filter = &filters[i];

	if (filter->action == ITF_ACTION_START && !model->start)
		return ITF_E_START_UNSUPPORTED;
	if (!filter->size && !model->point)
		return ITF_E_POINT_UNSUPPORTED;
	if (filter->size && filter->action != ITF_ACTION_FILTER && !model->sized_start_stop)
		return ITF_E_SIZED_START_STOP;
	if (i >= (model->max_filters ? model->max_filters : pmu->slots))
		return ITF_E_TOO_MANY_FILTERS;
	/* Those before are all alike, or one of them would have been refused. */
	if (!filter->size != !filters[0].size && !model->mixed)
		return ITF_E_MIXED_RANGES_AND_POINTS;
	return ITF_OK;
}

/*
 * How many filters from the first on find comparators when the event starts; no driver tells
 * before.
 */
static size_t fitting(const struct itf_pmu *pmu, const struct itf_filter *filters, size_t count)
{
	unsigned int free = pmu->slots * pmu->model->comparators;
	size_t i;

	if (!pmu->model->comparators)
		return count;
	for (i = 0; i < count; i++) {
		unsigned int need = filters[i].action == ITF_ACTION_FILTER ? 2 : 1;

		if (need > free)
			break;
		free -= need;
	}
	return i;
}

enum itf_error itf_pmu_check(const struct itf_pmu *pmu, const struct itf_filter *filters,
			     size_t count, size_t *bad)
{
	enum itf_error error = ITF_OK;
	size_t i;

	for (i = 0; i < count; i++) {
		error = judge(pmu, filters, i);
		if (error)
			break;
	}
	if (!error) {
		i = fitting(pmu, filters, count);
		if (i < count)
			error = ITF_E_TOO_MANY_COMPARATORS;
	}
	if (error && bad)
		*bad = i;
	return error;
}

static const u32 configs[] = {
	[ITF_ACTION_FILTER] = ITF_HW_FILTER,
	[ITF_ACTION_START] = ITF_HW_START,
	[ITF_ACTION_STOP] = ITF_HW_STOP,
};

bool itf_pmu_program(const struct itf_pmu *pmu, const struct itf_filter *filter,
		     const struct itf_range *range, struct itf_hw *hw)
{
	if (pmu->model->program) {
		if (!pmu->model->program(pmu, filter, range, hw))
			return false;
	} else {
		hw->first = range->start;
		if (!range->size ||
		    __builtin_add_overflow(range->start, range->size - 1, &hw->last))
			hw->last = range->size ? ~(u64)0 : range->start;
		hw->clamped = false;
	}
	hw->config = configs[filter->action];
	return true;
}
