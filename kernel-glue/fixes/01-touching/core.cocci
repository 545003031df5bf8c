// SPDX-License-Identifier: GPL-2.0-only
// A filter and a mapping match if they share a byte, not if they share an edge.
@@
expression f, off, len;
@@
 perf_addr_filter_match(...)
 {
 <...
-f->offset > off + len
+f->offset >= off + len
 ...>
 }

@@
expression f, off;
@@
 perf_addr_filter_match(...)
 {
 <...
-f->offset + f->size < off
+f->offset + max(f->size, 1UL) <= off
 ...>
 }
