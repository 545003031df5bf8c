#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The examples of README.md and the manual are what itf says. An example is a line that begins with "$ " in a literal
# block, with all that it prints behind it, messages included; "$ echo $?" shows its exit status.
# Examples run in one shell, among copies of the maps files of tests/vectors/maps. Where the machine decides (a
# process, a program of the system), numbers that differ from run to run and the width of columns do not count.
#
# With --update, writes what itf says into the files instead.

export LC_ALL=C NO_COLOR=1
build=$PWD
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
PATH=$build:$PATH
failed=0 count=0

[ -x "$build/itf" ] || { echo "SKIP: no program in this build"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$top"/tests/vectors/maps/*.maps "$work" && cd "$work" || exit 1

# From roff to text and back: the few escapes that examples need.
unescape()
{
	sed -e 's/\\(ha/^/g; s/\\(ti/~/g; s/\\(aq/'\''/g; s/\\(ga/`/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g'
}

escape()
{
	sed -e 's/\\/\\e/g; s/\^/\\(ha/g; s/~/\\(ti/g; s/'\''/\\(aq/g; s/`/\\(ga/g; s/-/\\-/g; s/^\./\\\&./'
}

# judged COMMAND: of what comes in, what counts. Where the machine decides, these do not: addresses, sizes of what its
# files happen to be, process ids, column widths, and that a process may end before its mappings were read again.
judged()
{
	case $1 in
	*' --pid'* | *'itf watch'* | *@/usr/bin/*)
		awk '/note +may-be-stale/ { skip = 1; next } skip && /^               / { next } { skip = 0; print }' |
			sed -E 's/\([0-9.]+ (bytes|[KMG]iB)\)/(N)/g; s/0x[0-9a-f]{4,}/N/g; s/[0-9]{3,}/N/g
				s/-{2,}/--/g; s/[[:blank:]]+/ /g; s/ $//'
		;;
	*) cat ;;
	esac
}

# Print a file with the output of its examples as it really is; tell differences on standard error.
redo()
{
	local file=$1 decode=$2 encode=$3 line block= command= expected= got= status=0

	finish()
	{
		[ -n "$command" ] || return
		count=$((count + 1))
		if [ "$command" = 'echo $?' ]; then
			got=$status
		else
			eval "$command" >.output 2>&1 </dev/null
			status=$?
			got=$(cat .output)
		fi
		if [ $status = 2 ] && [[ $command == 'itf watch'* ]] && [[ $got == *perf_event_open* ]]; then
			echo "not run, the kernel refuses events here: $command" >&2
			got=$expected
			: >.difference
		else
			# Not by <( ), which would change $!.
			judged "$command" <<<"$expected" >.expected
			judged "$command" <<<"$got" >.got
			diff .expected .got >.difference && got=$expected
		fi
		if [ -s .difference ]; then
			printf '%s: $ %s\n' "$file" "$command" >&2
			cat .difference >&2
			failed=1
		fi
		[ -z "$got" ] || $encode <<<"$got"
		command= expected=
	}

	while IFS= read -r line; do
		case $line in
		.Bd* | '```console')
			block=yes
			echo "$line"
			;;
		.Ed | '```')
			finish
			block=
			# shellcheck disable=SC2046
			kill $(jobs -p) 2>/dev/null
			echo "$line"
			;;
		'$ '*)
			finish
			echo "$line"
			[ -z "$block" ] || command=$($decode <<<"${line#'$ '}")
			;;
		*)
			if [ -n "$command" ]; then
				expected+=${expected:+$'\n'}$($decode <<<"$line")
			else
				echo "$line"
			fi
			;;
		esac
	done <"$top/$file"
}

for file in README.md docs/itf.1 docs/itf-filters.7; do
	case $file in
	*.md) redo $file cat cat ;;
	*) redo $file unescape escape ;;
	esac >.page
	if [ "${1-}" = --update ]; then
		cmp -s .page "$top/$file" || cat .page >"$top/$file"
		failed=0
	fi
done
echo "$count examples"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
