#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: series.sh [--fixes] KSRC OUT
#
# Writes the series for the kernel tree KSRC to OUT/*.patch, for "git am", and the files that it changes or adds,
# as they are in the end, to OUT/tree. KSRC need not be a git tree and is not changed. Each directory NN-* here is a
# patch: its message, semantic patches, and new files. With --fixes it is the patches of ../fixes, which need no engine.

set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
patches=$here what=patch
[ "$1" != --fixes ] || {
	patches=$(cd "$here/../fixes" && pwd) what=fix
	shift
}
ksrc=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The files of the tree that the series changes; all others it adds.
touched='Documentation/trace/index.rst kernel/events/Makefile kernel/events/core.c lib/Kconfig.debug
	lib/Makefile tools/testing/selftests/perf_events/.gitignore
	tools/testing/selftests/perf_events/Makefile'
core=kernel/events/core.c
# The sources of the engine that perf core needs; all others are for the KUnit suites.
needed='error lex number parse range'

die()
{
	echo "series: $*" >&2
	exit 1
}

# semantic PATCH: apply it to core.c; every rule of it must find its place, which the compiler will tell
semantic()
{
	cp $core "$work/before"
	spatch --very-quiet --in-place --sp-file "$here/$1" $core >"$work/spatch" 2>&1 || {
		cat "$work/spatch" >&2
		die "$1 failed"
	}
	! cmp -s $core "$work/before" || die "$1 changed nothing"
}

splice()
{
	python3 "$here/splice.py" "$@"
}

# add_before PATTERN FILE LINE...: put lines before the first line that matches
add_before()
{
	local pattern=$1 file=$2

	shift 2
	grep -q -- "$pattern" "$file" || die "$file has no $pattern"
	printf '%s\n' "$@" >"$work/lines"
	awk -v pattern="$pattern" -v lines="$work/lines" '
		!done && $0 ~ pattern {
			while ((getline line <lines) > 0)
				print line
			done = 1
		}
		{ print }' "$file" >"$work/new"
	cat "$work/new" >"$file"
}

# source_of FILE STAGE: a file of ../perf as a patch leaves it
source_of()
{
	awk -v stage="$2" -v inode="$inode" -f "$here/stage.awk" "$here/../perf/$1" >kernel/events/"$1"
}

commit()
{
	git add -A
	git commit -q -F "$patches/$1/message"
}

# ---------------------------------------------------------------------------- the patches

patch_01()
{
	splice before $core perf_addr_filters_splice "$here/01-account/count_file_filters.c"
	semantic 01-account/core.cocci
}

patch_02()
{
	splice before $core inherit_event "$here/02-inherit/inherit.c"
	semantic 02-inherit/core.cocci
}

patch_03()
{
	splice before $core perf_event_addr_filters_exec "$here/03-unclone/unclone.c"
	semantic 03-unclone/core.cocci
}

patch_04()
{
	semantic 04-unlocked/core.cocci
}

# Plain copies of what src/core.mk lists, and the place where each came from.
patch_05()
{
	local file to

	mkdir -p lib/itrace_filter
	for file in $(printf 'include %s/src/core.mk\nall: ; @echo %s\n' "$top" \
			'$(ITF_CORE) $(ITF_CORE_INTERNAL) $(ITF_TRACK) $(ITF_TRACK_INTERNAL) $(ITF_PMU) $(ITF_PMU_INTERNAL)' |
			env -u MAKEFLAGS -u MAKELEVEL make -s -f -) $(cd "$top" && echo include/itf/*.h); do
		to=${file/#src\//lib/itrace_filter/}
		mkdir -p "$(dirname "$to")"
		cp "$top/$file" "$to"
		echo "$to" >>"$work/engine"
	done
	cp "$here/05-engine/sync-check.sh" lib/itrace_filter/
	{
		echo "# The engine of itrace-filter, as copied; see sync-check.sh."
		echo "origin: itrace-filter $(sed -n 's/^AC_INIT(\[itrace-filter\], \[\(.*\)\])/\1/p' "$top/configure.ac")"
		sort "$work/engine" | xargs sha256sum | sed 's/^/file: /'
	} >lib/itrace_filter/CHECKPOINT
	{
		echo
		echo "# perf's address filters: what perf core needs of the engine"
		printf 'lib-$(CONFIG_PERF_EVENTS) += itrace_filter/core/%s.o\n' $needed
	} >>lib/Makefile
}

patch_06()
{
	splice cut $core perf_addr_filter_new IF_ACT_NONE IF_STATE_ACTION if_tokens \
		perf_event_parse_addr_filter
	semantic 06-parse/core.cocci
	source_of addr_filter.c 6
	source_of addr_filter.h 6
	sed -i 's/^obj-y := core\.o /&addr_filter.o /' kernel/events/Makefile
	grep -q addr_filter kernel/events/Makefile || die "kernel/events/Makefile is not as expected"
}

patch_07()
{
	splice cut $core perf_addr_filter_match perf_addr_filter_vma_adjust perf_addr_filter_apply
	semantic 07-resolve/core.cocci
	source_of addr_filter.c 7
	source_of addr_filter.h 7
}

patch_08()
{
	source_of addr_filter.c 8
	cp "$here/08-source/address-filters.rst" Documentation/trace/
	add_before '^   boottime-trace' Documentation/trace/index.rst '   address-filters'
}

patch_09()
{
	local file

	mkdir -p lib/itrace_filter/tests
	"$here/../kunit/vectors.py" "$top/tests/vectors" >lib/itrace_filter/tests/vectors.h
	cp "$here"/../kunit/*.[ch] "$here/09-kunit/Makefile" lib/itrace_filter/tests/
	cp "$here/09-kunit/Kconfig" lib/itrace_filter/
	add_before '^config HW_BREAKPOINT_KUNIT_TEST' lib/Kconfig.debug \
		'source "lib/itrace_filter/Kconfig"' ''
	{
		for file in $(grep '\.c$' "$work/engine"); do
			file=${file#lib/}
			case " $needed " in
			*" $(basename "$file" .c) "*) continue ;;
			esac
			echo "lib-\$(CONFIG_ITRACE_FILTER_KUNIT_TEST) += ${file%.c}.o"
		done
		echo 'obj-$(CONFIG_ITRACE_FILTER_KUNIT_TEST) += itrace_filter/tests/'
	} >>lib/Makefile
}

patch_10()
{
	local dir=tools/testing/selftests/perf_events

	cp "$here/10-selftest/addr_filter.c" $dir/
	sed -i 's/^TEST_GEN_PROGS := .*/& addr_filter/' $dir/Makefile
	echo addr_filter >>$dir/.gitignore
}

# ---------------------------------------------------------------------------- the fixes

fix_01()
{
	semantic ../fixes/01-touching/core.cocci
}

fix_02()
{
	semantic ../fixes/02-executable/core.cocci
}

fix_03()
{
	patch_02
}

fix_04()
{
	patch_03
}

# ---------------------------------------------------------------------------- all of them

for file in $touched; do
	mkdir -p "$work/tree/$(dirname "$file")"
	[ -f "$ksrc/$file" ] || die "$ksrc has no $file"
	cp "$ksrc/$file" "$work/tree/$file"
done
cd "$work/tree"
# 6.1 compares the inode below overlayfs, later kernels the one that the user sees.
inode=$(sed -n '/^static bool perf_addr_filter_match/,/^}/s/.*!= \(file_[a-z_]*inode\)(.*/\1/p' $core)
[ -n "$inode" ] || die "no match of inodes in $core"

# Reproducible: the same tree and engine give the same series, whoever makes it.
export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-itrace-filter} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-itrace-filter@localhost}
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2026-12-01T00:00:00Z' GIT_COMMITTER_DATE='2026-12-01T00:00:00Z'
export GIT_CONFIG_GLOBAL=/dev/null
git init -q
git add -Af
git commit -q -m base
for dir in "$patches"/[0-9][0-9]-*; do
	name=$(basename "$dir")
	[ -f "$dir/message" ] || continue
	"${what}_${name%%-*}"
	commit "$name"
done
rm -f "$out"/*.patch
git format-patch -q --no-signature --zero-commit -o "$out" --subject-prefix=PATCH "$(git rev-list --max-parents=0 HEAD)"
rm -rf "$out/tree"
mkdir "$out/tree"
git archive HEAD | tar -x -C "$out/tree"
ls "$out"/*.patch
