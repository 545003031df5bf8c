/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* As much of KUnit as the suites need: they run in a process, and stub.c counts. */
#ifndef STUB_KUNIT_TEST_H
#define STUB_KUNIT_TEST_H

#include <linux/kernel.h>

struct kunit {
	const char *name;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char name[32];
	struct kunit_case *test_cases;
};

void stub_suites(struct kunit_suite *const *suites, size_t count);
void stub_check(struct kunit *test, bool right, const char *what, int line);

#define KUNIT_CASE(name) { name, #name }
#define kunit_test_suites(...) \
	__attribute__((constructor)) static void stub_register(void) \
	{ \
		struct kunit_suite *const suites[] = { __VA_ARGS__ }; \
		stub_suites(suites, ARRAY_SIZE(suites)); \
	} \
	struct stub_end

#define kunit_kzalloc(test, size, flags) stub_alloc(size)
#define KUNIT_CHECK(test, c) stub_check(test, c, #c, __LINE__)
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p) KUNIT_CHECK(test, (p) != NULL)
#define KUNIT_EXPECT_TRUE(test, c) KUNIT_CHECK(test, c)
#define KUNIT_EXPECT_FALSE(test, c) KUNIT_CHECK(test, !(c))
#define KUNIT_EXPECT_EQ(test, a, b) KUNIT_CHECK(test, (a) == (b))
#define KUNIT_ASSERT_EQ(test, a, b) KUNIT_CHECK(test, (a) == (b))
#define KUNIT_ASSERT_LE(test, a, b) KUNIT_CHECK(test, (a) <= (b))
#define KUNIT_EXPECT_EQ_MSG(test, a, b, ...) KUNIT_CHECK(test, (a) == (b))
#define KUNIT_ASSERT_TRUE_MSG(test, c, ...) KUNIT_CHECK(test, c)
#define KUNIT_EXPECT_STREQ_MSG(test, a, b, ...) KUNIT_CHECK(test, !strcmp(a, b))

#endif
