// SPDX-License-Identifier: GPL-2.0-only
// Files are looked up without ctx::mutex, as tracepoint filters are set.
@@
expression event;
@@
-if (!event->ctx->task)
+if (!(event->attach_state & PERF_ATTACH_TASK))
	goto fail;

@@
identifier event, ret;
expression text, list;
@@
 perf_event_set_addr_filter(struct perf_event *event, ...)
 {
+struct perf_event_context *ctx = event->ctx;
 ...
-lockdep_assert_held(&event->ctx->mutex);
+lockdep_assert_held(&ctx->mutex);
 ...
-ret = perf_event_parse_addr_filter(event, text, list);
+/* looking up a path in /proc takes locks that ctx::mutex nests in */
+mutex_unlock(&ctx->mutex);
+ret = perf_event_parse_addr_filter(event, text, list);
+mutex_lock(&ctx->mutex);
 if (ret)
	return ret;
+
+/* moved to another context meanwhile */
+if (event->ctx != ctx) {
+	ret = -EAGAIN;
+	goto fail_free_filters;
+}
 ... when any
 }
