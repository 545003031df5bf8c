// SPDX-License-Identifier: GPL-2.0-only
// A child begins with the ranges of the task that forked it.
@@
expression event, size;
identifier ifh;
@@
-if (event->parent) {
-	struct perf_addr_filters_head *ifh = perf_event_addr_filters(event);
-
-	raw_spin_lock_irq(&ifh->lock);
-	memcpy(event->addr_filter_ranges, event->parent->addr_filter_ranges, size);
-	raw_spin_unlock_irq(&ifh->lock);
-}

@@
identifier parent_event, child_event;
@@
 inherit_event(struct perf_event *parent_event, ...)
 {
 ...
+struct perf_event *from = parent_event;
 struct perf_event *child_event;
 ...
 if (IS_ERR(child_event))
	return child_event;
+
+perf_addr_filters_inherit(child_event, from);
 ... when any
 }
