/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Why the kernel refuses its events, and what helps: text for people. */
#ifndef ITF_HOST_REFUSED_H
#define ITF_HOST_REFUSED_H

#include "resolve.h"

/**
 * refused_event() - perf_event_open() failed
 * @trouble: set
 * @error: errno
 */
void refused_event(struct trouble *trouble, int error);

/**
 * refused_ring() - the ring buffer of an event could not be mapped
 * @trouble: set
 * @error: errno
 */
void refused_ring(struct trouble *trouble, int error);

/**
 * refused_memory() - memory ran out
 * @trouble: set
 */
void refused_memory(struct trouble *trouble);

#endif
