# SPDX-License-Identifier: GPL-2.0-only OR MIT
# usage: awk -v version=V -f table.awk expected.tsv STOCK PATCHED
# The table "case, stock, patched, expected" and why; a line that is not as expected begins with "!". The last line
# is the sum; exit status 1 if any line is wrong.
BEGIN { FS = "\t" }
function trim(s) { sub(/[ \r]+$/, "", s); return s }
FILENAME != last { last = FILENAME; part++ }
part == 1 && /^#/ { next }
part == 1 {
	name = $1
	if (match(name, /^[0-9]+\.[0-9]+:/)) {
		if (substr(name, 1, RLENGTH - 1) != version)
			next
		name = substr(name, RLENGTH + 1)
	} else
		order[++count] = name
	expected[name] = trim($2)
	stock_expected[name] = $3 == "=" ? trim($2) : trim($3)
	why[name] = $4
	next
}
$1 != "CASE" { next }
part == 2 { stock[$2] = trim($3); seen[$2] = 1 }
part == 3 { patched[$2] = trim($3); seen[$2] = 1 }
END {
	print "case\tstock\tpatched\texpected\twhy"
	for (i = 1; i <= count; i++) {
		name = order[i]
		ok = patched[name] == expected[name] && stock[name] == stock_expected[name] && name in seen
		if (!ok)
			bad++
		else if (stock[name] != patched[name])
			differ++
		printf "%s%s\t%s\t%s\t%s\t%s\n", ok ? "" : "! ", name, stock[name], patched[name], expected[name], why[name]
		delete seen[name]
	}
	for (name in seen) {
		print "! " name "\t" stock[name] "\t" patched[name] "\t(not in the list)"
		bad++
	}
	printf "cases %d, as expected %d, stock differs in %d\n", count, count - bad, differ
	exit bad > 0
}
