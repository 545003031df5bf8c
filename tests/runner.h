/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The main() of a Check program: run one suite, fail if a test failed. */
#ifndef ITF_TESTS_RUNNER_H
#define ITF_TESTS_RUNNER_H

#include <check.h>
#include <stdlib.h>

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
