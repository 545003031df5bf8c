#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: fuzz/build.sh OUT
#
# Builds every harness into the directory OUT, with its seeds (HARNESS_seed_corpus.zip, where zip is there),
# dictionary and options beside it. Reads what OSS-Fuzz sets:
#
#	CC CXX CFLAGS CXXFLAGS	as usual
#	LIB_FUZZING_ENGINE	what to link for a main(); without it the harnesses replay files (replay.c)
#
# and besides:
#
#	ENGINE_CFLAGS		for the code that is tested, but not for harnesses and oracles
#	ORACLE_CFLAGS		for the generator and for what the harnesses compare with
#	ZSTD_LIBS		to read compressed perf.data files, too: -lzstd
#	HARNESSES		which ones; all by default
#	LINK			what links: CXX for a fuzzing engine, CC without one

set -eu

out=${1:?usage: fuzz/build.sh OUT}
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
objects=$out/.objects
rm -rf "$objects"
mkdir -p "$objects"

: "${CC:=cc}" "${CXX:=c++}" "${CFLAGS=-O2 -g}" "${CXXFLAGS=$CFLAGS}" "${ENGINE_CFLAGS=}" "${ORACLE_CFLAGS=}" "${ZSTD_LIBS=}" "${LIB_FUZZING_ENGINE=}"
: "${HARNESSES=fuzz_parse fuzz_kernel fuzz_range fuzz_track fuzz_pmu fuzz_maps fuzz_perfdata}"
if [ -n "$LIB_FUZZING_ENGINE" ]; then
	: "${LINK=$CXX}" "${LINK_FLAGS=$CXXFLAGS}"
else
	: "${LINK=$CC}" "${LINK_FLAGS=$CFLAGS}"
fi

cd "$top"
engine=$(printf 'include src/core.mk\nall:;@echo $(ITF_CORE) $(ITF_TRACK) $(ITF_PMU)\n' |
	env -u MAKEFLAGS -u MAKELEVEL make -s -f - all)
flags="-std=gnu11 -I. -Iinclude -Isrc -Ifuzz${ZSTD_LIBS:+ -DHAVE_ZSTD}"

# object SOURCE NAME FLAG...: compile one file
object()
{
	source=$1
	name=$2
	shift 2
	# shellcheck disable=SC2086
	$CC $flags $CFLAGS "$@" -c "$source" -o "$objects/$name.o"
}

host="src/host/maps.c src/host/perfdata.c src/host/perfdata_decode.c src/host/perfdata_queue.c"
for source in $engine $host; do
	# shellcheck disable=SC2086
	object "$source" "$(echo "$source" | tr / _)" $ENGINE_CFLAGS
done
for source in fuzz/gen.c fuzz/gen_perfdata.c fuzz/kernels.c fuzz/model.c fuzz/model_compare.c \
	fuzz/second_perfdata.c tests/oracle.c; do
	# shellcheck disable=SC2086
	object "$source" "$(echo "$source" | tr / _)" $ORACLE_CFLAGS
done
if [ -z "$LIB_FUZZING_ENGINE" ]; then
	object fuzz/replay.c main
else
	object fuzz/mutator.c main
fi

have_kernel=
for version in 6.1 6.12; do
	tools/cut-kernel.sh $version >"$objects/kernel-$version.h"
	grep -q KERNEL_MISSING "$objects/kernel-$version.h" || have_kernel=yes
	object fuzz/kernel.c kernel-$version -DKERNEL_CUT="\"$objects/kernel-$version.h\"" \
		-DKERNEL_VERSION="\"$version\"" -DKERNEL_SYMBOL="kernel_$(echo $version | tr . _)"
done

o=$objects
engine_objects=$(for source in $engine; do printf '%s ' "$o/$(echo "$source" | tr / _).o"; done)
kernels="$o/fuzz_kernels.c.o $o/kernel-6.1.o $o/kernel-6.12.o"

for harness in $HARNESSES; do
	case $harness in
	fuzz_kernel)
		if [ -z "$have_kernel" ]; then
			echo "build.sh: WITHOUT fuzz_kernel, which has nothing to compare with" >&2
			continue
		fi
		more=$kernels
		;;
	fuzz_parse) more=$o/tests_oracle.c.o ;;
	fuzz_range) more=$kernels ;;
	fuzz_track) more="$o/fuzz_model.c.o $o/fuzz_model_compare.c.o" ;;
	fuzz_maps) more=$o/src_host_maps.c.o ;;
	fuzz_perfdata) more="$o/fuzz_second_perfdata.c.o $o/src_host_perfdata*.o $ZSTD_LIBS" ;;
	*) more= ;;
	esac
	object "fuzz/$harness.c" "$harness"
	# shellcheck disable=SC2086
	$LINK $LINK_FLAGS "$o/$harness.o" "$o/main.o" "$o/fuzz_gen.c.o" "$o/fuzz_gen_perfdata.c.o" $more $engine_objects \
		$LIB_FUZZING_ENGINE -o "$out/$harness"
	if [ -d "corpus/$harness" ] && command -v zip >/dev/null; then
		rm -f "$out/${harness}_seed_corpus.zip"
		(cd "corpus/$harness" && zip -q -r "$out/${harness}_seed_corpus.zip" .)
	fi
	[ ! -f "fuzz/$harness.dict" ] || cp "fuzz/$harness.dict" "$out/"
	[ ! -f "fuzz/$harness.options" ] || cp "fuzz/$harness.options" "$out/"
done
