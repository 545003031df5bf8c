# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The part of kernel-glue in the build: what needs no kernel is a test, what boots one has its own target.
EXTRA_DIST += docs/cover-letter.txt docs/kernel.md kernel-glue
source_tests += tests/source/glue.sh

.PHONY: check-kernel check-kernel-long
check-kernel check-kernel-long: itf$(EXEEXT)
	@ITF=$(abs_builddir)/itf $(MAKE) -s -C $(srcdir)/kernel-glue $@
