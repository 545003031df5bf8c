#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Kernel style at 100 columns, as checkpatch.pl --strict and clang-format 14 see it. Generated lex.c is exempt.

. "$(dirname "$0")/lib.sh"

files=$(c_files | grep -vx src/core/lex.c)
bad=

# complain WHAT: what comes in, if anything, is wrong
complain()
{
	sed "s|^|$1: |" >complaints
	[ ! -s complaints ] || bad=yes
	head -n 30 complaints
}

# Strings are not broken: people look for them with grep.
for file in $files src/core/lex.re; do
	expand "$top/$file" | grep -nE '^.{101}' | grep -v '"' | sed "s|^|$file:|"
done >lines || true
complain "over 100 columns" <lines
for file in $files src/core/lex.re Makefile.am configure.ac bootstrap; do
	grep -nE '[[:blank:]]$' "$top/$file" | sed "s|^|$file:|"
done >lines || true
complain "trailing blank" <lines
(cd "$top" && wc -l $files) | awk '$2 != "total" && $1 > ($2 ~ /^(include|src)/ ? 550 : 700)' |
	complain "too many lines"

# On a copy: checkpatch looks for git and leaves files about.
(cd "$top" && tar -cf - $files .clang-format) | tar -xf -
scripts=$(kernel_scripts)

# kernel IGNORE PATTERN [OPTION]: checkpatch on the files that match
kernel()
{
	local ignore=$1 some

	some=$(printf '%s\n' $files | grep -E "$2") || return 0
	shift 2
	printf '%s\n' Elf GElf_Phdr SRunner Suite TCase UT_hash_handle ZSTD_DStream >typedefs
	perl "$scripts/checkpatch.pl" "$@" --typedefsfile typedefs --no-signoff --no-tree --no-summary --terse --show-types \
		--ignore "FILE_PATH_CHANGES,LONG_LINE_STRING$ignore" -f $some 2>/dev/null | complain checkpatch
}

# What is left out: names and macros that libraries want, long strings (the width of all else is checked above), and
# outside of src what tests are made of: Check's START_TEST and ck_assert(), other models of the same thing.
if [ -n "$scripts" ]; then
	hosted=,CAMELCASE,PREFER_DEFINED_ATTRIBUTE_MACRO,ARRAY_SIZE,BIT_MACRO,ENOSYS,LONG_LINE,SPLIT_STRING
	test=,AVOID_EXTERNS,COMPLEX_MACRO,CONSTANT_COMPARISON,FUNCTION_ARGUMENTS,NEW_TYPEDEFS
	test+=,QUOTED_WHITESPACE_BEFORE_NEWLINE,REPEATED_WORD,STATIC_CONST_CHAR_ARRAY,VOLATILE
	kernel "" '^(include|src/(core|track|pmu))/' --strict
	kernel $hosted '^src/(host|cli)/' --strict
	kernel $hosted$test '^(tests|fuzz|bench|tools)/'
fi

format=$(command -v clang-format-14 || command -v clang-format || true)
if [ -n "$format" ] && $format --version | grep -q 'version 14\.'; then
	$format --style=file --dry-run -Werror $files 2>&1 | grep 'error:' | complain clang-format || true
fi
[ -z "$bad" ] || fail "style"
