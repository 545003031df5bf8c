// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: the mainline dialect is today's kernel ABI: for any text, the parser accepts what the
 * kernel's own code accepts (kernel.h), gives the same errno, and reads the same actions, numbers
 * and paths. The only differences allowed:
 *
 *	range-wraps: the kernel takes a range that goes past the last address, and goes on. The
 *		parser refuses it there, so the filters after it, and their errno, go unseen.
 *
 * What the kernel does before it parses is the harness's to do: a text ends at its first NUL.
 */
#include <itf/filter.h>

#include <errno.h>

#include "fuzz.h"
#include "kernel.h"

const enum gen_format fuzz_format = GEN_TEXT;
const char *fuzz_skip(void)
{
	size_t i;

	for (i = 0; kernels[i]; i++) {
		if (kernels[i]->parse)
			return NULL;
	}
	return "neither linux-source-6.1 nor linux-source-6.12 was there to build with";
}

/* The parser at work, one filter at a time, as the kernel shows its own. */
struct compare {
	struct itf_parser parser;
	bool wrapped;
};

static void take(const struct kernel_filter *want, void *ctx)
{
	struct compare *c = ctx;
	struct itf_filter f;

	if (c->wrapped)
		return;
	if (!itf_parser_next(&c->parser, &f)) {
		FUZZ_ASSERT(c->parser.error == ITF_E_RANGE_WRAPS);
		FUZZ_ASSERT(want->start + want->size < want->start && want->start + want->size);
		c->wrapped = true;
		return;
	}
	FUZZ_ASSERT(!strcmp(itf_action_name(f.action), want->action));
	FUZZ_ASSERT(f.start == want->start && f.size == want->size);
	FUZZ_ASSERT(f.source == (want->path ? ITF_SOURCE_FILE : ITF_SOURCE_KERNEL));
	FUZZ_ASSERT(!f.has_source && !f.quoted);
	if (want->path)
		FUZZ_ASSERT(strlen(want->path) == f.path_len &&
			    !memcmp(want->path, f.path, f.path_len));
}

static enum itf_errno errno_of(int error)
{
	if (error == -EINVAL)
		return ITF_EINVAL;
	if (error == -ERANGE)
		return ITF_ERANGE;
	if (error == -EOPNOTSUPP)
		return ITF_EOPNOTSUPP;
	return ITF_ERRNO_NONE;
}

static void compare(const struct kernel *kernel, const char *text, size_t len)
{
	const struct itf_syntax syntax = {
		.dialect = ITF_DIALECT_MAINLINE,
		.addr_bits = 8 * sizeof(long),
	};
	struct compare c = { .wrapped = false };
	struct itf_filter f;
	char *copy;
	int error;

	/* The kernel shows its filters when all are good: of a bad set only the errno is seen. */
	itf_parser_init(&c.parser, text, len, &syntax);
	copy = malloc(len + 1);
	FUZZ_ASSERT(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	error = kernel->parse(copy, false, take, &c);
	free(copy);
	while (!c.wrapped && itf_parser_next(&c.parser, &f))
		FUZZ_ASSERT(error);
	if (c.parser.error == ITF_E_RANGE_WRAPS)
		return;
	FUZZ_ASSERT(itf_error_errno(c.parser.error) == errno_of(error));
}

/*
 * An event without a task: the first filter that is wrong or a file filter decides. The parser
 * judges the text and itf_check_event() what it has read so far.
 */
static void compare_cpu_wide(const struct kernel *kernel, const char *text, size_t len)
{
	const struct itf_event_kind event = { .cpu_wide = true };
	/* What the kernel has read is compared above. */
	struct compare seen = { .wrapped = true };
	const struct itf_syntax syntax = {
		.dialect = ITF_DIALECT_MAINLINE,
		.addr_bits = 8 * sizeof(long),
	};
	enum itf_error error = ITF_OK;
	struct itf_parser parser;
	struct itf_filter f;
	char *copy;

	itf_parser_init(&parser, text, len, &syntax);
	while (!error && itf_parser_next(&parser, &f))
		error = itf_check_event(&f, &event);
	if (!error)
		error = parser.error;
	if (error == ITF_E_RANGE_WRAPS)
		return;
	copy = malloc(len + 1);
	FUZZ_ASSERT(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	FUZZ_ASSERT(itf_error_errno(error) == errno_of(kernel->parse(copy, true, take, &seen)));
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t i, len = nul ? (size_t)(nul - data) : size;
	char *text = fuzz_copy(data, len);

	for (i = 0; kernels[i]; i++) {
		if (!kernels[i]->parse)
			continue;
		compare(kernels[i], text, len);
		compare_cpu_wide(kernels[i], text, len);
	}
	free(text);
	return 0;
}
