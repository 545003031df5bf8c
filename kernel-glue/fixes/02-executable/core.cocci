// SPDX-License-Identifier: GPL-2.0-only
// Setting filters on a running task considers executable mappings only, as mmap() does.
@@
expression vma;
@@
 perf_addr_filter_apply(...)
 {
 <...
-if (!vma->vm_file)
+if (!vma->vm_file || !(vma->vm_flags & VM_EXEC))
	continue;
 ...>
 }
