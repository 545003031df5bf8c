// SPDX-License-Identifier: GPL-2.0-only
// The scheduler does not swap contexts whose ranges are those of different mappings.
@@
identifier func = { perf_event_addr_filters_exec, __perf_addr_filters_adjust };
identifier event;
@@
 func(struct perf_event *event, ...)
 {
 <...
-if (restart)
+if (restart) {
+	perf_addr_filters_unclone(event->ctx);
	perf_event_stop(event, 1);
+}
 ...>
 }

@@
identifier event, task;
@@
 perf_event_addr_filters_apply(struct perf_event *event)
 {
 ...
-struct task_struct *task = READ_ONCE(event->ctx->task);
+struct task_struct *task = perf_addr_filters_unclone(event->ctx);
 ...
 }

@@
@@
 perf_addr_filters_adjust(...)
 {
 <...
+/* no swap of contexts while their events change */
+preempt_disable();
 rcu_read_lock();
 ...>
 }

@@
@@
 perf_addr_filters_adjust(...)
 {
 <...
 rcu_read_unlock();
+preempt_enable();
 ...>
 }

// Newer kernels pin the context here, which also keeps it from being swapped.
@@
expression ctx, e;
@@
+/* no swap of contexts while their events change */
+preempt_disable();
 rcu_read_lock();
 ctx = rcu_dereference(e);
 if (ctx) {
	perf_iterate_ctx(ctx, perf_event_addr_filters_exec, NULL, true);
 }
 rcu_read_unlock();
+preempt_enable();
