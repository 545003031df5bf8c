#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# No public call needs more than 512 bytes of stack, all that it calls included, and nothing recurses. From
# the compiler's own call graph: static frames only, and a call through a pointer counts as the deepest of
# the functions whose address a const table of the PMU models holds, that is, of all functions in src/pmu.

. "$(dirname "$0")/lib.sh"

needs_gcc_for_x86_64

for optimize in -O2 -Os; do
	compile $CC $optimize -ffreestanding -fno-pie -fcallgraph-info=su
	awk -v limit=512 -v what="$optimize" '
		# node: { title: "NAME" label: "NAME\nFILE:L:C\nN bytes (static)\n..." }
		/^node:/ {
			split($0, part, "\"")
			name = part[2]
			if (part[4] !~ /bytes/)
				next
			if (part[4] !~ /bytes \(static\)/)
				bad("a frame without a fixed size: " name)
			split(part[4], line, "\\\\n")
			frame[name] = line[3] + 0
			if (line[2] ~ /src\/pmu\//)
				pmu[name] = 1
			next
		}
		/^edge:/ {
			split($0, part, "\"")
			calls[part[2]] = calls[part[2]] " " part[4]
		}
		function bad(text)
		{
			print what ": " text
			failed = 1
		}
		function deepest(name,   n, i, callee, most, deep)
		{
			if (name in depth)
				return depth[name]
			if (name in busy) {
				bad("recursion through " name)
				return 0
			}
			busy[name] = 1
			n = split(calls[name], callee, " ")
			for (i = 1; i <= n; i++) {
				deep = callee[i] == "__indirect_call" ? indirect : deepest(callee[i])
				if (deep > most)
					most = deep
			}
			delete busy[name]
			return depth[name] = frame[name] + most
		}
		END {
			for (name in pmu)
				if (calls[name] !~ /__indirect_call/ && deepest(name) > indirect)
					indirect = deepest(name)
			for (name in frame) {
				public = name ~ /^itf_[a-z]/
				count += public
				if (public && deepest(name) > limit)
					bad(name " needs " deepest(name) " bytes")
				if (public && deepest(name) > worst) {
					worst = deepest(name)
					which = name
				}
			}
			if (count < 20)
				bad("only " count + 0 " public calls found")
			print what ": worst of " count " public calls: " which ", " worst " bytes"
			exit failed
		}' ./*.ci || fail "$optimize"
	rm -f ./*.ci ./*.o
done
