#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure what the unit tests alone reach of the engine: lines, branches and MC/DC (each condition
# alone decides its decision). Builds with clang in the current directory; fails unless all is
# reached. No file is left out and no line marked as an exception; of the generated lexer every
# line is asked for, its branches are shown.
#
#	coverage.sh SRCDIR ENGINE_SOURCE... -- TEST...
#
# Sources and tests are named relative to SRCDIR, tests without their suffix.
set -eu

: "${LLVM=-19}" "${LLVM_CC=clang$LLVM}"
: "${CHECK_CFLAGS=$(pkg-config --cflags check)}" "${CHECK_LIBS=$(pkg-config --libs check)}"
flags="-std=gnu11 -O0 -g -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"

srcdir=$(cd "$1" && pwd)
shift
sources= objects= binaries= shown= count=0
for tool in "$LLVM_CC" "llvm-cov$LLVM" "llvm-profdata$LLVM"; do
	command -v "$tool" >/dev/null || {
		echo "coverage: $tool not found (Debian: clang-19, llvm-19)" >&2
		exit 1
	}
done

compile() {
	mkdir -p "$(dirname "$1")"
	# shellcheck disable=SC2086
	"$LLVM_CC" $flags -I"$srcdir/include" -I"$srcdir/src" $CHECK_CFLAGS -c -o "$1.o" "$srcdir/$1.c"
}

rm -f ./*.profraw warnings
while [ "$1" != -- ]; do
	compile "${1%.c}" 2>>warnings || { cat warnings >&2; exit 1; }
	objects="$objects ${1%.c}.o"
	shift
done
shift
if grep -q 'MC/DC' warnings; then
	cat warnings >&2
	echo "coverage: a decision that cannot be measured; write it in another way" >&2
	exit 1
fi

compile tests/support
for test; do
	compile "$test"
	# shellcheck disable=SC2086
	"$LLVM_CC" -fprofile-instr-generate -o "$test" "$test.o" tests/support.o $objects $CHECK_LIBS
	srcdir=$srcdir CK_FORK=no CK_VERBOSITY=minimal LLVM_PROFILE_FILE=$count.profraw "./$test" ||
		{ echo "coverage: $test fails" >&2; exit 1; }
	binaries="$binaries -object $test"
	count=$((count + 1))
done
"llvm-profdata$LLVM" merge -o all.profdata ./*.profraw

for dir in include src/core src/track src/pmu; do
	sources="$sources $srcdir/$dir"
done
# shellcheck disable=SC2086
"llvm-cov$LLVM" report $binaries -instr-profile=all.profdata --show-region-summary=false \
	--show-mcdc-summary -sources $sources >report
# shellcheck disable=SC2086
"llvm-cov$LLVM" show $binaries -instr-profile=all.profdata --show-branches=count --show-mcdc \
	--show-instantiations=false -sources $sources >annotated

# Name each place that was missed, then add up. In the report a name is followed by three columns
# each of functions, lines, branches and conditions: all, missed, per cent.
awk '
	/^\/.*:$/ { file = $0 }
	/False: 0[],]|True: 0[],]|Pair: not covered|^ +[0-9]+\| +0\|/ {
		if (file ~ /\/lex\.c:$/ && !/^ +[0-9]+\| +0\|/)
			next
		if (file != named)
			print file
		named = file
		print
	}' annotated
awk -v name="$srcdir/" '
	NF == 13 && ($1 ~ /\.[ch]$/) {
		if ($1 ~ /(^|\/)lex\.c$/) {
			lexer = $5 - $6 "/" $5
			lexer_branches = $8 - $9 "/" $8
			missed += $6
			next
		}
		lines += $5; branches += $8; conditions += $11
		lines_missed += $6; branches_missed += $9; conditions_missed += $12
	}
	END {
		missed += lines_missed + branches_missed + conditions_missed
		printf "coverage: lines %d/%d, branches %d/%d, MC/DC %d/%d of the engine; ",
			lines - lines_missed, lines, branches - branches_missed, branches,
			conditions - conditions_missed, conditions
		printf "generated lexer: lines %s, branches %s\n", lexer, lexer_branches
		exit missed || !lines || !branches || !conditions || lexer == ""
	}' report
