// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Reads FILTERS and tells what is wrong with it. Judges nothing: the engine does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filters.h"
#include "json.h"
#include "text.h"

/* All of standard input. Return: false with errno set; @text is to be released in any case. */
static bool read_input(char **text, size_t *len)
{
	size_t room = 0;

	for (;;) {
		ssize_t got;

		if (*len == room) {
			size_t more = room ? room * 2 : 65536;
			char *bigger = realloc(*text, more);

			if (!bigger)
				return false;
			*text = bigger;
			room = more;
		}
		got = read(STDIN_FILENO, *text + *len, room - *len);
		if (got == 0)
			return true;
		if (got > 0)
			*len += (size_t)got;
		else if (errno != EINTR)
			return false;
		diag_progress(*len);
	}
}

bool filters_read(struct filter_set *set, const struct options *options, enum status *status)
{
	const char *text = options->filters;
	size_t len = strlen(text);
	char *input = NULL;
	bool ok = true;

	*status = STATUS_TROUBLE;
	if (!options->recorded_filters && !strcmp(text, "-")) {
		len = 0;
		ok = read_input(&input, &len);
		diag_progress_end();
		if (!ok)
			diag_error("cannot read FILTERS from standard input: %s", strerror(errno));
		text = input;
	}
	if (ok && !set_parse(set, text, len, &options->syntax)) {
		set_free(set);
		diag_memory();
		ok = false;
	}
	free(input);
	return ok;
}

/*
 * perf core refuses a file filter of a CPU-wide event when it comes to it, before it has looked
 * at what follows; so the text is read once more.
 */
struct wrong filters_wrong(const struct filter_set *set, const struct itf_event_kind *event)
{
	struct wrong wrong = { .error = set->error, .span = set->span, .hint = set->hint };
	struct itf_parser parser;
	struct itf_filter filter;

	itf_parser_init(&parser, set->text, set->len, &set->syntax);
	while (event->cpu_wide && itf_parser_next(&parser, &filter)) {
		if (itf_check_event(&filter, event) != ITF_E_FILE_FILTER_NEEDS_TASK)
			continue;
		wrong.error = ITF_E_FILE_FILTER_NEEDS_TASK;
		wrong.span = filter.span;
		wrong.hint = ITF_HINT_NONE;
		break;
	}
	return wrong;
}

struct refusal filters_refusal(const struct filter_set *set, const struct options *options)
{
	struct refusal refusal = { 0 };

	if (options->has_pmu)
		refusal.error =
			itf_pmu_check(&options->pmu, set->filters, set->count, &refusal.filter);
	return refusal;
}

enum status filters_tell(const struct filter_set *set, const struct options *options,
			 const struct wrong *wrong)
{
	if (options->json)
		return json_wrong(wrong) ? STATUS_WRONG : diag_memory();
	text_wrong(set, wrong);
	return STATUS_WRONG;
}

bool filters_usable(struct filter_set *set, const struct options *options, enum status *status)
{
	struct refusal refusal;
	struct wrong wrong;

	if (!filters_read(set, options, status))
		return false;
	wrong = filters_wrong(set, &options->event);
	refusal = filters_refusal(set, options);
	if (!wrong.error && refusal.error) {
		wrong.error = refusal.error;
		wrong.span = set->filters[refusal.filter].span;
	}
	if (!wrong.error)
		return true;
	*status = filters_tell(set, options, &wrong);
	set_free(set);
	return false;
}
