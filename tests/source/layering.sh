#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Arrows point down only: cli -> host -> track, pmu -> core -> error -> env. Nothing knows tests, fuzz, bench or
# kernel-glue; one header alone knows whether it is compiled for the kernel.

. "$(dirname "$0")/lib.sh"
cd "$top"

# only FILES PATTERN: what the files include matches the pattern, names in quotes seen from src/
only()
{
	local file line directory

	for file in $1; do
		[ -f "$file" ] || continue
		directory=$(basename "$(dirname "$file")")
		sed -nE 's/^[ \t]*#[ \t]*include[ \t]+//p' "$file" | while read -r line; do
			case $line in
			'"'*/*) line=$(echo "$line" | tr -d '"' | sed 's|^\.\./||') ;;
			'"'*) line=$directory/$(echo "$line" | tr -d '"') ;;
			esac
			echo "$line" | grep -qxE "$2" || echo "$file includes $line"
		done
	done
}

bad=$(
	only include/itf/env.h '<linux/(types|stddef)\.h>|<std(bool|def|int)\.h>'
	only include/itf/error.h '<itf/env\.h>'
	only include/itf/range.h '<itf/env\.h>'
	only include/itf/filter.h '<itf/(env|error)\.h>'
	only include/itf/track.h '<itf/(env|error|filter|range)\.h>'
	only include/itf/pmu.h '<itf/(env|error|filter|range)\.h>'
	only "$(echo src/core/*.[ch])" '<itf/(env|error|filter|range)\.h>|core/[a-z0-9_]+\.h'
	only "$(echo src/track/*.[ch])" '<itf/(env|error|filter|range|track)\.h>|track/[a-z0-9_]+\.h'
	only "$(echo src/pmu/*.[ch])" '<itf/(env|error|filter|range|pmu)\.h>|pmu/[a-z0-9_]+\.h'
	only "$(echo src/host/*.[ch])" '<.*>|host/[a-z0-9_]+\.h'
	only "$(echo src/cli/*.[ch])" '<.*>|(host|cli)/[a-z0-9_]+\.h'
)
[ -z "$bad" ] || fail "$bad"

# Layer 3 and 4 use the engine by its public headers; the parser sees tokens, the range arithmetic no text.
! grep -nE 'itf__' src/host/*.[ch] src/cli/*.[ch] 2>/dev/null || fail "an internal symbol of the engine"
! grep -ln '__KERNEL__' $(find include src -name '*.[ch]') | grep -v include/itf/env.h ||
	fail "only env.h may know of the kernel"
! grep -nE 'filter\.h|lex\.h|char' src/core/range.c | grep -v '^[0-9]*:[ /]\*' || fail "range.c knows no text"

# core.mk lists the engine, whole.
diff <(words ITF_CORE ITF_CORE_INTERNAL ITF_TRACK ITF_PMU ITF_PMU_INTERNAL ITF_TRACK_INTERNAL |
	tr ' ' '\n' | sed '/^$/d' | sort) <(ls src/core/*.[ch] src/track/*.[ch] src/pmu/*.[ch] 2>/dev/null | sort) ||
	fail "< only in core.mk, > only in the tree"
