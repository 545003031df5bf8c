// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf watch: what filters cover in a command, from its first exec to its end. */
#include <stdio.h>
#include <unistd.h>

#include "../host/watch.h"
#include "commands.h"
#include "json.h"
#include "text.h"

static const struct argp_option table[] = {
	{ "pid", OPT_PID, "PID", 0, "Watch this process instead of a command", 0 },
	OPTION_DIALECT,
	OPTION_PMU,
	OPTION_JSON,
	OPTION_HELP,
	{ 0 },
};

static const struct usage usage = {
	.name = "watch",
	.table = table,
	.args = "FILTERS (--pid=PID | -- COMMAND [ARG...])",
	.doc = "Run a command, follow it and its children, and show what filters cover.",
	.more = "With --json, COMMAND writes to standard error what it would write to standard\n"
		"output. Its exit status is shown, not copied.\n"
		"\n"
		"Exit status: 0 fine, 1 wrong or refused, 2 usage or environment,\n"
		"3 a filter would trace nothing, or everything.\n"
		"\n"
		"Example: itf watch 'filter 0/0x100000@/bin/ls' -- ls\n",
	.takes_command = true,
	.takes_model = true,
};

/* For the events. */
struct watcher {
	const struct filter_set *set;
	bool json;
	bool no_memory;
};

static bool take_event(const struct watch_event *event, void *ctx)
{
	struct watcher *watcher = ctx;

	if (!watcher->json)
		text_event(event, watcher->set);
	else if (!json_event(event, watcher->set))
		watcher->no_memory = true;
	/* Whoever reads it wants it now, and the command writes to the same place. */
	fflush(stdout);
	return !ferror(stdout);
}

static enum status watch(struct filter_set *set, const struct options *options)
{
	struct watcher watcher = { .set = set, .json = options->json };
	const struct watch_ask ask = {
		.set = set,
		.command = options->command,
		.pid = options->pid,
		.stdout_fd = options->json ? STDERR_FILENO : -1,
		.event = take_event,
		.ctx = &watcher,
	};
	struct trouble trouble = { 0 };
	struct watch_end end = { 0 };
	struct report report;
	enum status status;

	report_init(&report, set, options->has_pmu ? &options->pmu : NULL, JUDGE_LAUNCH);
	if (!watch_run(&report, &ask, &end, &trouble)) {
		diag_error("%s", trouble.text);
		diag_hint(trouble.hint);
		status = STATUS_TROUBLE;
	} else if (watcher.no_memory ||
		   (options->json ? !json_watched(&report, &end) : !text_watched(&report, &end))) {
		status = diag_memory();
	} else {
		status = report_trouble(&report) ? STATUS_UNCOVERED : STATUS_FINE;
	}
	report_free(&report);
	return status;
}

enum status watch_main(int argc, char **argv)
{
	struct options options;
	struct filter_set set;
	enum status status;

	if (!options_parse(&options, &usage, argc, argv, &status))
		return status;
	if (!options.pid == !options.command)
		return options_wrong(&usage, "exactly one of --pid and -- COMMAND is needed");
	if (!filters_usable(&set, &options, &status))
		return status;
	status = watch(&set, &options);
	set_free(&set);
	return status;
}
