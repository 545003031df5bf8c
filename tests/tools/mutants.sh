#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The mutation tool: which mutants it makes, that tests which look closely kill them, that others
# do not, and that its list of survivors has to be right.

. "$(dirname "$0")/../source/lib.sh"
command -v python3 >/dev/null || skip "no python3"
export PYTHONDONTWRITEBYTECODE=1 CHECK_CFLAGS=' ' CHECK_LIBS=' '

cat >sample.c <<'END'
/* a < b in a comment + "in a string" is nobody's business */
#include "sample.h"
#define TWICE(x) \
	((x) * 2)

struct pair {
	int a, b[4];
};

static const struct pair table[] = {
	{ .a = -1, .b = { 0x10u } },
};

static int best(int a, int b)
{
	return a > b ? a : b;	// a > b
}

enum itf_error sum(const struct pair *p, size_t n, char *text, bool *on)
{
	size_t i, len = sizeof(*p) * n;
	int total = (int)-1, *at = &total;

	for (i = 0; i < n && !on[i]; i++) {
		if (text[i] == 'x' || text[i] == '\n')
			goto out;
		*at += ~p[i].a << 1;
	}
	*on = true;
out:
	while (len--)
		continue;
	switch (total) {
	case 3:
		call("a < b");
		break;
	default:
		return ITF_E_INVALID;
	}
	if (on)
		return ITF_OK;
	else
		*text = (struct pair){ 7, 9 }.a;
	return ITF_OK;
}
END

# line, function, kind, before, after
cat >want <<'END'
11	table	arithmetic	{ .a = -1, .b = { 0x10u } },	{ .a = 1, .b = { 0x10u } },
11	table	off-by-one	{ .a = -1, .b = { 0x10u } },	{ .a = -2, .b = { 0x10u } },
11	table	off-by-one	{ .a = -1, .b = { 0x10u } },	{ .a = -0, .b = { 0x10u } },
11	table	off-by-one	{ .a = -1, .b = { 0x10u } },	{ .a = -1, .b = { 0x11u } },
11	table	off-by-one	{ .a = -1, .b = { 0x10u } },	{ .a = -1, .b = { 0xfu } },
16	best	boundary	return a > b ? a : b; // a > b	return a >= b ? a : b; // a > b
16	best	comparison	return a > b ? a : b; // a > b	return a <= b ? a : b; // a > b
16	best	comparison	return a > b ? a : b; // a > b	return a > b ? b : a; // a > b
21	sum	arithmetic	size_t i, len = sizeof(*p) * n;	size_t i, len = sizeof(*p) + n;
22	sum	arithmetic	int total = (int)-1, *at = &total;	int total = (int)1, *at = &total;
22	sum	off-by-one	int total = (int)-1, *at = &total;	int total = (int)-2, *at = &total;
22	sum	off-by-one	int total = (int)-1, *at = &total;	int total = (int)-0, *at = &total;
24	sum	off-by-one	for (i = 0; i < n && !on[i]; i++) {	for (i = 1; i < n && !on[i]; i++) {
24	sum	boundary	for (i = 0; i < n && !on[i]; i++) {	for (i = 0; i <= n && !on[i]; i++) {
24	sum	comparison	for (i = 0; i < n && !on[i]; i++) {	for (i = 0; i >= n && !on[i]; i++) {
24	sum	comparison	for (i = 0; i < n && !on[i]; i++) {	for (i = 0; i < n || !on[i]; i++) {
24	sum	comparison	for (i = 0; i < n && !on[i]; i++) {	for (i = 0; i < n && on[i]; i++) {
24	sum	arithmetic	for (i = 0; i < n && !on[i]; i++) {	for (i = 0; i < n && !on[i]; i--) {
25	sum	comparison	if (text[i] == 'x' || text[i] == '\n')	if (1)
25	sum	comparison	if (text[i] == 'x' || text[i] == '\n')	if (0)
25	sum	comparison	if (text[i] == 'x' || text[i] == '\n')	if (text[i] != 'x' || text[i] == '\n')
25	sum	off-by-one	if (text[i] == 'x' || text[i] == '\n')	if (text[i] == 'y' || text[i] == '\n')
25	sum	comparison	if (text[i] == 'x' || text[i] == '\n')	if (text[i] == 'x' && text[i] == '\n')
25	sum	comparison	if (text[i] == 'x' || text[i] == '\n')	if (text[i] == 'x' || text[i] != '\n')
26	sum	deleted	goto out;	;
27	sum	deleted	*at += ~p[i].a << 1;	;
27	sum	arithmetic	*at += ~p[i].a << 1;	*at -= ~p[i].a << 1;
27	sum	arithmetic	*at += ~p[i].a << 1;	*at += p[i].a << 1;
27	sum	arithmetic	*at += ~p[i].a << 1;	*at += ~p[i].a >> 1;
27	sum	off-by-one	*at += ~p[i].a << 1;	*at += ~p[i].a << 2;
27	sum	off-by-one	*at += ~p[i].a << 1;	*at += ~p[i].a << 0;
29	sum	deleted	*on = true;	;
29	sum	constant	*on = true;	*on = false;
31	sum	comparison	while (len--)	while (1)
31	sum	comparison	while (len--)	while (0)
31	sum	arithmetic	while (len--)	while (len++)
32	sum	deleted	continue;	;
34	sum	off-by-one	case 3:	case 4:
34	sum	off-by-one	case 3:	case 2:
35	sum	deleted	call("a < b");	;
36	sum	deleted	break;	;
38	sum	deleted	return ITF_E_INVALID;	;
38	sum	constant	return ITF_E_INVALID;	return ITF_OK;
40	sum	comparison	if (on)	if (1)
40	sum	comparison	if (on)	if (0)
41	sum	deleted	return ITF_OK;	;
43	sum	deleted	*text = (struct pair){ 7, 9 }.a;	;
43	sum	off-by-one	*text = (struct pair){ 7, 9 }.a;	*text = (struct pair){ 8, 9 }.a;
43	sum	off-by-one	*text = (struct pair){ 7, 9 }.a;	*text = (struct pair){ 6, 9 }.a;
43	sum	off-by-one	*text = (struct pair){ 7, 9 }.a;	*text = (struct pair){ 7, 10 }.a;
43	sum	off-by-one	*text = (struct pair){ 7, 9 }.a;	*text = (struct pair){ 7, 8 }.a;
END
python3 "$top/tools/mutate.py" sample.c | cut -f2- >got
diff want got || fail "other mutants than expected"

mkdir -p include src/core tests
cat >src/core/max.h <<'END'
static inline int twice(int a)
{
	return a + a;
}
END
cat >src/core/max.c <<'END'
#include "max.h"
static const int bonus[] = { 5, 6 };
int max(int a, int b);
int last(unsigned int i);
int max(int a, int b)
{
	return a > b ? twice(a) : twice(b);
}
int last(unsigned int i)
{
	return i < 2 ? bonus[i] : 0;
}
END
cat >src/core/count.c <<'END'
int count(int a);
int count(int a)
{
	int n = 0;

	while (a > n)
		n++;
	return n;
}
END
printf 'int support;\n' >tests/support.c
cat >tests/test_weak.c <<'END'
int max(int a, int b);
int main(void)
{
	return max(1, 2) != 4;
}
END
cat >tests/test_strong.c <<'END'
int max(int a, int b);
int count(int a);
int last(unsigned int i);
int main(void)
{
	return !(max(1, 2) == 4 && max(2, 1) == 4 && max(3, 3) == 6 && !count(0) && count(3) == 3 &&
		 last(0) == 5 && last(1) == 6 && !last(2) && !last(3));
}
END
printf '# why each is equal\n%s\t%s\t%s\t%s\tequal numbers are both the larger one\n' \
	src/core/max.c max 'return a > b ? twice(a) : twice(b);' \
	'return a >= b ? twice(a) : twice(b);' >list

# The outcome of a run: its exit status, and its last line in $last.
mutants()
{
	local status=0

	python3 "$top/tools/mutants.py" --srcdir . --sources src/core/max.c src/core/count.c --support \
		tests/support.c --jobs 1 --cpu-seconds 1 "$@" >out 2>&1 || status=$?
	last=$(tail -n 1 out)
	return $status
}

mutants --tests tests/test_weak tests/test_strong --equivalent list --floor 90 ||
	fail "tests that look closely: $(cat out)"
[[ $last == "mutants: killed core "*"; 1 survive, 1 of them listed as equivalent" ]] ||
	fail "last line: $last"

# From here on without the file in which a mutant can loop for ever.
only="--mutate src/core/max.c"
! mutants $only --tests tests/test_strong --equivalent list --floor 99 || fail "floor: $last"
! mutants $only --tests tests/test_strong --floor 90 || fail "unlisted survivor: $last"
grep -q "^src/core/max.c	max	return a > b .*	return a >= b " out ||
	fail "survivor not named: $(cat out)"
! mutants $only --tests tests/test_weak --equivalent list --floor 10 || fail "weak: $last"
grep -q "	last	return i < 2 .*	return i <= 2 " out || fail "what they miss: $(cat out)"

mutants --tests tests/test_strong --mutate src/core/max.h || fail "in a header: $(cat out)"
[[ $last == *" killed core 1/1 = "* ]] || fail "in a header: $last"

# The list: nothing in it that is killed, nothing that is no mutant, nothing without a reason.
for change in 's/>=/<=/' 's/>=/=>/'; do
	{ cat list; sed "$change" list; } >wrong
	! mutants $only --tests tests/test_strong --equivalent wrong --floor 90 ||
		fail "wrong list: $(cat out)"
	grep -q "listed as equivalent, but" out || fail "wrong list: $(cat out)"
done
cut -f 1-4 list >wrong
! mutants $only --tests tests/test_strong --equivalent wrong --floor 90 || fail "no reason given"

sed -i 's/!= 4/!= 5/' tests/test_weak.c
! mutants --tests tests/test_weak || fail "tests that fail without mutants"
exit 0
