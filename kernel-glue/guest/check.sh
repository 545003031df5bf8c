#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: check.sh VERSION STEP...
#
# Builds stock and patched kernels from Debian's linux-source-VERSION, boots them in QEMU without KVM and judges what
# they say. Steps, in the order to give them in:
#
#	table		KUnit and every guest case, on stock and patched
#	fuzz=SECONDS	the ioctl fuzzer on the debug kernel: no report, no splat, no leak
#	layouts=N	itf's prediction and what the stock kernel did, for N random layouts
#	perf		the real perf against the test PMU, on stock and patched
#	series		each patch: git am, checkpatch, build with W=1, sparse
#	bloat		object size before and after
#
# Everything made is kept in ${XDG_CACHE_HOME:-~/.cache}/itrace-filter/kernel under a name that is a hash of what it
# was made from. The last line holds the figures; the exit status is not 0 if one of them is not as it should be.

set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
version=$1
shift
cache=${XDG_CACHE_HOME:-$HOME/.cache}/itrace-filter/kernel
src=$cache/linux-source-$version
tarball=/usr/src/linux-source-$version.tar.xz
jobs=$(nproc)
figures="linux $version"
failed=0

say()
{
	echo "check-kernel: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

figure()
{
	figures+=", $1"
}

wrong()
{
	say "WRONG: $*"
	failed=$((failed + 1))
}

need()
{
	local missing=

	for tool in "$@"; do
		command -v "$tool" >/dev/null || missing+=" $tool"
	done
	[ -z "$missing" ] || die "not installed:$missing"
	[ -f "$tarball" ] || die "not installed: the package linux-source-$version"
}

# hash of the contents of files and directories
hash_of()
{
	find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sed "s|$top/||" | sha256sum | cut -c1-16
}

quietly()
{
	local log=$cache/log-$1

	shift
	"$@" >"$log" 2>&1 && return
	tail -n 40 "$log" >&2
	die "failed: $* (all of it: $log)"
}

# ---------------------------------------------------------------------------- sources and series

unpack()
{
	local id

	mkdir -p "$cache"
	# One at a time: the trees are shared.
	exec 9>"$cache/lock-$version"
	flock 9
	id=$(stat -c '%s %Y' "$tarball")
	[ "$(cat "$src.id" 2>/dev/null)" = "$id" ] && return
	say "unpacking $tarball"
	rm -rf "$src" "$cache/pristine-$version" "$cache/o-$version-"* "$cache/a-$version-"*
	tar -C "$cache" -xf "$tarball"
	echo "$id" >"$src.id"
}

# The pristine copies of the files that the series changes.
keep_pristine()
{
	local file to=$cache/pristine-$version

	for file in $(sed -n "/^touched='/,/'/p" "$top/kernel-glue/series/series.sh" | sed "s/touched='//; s/'//"); do
		[ -f "$to/$file" ] && continue
		mkdir -p "$(dirname "$to/$file")"
		cp -p "$src/$file" "$to/$file"
	done
}

make_series()
{
	local key

	key=$(hash_of "$top/kernel-glue/series" "$top/kernel-glue/perf" "$top/kernel-glue/kunit" "$top/include" \
		"$top/src/core.mk" "$top/src/core" "$top/src/track" "$top/src/pmu" "$top/tests/vectors" "$src.id")
	series=$cache/series-$version-$key
	[ -d "$series/tree" ] && return
	say "making the series"
	rm -rf "$cache/series-$version-"*
	rm -rf "$cache/base-$version"
	cp -a "$cache/pristine-$version" "$cache/base-$version"
	quietly series "$top/kernel-glue/series/series.sh" "$cache/base-$version" "$series.new"
	mv "$series.new" "$series"
}

# sync FROM: bring the tree to the files of FROM, touching only what differs, so that a build is incremental
sync_files()
{
	local file

	(cd "$1" && find . -type f) | while read -r file; do
		cmp -s "$1/$file" "$src/$file" && continue
		mkdir -p "$(dirname "$src/$file")"
		cp "$1/$file" "$src/$file"
	done
}

to_stock()
{
	rm -rf "$src/lib/itrace_filter" "$src/include/itf" "$src"/kernel/events/addr_filter.* \
		"$src/Documentation/trace/address-filters.rst" \
		"$src/tools/testing/selftests/perf_events/addr_filter.c"
	sync_files "$cache/pristine-$version"
}

to_patched()
{
	sync_files "$series/tree"
}

# ---------------------------------------------------------------------------- kernels

# configure KIND FRAGMENT...
configure()
{
	local obj=$cache/o-$version-$1 key

	shift
	key=$(hash_of "$@" "$src.id")
	[ "$(cat "$obj/key" 2>/dev/null)" = "$key" ] && return
	mkdir -p "$obj"
	quietly config make -s -C "$src" O="$obj" tinyconfig
	(cd "$obj" && quietly merge "$src/scripts/kconfig/merge_config.sh" -m -O "$obj" "$obj/.config" "$@")
	quietly config make -s -C "$src" O="$obj" olddefconfig
	echo "$key" >"$obj/key"
}

# kernel KIND STATE: leaves bzImage, vmlinux and the modules of the guest in $cache/a-VERSION-KIND-STATE
kernel()
{
	local kind=$1 state=$2 obj=$cache/o-$version-$1 out=$cache/a-$version-$1-$2 key fragments=$here/small.config

	[ "$kind" != debug ] || fragments+=" $here/debug.config"
	# shellcheck disable=SC2086
	key=$(hash_of $fragments "$src.id" "$here/testpmu" "$top/kernel-glue/module" "$top/kernel-glue/kunit")
	[ "$state" = stock ] || key+=-$(basename "$series")
	[ "$(cat "$out/key" 2>/dev/null)" = "$key" ] && return
	say "building $kind $state"
	"to_$state"
	# shellcheck disable=SC2086
	configure "$kind" $fragments
	if [ "$state" = patched ]; then
		echo CONFIG_ITRACE_FILTER_KUNIT_TEST=y >>"$obj/.config"
	else
		sed -i /CONFIG_ITRACE_FILTER_KUNIT_TEST/d "$obj/.config"
	fi
	quietly config make -s -C "$src" O="$obj" olddefconfig
	quietly "build-$version-$kind" make -s -C "$src" O="$obj" -j"$jobs" bzImage
	[ -f "$obj/Module.symvers" ] && [ -f "$obj/scripts/module.lds" ] ||
		quietly "build-$version-$kind" make -s -C "$src" O="$obj" -j"$jobs" modules
	mkdir -p "$out"
	cp "$obj/arch/x86/boot/bzImage" "$obj/vmlinux" "$out/"
	mkdir -p "$obj/pmu"
	cp "$here"/testpmu/* "$obj/pmu/"
	quietly modules make -s -C "$obj" M="$obj/pmu" W=1 modules
	quietly modules "$top/kernel-glue/module/build.sh" "$obj" "$obj/itf"
	cp "$obj/pmu/itf_testpmu.ko" "$obj/itf/itrace_filter.ko" "$out/"
	echo "$key" >"$out/key"
}

# ---------------------------------------------------------------------------- the guest

compile_guest()
{
	local flags='-std=gnu11 -O1 -Wall -Wextra -Werror' tests=$here/tests

	guest=$work/guest
	mkdir -p "$guest"/{bin,proc,sys,dev,tmp}
	cp "$(command -v busybox)" "$guest/bin/busybox"
	cp "$here/init" "$guest/"
	# shellcheck disable=SC2086
	gcc $flags -static -o "$guest/guest" "$tests"/{main,guest,strings,ranges,family}.c
	# shellcheck disable=SC2086
	gcc $flags -static-pie -fPIE -Wl,-z,noseparate-code -o "$guest/guest-pie" \
		"$tests"/{main,guest,strings,ranges,family}.c
	sed -n 's/^string: \([^\t]*\)\t.*/\1/p' "$here/expected.tsv" >"$guest/grammar.tsv"
}

# boot KIND STATE SECONDS WORDS: what the guest said, in $said
boot()
{
	local from=$cache/a-$version-$1-$2 memory=512

	[ "$1" != debug ] || memory=1536
	said=$work/said-$1-$2
	cp "$from"/*.ko "$guest/"
	(cd "$guest" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
	timeout "$3" qemu-system-x86_64 -accel tcg -cpu qemu64 -m $memory -nographic -no-reboot \
		-kernel "$from/bzImage" -initrd "$work/initrd" \
		-append "console=ttyS0 panic=-1 loglevel=7 itf=$4" </dev/null 2>&1 | tr -d '\r' >"$said" || true
	cp "$said" "$cache/said-$version-$1-$2-${4//[^a-z]/_}"
	grep -aq '^GUEST DONE' "$said" || {
		tail -n 30 "$said" >&2
		wrong "the $1 $2 kernel did not get to its end"
	}
}

# What no kernel should say.
splats()
{
	grep -aE 'BUG:|WARNING:|Oops|KASAN|UBSAN|possible (recursive|circular) locking|suspicious RCU|LEAK:|sleeping function|FATAL' \
		"$1" | grep -avE 'loading out-of-tree|kmemleak: (Kernel memory leak detector|Automatic)' || true
}

judge_kunit()
{
	local ok bad

	ok=$(grep -acE '^ +ok [0-9]+ [a-z_]+$' "$said" || true)
	bad=$(grep -acE '^ *not ok' "$said" || true)
	figure "KUnit $1 $ok passed $bad failed"
	[ "$bad" -eq 0 ] && [ "$ok" -ge 8 ] || wrong "KUnit on $1"
}

# ---------------------------------------------------------------------------- steps

step_table()
{
	local state

	kernel small stock
	kernel small patched
	for state in stock patched; do
		boot small $state 300 kunit,pmu,cases
		judge_kunit $state
		[ -z "$(splats "$said")" ] || wrong "$state: $(splats "$said" | head -3)"
	done
	awk -v version="$version" -f "$here/table.awk" "$here/expected.tsv" "$work/said-small-stock" \
		"$work/said-small-patched" >"$work/table" || wrong "cases"
	cat "$work/table"
	cp "$work/table" "$cache/table-$version.txt"
	figure "$(tail -n 1 "$work/table")"
}

step_fuzz()
{
	kernel debug patched
	gcc -std=gnu11 -O1 -Wall -Wextra -Werror -static -pthread -o "$guest/fuzz" "$here/tests/fuzz.c"
	boot debug patched $(($1 * 4 + 300)) "pmu,cases,fuzz=$1,leak"
	[ -z "$(splats "$said")" ] || wrong "fuzz: $(splats "$said" | head -5)"
	grep -a '^FUZZ' "$said" >/dev/null || wrong "the fuzzer said nothing"
	figure "fuzz $1 s: $(sed -n 's/^FUZZ //p' "$said" | tail -n 1), $(splats "$said" | wc -l) reports"
}

# ---------------------------------------------------------------------------- all of it

need gcc make flex bison bc cpio gzip xz spatch python3 git qemu-system-x86_64 busybox
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unpack
keep_pristine
make_series
compile_guest
for step; do
	name=${step%%=*} value=
	[ "$name" = "$step" ] || value=${step#*=}
	"step_$name" $value
done
figure "$failed wrong"
echo "$figures"
[ "$failed" -eq 0 ]
