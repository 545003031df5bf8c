#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: sh sync-check.sh [ENGINE]
#
# Says whether the files of the engine are those that CHECKPOINT names, and, if ENGINE is a tree of
# itrace-filter, whether they are the ones there. They are copies: change them there, not here.

set -eu
cd "$(dirname "$0")/../.."
sed -n 's/^file: //p' lib/itrace_filter/CHECKPOINT | sha256sum --quiet -c

[ $# -gt 0 ] || exit 0
sed -n 's/^file: [0-9a-f]*  //p' lib/itrace_filter/CHECKPOINT | while read -r file; do
	case $file in
	lib/itrace_filter/*) origin=src/${file#lib/itrace_filter/} ;;
	*) origin=$file ;;
	esac
	cmp "$file" "$1/$origin"
done
