// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf resolve: what filters cover in a process that runs, in the maps of one, or in a recording. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../host/recorded.h"
#include "../host/resolve.h"
#include "commands.h"
#include "json.h"
#include "text.h"

static const struct argp_option table[] = {
	{ "pid", OPT_PID, "PID", 0, "Look at this process", 0 },
	{ "maps", OPT_MAPS, "FILE", 0, "Look at a copy of /proc/PID/maps; - is standard input", 0 },
	{ "perf-data", OPT_PERF_DATA, "FILE", 0, "Look at a recording of perf; - is standard input",
	  0 },
	{ "recorded-filters", OPT_RECORDED_FILTERS, NULL, 0,
	  "Take the filters of Intel PT from the recording", 0 },
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
	.args = "(--pid|--maps|--perf-data)=... FILTERS",
	.doc = "Show which addresses filters cover: those meant, and those Linux programs.",
	.more = "Exit status: 0 fine, 1 wrong or refused, 2 usage or environment,\n"
		"3 a filter would trace nothing, or everything, or a recording is damaged.\n"
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

/* No file at all is a list too, and one cut short at once may have been one. */
static bool has_map_line(const struct maps_count *count)
{
	return count->malformed < count->lines || count->lines == count->truncated;
}

static bool fail_no_list(const char *name, unsigned int addr_bits, struct trouble *trouble)
{
	snprintf(trouble->text, sizeof(trouble->text), "%.4096s: no line is a map line", name);
	if (addr_bits == 32)
		snprintf(trouble->hint, sizeof(trouble->hint),
			 "with --addr-bits=32, none that goes beyond 4 GiB is");
	return false;
}

/* A file or standard input, and what to call it. */
struct source {
	const char *name;
	int fd;
};

static bool open_source(struct source *source, const char *name, struct trouble *trouble)
{
	*source = (struct source){ "standard input", STDIN_FILENO };
	if (!strcmp(name, "-"))
		return true;
	*source = (struct source){ name, open(name, O_RDONLY | O_CLOEXEC) };
	if (source->fd < 0)
		snprintf(trouble->text, sizeof(trouble->text), "cannot open %.4096s: %s", name,
			 strerror(errno));
	return source->fd >= 0;
}

static void close_source(const struct source *source)
{
	diag_progress_end();
	if (source->fd != STDIN_FILENO)
		close(source->fd);
}

static bool resolve_file(struct report *report, struct filter_set *set,
			 const struct options *options, struct trouble *trouble)
{
	struct maps_count count;
	struct source source;
	bool ok;

	if (!open_source(&source, options->maps, trouble))
		return false;
	ok = resolve_maps(report, set, source.fd, source.name, options->syntax.addr_bits, &count,
			  diag_progress, trouble);
	close_source(&source);
	if (ok && !has_map_line(&count))
		return fail_no_list(source.name, options->syntax.addr_bits, trouble);
	if (ok)
		tell_malformed(source.name, &count);
	return ok;
}

static bool resolve_recording(struct report *report, struct filter_set *set,
			      const struct options *options, bool *broken, struct trouble *trouble)
{
	struct perfdata_end end;
	struct source source;
	bool ok;

	if (!open_source(&source, options->perf_data, trouble))
		return false;
	ok = resolve_perfdata(report, set, source.fd, source.name, options->syntax.addr_bits, &end,
			      diag_progress, trouble);
	close_source(&source);
	*broken = ok && end.broken;
	if (*broken)
		diag_error("%s: byte %llu: %s; what was read up to there follows", source.name,
			   (unsigned long long)end.at, end.why);
	return ok;
}

/* The filters that were given to the kernel, out of a file that is then at its beginning again. */
static bool read_recorded(const struct source *source, char **filters, struct trouble *trouble)
{
	struct perfdata_end end = { 0 };
	off_t at = lseek(source->fd, 0, SEEK_CUR);
	const char *why = "it is read twice, so it must be a file";

	if (at >= 0 && perfdata_filters(source->fd, filters, &end, diag_progress) &&
	    lseek(source->fd, at, SEEK_SET) == at) {
		if (*filters)
			return true;
		why = end.broken ? end.why : "no filters of Intel PT were recorded";
	} else if (at >= 0) {
		why = strerror(errno);
	}
	snprintf(trouble->text, sizeof(trouble->text), "cannot read filters from %s: %s",
		 source->name, why);
	return false;
}

/* Put them where FILTERS belongs; they are the kernel's, not to be read in any other way. */
static bool take_recorded(struct options *options, char **filters)
{
	struct trouble trouble = { 0 };
	struct source source;
	bool ok = open_source(&source, options->perf_data, &trouble);

	if (ok) {
		ok = read_recorded(&source, filters, &trouble);
		close_source(&source);
	}
	if (!ok)
		diag_error("%s", trouble.text);
	options->filters = *filters;
	options->syntax.dialect = ITF_DIALECT_MAINLINE;
	options->syntax.quotes = false;
	options->syntax.max_len = 0;
	return ok;
}

static enum status resolve(struct filter_set *set, const struct options *options)
{
	struct trouble trouble = { 0 };
	struct report report;
	bool broken = false;
	enum status status;
	bool ok;

	report_init(&report, set, options->has_pmu ? &options->pmu : NULL,
		    options->pid ? JUDGE_ATTACH : JUDGE_WORSE);
	if (options->pid)
		ok = resolve_pid(&report, set, options->pid, options->syntax.addr_bits, &trouble);
	else if (options->maps)
		ok = resolve_file(&report, set, options, &trouble);
	else
		ok = resolve_recording(&report, set, options, &broken, &trouble);
	if (!ok) {
		diag_error("%s", trouble.text);
		diag_hint(trouble.hint);
		status = STATUS_TROUBLE;
	} else if (options->json ? !json_report(&report) : !text_report(&report)) {
		status = diag_memory();
	} else {
		status = broken || report_trouble(&report) ? STATUS_UNCOVERED : STATUS_FINE;
	}
	report_free(&report);
	return status;
}

enum status resolve_main(int argc, char **argv)
{
	struct options options;
	struct filter_set set;
	enum status status;
	const char *input;
	char *recorded = NULL;

	if (!options_parse(&options, &usage, argc, argv, &status))
		return status;
	if (!options.pid + !options.maps + !options.perf_data != 2)
		return options_wrong(&usage,
				     "exactly one of --pid, --maps and --perf-data is needed");
	if (options.recorded_filters && !options.perf_data)
		return options_wrong(&usage, "--recorded-filters needs --perf-data");
	input = options.maps ? options.maps : options.perf_data;
	if (input && options.filters && !strcmp(input, "-") && !strcmp(options.filters, "-"))
		return options_wrong(&usage, "only one of FILTERS and --%s can be standard input",
				     options.maps ? "maps" : "perf-data");
	if (options.recorded_filters && !take_recorded(&options, &recorded))
		return STATUS_TROUBLE;
	if (filters_usable(&set, &options, &status)) {
		status = resolve(&set, &options);
		set_free(&set);
	}
	free(recorded);
	return status;
}
