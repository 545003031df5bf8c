#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The committed lex.c is what re2c 3.0 makes of lex.re.

. "$(dirname "$0")/lib.sh"

[ "$(re2c --vernum 2>/dev/null)" = 030000 ] || skip "no re2c 3.0"
cp "$top/src/core/lex.re" .
re2c -W -Werror -i --no-generation-date --no-version -o lex.c lex.re
cmp lex.c "$top/src/core/lex.c" || fail "lex.c is stale: configure with --enable-maintainer-mode and make"
