/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* FILTERS, as every subcommand reads it and tells what is wrong with it. */
#ifndef ITF_CLI_FILTERS_H
#define ITF_CLI_FILTERS_H

#include "../host/set.h"
#include "options.h"

/**
 * struct wrong - why a filter set is wrong or refused
 * @error: ITF_OK if it is not
 * @span: where, in the text of the set
 * @hint: what was probably meant
 */
struct wrong {
	enum itf_error error;
	struct itf_span span;
	enum itf_hint hint;
};

/**
 * struct refusal - what a model says of a filter set
 * @error: ITF_OK if it takes the set
 * @filter: the filter that it refuses, on error
 */
struct refusal {
	enum itf_error error;
	size_t filter;
};

/**
 * filters_read() - read and parse FILTERS
 * @set: filled on success; release it with set_free()
 * @options: what is asked for
 * @status: set to the exit status on failure, which was told
 *
 * Return: true, also if the text is no filter set (see filters_wrong()).
 */
bool filters_read(struct filter_set *set, const struct options *options, enum status *status);

/**
 * filters_wrong() - what makes the set wrong or unfit for the event
 * @set: a parsed set
 * @event: what it is for
 *
 * Return: the first error in the order of the text.
 */
struct wrong filters_wrong(const struct filter_set *set, const struct itf_event_kind *event);

/**
 * filters_refusal() - does the model take the set
 * @set: a set without error
 * @options: with a model, or without: then nothing is refused
 *
 * Return: the answer.
 */
struct refusal filters_refusal(const struct filter_set *set, const struct options *options);

/**
 * filters_tell() - tell what is wrong, in the form that was asked for
 * @set: the set
 * @options: what is asked for
 * @wrong: with an error
 *
 * Return: STATUS_WRONG, or STATUS_TROUBLE if memory ran out.
 */
enum status filters_tell(const struct filter_set *set, const struct options *options,
			 const struct wrong *wrong);

/**
 * filters_usable() - filters_read(), and everything that may be wrong or refused is an error
 * @set: filled on success; release it with set_free()
 * @options: what is asked for
 * @status: set to the exit status on failure, which was told
 *
 * Return: whether there is a set to go on with.
 */
bool filters_usable(struct filter_set *set, const struct options *options, enum status *status);

#endif
