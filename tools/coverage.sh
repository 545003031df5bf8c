#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure what the unit tests alone reach of the engine: lines, branches and MC/DC (each condition
# alone decides its decision). Builds with clang in the current directory; fails unless all is
# reached. No file is left out and no line marked as an exception; of the generated lexer every
# line is asked for, its branches are shown.
#
#	coverage.sh SRCDIR ENGINE_SOURCE... -- SUPPORT_SOURCE... -- TEST...
#
# Sources and tests are named relative to SRCDIR, tests without their suffix; each is linked with
# all of the engine and of the support.
set -eu

: "${LLVM=-19}" "${LLVM_CC=clang$LLVM}"
: "${CHECK_CFLAGS=$(pkg-config --cflags check)}" "${CHECK_LIBS=$(pkg-config --libs check)}"
flags="-std=gnu11 -O0 -g -DSMALL_DOMAIN -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"

srcdir=$(cd "$1" && pwd)
shift
sources= objects= binaries= count=0
for tool in "$LLVM_CC" "llvm-cov$LLVM" "llvm-profdata$LLVM"; do
	command -v "$tool" >/dev/null || {
		echo "coverage: $tool not found (Debian: clang-19, llvm-19)" >&2
		exit 1
	}
done

compile() {
	mkdir -p "$(dirname "$1")"
	# shellcheck disable=SC2086
	"$LLVM_CC" $flags -I"$srcdir/include" -I"$srcdir/src" $CHECK_CFLAGS -c -o "$1.o" \
		"$srcdir/$1.c" 2>warnings || { cat warnings >&2; exit 1; }
}

rm -f ./*.profraw
while [ "$1" != -- ]; do
	compile "${1%.c}"
	if grep 'MC/DC' warnings; then
		echo "coverage: a decision that cannot be measured; write it in another way" >&2
		exit 1
	fi
	objects="$objects ${1%.c}.o"
	shift
done
shift

while [ "$1" != -- ]; do
	compile "${1%.c}"
	objects="$objects ${1%.c}.o"
	shift
done
shift
for test; do
	compile "$test"
	# shellcheck disable=SC2086
	"$LLVM_CC" -fprofile-instr-generate -o "$test" "$test.o" $objects $CHECK_LIBS
	srcdir=$srcdir CK_FORK=no CK_VERBOSITY=silent LLVM_PROFILE_FILE=$count.profraw "./$test" ||
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

# Add up. In the report a name is followed by three columns each of functions, lines, branches and
# conditions: all, missed, per cent. Lines are counted in the annotated text instead: the report
# misjudges inline functions of which each file has its own.
awk '
	FNR == 1 { annotated = seen++ }
	!annotated {
		if (NF != 13 || $1 !~ /\.[ch]$/)
			next
		if ($1 ~ /(^|\/)lex\.c$/) {
			lexer_branches = $8 - $9 "/" $8
			next
		}
		branches += $8; branches_missed += $9
		conditions += $11; conditions_missed += $12
		if ($9 + $12)
			incomplete[$1] = 1
		next
	}
	/^\/.*:$/ {
		title = file = substr($0, 1, length($0) - 1)
		generated = file ~ /\/lex\.c$/
		show = 0
		for (name in incomplete)
			show += name == substr(file, length(file) - length(name) + 1)
	}
	/^ +[0-9]+\| +[0-9.]+[kMG]?\|/ {
		split($0, field, "|")
		missed = field[2] + 0 == 0
		all[generated]++; left[generated] += missed
	}
	!/^ +[0-9]+\|/ { missed = show && /False: 0[],]|True: 0[],]|Pair: not covered/ }
	missed {
		if (title != "")
			print title
		title = ""
		print
		missed = 0
	}
	END {
		printf "coverage: lines %d/%d, branches %d/%d, MC/DC %d/%d of the engine; ",
			all[0] - left[0], all[0], branches - branches_missed, branches,
			conditions - conditions_missed, conditions
		printf "generated lexer: lines %d/%d, branches %s\n", all[1] - left[1], all[1],
			lexer_branches
		exit left[0] + left[1] + branches_missed + conditions_missed || !all[0] ||
			!all[1] || !branches || !conditions
	}' report annotated
