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
#	lockdep		the debug kernel, stock: lockdep reports the lookup of paths under ctx::mutex
#	layouts=N	itf's prediction and what the stock kernel did, for N random layouts
#	families	the same for families of processes, on stock and patched
#	perf		the real perf against the test PMU, on stock and patched
#	series		each patch: git am, checkpatch, build with W=1, sparse
#	fixes		the cases that the stand-alone fixes are for, on a kernel with these only
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

# The fixes on their own, a state of the tree like stock and patched.
make_fixes()
{
	local key

	key=$(hash_of "$top/kernel-glue/series" "$top/kernel-glue/fixes" "$src.id")
	fixes=$cache/fixes-$version-$key
	[ -d "$fixes/tree" ] && return
	rm -rf "$cache/fixes-$version-"*
	quietly fixes "$top/kernel-glue/series/series.sh" --fixes "$cache/base-$version" "$fixes.new"
	mv "$fixes.new" "$fixes"
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

# Patched without the KUnit suites, to compare sizes.
to_plain()
{
	to_patched
}

to_fixed()
{
	to_stock
	sync_files "$fixes/tree"
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
	[ "$state" != patched ] && [ "$state" != plain ] || key+=-$(basename "$series")
	[ "$state" != fixed ] || key+=-$(basename "$fixes")
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
	local from=$cache/a-$version-$1-$2 memory=768 cpus=1

	[ "$1" != debug ] || memory=1536
	[ "$1" != debug ] || cpus=2
	said=$work/said-$1-$2
	cp "$from"/*.ko "$guest/"
	(cd "$guest" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
	timeout "$3" qemu-system-x86_64 -accel tcg -cpu qemu64 -m $memory -smp $cpus -nographic -no-reboot \
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
	[ "$bad" -eq 0 ] && [ "$ok" -ge "$2" ] || wrong "KUnit on $1"
}

# ---------------------------------------------------------------------------- steps

step_table()
{
	local state
	local -A selftest=([stock]="" [patched]=,selftest) suites=([stock]=8 [patched]=16)

	kernel small stock
	kernel small patched
	gcc -O1 -static -pthread -I"$src/tools/testing/selftests/perf_events" -o "$guest/selftest" \
		"$src/tools/testing/selftests/perf_events/addr_filter.c"
	for state in stock patched; do
		boot small $state 300 "kunit,pmu,cases${selftest[$state]}"
		judge_kunit $state "${suites[$state]}"
		[ -z "$(splats "$said")" ] || wrong "$state: $(splats "$said" | head -3)"
	done
	grep -aq '^# PASSED: 9 / 9' "$said" && ! grep -aq '# SKIP' "$said" || wrong "selftest"
	figure "selftest $(sed -n 's/^# PASSED: //p' "$said")"
	awk -v version="$version" -f "$here/table.awk" "$here/expected.tsv" "$work/said-small-stock" \
		"$work/said-small-patched" >"$work/table" || wrong "cases"
	cat "$work/table"
	cp "$work/table" "$cache/table-$version.txt"
	figure "$(tail -n 1 "$work/table")"
}

# one C file of ../guest/tests with what they share, and the generator of inputs
tool()
{
	gcc -std=gnu11 -O1 -Wall -Wextra -Werror -static -pthread -o "$guest/$1" "$here/tests/$1.c" \
		"$here/tests/guest.c" "$top"/fuzz/gen*.c
}

# with_libraries PROGRAM PATH: a program and what it is linked with, into the guest
with_libraries()
{
	local lib

	mkdir -p "$guest/$(dirname "$2")"
	cp -L "$1" "$guest/$2"
	for lib in $(ldd "$1" | grep -oE '/[^ :]+\.so[^ :]*'); do
		mkdir -p "$guest/$(dirname "$lib")"
		cp -L "$lib" "$guest/$lib"
	done
}

# itf as it was built here, or wherever $ITF says
itf_into_guest()
{
	local itf=${ITF:-$top/build/itf}

	[ -x "$itf" ] || die "no itf: build it, or name it by ITF="
	with_libraries "$itf" usr/bin/itf
}

step_fuzz()
{
	kernel debug patched
	tool fuzz
	boot debug patched $(($1 * 2 + 400)) "kunit,pmu,cases,fuzz=$1,leak"
	[ -z "$(splats "$said")" ] || wrong "fuzz: $(splats "$said" | head -5)"
	grep -aq '^FUZZ' "$said" || wrong "the fuzzer said nothing"
	figure "fuzz $1 s on the debug kernel: $(sed -n 's/^FUZZ //p' "$said" | tail -n 1), $(splats "$said" | wc -l) reports"
	step_debug_cases
}

# The debug kernel says what the plain one says.
step_debug_cases()
{
	local bad

	bad=$(awk -v version="$version" -f "$here/table.awk" "$here/expected.tsv" \
		<(awk -F'\t' -v OFS='\t' '$1 == "CASE"' "$cache/said-$version-small-stock-kunit_pmu_cases" 2>/dev/null) \
		"$said" | grep -c '^!' || true)
	figure "cases wrong there $bad"
	[ "$bad" -eq 0 ] || wrong "cases on the debug kernel"
}

# What no table can show: on stock a path in /proc is looked up under ctx::mutex, and lockdep says so.
step_lockdep()
{
	kernel debug stock
	boot debug stock 400 pmu,cases
	grep -aq 'possible circular locking' "$said" && grep -aq 'perf_event_set_addr_filter\|kern_path' "$said" ||
		wrong "lockdep says nothing on stock"
	figure "stock lockdep: $(grep -ac 'possible circular locking' "$said" || true) report"
}

step_layouts()
{
	local line

	kernel small stock
	itf_into_guest
	tool layouts
	boot small stock $(($1 + 300)) "pmu,layouts=$1"
	grep -a '^LAYOUT ' "$said" || true
	line=$(sed -n 's/^LAYOUTS //p' "$said")
	figure "layouts $line"
	[ "$line" = "$1 attach agreed $1 launch agreed $1" ] || wrong "layouts"
}

step_families()
{
	local state

	kernel small stock
	kernel small patched
	itf_into_guest
	tool trees
	for state in stock patched; do
		boot small $state 120 pmu,trees
		"$here/trees.py" $state "$said" >"$work/families" || wrong "families on $state"
		cat "$work/families"
		figure "$(tail -n 1 "$work/families")"
	done
}

# judge_perf: each range is the one that the symbol table gives
judge_perf()
{
	nm -S "$guest/prog" | awk -v said="$said" '
		$4 ~ /^(main|work|more)$/ { sub(/^0+/, "", $2); size[$4] = "0x" $2 }
		END {
			while ((getline line <said) > 0) {
				if (line ~ /^PERF /) {
					sub(/.*:/, "", line)
					count = split(line, wanted, /[,\/]/)
					asked++
				}
				if (line !~ /^PROG /)
					continue
				split(line, word, " ")
				for (i = 1; i in word; i++)
					if (word[i] ~ /^(main|work|more):$/)
						at[substr(word[i], 1, 4)] = word[i + 1]
				right = 1
				for (i = 1; i <= count; i++)
					right = right && word[2 + i] == at[wanted[i]] "+" size[wanted[i]]
				good += right
			}
			print good + 0 " of " asked + 0
		}'
}

step_perf()
{
	local state result

	command -v perf >/dev/null || die "not installed: perf"
	kernel small stock
	kernel small patched
	with_libraries "$(command -v perf)" usr/bin/perf
	gcc -O1 -Wall -Wextra -Werror -o "$work/prog" "$here/tests/prog.c"
	with_libraries "$work/prog" prog
	cp "$here/perf.sh" "$guest/"
	for state in stock patched; do
		boot small $state 240 pmu,perf
		result=$(judge_perf)
		figure "perf $state $result right"
		[ "$result" = "4 of 4" ] || wrong "perf on $state"
	done
	rm -f "$guest/usr/bin/perf"
}

# Each patch: clean, applies by git am, builds without a warning.
step_series()
{
	local patch bad=0 log=$work/log count=0

	rm -rf "$work/am"
	mkdir "$work/am"
	cp -a "$cache/base-$version/." "$work/am/"
	(cd "$work/am" && git init -q && git add -Af &&
		git -c user.name=x -c user.email=x@localhost commit -q -m base &&
		git -c user.name=x -c user.email=x@localhost am -q "$series"/*.patch) || wrong "git am"
	for patch in "$series"/*.patch; do
		count=$((count + 1))
		# lex.c is generated; it is the only file there may be complaints of.
		(cd "$src" && ./scripts/checkpatch.pl --strict --no-signoff --ignore FILE_PATH_CHANGES \
			--showfile --terse --no-summary "$patch" || true) |
			grep -v 'lib/itrace_filter/core/lex\.c:' | grep -E '(ERROR|WARNING|CHECK):' && bad=$((bad + 1))
	done
	figure "series $count patches, checkpatch $bad bad"
	[ $bad -eq 0 ] || wrong "checkpatch"
	build_each
}

# Every patch on top of those before it: W=1 for what it changes, and sparse if it is there.
build_each()
{
	local obj=$cache/o-$version-small check='' n=0 warnings=0 core=0 stock_core=0 objects commit last

	! command -v sparse >/dev/null || check='C=1'
	to_stock
	configure small "$here/small.config"
	last=$(git -C "$work/am" rev-list --count HEAD)
	last=$((last - 1))
	for commit in $(git -C "$work/am" rev-list --reverse HEAD); do
		rm -rf "$work/step"
		mkdir "$work/step"
		git -C "$work/am" archive "$commit" | tar -x -C "$work/step"
		sync_files "$work/step"
		sed -i /CONFIG_ITRACE_FILTER_KUNIT_TEST/d "$obj/.config"
		[ ! -f "$src/lib/itrace_filter/Kconfig" ] || echo CONFIG_ITRACE_FILTER_KUNIT_TEST=y >>"$obj/.config"
		quietly config make -s -C "$src" O="$obj" olddefconfig
		# The whole kernel links.
		quietly "each-$version" make -s -C "$src" O="$obj" -j"$jobs" vmlinux
		# And what the series is about says nothing.
		objects=kernel/events/core.o
		[ ! -f "$src/kernel/events/addr_filter.c" ] || objects+=" kernel/events/addr_filter.o"
		[ $n -lt "$last" ] || objects+=" lib/"
		# shellcheck disable=SC2086
		(cd "$obj" && rm -f kernel/events/core.o kernel/events/addr_filter.o && make -s -C "$src" O="$obj" -j"$jobs" W=1 $check $objects) 2>&1 |
			grep -E 'warning|error' | grep -E 'kernel/events/|itrace_filter|include/itf' >"$work/said-each" || true
		# What is there has warnings of its own: none may be added.
		[ $n -gt 0 ] && grep -vE 'kernel/events/(core\.c|internal\.h)' "$work/said-each" >>"$work/warnings" || true
		core=$(grep -cE 'kernel/events/(core\.c|internal\.h)' "$work/said-each" || true)
		[ $n -gt 0 ] || stock_core=$core
		[ "$core" -le "$stock_core" ] || grep -E 'kernel/events/(core\.c|internal\.h)' "$work/said-each" >>"$work/warnings"
		n=$((n + 1))
	done
	warnings=$(wc -l <"$work/warnings" 2>/dev/null || echo 0)
	cat "$work/warnings" 2>/dev/null | head -20 >&2 || true
	figure "each of $((n - 1)) builds, $warnings warnings with W=1${check:+ and sparse}"
	[ "$warnings" -eq 0 ] || wrong "warnings"
}

# The cases that the fixes are for say on the fixed kernel what they say on the patched one.
step_fixes()
{
	local wanted='R1)|R2)|R20)|R4)|R12)|R17)' right bad

	make_fixes
	kernel small fixed
	boot small fixed 300 kunit,pmu,cases
	[ -z "$(splats "$said")" ] || wrong "fixed: $(splats "$said" | head -3)"
	awk -F'\t' -v wanted="[(](${wanted//)/[)]})\$" '
		FNR == NR && !/^#/ { expected[$1] = $2; next }
		$1 == "CASE" && $2 ~ wanted {
			sub(/[ \r]+$/, "", $3)
			right += $3 == expected[$2]
			if ($3 != expected[$2]) {
				bad++
				print "! " $2 ": " $3 >"/dev/stderr"
			}
		}
		END { print right + 0, bad + 0 }' "$here/expected.tsv" "$said" >"$work/fixed"
	read -r right bad <"$work/fixed"
	figure "fixes $right cases fixed, $bad not"
	[ "$right" -ge 9 ] && [ "$bad" -eq 0 ] || wrong "fixes"
}

step_bloat()
{
	kernel small stock
	kernel small plain
	"$src/scripts/bloat-o-meter" "$cache/a-$version-small-stock/vmlinux" \
		"$cache/a-$version-small-plain/vmlinux" >"$cache/bloat-$version.txt" || true
	cat "$cache/bloat-$version.txt"
	figure "$(sed -n 's/^Total: //p' "$cache/bloat-$version.txt")"
}

# ---------------------------------------------------------------------------- all of it

# A function, so that all of this file has been read before anything runs.
main()
{
	local step name value

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
	exit
}

main "$@"
