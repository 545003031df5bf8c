// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What resolve and watch found, for people: what was meant beside what Linux programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "row.h"
#include "show.h"
#include "text.h"

/* Where the words stand that follow a label. */
#define LABEL_WIDTH 11
#define VALUE_COLUMN (ROW_INDENT + LABEL_WIDTH)
/* A filter may have very many pieces; JSON has them all. */
#define MOST_PIECES ((size_t)8)
/* What every line of an event begins with, so that it is told from what the command writes. */
#define EVENT_PREFIX "itf:"

static void label(const char *name)
{
	printf("%*s%-*s", ROW_INDENT, "", LABEL_WIDTH, name);
}

/* "0x1000-0x11ff (512 bytes)", or the point. */
static void put_range(u64 start, u64 size)
{
	char words[24];

	if (!size) {
		printf("0x%llx", (unsigned long long)start);
		return;
	}
	row_size(size, words);
	printf("0x%llx-0x%llx (%s)", (unsigned long long)start,
	       (unsigned long long)(start + (size - 1)), words);
}

/* ---------------------------------------------------------------------- one filter */

static void put_exact(const struct report_filter *found)
{
	size_t shown = found->exact_count;

	if (shown > MOST_PIECES)
		shown = MOST_PIECES - 1;
	label("meant");
	if (!shown)
		puts("nothing");
	for (size_t i = 0; i < shown; i++) {
		if (i)
			label("");
		put_range(found->exact[i].start, found->exact[i].size);
		putchar('\n');
	}
	if (shown < found->exact_count) {
		label("");
		printf("and %zu more\n", found->exact_count - shown);
	}
}

static const char *config_words(u32 config)
{
	switch (config) {
	case ITF_HW_FILTER:
		return "filter";
	case ITF_HW_STOP:
		return "stop";
	default:
		return "start";
	}
}

static void put_hardware(const struct report *report, const struct itf_hw *hw)
{
	label("");
	printf("%s: ", itf_pmu_name(report->pmu));
	if (hw)
		printf("0x%llx-0x%llx, %s\n", (unsigned long long)hw->first,
		       (unsigned long long)hw->last, config_words(hw->config));
	else
		puts("nothing is programmed");
}

static void put_answer(const struct report *report, const struct itf_filter *filter,
		       const char *name, const struct itf_slot *slot, const struct itf_hw *hw)
{
	label(name);
	if (!slot->matched) {
		puts("nothing");
		return;
	}
	put_range(slot->range.start, slot->range.size);
	puts(filter->size && !slot->range.size ? ", size 0" : "");
	if (report->pmu)
		put_hardware(report, hw);
}

static enum show_style verdict_style(enum itf_verdict verdict)
{
	switch (verdict) {
	case ITF_VERDICT_COVERED:
		return SHOW_GOOD;
	case ITF_VERDICT_PARTIAL:
	case ITF_VERDICT_UNKNOWN:
		return SHOW_POOR;
	default:
		return SHOW_BAD;
	}
}

/* Bytes of what was meant that one linux answer holds. */
static u64 shared_bytes(const struct report_filter *found, const struct itf_slot *slot)
{
	u64 shared = 0;

	for (size_t i = 0; slot->matched && i < found->exact_count; i++) {
		struct itf_range piece = { found->exact[i].start, found->exact[i].size };
		struct itf_range common;

		if (itf_range_common(&piece, &slot->range, &common))
			shared += common.size ? common.size : 1;
	}
	return shared;
}

/*
 * How much of it: the lesser of both if the verdict is about both. A point is met in some places.
 */
static void partial_words(enum report_judge judge, const struct report_filter *found, bool point,
			  char *text, size_t size)
{
	u64 launch = shared_bytes(found, &found->launch);
	u64 attach = shared_bytes(found, &found->attach);
	char part[24], whole[24];
	u64 meant = 0;

	for (size_t i = 0; i < found->exact_count; i++)
		meant += found->exact[i].size ? found->exact[i].size : 1;
	if (judge == JUDGE_LAUNCH || (judge == JUDGE_WORSE && launch < attach))
		attach = launch;
	row_size(attach, part);
	row_size(meant, whole);
	if (point)
		snprintf(text, size, "Linux programs one of %zu places that were meant",
			 found->exact_count);
	else
		snprintf(text, size, "Linux programs %s of the %s that were meant", part, whole);
}

static void verdict_words(enum report_judge judge, const struct report_filter *found, bool point,
			  char *text, size_t size)
{
	const char *words = "the input is incomplete";

	switch (found->verdict) {
	case ITF_VERDICT_COVERED:
		words = "Linux programs every byte that was meant";
		break;
	case ITF_VERDICT_PARTIAL:
		partial_words(judge, found, point, text, size);
		return;
	case ITF_VERDICT_NONE:
		words = found->exact_count ? "Linux programs nothing of what was meant" :
					     "there is nothing to trace here";
		break;
	case ITF_VERDICT_RUNAWAY:
		words = "Linux programs size 0, which Intel PT takes for everything above";
		break;
	default:
		break;
	}
	snprintf(text, size, "%s", words);
}

static void put_verdict(enum report_judge judge, const struct report_filter *found, bool point)
{
	static const char *const judged[] = {
		[JUDGE_LAUNCH] = "launch",
		[JUDGE_ATTACH] = "attach",
		[JUDGE_WORSE] = "the worse of both",
	};
	const char *name = itf_verdict_name(found->verdict);
	char words[128], text[160];

	label("verdict");
	printf("%s%s%s", show_style(stdout, verdict_style(found->verdict)), name,
	       show_style(stdout, SHOW_PLAIN));
	verdict_words(judge, found, point, words, sizeof(words));
	snprintf(text, sizeof(text), " (%s): %s", judged[judge], words);
	row_words(stdout, text, VALUE_COLUMN + strlen(name), VALUE_COLUMN);
}

/* Return: false if memory ran out. */
static bool put_notes(const struct report_filter *found)
{
	for (size_t i = 0; i < found->note_count; i++) {
		const char *name = itf_note_name(found->notes[i].code);
		char *message = message_note(&found->notes[i]);

		if (!message)
			return false;
		label("note");
		printf("%s%s:%s ", show_style(stdout, SHOW_HINT), name,
		       show_style(stdout, SHOW_PLAIN));
		row_words(stdout, message, VALUE_COLUMN + strlen(name) + 2, VALUE_COLUMN);
		free(message);
	}
	return true;
}

static bool put_filter(const struct report *report, const struct report_process *process,
		       size_t index, const struct row_layout *layout)
{
	const struct itf_filter *filter = &report->set->filters[index];
	const struct report_filter *found = &process->filters[index];

	if (!row_filter(stdout, report->set, index, layout))
		return false;
	put_exact(found);
	put_answer(report, filter, "on launch", &found->launch,
		   found->launch_has_hw ? &found->launch_hw : NULL);
	put_answer(report, filter, "on attach", &found->attach,
		   found->attach_has_hw ? &found->attach_hw : NULL);
	put_verdict(process->judge, found, !filter->size);
	return put_notes(found);
}

/* ---------------------------------------------------------------------- the report */

static void put_process(const struct report_process *process)
{
	if (!process->pid)
		return;
	printf("%sProcess %ld", show_style(stdout, SHOW_HEADING), (long)process->pid);
	if (process->comm) {
		fputs(" (", stdout);
		show_text(stdout, process->comm, process->comm_len);
		putchar(')');
	}
	printf("%s\n", show_style(stdout, SHOW_PLAIN));
}

bool text_report(const struct report *report)
{
	struct row_layout layout = row_layout(report->set);

	for (size_t p = 0; p < report->count; p++) {
		if (p)
			putchar('\n');
		put_process(&report->processes[p]);
		if (report->set->count)
			row_heading(stdout, &layout);
		else
			puts("no filters: nothing to look at");
		for (size_t i = 0; i < report->set->count; i++) {
			if (i)
				putchar('\n');
			if (!put_filter(report, &report->processes[p], i, &layout))
				return false;
		}
	}
	return true;
}

bool text_watched(const struct report *report, const struct watch_end *end)
{
	if (end->has_status && end->exited)
		printf(EVENT_PREFIX " the command exited with status %d\n", end->status);
	else if (end->has_status)
		printf(EVENT_PREFIX " the command was ended by signal %d (%s)\n", end->status,
		       strsignal(end->status));
	if (end->interrupted)
		puts(EVENT_PREFIX " interrupted");
	if (end->lost)
		printf(EVENT_PREFIX " the kernel dropped %llu records: this may be incomplete\n",
		       (unsigned long long)end->lost);
	putchar('\n');
	return text_report(report);
}

/* ---------------------------------------------------------------------- events */

/* On launch Linux looks at executable mappings only, so others change nothing that is told here. */
static void put_slots(const struct watch_event *event, const struct filter_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct itf_filter *filter = &set->filters[i];
		const struct itf_slot *slot = &event->process->track.launch[i];

		if (!filter->object || filter->object != event->mapping.object || !slot->matched)
			continue;
		printf(EVENT_PREFIX "         filter %zu: Linux programs ", i);
		put_range(slot->range.start, slot->range.size);
		puts(filter->size && !slot->range.size ? ", size 0" : "");
	}
}

static void put_mmap(const struct watch_event *event, const struct filter_set *set)
{
	const struct itf_mapping *mapping = &event->mapping;
	size_t column = strlen(EVENT_PREFIX) + strlen(" 1234567 ");
	char prot[4];
	int printed;

	message_prot(mapping->prot, prot);
	printed = printf("mmap %s 0x%llx-0x%llx offset 0x%llx ", prot,
			 (unsigned long long)mapping->start,
			 (unsigned long long)(mapping->start + (mapping->size - 1)),
			 (unsigned long long)mapping->offset);
	column += printed > 0 ? (size_t)printed : 0;
	if (column + show_columns(event->name, event->name_len, SHOW_COLUMNS) > SHOW_COLUMNS)
		printf("\n" EVENT_PREFIX "         ");
	show_text(stdout, event->name, event->name_len);
	putchar('\n');
	if (mapping->prot & ITF_PROT_EXEC)
		put_slots(event, set);
}

void text_event(const struct watch_event *event, const struct filter_set *set)
{
	printf(EVENT_PREFIX " ");
	if (event->pid > 0)
		printf("%-7ld ", (long)event->pid);
	switch (event->kind) {
	case WATCH_MMAP:
		put_mmap(event, set);
		break;
	case WATCH_EXEC:
		fputs("exec ", stdout);
		show_text(stdout, event->comm, event->comm_len);
		putchar('\n');
		break;
	case WATCH_FORK:
		printf("fork %ld\n", (long)event->child);
		break;
	case WATCH_EXIT:
		puts("exit");
		break;
	case WATCH_LOST:
		printf("the kernel dropped %llu records\n", (unsigned long long)event->lost);
		break;
	}
}
