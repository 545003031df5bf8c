#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# Runs the fuzzers; docs/fuzzing.md tells what for. Everything is built and kept below $FUZZ_DIR (fuzz-work):
# out/ what was built, HARNESS/ the corpus that grows, HARNESS/found/ what broke, HARNESS/log the last run.
# Nothing runs longer than asked.

set -euo pipefail
export LC_ALL=C

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=${FUZZ_DIR:-fuzz-work}
mkdir -p "$work"
work=$(cd "$work" && pwd)
harnesses=(fuzz_parse fuzz_kernel fuzz_range fuzz_track fuzz_pmu fuzz_maps fuzz_perfdata)
# Compressed files are read where that can be built.
export ZSTD_LIBS=
! echo '#include <zstd.h>' | cc -E - >/dev/null 2>&1 || ZSTD_LIBS=-lzstd
sanitize="-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=address,undefined -fno-sanitize-recover=all"
# What an allocation costs is most of what a short input costs.
export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=8

usage()
{
	cat <<-'EOT'
	usage: fuzz/fuzz.sh COMMAND

	  smoke                       every harness for a few seconds, and what is promised of speed
	  run HARNESS [SECONDS]       libFuzzer (600 s)
	  afl HARNESS [JOBS] [SECONDS]
	                              AFL++: one main instance and JOBS - 1 secondary ones (1 job, 600 s)
	  minimize HARNESS            take into corpus/ what of the grown corpus shows more than is there already
	  triage HARNESS FILE         make a crash small, say what broke, and what vector it is
	  log HARNESS                 add the last run to the table of docs/fuzzing.md
	  plant                       are five planted faults found?
	EOT
	exit 2
}

die()
{
	echo "fuzz: $*" >&2
	exit 1
}

# counts ALL BAD: for whoever adds up results
counts()
{
	echo "# PASS: $(($1 - $2))"
	echo "# FAIL: $2"
}

known()
{
	[[ " ${harnesses[*]} " == *" $1 "* ]] || die "no harness $1; there are ${harnesses[*]}"
}

# find_tool NAME: in the version that everything here was tried with, or any
find_tool()
{
	command -v "$1-14" || command -v "$1" || die "$1 not found"
}

# build_libfuzzer SOURCE OUT [HARNESS...]
build_libfuzzer()
{
	local source=$1 out=$2
	shift 2
	# Comparisons are not traced: that takes more than it finds, since inputs come from a generator. What
	# harnesses compare with is as fast as it can be; OSS-Fuzz's builds look into it, too.
	CC=$(find_tool clang) CXX=$(find_tool clang++) CFLAGS="-O2 -g $sanitize" \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		ENGINE_CFLAGS=-fsanitize-coverage=inline-8bit-counters,pc-table ORACLE_CFLAGS=-fno-sanitize=all \
		HARNESSES="${*:-${harnesses[*]}}" "$source/fuzz/build.sh" "$out"
}

# build_replay OUT HARNESS
build_replay()
{
	CC=$(find_tool clang) CFLAGS="-O1 -g $sanitize" LIB_FUZZING_ENGINE='' HARNESSES=$2 \
		"$top/fuzz/build.sh" "$1"
}

# options_of OUT HARNESS: what its .options file says, for a command line
options_of()
{
	sed -n 's/ = /=/p' "$1/$2.options" 2>/dev/null | sed "s|^dict=|&$1/|; s/^/-/" | tr '\n' ' '
}

# statistic NAME LOG
statistic()
{
	awk -v name="stat::$1:" '$1 == name { print $2 }' "$2"
}

edges()
{
	awk '{ for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) } END { print edges + 0 }' "$1"
}

# run_libfuzzer OUT HARNESS SECONDS ARG...: its output goes to $work/HARNESS/log, the seconds used to .../cpu
run_libfuzzer()
{
	local out=$1 harness=$2 seconds=$3 status=0
	shift 3
	mkdir -p "$work/$harness/corpus" "$work/$harness/found"
	# shellcheck disable=SC2046
	TIMEFORMAT=%U
	{ time "$out/$harness" $(options_of "$out" "$harness") -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$work/$harness/found/" "$@" \
		"$work/$harness/corpus" "$top/corpus/$harness" >"$work/$harness/log" 2>&1; } \
		2>"$work/$harness/cpu" || status=$?
	echo "libFuzzer" >"$work/$harness/engine"
	return $status
}

show_find()
{
	grep -E 'not true|ERROR:|runtime error|replay:|Test unit written' "$work/$1/log" >&2 || tail -n 20 "$work/$1/log" >&2
}

# ---------------------------------------------------------------------------- smoke

# Executions of fuzz_parse in a second of processor time, over the corpus that it has just grown and without
# libFuzzer's most expensive bookkeeping; the best of a few runs, since others use the machine, too.
speed_of_parse()
{
	local best=0 i cpu speed
	for i in 1 2 3; do
		TIMEFORMAT=%U
		# shellcheck disable=SC2046
		cpu=$({ time "$1/fuzz_parse" $(options_of "$1" fuzz_parse) -runs=400000 -entropic=0 -detect_leaks=0 \
			-seed="$i" "$work/fuzz_parse/corpus" "$top/corpus/fuzz_parse" >/dev/null 2>&1; } 2>&1)
		speed=$(awk -v cpu="$cpu" 'BEGIN { printf "%d", 400000 / cpu }')
		[ "$speed" -le "$best" ] || best=$speed
		[ "$best" -lt "$least_speed" ] || break
	done
	echo "$best"
}

least_speed=${FUZZ_LEAST_SPEED:-150000}

smoke()
{
	local harness seconds executions=0 found=0 ran=0 speed slow=0 sum=
	declare -A share=([fuzz_parse]=12 [fuzz_kernel]=7 [fuzz_range]=5 [fuzz_track]=10 [fuzz_pmu]=4 [fuzz_maps]=6
		[fuzz_perfdata]=6)
	build_libfuzzer "$top" "$work/out"
	for harness in "${harnesses[@]}"; do
		[ -x "$work/out/$harness" ] || {
			sum+=", $harness SKIPPED"
			continue
		}
		ran=$((ran + 1))
		seconds=${share[$harness]}
		if ! run_libfuzzer "$work/out" "$harness" "$seconds"; then
			show_find "$harness"
			found=$((found + 1))
		fi
		echo "$harness: $(statistic number_of_executed_units "$work/$harness/log") executions," \
			"$(edges "$work/$harness/log") edges"
		executions=$((executions + $(statistic number_of_executed_units "$work/$harness/log")))
	done
	speed=$(speed_of_parse "$work/out")
	[ "$speed" -ge "$least_speed" ] || slow=1
	counts $((ran + 1)) $((found + slow))
	echo "fuzz-smoke: $executions executions, $found found, fuzz_parse $speed/s (at least $least_speed)$sum"
	[ $((found + slow)) -eq 0 ]
}

# ---------------------------------------------------------------------------- longer

run()
{
	local harness=${1:-} seconds=${2:-600}
	known "$harness"
	build_libfuzzer "$top" "$work/out" "$harness"
	[ -x "$work/out/$harness" ] || die "$harness was not built"
	run_libfuzzer "$work/out" "$harness" "$seconds" || {
		show_find "$harness"
		echo "fuzz: found something; see 'triage' in docs/fuzzing.md" >&2
		exit 1
	}
	echo "$harness: $(statistic number_of_executed_units "$work/$harness/log") executions," \
		"$(edges "$work/$harness/log") edges, nothing found"
}

afl()
{
	local harness=${1:-} jobs=${2:-1} seconds=${3:-600} out=$work/out-afl i pids=() crashes
	known "$harness"
	command -v afl-fuzz >/dev/null || die "afl-fuzz not found"
	AFL_QUIET=1 CC=afl-clang-fast CXX=afl-clang-fast++ CFLAGS="-O2 -g" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		HARNESSES=$harness "$top/fuzz/build.sh" "$out"
	"$(find_tool clang)" -std=gnu11 -O2 -shared -fPIC -o "$out/mutator.so" "$top/fuzz/afl_mutator.c" \
		"$top/fuzz/gen.c" "$top/fuzz/gen_perfdata.c"
	mkdir -p "$work/$harness/corpus" "$work/$harness/found"
	unset ASAN_OPTIONS
	export AFL_CUSTOM_MUTATOR_LIBRARY=$out/mutator.so ITF_FUZZER=$harness AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 \
		AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_QUIET=1 AFL_AUTORESUME=1
	for ((i = 0; i < jobs; i++)); do
		# shellcheck disable=SC2046
		afl-fuzz -V "$seconds" -i "$top/corpus/$harness" -o "$work/$harness/afl" \
			$([ "$i" = 0 ] && echo -M main || echo -S "secondary$i") \
			$([ ! -f "$out/$harness.dict" ] || echo -x "$out/$harness.dict") -- "$out/$harness" \
			>"$work/$harness/afl-$i.log" 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || die "afl-fuzz failed; see $work/$harness/afl-*.log"
	done
	cp "$work/$harness"/afl/*/queue/id:* "$work/$harness/corpus/" 2>/dev/null || :
	crashes=$(find "$work/$harness/afl" -path '*/crashes/id:*' | wc -l)
	find "$work/$harness/afl" -path '*/crashes/id:*' -exec cp {} "$work/$harness/found/" \;
	awk -F ': *' '
		/^execs_done/ { executions += $2 }
		/^edges_found/ && $2 > edges { edges = $2 }
		/^run_time/ { seconds += $2 }
		END {
			print "stat::number_of_executed_units: " executions
			print "cov: " edges " "
			print seconds >cpu
		}' cpu="$work/$harness/cpu" "$work/$harness"/afl/*/fuzzer_stats >"$work/$harness/log"
	echo "AFL++ ($jobs)" >"$work/$harness/engine"
	echo "$harness: $(statistic number_of_executed_units "$work/$harness/log") executions, $crashes crashes"
	[ "$crashes" -eq 0 ]
}

minimize()
{
	local harness=${1:-} before added new
	known "$harness"
	build_libfuzzer "$top" "$work/out" "$harness"
	new=$(mktemp -d "$work/merge.XXXXXX")
	before=$(find "$top/corpus/$harness" -type f | wc -l)
	# What is committed stays: its names say what it shows. Of the rest comes what shows more.
	cp "$top/corpus/$harness"/* "$new/"
	# shellcheck disable=SC2046
	"$work/out/$harness" $(options_of "$work/out" "$harness") -merge=1 -use_counters=0 "$new" \
		"$work/$harness/corpus" >"$work/$harness/merge.log" 2>&1 || die "see $work/$harness/merge.log"
	cp -n "$new"/* "$top/corpus/$harness/"
	added=$(($(find "$top/corpus/$harness" -type f | wc -l) - before))
	rm -rf "$new"
	echo "$harness: $added more in corpus/$harness; give those that show something new a name, drop the rest"
}

triage()
{
	local harness=${1:-} file=${2:-} small output
	known "$harness"
	[ -f "$file" ] || die "no file $file"
	build_libfuzzer "$top" "$work/out" "$harness"
	build_replay "$work/out-replay" "$harness"
	small=$work/$harness/found/small
	"$work/out/$harness" -minimize_crash=1 -max_total_time=30 -exact_artifact_path="$small" "$file" \
		>"$work/$harness/minimize.log" 2>&1 || :
	[ -f "$small" ] || cp "$file" "$small"
	if output=$("$work/out-replay/$harness" "$small" 2>&1); then
		echo "fuzz: it does not break any more"
	else
		grep -E -A8 'not true|ERROR:|runtime error' <<<"$output" || echo "$output"
	fi
	od -A d -t x1z "$small"
	cat <<-EOT

	Before it is repaired, it becomes a test:
	  1. cp $small corpus/$harness/regression-WHAT-IT-SHOWS; make check fails then.
	EOT
	case $harness in
	fuzz_parse | fuzz_kernel)
		echo "  2. a line of tests/vectors/errors.tsv or grammar.tsv, whose text is"
		python3 -c '
import sys
data = open(sys.argv[1], "rb").read()[1 if sys.argv[2] == "fuzz_parse" else 0:]
escapes = {10: "\\n", 9: "\\t", 13: "\\r", 0: "\\0", 92: "\\\\"}
print("     " + "".join(escapes.get(b, chr(b) if 32 <= b < 127 else f"\\x{b:02x}") for b in data))
' "$small" "$harness"
		;;
	*)
		echo "  2. a row of the table in the unit test of what is wrong, with the numbers above."
		;;
	esac
}

log()
{
	local harness=${1:-} found row
	known "$harness"
	[ -f "$work/$harness/log" ] || die "$harness has not run"
	found=$(find "$work/$harness/found" -type f 2>/dev/null | wc -l)
	row=$(printf '| %s | %s | %s | %.0f s | %s | %s | %s |' "$(date +%F)" "$harness" "$(cat "$work/$harness/engine")" \
		"$(tail -n 1 "$work/$harness/cpu")" "$(statistic number_of_executed_units "$work/$harness/log")" \
		"$(edges "$work/$harness/log")" "${FOUND:-$([ "$found" = 0 ] && echo nothing || echo "$found inputs")}")
	# The table is the last thing on the page.
	echo "$row" >>"$top/docs/fuzzing.md"
	echo "$row"
}

# ---------------------------------------------------------------------------- planted faults

# plant_fault NAME HARNESS FILE SED
plant_fault()
{
	local name=$1 harness=$2 file=$3 change=$4 copy start
	copy=$(mktemp -d "$work/plant.XXXXXX")
	(cd "$top" && tar -cf - include src fuzz tests/oracle.[ch] tools/cut-kernel.sh) | tar -xf - -C "$copy"
	sed -i -E "$change" "$copy/$file"
	if cmp -s "$copy/$file" "$top/$file"; then
		echo "not ok - $name: $file has changed, the fault cannot be planted"
		rm -rf "$copy"
		return 1
	fi
	build_libfuzzer "$copy" "$copy/out" "$harness"
	mkdir "$copy/corpus"
	start=$SECONDS
	# Without any seed: what finds it is the fuzzer, not the corpus.
	# shellcheck disable=SC2046
	if "$copy/out/$harness" $(options_of "$copy/out" "$harness") -max_total_time=60 -artifact_prefix="$copy/" \
		"$copy/corpus" >"$copy/log" 2>&1; then
		echo "not ok - $name: not found by $harness in 60 s"
		rm -rf "$copy"
		return 1
	fi
	grep -q 'not true' "$copy/log" || tail -n 5 "$copy/log"
	echo "ok - $name: $harness, $((SECONDS - start)) s: $(grep -m1 'not true' "$copy/log" | sed 's/.*: not true/not true/')"
	rm -rf "$copy"
}

plant()
{
	local bad=0
	plant_fault "touching counted as overlap" fuzz_range src/core/range.c \
		's/if \(skip >= bytes\(low\)\)/if (skip > bytes(low))/' || bad=$((bad + 1))
	plant_fault "size cut off by one" fuzz_track src/core/range.c \
		's/piece->size = want->size \? common.size : 0;/piece->size = want->size ? common.size - 1 : 0;/' ||
		bad=$((bad + 1))
	plant_fault "wrap at 2^64" fuzz_parse src/core/range.c \
		's/return start <= last && .*/return start <= last \&\& start + size <= last;/' || bad=$((bad + 1))
	plant_fault "exec forgets kernel filters" fuzz_track src/track/track.c \
		'/^void itf_track_exec/,/^}/s/itf_linux_reset\(track->filters, track->count, track->launch\);/for (size_t i = 0; i < track->count; i++) track->launch[i] = (struct itf_slot){ .matched = false };/' ||
		bad=$((bad + 1))
	plant_fault "last digit dropped" fuzz_kernel src/core/number.c \
		's/for \(; i < len; i\+\+\)/for (; i + 1 < len || i == 0; i++)/' || bad=$((bad + 1))
	counts 5 "$bad"
	echo "fuzz-plant: $((5 - bad)) of 5 faults found"
	[ "$bad" -eq 0 ]
}

case ${1:-} in
smoke | run | afl | minimize | triage | log | plant)
	command=$1
	shift
	"$command" "$@"
	;;
*)
	usage
	;;
esac
