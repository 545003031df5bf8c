// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The guest tests: every case says a line "CASE<TAB>name<TAB>answer"; the host compares. */
#include "guest.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc > 1) {
		family_exec(argv[1]);
		return 0;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	lib_make(LIB);
	grammar_cases();
	string_cases();
	range_cases();
	family_cases();
	return 0;
}
