// SPDX-License-Identifier: GPL-2.0-only
// The number of file filters goes with the list; a task without memory maps nothing.
@@
expression event;
@@
-event->addr_filters.nr_file_filters++;

@@
identifier l = fail_clear_files;
@@
-goto l;
+return ret;

@@
identifier l = fail_clear_files;
expression event;
@@
-l: event->addr_filters.nr_file_filters = 0;

@@
expression event, head;
@@
 if (head)
	list_splice(head, &event->addr_filters.list);
+event->addr_filters.nr_file_filters = count_file_filters(&event->addr_filters.list);

@@
expression mm, ifh, task;
identifier l = restart;
@@
 if (ifh->nr_file_filters) {
	mm = get_task_mm(task);
-	if (!mm)
-		goto l;
-
-	mmap_read_lock(mm);
+	if (mm)
+		mmap_read_lock(mm);
 }

@@
expression mm, ifh;
@@
-if (ifh->nr_file_filters)
+if (mm)
 {
	mmap_read_unlock(mm);
	mmput(mm);
 }

@@
expression filter, mm, range;
@@
-perf_addr_filter_apply(filter, mm, range);
+if (mm)
+	perf_addr_filter_apply(filter, mm, range);

@@
identifier l = restart;
expression event;
@@
 if (...) {
	...
 }
-l:
 perf_event_stop(event, 1);
