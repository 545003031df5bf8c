// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Filter sets for people: what is wrong with one, what it says, and what is odd about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "row.h"
#include "show.h"
#include "text.h"

void text_wrong(const struct filter_set *set, const struct wrong *wrong)
{
	diag_error("%s [%s, %s]", itf_error_message(wrong->error), itf_error_name(wrong->error),
		   itf_errno_name(itf_error_errno(wrong->error)));
	diag_input(stderr, set->text, set->len, wrong->span);
	diag_hint(itf_hint_text(wrong->hint));
}

/* Return: false if memory ran out. */
static bool show_lint(const struct filter_set *set, const struct set_lint *lint)
{
	char *message = message_lint(lint);
	int column;

	if (!message)
		return false;
	column = printf("%s%s:%s ", show_style(stdout, SHOW_POOR), itf_lint_name(lint->code),
			show_style(stdout, SHOW_PLAIN));
	column -= (int)(strlen(show_style(stdout, SHOW_POOR)) +
			strlen(show_style(stdout, SHOW_PLAIN)));
	row_words(stdout, message, column > 0 ? (size_t)column : 0, ROW_INDENT);
	diag_input(stdout, set->text, set->len, lint->span);
	free(message);
	return true;
}

static void show_refusal(const struct filter_set *set, const struct itf_pmu *pmu,
			 const struct refusal *refusal)
{
	if (!refusal->error) {
		printf("%s%s takes these filters%s\n", show_style(stdout, SHOW_GOOD),
		       itf_pmu_name(pmu), show_style(stdout, SHOW_PLAIN));
		return;
	}
	diag_error("%s refuses filter %zu: %s [%s, %s]", itf_pmu_name(pmu), refusal->filter,
		   itf_error_message(refusal->error), itf_error_name(refusal->error),
		   itf_errno_name(itf_error_errno(refusal->error)));
	diag_input(stderr, set->text, set->len, set->filters[refusal->filter].span);
}

bool text_check(const struct filter_set *set, const struct itf_pmu *pmu,
		const struct refusal *refusal)
{
	struct row_layout layout = row_layout(set);

	if (set->count)
		row_heading(stdout, &layout);
	else
		puts("no filters: given to the kernel, this clears those that are set");
	for (size_t i = 0; i < set->count; i++) {
		if (!row_filter(stdout, set, i, &layout))
			return false;
	}
	for (size_t i = 0; i < set->lint_count; i++) {
		if (i == 0)
			putchar('\n');
		if (!show_lint(set, &set->lints[i]))
			return false;
	}
	if (pmu) {
		putchar('\n');
		show_refusal(set, pmu, refusal);
	}
	return true;
}
