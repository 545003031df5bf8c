/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Output for people, no wider than 80 columns.
 *
 * Functions that return bool return false if memory ran out.
 */
#ifndef ITF_CLI_TEXT_H
#define ITF_CLI_TEXT_H

#include "../host/report.h"
#include "../host/watch.h"
#include "filters.h"

/**
 * text_wrong() - tell on standard error why a filter set is wrong or refused
 * @set: the set
 * @wrong: with an error
 */
void text_wrong(const struct filter_set *set, const struct wrong *wrong);

/**
 * text_check() - a filter set, its lints, and what the model says of it
 * @set: a set without error
 * @pmu: the model; NULL for none
 * @refusal: what it says
 */
bool text_check(const struct filter_set *set, const struct itf_pmu *pmu,
		const struct refusal *refusal);

/**
 * text_report() - what resolve or watch found
 * @report: the report
 */
bool text_report(const struct report *report);

/**
 * text_watched() - what watch found
 * @report: the report
 * @end: how the command ended
 */
bool text_watched(const struct report *report, const struct watch_end *end);

/**
 * text_event() - a change during a watch
 * @event: the change
 * @set: the filters
 */
void text_event(const struct watch_event *event, const struct filter_set *set);

#endif
