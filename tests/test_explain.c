// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The notes that follow from the mappings alone (SPEC 4), with Linux's answers from a track. */
#include <itf/track.h>

#include <string.h>

#include "runner.h"

#define R ITF_PROT_READ
#define RX (ITF_PROT_READ | ITF_PROT_EXEC)
#define RW (ITF_PROT_READ | ITF_PROT_WRITE)
#define MAX 8

#define NOT_MAPPED ITF_NOTE_BIT(ITF_NOTE_NOT_MAPPED)
#define TOUCHING ITF_NOTE_BIT(ITF_NOTE_TOUCHING_MAPPING)
#define NON_EXEC ITF_NOTE_BIT(ITF_NOTE_NON_EXEC_FIRST)
#define SEVERAL ITF_NOTE_BIT(ITF_NOTE_SEVERAL_MAPPINGS)
#define CUT ITF_NOTE_BIT(ITF_NOTE_CUT_BY_MAPPING)
#define NO_EXEC ITF_NOTE_BIT(ITF_NOTE_NO_EXEC_BYTES)
#define ANONYMOUS ITF_NOTE_BIT(ITF_NOTE_ANONYMOUS_TEXT)
#define NOT_MAINLINE ITF_NOTE_BIT(ITF_NOTE_NOT_IN_MAINLINE)

static const struct itf_mapping empty[MAX];

static const struct itf_mapping separate_code[MAX] = {
	{ 0x400000, 0x2000, 0, 1, R },
	{ 0x402000, 0x4000, 0x2000, 1, RX },
	{ 0x406000, 0x2000, 0x6000, 1, R },
	{ 0x408000, 0x2000, 0x7000, 1, RW },
};

static const struct itf_mapping split_text[MAX] = {
	{ 0x400000, 0x2000, 0, 1, RX },
	{ 0x402000, 0x2000, 0x2000, 1, RX },
};

/* The file's middle first, then its end, then its start. */
static const struct itf_mapping shuffled[MAX] = {
	{ 0x400000, 0x1000, 0x1000, 1, RX },
	{ 0x500000, 0x1000, 0x2000, 1, RX },
	{ 0x600000, 0x1000, 0, 1, RX },
};

static const struct itf_mapping backwards[MAX] = {
	{ 0x400000, 0x1000, 0x2000, 1, RX },
	{ 0x500000, 0x1800, 0x800, 1, RX },
	{ 0x600000, 0x1000, 0, 1, RX },
};

static const struct itf_mapping text_with_hole[MAX] = {
	{ 0x400000, 0x1000, 0, 1, RX },
	{ 0x402000, 0x1000, 0x2000, 1, RX },
};

/* Text copied to huge pages: anonymous memory where file bytes [0x2000, 0x5000) belong. */
static const struct itf_mapping huge_text[MAX] = {
	{ 0x400000, 0x1000, 0, 1, R },	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX }, { 0x403000, 0x1000, 0, 0, RW },
	{ 0x404000, 0x1000, 0, 0, RX }, { 0x405000, 0x1000, 0x5000, 1, RX },
};

/* The same right behind the start of the file. */
static const struct itf_mapping huge_text_at_0[MAX] = {
	{ 0x400000, 0x1000, 0, 1, RX },
	{ 0x401000, 0x1000, 0, 0, RX },
	{ 0x402000, 0x1000, 0x2000, 1, RX },
};

static const struct itf_mapping jit_behind[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX },
};

static const struct itf_mapping jit_between_copies[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX },
	{ 0x801000, 0x1000, 0x1000, 1, RX },
};

static const struct itf_mapping jit_between_whole_copies[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX },
	{ 0x801000, 0x1000, 0x1000, 1, RX },
	{ 0x802000, 0x1000, 0x2000, 1, RX },
};

static const struct itf_mapping jit_not_adjacent[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402800, 0x800, 0, 0, RX },
	{ 0x403000, 0x1000, 0x3000, 1, RX },
};

static const struct itf_mapping anonymous_data[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RW },
	{ 0x403000, 0x1000, 0x3000, 1, RX },
};

static const struct itf_mapping foreign_between[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX },
	{ 0x403000, 0x1000, 0, 2, RX },
	{ 0x404000, 0x1000, 0x4000, 1, RX },
};

static const struct itf_mapping hole_not_full[MAX] = {
	{ 0x401000, 0x1000, 0x1000, 1, RX },
	{ 0x402000, 0x1000, 0, 0, RX },
	{ 0x404000, 0x1000, 0x4000, 1, RX },
};

static const struct itf_mapping hole_at_the_last_byte[MAX] = {
	{ 0x400000, 0x1000, ~(u64)0 - 0x1fff, 1, RX },
	{ 0x401000, 0x2000, 0, 0, RX },
	{ 0x403000, 0x1000, ~(u64)0 - 0xfff, 1, R },
};

static const struct itf_mapping hole_beyond_the_last_byte[MAX] = {
	{ 0x400000, 0x1000, ~(u64)0 - 0xfff, 1, RX },
	{ 0x401000, 0x1000, 0, 0, RX },
	{ 0x402000, 0x1000, ~(u64)0 - 0x7ff, 1, R },
};

static const struct {
	const char *name;
	const struct itf_mapping *maps;
	struct itf_range want;
	u32 notes;
} rows[] = {
	{ "nothing to say", separate_code, { 0x2500, 0x100 }, 0 },
	{ "empty space", empty, { 0x2500, 0x100 }, NOT_MAPPED },
	{ "beyond every mapping", separate_code, { 0x9001, 0x100 }, NOT_MAPPED },
	{ "touching the last", separate_code, { 0x9000, 0x100 }, NOT_MAPPED | TOUCHING },
	{ "touching on attach", separate_code, { 0x2000, 0x100 }, TOUCHING | NON_EXEC },
	{ "touching on launch", separate_code, { 0x1f00, 0x100 }, TOUCHING | NO_EXEC },
	{ "data", separate_code, { 0x7800, 0x100 }, NO_EXEC },
	{ "whole file", separate_code, { 0, 0x9000 }, NON_EXEC | CUT },
	{ "start in data before", separate_code, { 0x1f00, 0x200 }, NON_EXEC | CUT },
	{ "end in data behind", separate_code, { 0x5f00, 0x200 }, CUT },
	{ "end beyond the file", split_text, { 0x3f00, 0x200 }, CUT },
	{ "a point", separate_code, { 0x2500, 0 }, 0 },
	{ "a point in data", separate_code, { 0x7800, 0 }, NO_EXEC },
	{ "a point at the boundary (R20)", separate_code, { 0x2000, 0 }, TOUCHING | NON_EXEC },
	{ "both halves", split_text, { 0x1f00, 0x200 }, SEVERAL },
	{ "one half", split_text, { 0x1e00, 0x100 }, 0 },
	{ "shuffled, whole", shuffled, { 0, 0x3000 }, SEVERAL },
	{ "shuffled, too long", shuffled, { 0, 0x3001 }, SEVERAL | CUT },
	{ "backwards, whole", backwards, { 0, 0x3000 }, SEVERAL },
	{ "backwards, too long", backwards, { 0x10, 0x3000 }, SEVERAL | CUT },
	{ "hole", text_with_hole, { 0x800, 0x2000 }, SEVERAL | CUT },
	{ "beside the hole", text_with_hole, { 0x800, 0x400 }, 0 },
	{ "in the hole", text_with_hole, { 0x1800, 0x400 }, NOT_MAPPED },

	{ "all around", huge_text, { 0x1010, 0x4000 }, SEVERAL | CUT | ANONYMOUS },
	{ "in the first anonymous part", huge_text, { 0x2010, 0x10 }, NOT_MAPPED | ANONYMOUS },
	{ "behind the start of the file", huge_text_at_0, { 0x1800, 0x10 }, NOT_MAPPED | ANONYMOUS },
	{ "a point there", huge_text, { 0x2fff, 0 }, NOT_MAPPED | ANONYMOUS },
	{ "in the second one", huge_text, { 0x4ff0, 0x10 }, NOT_MAPPED | TOUCHING | ANONYMOUS },
	{ "in the one that is not executable", huge_text, { 0x3010, 0x10 }, NOT_MAPPED },
	{ "in the file before", huge_text, { 0x1010, 0x10 }, 0 },
	{ "behind the last mapping", jit_behind, { 0x1800, 0x1000 }, CUT },
	{ "between two copies", jit_between_copies, { 0x1800, 0x1000 }, SEVERAL | CUT },
	{ "between two copies, the second whole",
	  jit_between_whole_copies,
	  { 0x1800, 0x1000 },
	  SEVERAL },
	{ "not adjacent", jit_not_adjacent, { 0x1800, 0x1900 }, SEVERAL | CUT },
	{ "anonymous data", anonymous_data, { 0x1800, 0x1900 }, SEVERAL | CUT },
	{ "another file in the hole", foreign_between, { 0x1800, 0x2900 }, SEVERAL | CUT },
	{ "a hole half filled", hole_not_full, { 0x2800, 0x100 }, NOT_MAPPED | ANONYMOUS },
	{ "the empty half", hole_not_full, { 0x3800, 0x100 }, NOT_MAPPED },
	{ "up to the last byte", hole_at_the_last_byte, { ~(u64)0, 0 }, NO_EXEC | ANONYMOUS },
	{ "bytes that do not exist", hole_beyond_the_last_byte, { 0, 0x10 }, NOT_MAPPED },
};

struct fixture {
	struct itf_mapping room[MAX];
	struct itf_track track;
	struct itf_filter filter;
	struct itf_slot launch, attach, unused;
};

/* Launch as if the mappings had come in address order; attach now. */
static void run(struct fixture *f, const struct itf_mapping *maps)
{
	size_t i;

	itf_space_init(&f->track.space, f->room, MAX, 64);
	itf_track_set(&f->track, &f->filter, 1, &f->launch, &f->unused);
	for (i = 0; i < MAX && maps[i].size; i++)
		ck_assert_int_eq(itf_track_mmap(&f->track, &maps[i]), ITF_OK);
	itf_linux_reset(&f->filter, 1, &f->attach);
	for (i = 0; i < MAX && maps[i].size; i++)
		itf_linux_attach(&f->filter, 1, &maps[i], 64, &f->attach);
	/* What lies behind the last mapping is none, whatever it looks like. */
	if (i > 0 && i < MAX)
		f->room[i] = (struct itf_mapping){ f->room[i - 1].start + f->room[i - 1].size,
						   0x1000, 0x7ffffffff000, 1, RX };
}

START_TEST(notes_tell_what_the_mappings_do)
{
	struct fixture f = { .filter = {
				     .action = ITF_ACTION_STOP,
				     .source = ITF_SOURCE_FILE,
				     .object = 1,
				     .start = rows[_i].want.start,
				     .size = rows[_i].want.size,
				     .path = "/f",
				     .path_len = 2,
			     } };
	u32 notes;

	run(&f, rows[_i].maps);
	notes = itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach);
	ck_assert_msg(notes == rows[_i].notes, "%s: 0x%x, not 0x%x", rows[_i].name,
		      (unsigned int)notes, (unsigned int)rows[_i].notes);
	/* Without Linux's answers all is there but what tells of them. */
	notes = itf_explain(&f.track.space, &f.filter, NULL, NULL);
	ck_assert_uint_eq(notes, rows[_i].notes & ~(TOUCHING | NON_EXEC));
}
END_TEST

START_TEST(each_answer_brings_its_own_notes)
{
	struct fixture f = { .filter = {
				     .action = ITF_ACTION_FILTER,
				     .source = ITF_SOURCE_FILE,
				     .object = 1,
				     .start = 0x2000,
				     .size = 0x100,
				     .path = "/f",
				     .path_len = 2,
			     } };
	const struct itf_space *space = &f.track.space;

	/* Only attach touches, and only attach can have taken a mapping that is not executable. */
	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(space, &f.filter, &f.launch, NULL), 0);
	ck_assert_uint_eq(itf_explain(space, &f.filter, NULL, &f.attach), TOUCHING | NON_EXEC);
	f.filter.start = 0x1f00;
	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(space, &f.filter, &f.launch, NULL), TOUCHING | NO_EXEC);
	ck_assert_uint_eq(itf_explain(space, &f.filter, NULL, &f.attach), NO_EXEC);
}
END_TEST

START_TEST(kernel_filters_get_no_notes_of_mappings)
{
	struct fixture f = { .filter = {
				     .action = ITF_ACTION_FILTER,
				     .source = ITF_SOURCE_KERNEL,
				     .object = 1,
				     .start = 0x2000,
				     .size = 0x100,
			     } };

	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach), 0);
	f.filter.size = 0;
	run(&f, empty);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach),
			  NOT_MAINLINE);
}
END_TEST

START_TEST(what_mainline_cannot_say_is_noted)
{
	struct fixture f = { .filter = {
				     .action = ITF_ACTION_FILTER,
				     .source = ITF_SOURCE_FILE,
				     .object = 1,
				     .start = 0x2500,
				     .path = "/f",
				     .path_len = 2,
			     } };

	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach),
			  NOT_MAINLINE);
	/* The point is looked for all the same; Linux's boundaries do not matter to it. */
	f.filter.start = 0x6000;
	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach),
			  NOT_MAINLINE | NO_EXEC);
	f.filter.size = 0x10;
	f.filter.start = 0x2500;
	f.filter.path = "/a b";
	f.filter.path_len = 4;
	run(&f, separate_code);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach),
			  NOT_MAINLINE);
}
END_TEST

START_TEST(a_filter_without_an_object_is_not_mapped)
{
	struct fixture f = { .filter = {
				     .action = ITF_ACTION_STOP,
				     .source = ITF_SOURCE_FILE,
				     .start = 0x2010,
				     .size = 0x10,
				     .path = "/f",
				     .path_len = 2,
			     } };

	run(&f, huge_text);
	ck_assert_uint_eq(itf_explain(&f.track.space, &f.filter, &f.launch, &f.attach), NOT_MAPPED);
}
END_TEST

static const char *const names[ITF_NOTE_COUNT] = {
	"not-mapped",	  "touching-mapping", "non-exec-first",	    "several-mappings",
	"cut-by-mapping", "no-exec-bytes",    "looks-like-address", "deleted-file",
	"replaced-file",  "overlay-device",   "anonymous-text",	    "non-canonical",
	"may-be-stale",	  "threads-differ",   "not-in-mainline",    "truncated-maps",
};

START_TEST(every_note_has_its_code_and_a_sentence)
{
	const char *message = itf_note_message((enum itf_note)_i);

	ck_assert_str_eq(itf_note_name((enum itf_note)_i), names[_i]);
	ck_assert_uint_gt(strlen(message), 10);
	ck_assert(message[strlen(message) - 1] != '.' && !strchr(message, '\n'));
}
END_TEST

START_TEST(no_note_is_unknown)
{
	ck_assert_str_eq(itf_note_name(ITF_NOTE_COUNT), "unknown");
	ck_assert_str_eq(itf_note_message(ITF_NOTE_COUNT), "unknown note");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("explain");
	TCase *t = tcase_create("explain");

	tcase_add_loop_test(t, notes_tell_what_the_mappings_do, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(t, each_answer_brings_its_own_notes);
	tcase_add_test(t, kernel_filters_get_no_notes_of_mappings);
	tcase_add_test(t, what_mainline_cannot_say_is_noted);
	tcase_add_test(t, a_filter_without_an_object_is_not_mapped);
	tcase_add_loop_test(t, every_note_has_its_code_and_a_sentence, 0, ITF_NOTE_COUNT);
	tcase_add_test(t, no_note_is_unknown);
	suite_add_tcase(s, t);
	return run_suite(s);
}
