// SPDX-License-Identifier: GPL-2.0-only
// perf core resolves address filters with the engine: what matched and clipped has been cut out.
@@
identifier vma;
@@
 __perf_addr_filters_adjust(...)
 {
 ...
 struct vm_area_struct *vma = ...;
+struct perf_mapped_code code;
 ...
-if (!vma->vm_file)
+if (!perf_mapped_code_around(vma, &code))
	return;
 ...
 }

@@
expression filter, vma, range;
@@
-perf_addr_filter_vma_adjust(filter, vma, range)
+perf_addr_filter_resolve(filter, &code, range)

@@
iterator name list_for_each_entry;
identifier filter, ifh, count;
@@
 perf_event_addr_filters_apply(...)
 {
 ...
-struct perf_addr_filter *filter;
 ...
-unsigned int count = 0;
 ...
-list_for_each_entry(filter, &ifh->list, entry) { ... }
+perf_addr_filters_resolve(ifh, mm, event->addr_filter_ranges);
 ...
 }
