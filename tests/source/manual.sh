#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# itf-filters(7) names every error, lint, verdict and note that the engine has, and no other; the manual pages
# are clean for mandoc.

. "$(dirname "$0")/lib.sh"

compile $CC
cat >names.c <<'EOF'
#include <stdio.h>
#include <itf/itf.h>

int main(void)
{
	for (int i = 1; i < ITF_ERROR_COUNT; i++)
		puts(itf_error_name((enum itf_error)i));
	for (int i = 1; i < ITF_LINT_COUNT; i++)
		puts(itf_lint_name((enum itf_lint)i));
	for (int i = 0; i < ITF_VERDICT_COUNT; i++)
		puts(itf_verdict_name((enum itf_verdict)i));
	for (int i = 0; i < ITF_NOTE_COUNT; i++)
		puts(itf_note_name((enum itf_note)i));
	return 0;
}
EOF
$CC -I"$top/include" -o names names.c ./*.o
./names | sort -u >known
# Names of errors and notes have a hyphen, those of verdicts stand in their own section.
awk '
	/^\.Sh/ { section = $2 }
	/^\.(It )?Cm / {
		sub(/^\.(It )?Cm /, "")
		if ($1 ~ /[a-z]-[a-z]/ || section == "VERDICTS")
			print $1
	}' "$top/docs/itf-filters.7" | grep -vxE 'linux-(launch|attach)' | sort -u >told
diff known told || fail "< not in itf-filters(7), > not in the engine"

command -v mandoc >/dev/null || skip "no mandoc"
for page in itf.1 itf-filters.7; do
	mandoc -T lint "$top/docs/$page" 2>&1 | grep -vE 'referenced manual not found|outdated mandoc.db' &&
		fail "$page"
done
exit 0
