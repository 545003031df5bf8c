// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* JSON, with jansson. Every text that somebody else chose goes through utf8.c on its way in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "json.h"
#include "message.h"
#include "utf8.h"

/* ---------------------------------------------------------------------- building blocks */

/* Takes over @value, also on failure, and takes NULL for a failure. */
static bool put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new_nocheck(object, key, value) == 0;
}

static bool put_item(json_t *array, json_t *value)
{
	return json_array_append_new(array, value) == 0;
}

static bool put_string(json_t *object, const char *key, const char *value)
{
	return put(object, key, json_string(value));
}

static bool put_number(json_t *object, const char *key, u64 value)
{
	return put(object, key, json_integer((json_int_t)value));
}

/* A number that may be above 2^53, which not every reader of JSON can hold. */
static bool put_hex(json_t *object, const char *key, u64 value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	return put_string(object, key, text);
}

static bool put_span(json_t *object, struct itf_span span)
{
	json_t *array = json_array();
	bool ok = array && put_item(array, json_integer((json_int_t)span.off)) &&
		  put_item(array, json_integer((json_int_t)span.len));

	return put(object, "span", array) && ok;
}

static bool put_hex_bytes(json_t *object, const char *key, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char name[32];
	char *hex;
	bool ok;

	snprintf(name, sizeof(name), "%s_hex", key);
	hex = calloc(len + 1, 2);
	if (!hex)
		return false;
	for (size_t i = 0; i < len; i++) {
		hex[2 * i] = digits[(u8)bytes[i] >> 4];
		hex[2 * i + 1] = digits[(u8)bytes[i] & 15];
	}
	ok = put_string(object, name, hex);
	free(hex);
	return ok;
}

/* Text for people, made readable. */
static bool put_text(json_t *object, const char *key, const char *bytes, size_t len)
{
	size_t text_len;
	char *text = utf8_repair(bytes, len, &text_len);
	bool ok = text && put(object, key, json_stringn_nocheck(text, text_len));

	free(text);
	return ok;
}

/* Bytes that may not be UTF-8: then KEY is readable and KEY_hex exact. */
static bool put_bytes(json_t *object, const char *key, const char *bytes, size_t len)
{
	return put_text(object, key, bytes, len) &&
	       (utf8_valid(bytes, len) || put_hex_bytes(object, key, bytes, len));
}

/* Print one line and forget the object. A failure to write is found at the end of the program. */
static bool print(json_t *object, bool complete)
{
	bool ok = complete && (json_dumpf(object, stdout, JSON_COMPACT) == 0 || ferror(stdout));

	json_decref(object);
	if (ok)
		fputc('\n', stdout);
	return ok;
}

/* ---------------------------------------------------------------------- errors */

bool json_wrong(const struct wrong *wrong)
{
	json_t *root = json_object(), *error = json_object();
	const char *hint = itf_hint_text(wrong->hint);
	bool ok = put(root, "ok", json_false());

	ok = ok && put_string(error, "code", itf_error_name(wrong->error));
	ok = ok && put_string(error, "errno", itf_errno_name(itf_error_errno(wrong->error)));
	ok = ok && put_span(error, wrong->span);
	ok = ok && put_string(error, "message", itf_error_message(wrong->error));
	ok = ok && put(error, "hint", hint ? json_string(hint) : json_null());
	ok = put(root, "error", error) && ok;
	return print(root, ok);
}

/* ---------------------------------------------------------------------- filters */

static bool put_path(json_t *object, const struct itf_filter *f)
{
	char *path;
	bool ok;

	if (f->source == ITF_SOURCE_KERNEL)
		return put(object, "path", json_null());
	path = set_path(f);
	if (!path)
		return false;
	ok = put_bytes(object, "path", path, itf_path_decode(f, NULL, 0));
	free(path);
	return ok;
}

/* Return: NULL if memory ran out. */
static json_t *filter_object(const struct filter_set *set, size_t index)
{
	const struct itf_filter *f = &set->filters[index];
	json_t *object = json_object();

	if (put_number(object, "index", index) &&
	    put_string(object, "action", itf_action_name(f->action)) &&
	    put_string(object, "source", itf_source_name(f->source)) &&
	    put_hex(object, "start", f->start) && put_hex(object, "size", f->size) &&
	    put_path(object, f) &&
	    put_string(object, "form", f->has_source ? "seed" : "mainline") &&
	    put_span(object, f->span))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *lint_object(const struct set_lint *lint)
{
	json_t *object = json_object();
	char *message = message_lint(lint);
	bool ok = message && put_string(object, "code", itf_lint_name(lint->code)) &&
		  put_number(object, "filter", lint->filter) && put_span(object, lint->span) &&
		  put_text(object, "message", message, strlen(message));

	free(message);
	if (ok)
		return object;
	json_decref(object);
	return NULL;
}

static bool put_filters(json_t *root, const struct filter_set *set)
{
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < set->count; i++)
		ok = put_item(array, filter_object(set, i));
	return put(root, "filters", array) && ok;
}

static bool put_lints(json_t *root, const struct filter_set *set)
{
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < set->lint_count; i++)
		ok = put_item(array, lint_object(&set->lints[i]));
	return put(root, "lints", array) && ok;
}

static bool put_pmu(json_t *root, const struct itf_pmu *pmu, const struct refusal *refusal)
{
	enum itf_error error = refusal->error;
	json_t *object = json_object();
	bool ok = put_string(object, "model", itf_pmu_name(pmu)) &&
		  put(object, "ok", json_boolean(!error));

	if (error)
		ok = ok && put_string(object, "code", itf_error_name(error)) &&
		     put_string(object, "errno", itf_errno_name(itf_error_errno(error))) &&
		     put_number(object, "filter", refusal->filter) &&
		     put_string(object, "message", itf_error_message(error));
	return put(root, "pmu", object) && ok;
}

bool json_check(const struct filter_set *set, const struct itf_pmu *pmu,
		const struct refusal *refusal)
{
	json_t *root = json_object();
	bool ok = put(root, "ok", json_true()) && put_filters(root, set) && put_lints(root, set);

	if (ok && pmu)
		ok = put_pmu(root, pmu, refusal);
	return print(root, ok);
}

bool json_converted(const char *text, size_t len)
{
	json_t *root = json_object();

	return print(root, put(root, "ok", json_true()) && put_bytes(root, "filters", text, len));
}

/* ---------------------------------------------------------------------- reports */

static json_t *range_object(u64 start, u64 size)
{
	json_t *object = json_object();

	if (put_hex(object, "start", start) && put_hex(object, "size", size))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *hw_object(const struct itf_hw *hw)
{
	json_t *object = json_object();

	if (put_hex(object, "first", hw->first) && put_hex(object, "last", hw->last) &&
	    put_number(object, "config", hw->config))
		return object;
	json_decref(object);
	return NULL;
}

/* One linux answer; @hw is NULL if nothing is programmed, and not looked at without a model. */
static bool put_answer(json_t *object, const char *key, const struct itf_slot *slot,
		       const struct itf_pmu *pmu, const struct itf_hw *hw)
{
	json_t *answer;
	bool ok = true;

	if (!slot->matched)
		return put(object, key, json_null());
	answer = range_object(slot->range.start, slot->range.size);
	if (answer && pmu)
		ok = put(answer, "hw", hw ? hw_object(hw) : json_null());
	return put(object, key, answer) && ok;
}

static bool put_exact(json_t *object, const struct report_filter *found)
{
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < found->exact_count; i++)
		ok = put_item(array, range_object(found->exact[i].start, found->exact[i].size));
	return put(object, "exact", array) && ok;
}

static json_t *note_object(const struct report_note *note)
{
	json_t *object = json_object();
	char *message = message_note(note);
	bool ok = message && put_string(object, "code", itf_note_name(note->code)) &&
		  put_text(object, "message", message, strlen(message));

	free(message);
	if (ok)
		return object;
	json_decref(object);
	return NULL;
}

static bool put_notes(json_t *object, const struct report_filter *found)
{
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < found->note_count; i++)
		ok = put_item(array, note_object(&found->notes[i]));
	return put(object, "notes", array) && ok;
}

static json_t *found_object(const struct report *report, const struct report_filter *found,
			    size_t index)
{
	json_t *object = filter_object(report->set, index);

	if (put_exact(object, found) &&
	    put_answer(object, "linux_launch", &found->launch, report->pmu,
		       found->launch_has_hw ? &found->launch_hw : NULL) &&
	    put_answer(object, "linux_attach", &found->attach, report->pmu,
		       found->attach_has_hw ? &found->attach_hw : NULL) &&
	    put_string(object, "verdict", itf_verdict_name(found->verdict)) &&
	    put_notes(object, found))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *process_object(const struct report *report, const struct report_process *process)
{
	json_t *object = json_object(), *array = json_array();
	bool ok = array;

	ok = ok && put(object, "pid", process->pid ? json_integer(process->pid) : json_null());
	if (process->comm)
		ok = ok && put_bytes(object, "comm", process->comm, process->comm_len);
	else
		ok = ok && put(object, "comm", json_null());
	for (size_t i = 0; ok && i < report->set->count; i++)
		ok = put_item(array, found_object(report, &process->filters[i], i));
	if (put(object, "filters", array) && ok)
		return object;
	json_decref(object);
	return NULL;
}

static bool put_processes(json_t *root, const struct report *report)
{
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < report->count; i++)
		ok = put_item(array, process_object(report, &report->processes[i]));
	return put(root, "processes", array) && ok;
}

bool json_report(const struct report *report)
{
	json_t *root = json_object();

	return print(root, put_processes(root, report));
}

bool json_watched(const struct report *report, const struct watch_end *end)
{
	json_t *root = json_object(), *command = NULL;
	bool ok = put_processes(root, report);

	if (end->has_status) {
		command = json_object();
		ok = ok && put_number(command, end->exited ? "exit" : "signal", (u64)end->status);
	}
	ok = put(root, "command", end->has_status ? command : json_null()) && ok;
	return print(root, ok);
}

/* ---------------------------------------------------------------------- events */

/* What Linux holds after the event for the filters of the mapping's object file. */
static bool put_slots(json_t *root, const struct watch_event *event, const struct filter_set *set)
{
	const struct itf_track *track = &event->process->track;
	json_t *array = json_array();
	bool ok = array;

	for (size_t i = 0; ok && i < set->count; i++) {
		json_t *object;

		if (!set->filters[i].object || set->filters[i].object != event->mapping.object)
			continue;
		object = json_object();
		ok = put_number(object, "index", i) &&
		     put_answer(object, "linux_launch", &track->launch[i], NULL, NULL) &&
		     put_answer(object, "linux_attach", &track->attach[i], NULL, NULL);
		ok = put_item(array, object) && ok;
	}
	return put(root, "filters", array) && ok;
}

static bool put_mmap(json_t *root, const struct watch_event *event, const struct filter_set *set)
{
	char prot[4];

	message_prot(event->mapping.prot, prot);
	return put_hex(root, "start", event->mapping.start) &&
	       put_hex(root, "size", event->mapping.size) &&
	       put_hex(root, "offset", event->mapping.offset) && put_string(root, "prot", prot) &&
	       put_bytes(root, "path", event->name, event->name_len) && put_slots(root, event, set);
}

static bool put_event(json_t *root, const struct watch_event *event, const struct filter_set *set)
{
	bool ok = put_string(root, "event", message_event(event->kind)) &&
		  put(root, "pid", event->pid > 0 ? json_integer(event->pid) : json_null());

	if (event->kind != WATCH_LOST)
		ok = ok && put_number(root, "tid", (u64)event->tid);
	ok = ok && put_hex(root, "time", event->time);
	switch (event->kind) {
	case WATCH_MMAP:
		return ok && put_mmap(root, event, set);
	case WATCH_EXEC:
		return ok && put_bytes(root, "comm", event->comm, event->comm_len);
	case WATCH_FORK:
		return ok && put_number(root, "child", (u64)event->child);
	case WATCH_LOST:
		return ok && put_number(root, "lost", event->lost);
	case WATCH_EXIT:
		break;
	}
	return ok;
}

bool json_event(const struct watch_event *event, const struct filter_set *set)
{
	json_t *root = json_object();

	return print(root, put_event(root, event, set));
}
