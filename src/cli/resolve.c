// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf resolve: what filters cover in a process that runs, or in the maps of one that ran. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../host/resolve.h"
#include "commands.h"
#include "json.h"
#include "text.h"

static const struct argp_option table[] = {
	{ "pid", OPT_PID, "PID", 0, "Look at this process", 0 },
	{ "maps", OPT_MAPS, "FILE", 0, "Look at a copy of /proc/PID/maps; - is standard input", 0 },
	{ "perf-data", OPT_PERF_DATA, "FILE", 0, "Look at a recording (not in this build)", 0 },
	OPTION_DIALECT,
	OPTION_ADDR_BITS,
	OPTION_PMU,
	OPTION_JSON,
	OPTION_HELP,
	{ 0 },
};

static const struct usage usage = {
	.name = "resolve",
	.table = table,
	.args = "(--pid=PID | --maps=FILE) FILTERS",
	.doc = "Show which addresses filters cover: those meant, and those Linux programs.",
	.more = "Exit status: 0 fine, 1 wrong or refused, 2 usage or environment,\n"
		"3 a filter would trace nothing, or everything.\n"
		"\n"
		"Example: itf resolve --pid=$$ 'filter 0/0x100000@/bin/bash'\n",
	.takes_model = true,
};

/* Only part of the input was used: the answer may be wrong. */
static void tell_malformed(const char *name, const struct maps_count *count)
{
	if (!count->malformed)
		return;
	diag_warning("%s: %zu of %zu lines are no map lines, first line %zu: passed over", name,
		     count->malformed, count->lines, count->first_malformed);
	if (count->truncated)
		diag_warning("%s ends in the middle of a line: it is incomplete", name);
}

static bool resolve_file(struct report *report, struct filter_set *set,
			 const struct options *options, struct trouble *trouble)
{
	bool is_stdin = !strcmp(options->maps, "-");
	const char *name = is_stdin ? "standard input" : options->maps;
	int fd = is_stdin ? STDIN_FILENO : open(options->maps, O_RDONLY | O_CLOEXEC);
	struct maps_count count;
	bool ok;

	if (fd < 0) {
		snprintf(trouble->text, sizeof(trouble->text), "cannot open %s: %s", name,
			 strerror(errno));
		return false;
	}
	ok = resolve_maps(report, set, fd, name, options->syntax.addr_bits, &count, diag_progress,
			  trouble);
	diag_progress_end();
	if (ok)
		tell_malformed(name, &count);
	if (!is_stdin)
		close(fd);
	return ok;
}

static enum status resolve(struct filter_set *set, const struct options *options)
{
	struct trouble trouble = { 0 };
	struct report report;
	enum status status;
	bool ok;

	report_init(&report, set, options->has_pmu ? &options->pmu : NULL,
		    options->pid ? JUDGE_ATTACH : JUDGE_WORSE);
	if (options->pid)
		ok = resolve_pid(&report, set, options->pid, options->syntax.addr_bits, &trouble);
	else
		ok = resolve_file(&report, set, options, &trouble);
	if (!ok) {
		diag_error("%s", trouble.text);
		diag_hint(trouble.hint);
		status = STATUS_TROUBLE;
	} else if (options->json ? !json_report(&report) : !text_report(&report)) {
		status = diag_memory();
	} else {
		status = report_trouble(&report) ? STATUS_UNCOVERED : STATUS_FINE;
	}
	report_free(&report);
	return status;
}

enum status resolve_main(int argc, char **argv)
{
	struct options options;
	struct filter_set set;
	enum status status;

	if (!options_parse(&options, &usage, argc, argv, &status))
		return status;
	if (!options.pid == !options.maps)
		return options_wrong(&usage, "exactly one of --pid and --maps is needed");
	if (options.maps && !strcmp(options.maps, "-") && !strcmp(options.filters, "-"))
		return options_wrong(&usage,
				     "only one of FILTERS and --maps can be standard input");
	if (!filters_usable(&set, &options, &status))
		return status;
	status = resolve(&set, &options);
	set_free(&set);
	return status;
}
