// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the stub headers promise, from the C library; runs the KUnit suites and the glue's tests. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int stub_allocations = -1;
static int failures, checks;

void *stub_alloc(size_t size);
void kfree(void *p);
char *kmemdup_nul(const char *s, size_t len, int flags);
int scnprintf(char *buf, size_t size, const char *format, ...);
void stub_check(struct kunit *test, bool right, const char *what, int line);
void stub_suites(struct kunit_suite *const *suites, size_t count);

void *stub_alloc(size_t size)
{
	if (!stub_allocations)
		return NULL;
	if (stub_allocations > 0)
		stub_allocations--;
	return calloc(1, size);
}

void kfree(void *p)
{
	free(p);
}

char *kmemdup_nul(const char *s, size_t len, int flags)
{
	char *copy = stub_alloc(len + 1);

	(void)flags;
	if (copy)
		memcpy(copy, s, len);
	return copy;
}

int scnprintf(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(buf, size, format, args);
	va_end(args);
	return len < (int)size ? len : (int)size - 1;
}

void stub_check(struct kunit *test, bool right, const char *what, int line)
{
	checks++;
	if (right)
		return;
	failures++;
	printf("FAIL: %s, line %d: %s\n", test->name, line, what);
}

void stub_suites(struct kunit_suite *const *suites, size_t count)
{
	struct kunit_case *c;
	size_t i;

	for (i = 0; i < count; i++) {
		for (c = suites[i]->test_cases; c->run_case; c++) {
			struct kunit test = { c->name };

			c->run_case(&test);
		}
	}
}

int main(void)
{
	printf("%d checks, %d failed\n", checks, failures);
	return failures != 0 || checks < 1000;
}
