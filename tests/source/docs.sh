#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Every source names its licence in its first lines and says what it is; every function, structure and enum of a
# header is documented right above; kernel-doc, where it is at hand, has nothing to say.

. "$(dirname "$0")/lib.sh"
cd "$top"

for file in $(c_files) src/core/lex.re Makefile.am configure.ac bootstrap .ci/run libitf.map \
	$(find tests tools -name '*.sh' 2>/dev/null); do
	[ -f "$file" ] || continue
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only OR MIT' ||
		fail "$file: no licence in its first two lines"
done
for file in $(c_files); do
	head -n 4 "$file" | grep -qE '^/\*( |$)' || fail "$file: does not say what it is"
done

awk '
	FNR == 1 { name = ""; ended = blank = 0 }
	/^$/ { blank = FNR }
	/^\/\*\*$/ { comment = 1; name = ""; next }
	comment && name == "" {
		name = $0
		sub(/^ \* (struct |enum |typedef )?/, "", name)
		sub(/[( ].*/, "", name)
	}
	/\*\/$/ { comment = 0; ended = FNR; next }
	# What a comment may be about: the line right behind it.
	/^[a-z].*\(/ || /^(struct|enum) [a-z_]+ \{/ || /^typedef .*_fn\(/ {
		if (FILENAME ~ /^src/ && $0 ~ /^static inline/)
			next
		what = $0
		if (what ~ /\(/) {
			sub(/\(.*/, "", what)
			sub(/.*[ *]/, "", what)
		} else {
			split(what, word, " ")
			what = word[2]
		}
		# Below the engine, a comment may be about the declarations that follow it without a blank line.
		if (FILENAME ~ /^src\/(host|cli)/ ? ended <= blank : ended != FNR - 1 || name != what) {
			print FILENAME ":" FNR ": " what " is not documented right above"
			bad = 1
		}
	}
	END { exit bad }' include/itf/*.h src/*/*.h || fail "undocumented"

scripts=$(kernel_scripts)
[ -z "$scripts" ] || perl "$scripts/kernel-doc" -none -Werror include/itf/*.h src/*/*.h || fail "kernel-doc"
