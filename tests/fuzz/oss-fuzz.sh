#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# oss-fuzz/build.sh with the environment that OSS-Fuzz sets, for each sanitizer and machine, and then what its check
# for bad builds looks at: every target runs, on its own, somewhere else, on all of its seeds, and what belongs
# to it is there.

. "$(dirname "$0")/../source/lib.sh"

clang=$(command -v clang-14 || command -v clang) || skip "no clang"
clangxx=$(command -v clang++-14 || command -v clang++) || skip "no clang++"
command -v zip >/dev/null && command -v unzip >/dev/null || skip "no zip"

# What the base images set; build.sh must add nothing to it but what it says.
base="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
coverage=-fsanitize=fuzzer-no-link
declare -A flags=(
	[address]="-fsanitize=address -fsanitize-address-use-after-scope"
	[undefined]="-fsanitize=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,signed-integer-overflow,unsigned-integer-overflow,unreachable,vla-bound,vptr -fno-sanitize=unsigned-integer-overflow"
	[memory]="-fsanitize=memory -fsanitize-memory-track-origins"
)
# A function of the run-time that every instrumented target holds.
declare -A marks=([address]=__asan_report_load1 [undefined]=__ubsan_handle_ [memory]=__msan_init)

mkdir src
ln -s "$top" src/itrace-filter

can_link()
{
	echo 'int LLVMFuzzerTestOneInput(const char *p, long n) { return 0; }' >probe.c
	# shellcheck disable=SC2086
	$clang $1 -c probe.c -o probe.o 2>/dev/null && $clangxx $1 -fsanitize=fuzzer probe.o -o probe 2>/dev/null
}

# check_build SANITIZER ARCHITECTURE
check_build()
{
	local sanitizer=$1 machine=$2 out=$work/out-$1-$2 moved=$work/moved-$1-$2 m32= target name seeds runs

	# Where gcc-multilib has not put its headers, those of the machine itself do.
	[ "$machine" = x86_64 ] || m32="-m32 -idirafter /usr/include/x86_64-linux-gnu"
	if ! can_link "$m32 ${flags[$sanitizer]}"; then
		echo "not here: $sanitizer on $machine"
		return
	fi
	mkdir "$out"
	env -i PATH="$PATH" HOME="$work" XDG_CACHE_HOME="${XDG_CACHE_HOME:-$HOME/.cache}" SRC="$work/src" OUT="$out" \
		WORK="$work" SANITIZER="$sanitizer" ARCHITECTURE="$machine" FUZZING_ENGINE=libfuzzer \
		CC="$clang" CXX="$clangxx" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		CFLAGS="$m32 $base ${flags[$sanitizer]} $coverage" \
		CXXFLAGS="$m32 $base ${flags[$sanitizer]} $coverage" \
		"$work/src/itrace-filter/oss-fuzz/build.sh" >build.log 2>&1 || {
		tail -n 20 build.log
		fail "$sanitizer on $machine: build.sh"
	}
	# Targets are run elsewhere than they were built.
	mv "$out" "$moved"
	runs=0
	for target in "$moved"/fuzz_*; do
		[ -x "$target" ] && [ -f "$target" ] || continue
		name=${target##*/}
		[ -f "$target.options" ] || fail "$name: no options"
		[ -f "${target}_seed_corpus.zip" ] || fail "$name: no seed corpus"
		grep -q '^dict' "$target.options" && { [ -f "$moved/$(sed -n 's/^dict = //p' "$target.options")" ] ||
			fail "$name: no dictionary"; }
		$NM "$target" | grep -q "${marks[$sanitizer]}" || fail "$name: not instrumented for $sanitizer"
		$NM "$target" | grep -q LLVMFuzzerCustomMutator || fail "$name: no mutator"
		mkdir "$moved/seeds"
		unzip -q "${target}_seed_corpus.zip" -d "$moved/seeds"
		seeds=$(find "$moved/seeds" -type f | wc -l)
		# shellcheck disable=SC2046
		(cd "$moved" && "$target" $(sed -n 's/ = /=/p' "$target.options" | sed 's/^/-/') -runs=$((seeds + 200)) \
			"$moved/seeds") >run.log 2>&1 || {
			tail -n 20 run.log
			fail "$name: $sanitizer on $machine"
		}
		grep -q "INITED" run.log || fail "$name: has not read its seeds"
		! grep -q "no interesting inputs were found" run.log || fail "$name: no coverage"
		rm -r "$moved/seeds"
		runs=$((runs + 1))
	done
	[ "$runs" -ge 5 ] || fail "$sanitizer on $machine: only $runs targets"
	echo "$sanitizer on $machine: $runs targets"
}

check_build address x86_64
check_build undefined x86_64
check_build memory x86_64
check_build address i386
