// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* KUnit: the parser and the tracker against the vectors that all tests of the engine share. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <itf/filter.h>
#include <itf/track.h>

#define MAX_FILTERS 8
#define MAX_MAPS 32
#define TEXT_SIZE 256

struct itf_grammar_vector {
	struct itf_syntax syntax;
	const char *text;
	size_t len;
	const char *result; /* "ok" or the errno */
	const char *filters; /* "action,source,start,size,path | ..." */
};

struct itf_error_vector {
	struct itf_syntax syntax;
	const char *text;
	size_t len;
	enum itf_error error;
	const char *name;
	enum itf_errno errnum;
	struct itf_span span;
	enum itf_hint hint;
};

struct itf_map_vector {
	u64 start;
	u64 size;
	u64 offset;
	u32 prot;
	const char *path;
};

struct itf_resolve_vector {
	const struct itf_map_vector *maps;
	size_t count;
	const char *text;
	size_t len;
	const char *exact; /* "start+size ...", "-" for nothing */
	const char *launch;
	const char *attach;
};

#include "vectors.h"

/* What one test needs, too large for the stack. */
struct scratch {
	char text[TEXT_SIZE];
	size_t used;
	struct itf_parser parser;
	struct itf_filter filter;
	struct itf_mapping maps[MAX_MAPS + ITF_SPACE_ROOM];
	struct itf_track launched;
	struct itf_track attached;
	struct itf_slot slots[4];
};

static struct scratch *scratch_new(struct kunit *test)
{
	struct scratch *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	return s;
}

static void say(struct scratch *s, const char *text, int len)
{
	s->used += scnprintf(s->text + s->used, sizeof(s->text) - s->used, "%.*s", len, text);
}

static void say_filter(struct scratch *s, const struct itf_filter *f)
{
	char numbers[64];

	if (s->used)
		say(s, " | ", 3);
	scnprintf(numbers, sizeof(numbers), "%s,%s,0x%llx,0x%llx,", itf_action_name(f->action),
		  itf_source_name(f->source), f->start, f->size);
	say(s, numbers, (int)strlen(numbers));
	if (f->path)
		say(s, f->path, (int)f->path_len);
	else
		say(s, "-", 1);
}

static void grammar_gives_the_filters_or_the_errno(struct kunit *test)
{
	struct scratch *s = scratch_new(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(itf_grammar_vectors); i++) {
		const struct itf_grammar_vector *v = &itf_grammar_vectors[i];
		const char *result = "ok";

		s->used = 0;
		s->text[0] = '\0';
		itf_parser_init(&s->parser, v->text, v->len, &v->syntax);
		while (itf_parser_next(&s->parser, &s->filter))
			say_filter(s, &s->filter);
		if (s->parser.error)
			result = itf_errno_name(itf_error_errno(s->parser.error));
		KUNIT_EXPECT_STREQ_MSG(test, result, v->result, "%s", v->text);
		if (!s->parser.error)
			KUNIT_EXPECT_STREQ_MSG(test, (const char *)s->text, v->filters, "%s",
					       v->text);
	}
}

static void errors_have_their_place_and_stick(struct kunit *test)
{
	struct scratch *s = scratch_new(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(itf_error_vectors); i++) {
		const struct itf_error_vector *v = &itf_error_vectors[i];
		int calls = 0;

		itf_parser_init(&s->parser, v->text, v->len, &v->syntax);
		while (itf_parser_next(&s->parser, &s->filter) && calls < 1000)
			calls++;
		KUNIT_EXPECT_STREQ_MSG(test, itf_error_name(s->parser.error), v->name, "%s",
				       v->text);
		KUNIT_EXPECT_EQ_MSG(test, s->parser.error, v->error, "%s", v->text);
		KUNIT_EXPECT_EQ(test, itf_error_errno(s->parser.error), v->errnum);
		KUNIT_EXPECT_EQ_MSG(test, s->parser.span.off, v->span.off, "%s", v->text);
		KUNIT_EXPECT_EQ_MSG(test, s->parser.span.len, v->span.len, "%s", v->text);
		KUNIT_EXPECT_EQ_MSG(test, s->parser.hint, v->hint, "%s", v->text);
		KUNIT_EXPECT_FALSE(test, itf_parser_next(&s->parser, &s->filter));
		KUNIT_EXPECT_EQ(test, s->parser.error, v->error);
	}
}

/* Paths are the identity of files here: the object is the first mapping that has the path. */
static u64 object_of(const struct itf_resolve_vector *v, const char *path, size_t len)
{
	size_t i;

	for (i = 0; i < v->count; i++) {
		if (len && strlen(v->maps[i].path) == len && !memcmp(v->maps[i].path, path, len))
			return i + 1;
	}
	return 0;
}

static struct itf_mapping mapping_of(const struct itf_resolve_vector *v, size_t i)
{
	const struct itf_map_vector *m = &v->maps[i];

	return (struct itf_mapping){
		.start = m->start,
		.size = m->size,
		.offset = m->offset,
		.object = object_of(v, m->path, strlen(m->path)),
		.prot = m->prot,
	};
}

static const char *slot_text(struct scratch *s, const struct itf_slot *slot)
{
	if (!slot->matched)
		return "-";
	scnprintf(s->text, sizeof(s->text), "0x%llx+0x%llx", slot->range.start, slot->range.size);
	return s->text;
}

static const char *exact_text(struct scratch *s)
{
	struct itf_piece piece;
	struct itf_exact it;

	s->used = 0;
	itf_exact_init(&it, &s->launched.space, &s->filter);
	while (itf_exact_next(&it, &piece))
		s->used += scnprintf(s->text + s->used, sizeof(s->text) - s->used,
				     "%s0x%llx+0x%llx", s->used ? " " : "", piece.start,
				     piece.size);
	return s->used ? s->text : "-";
}

static void resolve_one(struct kunit *test, struct scratch *s, const struct itf_resolve_vector *v)
{
	const struct itf_syntax syntax = { .quotes = true };
	char path[64];
	size_t len, i;

	itf_parser_init(&s->parser, v->text, v->len, &syntax);
	KUNIT_ASSERT_TRUE_MSG(test, itf_parser_next(&s->parser, &s->filter), "%s", v->text);
	len = itf_path_decode(&s->filter, path, sizeof(path));
	KUNIT_ASSERT_LE(test, len, sizeof(path));
	s->filter.object = object_of(v, path, len);

	/* The set first, then the mappings. */
	itf_space_init(&s->launched.space, s->maps, ARRAY_SIZE(s->maps), 64);
	itf_track_set(&s->launched, &s->filter, 1, &s->slots[0], &s->slots[1]);
	for (i = 0; i < v->count; i++) {
		const struct itf_mapping mapping = mapping_of(v, i);

		KUNIT_ASSERT_EQ(test, itf_track_mmap(&s->launched, &mapping), ITF_OK);
	}
	KUNIT_EXPECT_STREQ_MSG(test, exact_text(s), v->exact, "%s", v->text);
	KUNIT_EXPECT_STREQ_MSG(test, slot_text(s, &s->slots[0]), v->launch, "%s", v->text);

	/* The mappings first, then the set. */
	s->attached.space = s->launched.space;
	itf_track_set(&s->attached, &s->filter, 1, &s->slots[2], &s->slots[3]);
	KUNIT_EXPECT_STREQ_MSG(test, slot_text(s, &s->slots[3]), v->attach, "%s", v->text);
}

static void resolve_gives_all_three_answers(struct kunit *test)
{
	struct scratch *s = scratch_new(test);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(itf_resolve_vectors); i++)
		resolve_one(test, s, &itf_resolve_vectors[i]);
}

static struct kunit_case itf_parser_cases[] = {
	KUNIT_CASE(grammar_gives_the_filters_or_the_errno),
	KUNIT_CASE(errors_have_their_place_and_stick),
	{ },
};

static struct kunit_suite itf_parser_suite = {
	.name = "itf_parser",
	.test_cases = itf_parser_cases,
};

static struct kunit_case itf_tracker_cases[] = {
	KUNIT_CASE(resolve_gives_all_three_answers),
	{ },
};

static struct kunit_suite itf_tracker_suite = {
	.name = "itf_tracker",
	.test_cases = itf_tracker_cases,
};

kunit_test_suites(&itf_parser_suite, &itf_tracker_suite);
