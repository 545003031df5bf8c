// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf check: is this a filter set, and does it say what was meant? */
#include <stdint.h>
#include <stdlib.h>

#include "../host/elf.h"
#include "commands.h"
#include "json.h"
#include "text.h"

static const struct argp_option table[] = {
	OPTION_DIALECT,
	OPTION_ADDR_BITS,
	OPTION_PMU,
	{ "cpu-wide", OPT_CPU_WIDE, NULL, 0, "For an event without a task", 0 },
	{ "exclude-kernel", OPT_EXCLUDE_KERNEL, NULL, 0, "For an event that excludes the kernel",
	  0 },
	OPTION_JSON,
	OPTION_HELP,
	{ 0 },
};

static const struct usage usage = {
	.name = "check",
	.table = table,
	.args = "FILTERS",
	.doc = "Check filters for instruction tracing, and say what is odd about them.",
	.more = "Exit status: 0 fine, 1 wrong or refused, 2 usage or environment.\n"
		"\n"
		"Example: itf check 'filter file:0x1000/0x200@/bin/ls'\n",
	.takes_model = true,
};

/* A file that is missing or no ELF file says nothing. Return: false if memory ran out. */
static bool lint_addresses(struct filter_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct itf_filter *f = &set->filters[i];
		struct set_lint lint = {
			.code = ITF_LINT_LOOKS_LIKE_ADDRESS,
			.filter = i,
			.other = SIZE_MAX,
			.span = f->start_span,
		};
		bool looks;
		char *path;

		if (f->source != ITF_SOURCE_FILE)
			continue;
		path = set_path(f);
		if (!path)
			return false;
		looks = elf_looks_like_address(path, f->start, &lint.detail);
		free(path);
		if (looks && !set_add_lint(set, &lint))
			return false;
	}
	return true;
}

static enum status check(struct filter_set *set, const struct options *options)
{
	const struct itf_pmu *pmu = options->has_pmu ? &options->pmu : NULL;
	struct wrong wrong = filters_wrong(set, &options->event);
	struct refusal refusal;
	bool ok;

	if (wrong.error)
		return filters_tell(set, options, &wrong);
	if (!lint_addresses(set) || !set_lint(set, &options->event))
		return diag_memory();
	refusal = filters_refusal(set, options);
	ok = options->json ? json_check(set, pmu, &refusal) : text_check(set, pmu, &refusal);
	if (!ok)
		return diag_memory();
	return refusal.error ? STATUS_WRONG : STATUS_FINE;
}

enum status check_main(int argc, char **argv)
{
	struct options options;
	struct filter_set set;
	enum status status;

	if (!options_parse(&options, &usage, argc, argv, &status) ||
	    !filters_read(&set, &options, &status))
		return status;
	status = check(&set, &options);
	set_free(&set);
	return status;
}
