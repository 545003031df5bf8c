#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernel style at 100 columns, as checkpatch.pl --strict and clang-format see it; generated lex.c is exempt.

. "$(dirname "$0")/lib.sh"

files=$(c_files | grep -vx src/core/lex.c)

# Strings are not broken: people look for them with grep.
for file in $files src/core/lex.re; do
	expand "$top/$file" | grep -nE '^.{101}' | grep -v '"' | sed "s|^|$file:|"
done | grep . && fail "over 100 columns"
(cd "$top" && grep -nE '[[:blank:]]$' $files Makefile.am configure.ac bootstrap) && fail "trailing blanks"
(cd "$top" && wc -l $files src/core/lex.re | awk '$2 != "total" && $1 > 550 { print; bad = 1 } END { exit !bad }') &&
	fail "over 550 lines"

# A copy, since checkpatch looks for git and leaves files about.
(cd "$top" && tar -cf - $files .clang-format) | tar -xf -
scripts=$(kernel_scripts)
if [ -n "$scripts" ]; then
	strict()
	{
		local ignore=$1
		shift
		perl "$scripts/checkpatch.pl" --strict --no-signoff --no-tree --no-summary --terse --show-types \
			--ignore "FILE_PATH_CHANGES$ignore" -f "$@" 2>/dev/null
	}
	# What is left out: names and macros of libraries, and Check's START_TEST.
	strict "" $(printf '%s\n' $files | grep -E '^(include|src/(core|track|pmu))/') || fail "checkpatch"
	strict ,CAMELCASE,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE \
		$(printf '%s\n' $files | grep -E '^src/(host|cli)/') || fail "checkpatch"
	strict ,CAMELCASE,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE,LINE_SPACING \
		$(printf '%s\n' $files | grep -vE '^(include|src)/') || fail "checkpatch"
fi

format=$(command -v clang-format-14 || command -v clang-format) || skip "no clang-format"
$format --version | grep -q 'version 14\.' || skip "another clang-format"
$format --style=file --dry-run -Werror $files 2>format.log || {
	grep -c 'error:' format.log
	grep 'error:' format.log | head -n 20
	fail "clang-format"
}
