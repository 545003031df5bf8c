#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The examples of README.md and the manual are what itf says. An example is a line that begins with "$ itf" in a
# literal block, with all that it prints behind it, messages included; "$ echo $?" shows its exit status.
# Examples run among the maps files of tests/vectors/maps. Where the machine decides (--pid, watch), numbers
# that differ from run to run and the width of columns do not count.
#
# With --update, writes what itf says into the files instead.

export LC_ALL=C NO_COLOR=1
build=$PWD
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
PATH=$build:$PATH
failed=0 count=0

[ -x "$build/itf" ] || { echo "SKIP: no program in this build"; exit 77; }
cd "$top/tests/vectors/maps" || exit 1

# From roff to text and back: the few escapes that examples need.
unescape()
{
	sed -e 's/\\(ha/^/g; s/\\(ti/~/g; s/\\(aq/'\''/g; s/\\(ga/`/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g'
}

escape()
{
	sed -e 's/\\/\\e/g; s/\^/\\(ha/g; s/~/\\(ti/g; s/'\''/\\(aq/g; s/`/\\(ga/g; s/-/\\-/g; s/^\./\\\&./'
}

# same COMMAND EXPECTED GOT
same()
{
	[ "$2" = "$3" ] && return
	case $1 in
	*' --pid'* | *'itf watch'*) [ "$(loose "$2")" = "$(loose "$3")" ] ;;
	*) false ;;
	esac
}

# Addresses, sizes of what the machine's files happen to be, process ids, and column widths.
loose()
{
	sed -E 's/0x[0-9a-f]{4,}/N/g; s/[0-9]{3,}/N/g; s/-{2,}/--/g; s/[[:blank:]]+/ /g; s/ $//' <<<"$1"
}

# Print a file with the output of its examples as it really is; tell differences on standard error.
redo()
{
	local file=$1 indent=$2 decode=$3 encode=$4 line command= expected= got= status=0

	finish()
	{
		[ -n "$command" ] || return
		count=$((count + 1))
		if [ "$command" = 'echo $?' ]; then
			got=$status
		else
			got=$(bash -c "$command" 2>&1 </dev/null)
			status=$?
		fi
		if [ $status = 2 ] && [[ $command == 'itf watch'* ]] && [[ $got == *perf_event_open* ]]; then
			echo "not run, the kernel refuses events here: $command" >&2
			got=$expected
		elif ! same "$command" "$expected" "$got"; then
			printf '%s: $ %s\n' "$file" "$command" >&2
			diff <(echo "$expected") <(echo "$got") >&2
			failed=1
		fi
		[ -z "$got" ] || $encode <<<"$got" | sed "s/^/$indent/; s/^ *\$//"
		command= expected=
	}

	while IFS= read -r line; do
		case $line in
		"$indent\$ itf "* | "$indent\$ echo "* | "$indent\$ printf "*)
			finish
			echo "$line"
			command=$($decode <<<"${line#"$indent\$ "}")
			;;
		.Ed | '```'*)
			finish
			echo "$line"
			;;
		"$indent"*)
			if [ -n "$command" ]; then
				expected+=${expected:+$'\n'}$($decode <<<"${line#"$indent"}")
			else
				echo "$line"
			fi
			;;
		*)
			finish
			echo "$line"
			;;
		esac
	done <"$top/$file"
	finish
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
for file in README.md docs/itf.1 docs/itf-filters.7; do
	case $file in
	*.md) redo $file '    ' cat cat ;;
	*) redo $file '' unescape escape ;;
	esac >"$out"
	if [ "${1-}" = --update ]; then
		cmp -s "$out" "$top/$file" || cat "$out" >"$top/$file"
		failed=0
	fi
done
echo "$count examples"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
