# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the tests of the program share. Read, not run. $ITF is the program, $srcdir the top of the source; each test
# works in a directory of its own that goes away. `py` runs a script on standard input with helper.py at hand.

set -eu
export LC_ALL=C
unset NO_COLOR POSIXLY_CORRECT ARGP_HELP_FMT 2>/dev/null || true
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
ITF=${ITF:-$PWD/itf}
case $ITF in
/*) ;;
*) ITF=$PWD/$ITF ;;
esac
export ITF top
[ -x "$ITF" ] || {
	echo "SKIP: no program $ITF"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	echo "FAIL: $*"
	exit 1
}

skip()
{
	echo "SKIP: $*"
	exit 77
}

py()
{
	command -v python3 >/dev/null || skip "no python3"
	PYTHONPATH="$top/tests/cli" PYTHONDONTWRITEBYTECODE=1 python3 -
}
