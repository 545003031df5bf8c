/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* watch_run() with what only tests turn. */
#ifndef ITF_HOST_WATCH_INTERNAL_H
#define ITF_HOST_WATCH_INTERNAL_H

#include "watch.h"

/**
 * watch_run_with() - watch_run() with ring buffers of another size
 * @report: as for watch_run()
 * @ask: likewise
 * @bytes: of a ring buffer; so small that records are dropped, for example
 * @end: as for watch_run()
 * @trouble: likewise
 *
 * Return: as watch_run().
 */
bool watch_run_with(struct report *report, const struct watch_ask *ask, size_t bytes,
		    struct watch_end *end, struct trouble *trouble);

#endif
