#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Bash completion offers what the program takes, and nothing that it does not.

. "$(dirname "$0")/lib.sh"
[ -n "${BASH_VERSION:-}" ] || skip "not bash"
. "$top/docs/itf.bash-completion"

# offers LINE: what is offered behind LINE, sorted on one line, with bash's own word breaks
offers()
{
	COMP_LINE=$1 COMP_POINT=${#1}
	local spaced=${1//=/ = }
	spaced=${spaced//:/ : }
	read -ra COMP_WORDS <<<"$spaced"
	[[ $spaced != *[[:blank:]] || $spaced == *' = ' || $spaced == *' : ' ]] || COMP_WORDS+=("")
	[[ $spaced != *' = ' && $spaced != *' : ' ]] || COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_itf
	[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd' '
}

same()
{
	[ "$(offers "$1")" = "$2" ] || fail "'$1' offers '$(offers "$1")', not '$2'"
}

same 'itf ' 'check convert resolve watch'
same 'itf -' '--help --version'
same 'itf c' 'check convert'
same 'itf check --' '--addr-bits= --cpu-wide --dialect= --exclude-kernel --help --json --pmu='
same 'itf convert --t' '--to='
same 'itf check --dialect=' 'any mainline seed'
same 'itf check --dialect=m' 'mainline'
same 'itf check --addr-bits=' '32 64'
same 'itf convert --to=' 'mainline seed'
same 'itf check --pmu=cs' 'cs_etm cs_etm:pairs='
same 'itf check --pmu=intel_pt:v' 'vaddr-bits=48 vaddr-bits=57'
same 'itf check --pmu=intel_pt:vaddr-bits=5' '57'
same 'itf check fil' ''
same 'itf check -- --' ''
touch with-maps
same 'itf resolve --maps=with-' 'with-maps'
same 'itf resolve --perf-data=with-' 'with-maps'
same "itf resolve --pid=$$" "$(cd /proc && echo [1-9]* | tr ' ' '\n' | grep "^$$" | LC_ALL=C sort | paste -sd' ')"
same 'itf watch x -- with-' ''
same 'itf watch x -- true with-' 'with-maps'
offers 'itf watch x -- tru' | grep -qw true || fail "no commands behind --"

# Every long option that --help names is offered, and no other.
for command in check convert resolve watch; do
	"$ITF" $command --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
		LC_ALL=C sort >named
	_itf_options $command | tr ' ' '\n' | tr -d = | LC_ALL=C sort >offered
	diff named offered || fail "$command"
done
# Every value that is offered is taken.
for option in --dialect --addr-bits --pmu; do
	for value in $(_itf_values $option); do
		case $value in
		*=) value+=1 ;;
		esac
		"$ITF" check "$option=$value" '' >/dev/null || fail "$option=$value"
	done
done
