#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: tools/cut-kernel.sh VERSION >FILE
#
# Cuts the kernel's own filter parser and its match of filters and mappings, function by function, out of
# Debian's package linux-source-VERSION, for harnesses to compare with. The result is built and never
# committed. Without the package the result says so and says nothing else.
#
# The files needed are unpacked once, into ${XDG_CACHE_HOME:-~/.cache}/itrace-filter.

set -eu

version=$1
tarball=${ITF_KERNEL_TARBALL:-/usr/src/linux-source-$version.tar.xz}
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/itrace-filter/linux-$version
files='kernel/events/core.c lib/parser.c lib/kstrtox.c lib/kstrtox.h lib/vsprintf.c include/linux/parser.h
	include/linux/perf_event.h'

if [ ! -f "$tarball" ]; then
	echo "cut-kernel: NO COMPARISON WITH LINUX $version: the package linux-source-$version is not installed" >&2
	echo "#define KERNEL_MISSING"
	exit 0
fi

# Where nobody has a home, it is unpacked for this time only.
mkdir -p "$cache" 2>/dev/null || {
	cache=$(mktemp -d)
	trap 'rm -rf "$cache"' EXIT
}

unpack()
{
	new=$(mktemp -d "$cache/new.XXXXXX")
	# shellcheck disable=SC2086,SC2046
	tar -xf "$tarball" -C "$new" --strip-components=1 $(printf "linux-source-$version/%s " $files)
	for file in $files; do
		mkdir -p "$cache/$(dirname "$file")"
		mv "$new/$file" "$cache/$file"
	done
	rm -rf "$new"
	touch "$cache/complete"
}

[ "$cache/complete" -nt "$tarball" ] || unpack

# cut FILE KIND NAME: print one definition; fails if it is not there
#	function: with its return type on the same line or the line before; made static
#	block:    what begins with NAME in the first column, to the closing brace in the first column
#	enum:     the enum that has NAME in it
#	line:     a line that begins with NAME
cut()
{
	awk -v kind="$2" -v name="$3" '
		function flush_lines() {
			if (kind == "function" && text !~ /(^|\n)static/)
				printf "static "
			printf "%s\n", text
			found = 1
			exit
		}
		kind == "line" && index($0, name) == 1 { text = $0; flush_lines() }
		kind == "line" { next }
		!open && kind == "function" && $0 ~ ("^[a-z_].*[ *]" name "\\(|^" name "\\(") {
			open = 1
			text = (before ~ /^[a-z][a-z_ ]*[a-z_*]$/ ? before "\n" : "") $0
			if (/;$/)
				open = 0
			before = $0
			next
		}
		!open && kind == "enum" && /^enum/ { open = 1; text = "" }
		!open && kind == "block" && index($0, name) == 1 { open = 1; text = "" }
		{ before = $0 }
		!open { next }
		{ text = text (text == "" ? "" : "\n") $0 }
		/^[^\t}].*;$/ || /^\t.*\);$/ && text !~ /\n[{]/ { if (kind == "function" && text !~ /\n[{]/) open = 0 }
		/^}/ || /^enum.*};$/ {
			open = 0
			if (kind != "enum" || text ~ ("[^A-Za-z0-9_]" name "[^A-Za-z0-9_]"))
				flush_lines()
		}
		END { exit !found }
	' "$cache/$1" || {
		echo "cut-kernel: no $2 $3 in $1 of Linux $version" >&2
		exit 1
	}
	echo
}

echo "/* Cut out of Linux $version by tools/cut-kernel.sh; built, never committed. */"
cut include/linux/parser.h block 'struct match_token {'
cut include/linux/parser.h line 'typedef struct match_token match_table_t'
cut include/linux/parser.h enum MAX_OPT_ARGS
cut include/linux/parser.h block 'typedef struct {'
cut include/linux/perf_event.h block 'enum perf_addr_filter_action_t {'
cut include/linux/perf_event.h block 'struct perf_addr_filter {'
cut include/linux/perf_event.h block 'struct perf_addr_filter_range {'
cut lib/kstrtox.h line '#define KSTRTOX_OVERFLOW'
cut lib/kstrtox.c function _parse_integer_fixup_radix
cut lib/kstrtox.c function _parse_integer_limit
cut lib/kstrtox.c function _parse_integer
cut lib/kstrtox.c function _kstrtoull
cut lib/kstrtox.c function kstrtoull
cut lib/kstrtox.c function _kstrtoul
cut lib/vsprintf.c function simple_strntoull
cut lib/vsprintf.c function simple_strtoull
cut lib/vsprintf.c function simple_strtoul
cut lib/vsprintf.c function simple_strtol
cut lib/parser.c function match_strdup
cut lib/parser.c function match_one
cut lib/parser.c function match_token
cut kernel/events/core.c function perf_addr_filter_new
cut kernel/events/core.c function free_filters_list
cut kernel/events/core.c enum IF_ACT_NONE
cut kernel/events/core.c enum IF_STATE_ACTION
cut kernel/events/core.c block 'static const match_table_t if_tokens'
cut kernel/events/core.c function perf_event_parse_addr_filter
cut kernel/events/core.c function perf_addr_filter_match
cut kernel/events/core.c function perf_addr_filter_vma_adjust
