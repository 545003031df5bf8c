/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The JSON of SPEC 6: one object on one line, on standard output. Other programs read it: names,
 * order and types of what is there may not change.
 *
 * Each function returns false if memory ran out, and has then printed nothing.
 */
#ifndef ITF_CLI_JSON_H
#define ITF_CLI_JSON_H

#include "../host/report.h"
#include "../host/watch.h"
#include "filters.h"

/**
 * json_wrong() - why a filter set is wrong or refused
 * @wrong: with an error
 */
bool json_wrong(const struct wrong *wrong);

/**
 * json_check() - a filter set, its lints, and what the model says of it
 * @set: a set without error
 * @pmu: the model; NULL for none
 * @refusal: what it says
 */
bool json_check(const struct filter_set *set, const struct itf_pmu *pmu,
		const struct refusal *refusal);

/**
 * json_converted() - the result of convert
 * @text: any bytes
 * @len: bytes in @text
 */
bool json_converted(const char *text, size_t len);

/**
 * json_report() - what resolve found
 * @report: the report
 */
bool json_report(const struct report *report);

/**
 * json_watched() - what watch found
 * @report: the report
 * @end: how the command ended
 */
bool json_watched(const struct report *report, const struct watch_end *end);

/**
 * json_event() - a change during a watch
 * @event: the change
 * @set: the filters
 */
bool json_event(const struct watch_event *event, const struct filter_set *set);

#endif
