// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Filters that are right but probably not meant, filters and events that do not fit, and the
 * names of actions and sources. Looks at filters only; finding the pairs worth looking at is the
 * caller's.
 */
#include <itf/filter.h>
#include <itf/range.h>

static bool same_range(const struct itf_filter *a, const struct itf_filter *b)
{
	return a->start == b->start && a->size == b->size;
}

/* "filter" says where to trace and a sized "stop" where not to; two points say both. */
static bool contradict(const struct itf_filter *a, const struct itf_filter *b)
{
	if (a->action == ITF_ACTION_FILTER)
		return b->action == ITF_ACTION_STOP && b->size;
	return a->action == ITF_ACTION_START && b->action == ITF_ACTION_STOP && !a->size &&
	       !b->size;
}

enum itf_lint itf_lint_pair(const struct itf_filter *a, const struct itf_filter *b)
{
	const struct itf_range x = { a->start, a->size };
	const struct itf_range y = { b->start, b->size };

	if (!itf_range_share(&x, &y) || !itf_path_equal(a, b))
		return ITF_LINT_NONE;
	if (a->action == b->action)
		return same_range(a, b) ? ITF_LINT_DUPLICATE_FILTER : ITF_LINT_OVERLAPPING_FILTERS;
	if (contradict(a, b) || contradict(b, a))
		return ITF_LINT_CONTRADICTING_FILTERS;
	return ITF_LINT_NONE;
}

enum itf_error itf_check_event(const struct itf_filter *filter, const struct itf_event_kind *event)
{
	if (event->cpu_wide && filter->source == ITF_SOURCE_FILE)
		return ITF_E_FILE_FILTER_NEEDS_TASK;
	if (event->exclude_kernel && filter->source == ITF_SOURCE_KERNEL)
		return ITF_E_KERNEL_FILTER_EXCLUDED;
	return ITF_OK;
}

static const struct {
	const char *name;
	const char *message;
} lints[ITF_LINT_COUNT] = {
	[ITF_LINT_NONE] = {
		.name = "none",
		.message = "nothing to say",
	},
	[ITF_LINT_OCTAL_NUMBER] = {
		.name = "octal-number",
		.message = "a leading 0 makes this number octal",
	},
	[ITF_LINT_MIXED_BASES] = {
		.name = "mixed-bases",
		.message = "the start is hexadecimal but the size is decimal",
	},
	[ITF_LINT_DUPLICATE_FILTER] = {
		.name = "duplicate-filter",
		.message = "the same filter stands in the set twice",
	},
	[ITF_LINT_OVERLAPPING_FILTERS] = {
		.name = "overlapping-filters",
		.message = "two filters with the same action share bytes",
	},
	[ITF_LINT_CONTRADICTING_FILTERS] = {
		.name = "contradicting-filters",
		.message = "one filter asks to trace what another asks not to trace",
	},
	[ITF_LINT_LOOKS_LIKE_ADDRESS] = {
		.name = "looks-like-address",
		.message = "the start looks like an address, but a file offset is meant here",
	},
	[ITF_LINT_KERNEL_FILTER_EXCLUDED] = {
		.name = "kernel-filter-excluded",
		.message = "kernels before 5.18 take no kernel filter with exclude_kernel",
	},
};

const char *itf_lint_name(enum itf_lint lint)
{
	return (unsigned int)lint < ITF_LINT_COUNT ? lints[lint].name : "unknown";
}

const char *itf_lint_message(enum itf_lint lint)
{
	return (unsigned int)lint < ITF_LINT_COUNT ? lints[lint].message : "unknown lint";
}
