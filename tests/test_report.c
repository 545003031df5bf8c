// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Reports: what is copied, verdicts, notes in their order, hardware views, the exit status. */
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/report.h"
#include "runner.h"
#include "support.h"

#define TEXT (ITF_PROT_READ | ITF_PROT_EXEC)

/* A set, its objects by name, a process and a report that is about to be made of them. */
struct scene {
	struct filter_set set;
	struct objects objects;
	struct process process;
	struct report report;
};

static void begin(struct scene *scene, const char *filters, const struct itf_pmu *pmu,
		  enum report_judge judge)
{
	const struct itf_syntax syntax = { .quotes = true };

	ck_assert(set_parse(&scene->set, filters, strlen(filters), &syntax));
	ck_assert_int_eq(scene->set.error, ITF_OK);
	ck_assert(objects_by_name(&scene->objects, &scene->set));
	ck_assert(process_init(&scene->process, &scene->set, 64));
	report_init(&scene->report, &scene->set, pmu, judge);
}

static void end(struct scene *scene)
{
	report_free(&scene->report);
	process_free(&scene->process);
	objects_free(&scene->objects);
	set_free(&scene->set);
}

static void map(struct scene *scene, u64 start, u64 size, u64 offset, u64 object, u32 prot)
{
	struct itf_mapping mapping = {
		.start = start, .size = size, .offset = offset, .object = object, .prot = prot
	};

	ck_assert_int_eq(process_mmap(&scene->process, &mapping), ITF_OK);
}

static const struct report_filter *add(struct scene *scene)
{
	struct report_process *entry;

	process_attach(&scene->process);
	entry = report_add(&scene->report, &scene->process, &scene->objects);
	ck_assert_ptr_nonnull(entry);
	return entry->filters;
}

/* The notes of a filter by name, each followed by its detail if it has one. */
static const char *notes_of(const struct report_filter *filter)
{
	static char text[1024];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < filter->note_count; i++) {
		const struct report_note *note = &filter->notes[i];

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s%s%s", i ? " " : "",
					itf_note_name(note->code), note->detail ? "(" : "",
					note->detail ? note->detail : "", note->detail ? ")" : "");
	}
	return text;
}

/* ---------------------------------------------------------------------- verdicts */

/* A mapping that cannot be executed right below one that can: launch and attach differ. */
static const struct {
	const char *filter;
	enum report_judge judge;
	enum itf_verdict verdict;
} verdicts[] = {
	{ "filter 0/0x2000@/f", JUDGE_LAUNCH, ITF_VERDICT_COVERED },
	{ "filter 0/0x2000@/f", JUDGE_ATTACH, ITF_VERDICT_NONE },
	{ "filter 0/0x2000@/f", JUDGE_WORSE, ITF_VERDICT_NONE },
	{ "filter 0x1000/0x10@/f", JUDGE_LAUNCH, ITF_VERDICT_COVERED },
	{ "filter 0x1000/0x10@/f", JUDGE_ATTACH, ITF_VERDICT_RUNAWAY },
	{ "filter 0x1000/0x10@/f", JUDGE_WORSE, ITF_VERDICT_RUNAWAY },
	{ "filter 0x800/0x800@/f", JUDGE_LAUNCH, ITF_VERDICT_RUNAWAY },
	{ "filter 0x800/0x800@/f", JUDGE_ATTACH, ITF_VERDICT_NONE },
	{ "filter 0x800/0x800@/f", JUDGE_WORSE, ITF_VERDICT_RUNAWAY },
	{ "filter kernel:0/1", JUDGE_WORSE, ITF_VERDICT_COVERED },
	{ "filter 0/1@/g", JUDGE_WORSE, ITF_VERDICT_NONE },
};

START_TEST(the_verdict_is_about_the_answer_asked_for)
{
	struct scene scene;
	char text[256];

	/* The first filter makes "/f" object 1, whatever the second is about. */
	snprintf(text, sizeof(text), "filter 0/1@/f,%s", verdicts[_i].filter);
	begin(&scene, text, NULL, verdicts[_i].judge);
	map(&scene, 0x400000, 0x1000, 0, 1, ITF_PROT_READ);
	map(&scene, 0x401000, 0x1000, 0x1000, 1, TEXT);
	ck_assert_int_eq(add(&scene)[1].verdict, verdicts[_i].verdict);
	end(&scene);
}
END_TEST

/* ---------------------------------------------------------------------- notes */

START_TEST(notes_stand_in_the_order_of_the_list)
{
	struct scene scene;
	struct report_filter *filter;

	begin(&scene, "filter 0/1@/f", NULL, JUDGE_ATTACH);
	map(&scene, 0x1000, 0x1000, 0, 1, TEXT);
	filter = (struct report_filter *)add(&scene);
	ck_assert_str_eq(notes_of(filter), "");
	ck_assert(report_note(filter, ITF_NOTE_THREADS_DIFFER, "5"));
	ck_assert(report_note(filter, ITF_NOTE_NOT_MAPPED, NULL));
	ck_assert(report_note(filter, ITF_NOTE_TRUNCATED_MAPS, NULL));
	ck_assert(report_note(filter, ITF_NOTE_MAY_BE_STALE, NULL));
	ck_assert_str_eq(notes_of(filter),
			 "not-mapped may-be-stale threads-differ(5) truncated-maps");
	/* Once each, and the newest detail wins. */
	ck_assert(report_note(filter, ITF_NOTE_THREADS_DIFFER, NULL));
	ck_assert(report_note(filter, ITF_NOTE_MAY_BE_STALE, "a"));
	ck_assert_str_eq(notes_of(filter),
			 "not-mapped may-be-stale(a) threads-differ(5) truncated-maps");
	ck_assert(report_note(filter, ITF_NOTE_THREADS_DIFFER, "6"));
	ck_assert_str_eq(notes_of(filter),
			 "not-mapped may-be-stale(a) threads-differ(6) truncated-maps");
	end(&scene);
}
END_TEST

START_TEST(what_is_known_of_process_and_object_becomes_notes)
{
	const struct report_filter *filters;
	struct scene scene;

	begin(&scene, "filter 0/1@/f,filter 0/1@/g,filter kernel:0/1", NULL, JUDGE_ATTACH);
	map(&scene, 0x1000, 0x1000, 0, 1, TEXT);
	map(&scene, 0x2000, 0x1000, 0, 2, TEXT);
	scene.process.notes = ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE) |
			      ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS);
	scene.objects.list[1].seen = ITF_NOTE_BIT(ITF_NOTE_REPLACED_FILE);
	filters = add(&scene);
	ck_assert_str_eq(notes_of(&filters[0]), "may-be-stale truncated-maps");
	ck_assert_str_eq(notes_of(&filters[1]), "replaced-file may-be-stale truncated-maps");
	/* A kernel filter needs no mapping. */
	ck_assert_str_eq(notes_of(&filters[2]), "");
	end(&scene);
}
END_TEST

START_TEST(both_answers_are_explained_whichever_is_judged)
{
	struct scene scene;

	for (enum report_judge judge = JUDGE_LAUNCH; judge <= JUDGE_WORSE; judge++) {
		begin(&scene, "filter 0x1000/0x10@/f", NULL, judge);
		map(&scene, 0x400000, 0x1000, 0, 1, ITF_PROT_READ);
		map(&scene, 0x401000, 0x1000, 0x1000, 1, TEXT);
		ck_assert_ptr_nonnull(strstr(notes_of(add(&scene)), "touching-mapping"));
		end(&scene);
	}
}
END_TEST

/*
 * A report looks only at the mappings that matter to an object. Over every arrangement of a few
 * small mappings of two objects, another file and anonymous memory, with and without gaps, answers,
 * verdict and notes must be those over all mappings.
 */
static void compare_with_all(struct scene *scene, const struct report_filter *filters)
{
	const struct itf_track *track = &scene->process.track;

	for (size_t i = 0; i < scene->set.count; i++) {
		const struct itf_filter *filter = &scene->set.filters[i];
		const struct report_filter *got = &filters[i];
		struct itf_piece piece;
		struct itf_exact it;
		size_t count = 0;
		u32 notes = 0;

		itf_exact_init(&it, &track->space, filter);
		for (; itf_exact_next(&it, &piece); count++) {
			ck_assert_uint_lt(count, got->exact_count);
			ck_assert_uint_eq(got->exact[count].start, piece.start);
			ck_assert_uint_eq(got->exact[count].size, piece.size);
		}
		ck_assert_uint_eq(got->exact_count, count);
		ck_assert_int_eq(got->verdict, itf_judge(&track->space, filter, &track->attach[i]));
		for (size_t n = 0; n < got->note_count; n++)
			notes |= ITF_NOTE_BIT(got->notes[n].code);
		ck_assert_uint_eq(notes, itf_explain(&track->space, filter, &track->launch[i],
						     &track->attach[i]));
	}
}

START_TEST(a_report_is_what_all_mappings_say)
{
	static const u64 kinds[] = { 1, 2, OBJECT_OTHER, 0 };
	static const char filters[] = "filter 0/0x8000@/f,filter 0x2000/0x1000@/f,filter 0/9@/g";
	struct scene scene;

	/* Four mappings, two bits each for what they show and one for a gap before them. */
	for (unsigned int bits = 0; bits < 4096; bits++) {
		u64 start = 0x1000000;

		begin(&scene, filters, NULL, JUDGE_ATTACH);
		for (unsigned int i = 0; i < 4; i++) {
			unsigned int kind = bits >> 3 * i & 3;

			start += bits >> 3 * i & 4 ? 0x1000 : 0;
			map(&scene, start, 0x1000, kind < 2 ? i * 0x1000 : 0, kinds[kind], TEXT);
			start += 0x1000;
		}
		compare_with_all(&scene, add(&scene));
		end(&scene);
	}
}
END_TEST

/* ---------------------------------------------------------------------- addresses for offsets */

static char elf_path[64];

/* A program whose one segment is 0x400000 above its offset, in a file of one page. */
static void make_elf(void)
{
	const u16 one = 1;
	Elf64_Ehdr header = { .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT };
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000 };
	int fd;

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = *(const u8 *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	header.e_ehsize = sizeof(header);
	header.e_phoff = sizeof(header);
	header.e_phentsize = sizeof(segment);
	header.e_phnum = 1;
	segment.p_filesz = 0x1000;
	segment.p_memsz = 0x1000;
	strcpy(elf_path, "/tmp/itf-test-XXXXXX");
	fd = mkstemp(elf_path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, &header, sizeof(header)), sizeof(header));
	ck_assert_int_eq(write(fd, &segment, sizeof(segment)), sizeof(segment));
	ck_assert_int_eq(ftruncate(fd, 0x1000), 0);
	close(fd);
}

static void remove_elf(void)
{
	unlink(elf_path);
}

#define DETAIL "the file ends at 0x1000; virtual address 0x400580 is at file offset 0x580"

START_TEST(an_address_is_noted_unless_the_filter_is_covered)
{
	static const pid_t no_pid = 0x3fffffff;
	pid_t pids[] = { 0, getpid(), no_pid };
	struct scene scene;
	char text[256];

	for (size_t i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "start 0x400580@%s,start 0x580@%s", elf_path,
			 elf_path);
		begin(&scene, text, NULL, JUDGE_ATTACH);
		scene.process.pid = pids[i];
		map(&scene, 0x400000, 0x1000, 0, 1, TEXT);
		ck_assert_str_eq(notes_of(&add(&scene)[0]),
				 "not-mapped looks-like-address(" DETAIL ")");
		ck_assert_str_eq(notes_of(&scene.report.processes[0].filters[1]), "");
		/* What is mapped that far into a file cannot be an address. */
		map(&scene, 0x400000, 0x1000, 0x400000, 1, TEXT);
		ck_assert_str_eq(notes_of(&add(&scene)[0]), "");
		end(&scene);
	}
}
END_TEST

START_TEST(no_file_is_needed_for_a_report)
{
	struct scene scene;

	begin(&scene, "start 0x400580@/no/such/file,start 0x400580@/", NULL, JUDGE_ATTACH);
	ck_assert_str_eq(notes_of(&add(&scene)[0]), "not-mapped");
	ck_assert_str_eq(notes_of(&scene.report.processes[0].filters[1]), "not-mapped");
	end(&scene);
}
END_TEST

/* ---------------------------------------------------------------------- the hardware's view */

START_TEST(the_hardware_view_is_of_what_is_programmed)
{
	const struct report_filter *filters;
	struct itf_pmu pmu;
	struct scene scene;

	itf_pmu_init(&pmu, &itf_pmu_intel_pt);
	begin(&scene,
	      "filter 0/256@/f,filter 0/1@/g,stop 0x800000000000/1,filter 0x7ffffffff000/0x10000",
	      &pmu, JUDGE_ATTACH);
	map(&scene, 0x400000, 0x1000, 0, 1, TEXT);
	filters = add(&scene);
	ck_assert(filters[0].launch_has_hw);
	ck_assert_uint_eq(filters[0].launch_hw.first, 0x400000);
	ck_assert_uint_eq(filters[0].launch_hw.last, 0x4000ff);
	ck_assert_uint_eq(filters[0].launch_hw.config, 1);
	ck_assert(filters[0].attach_has_hw);
	/* No mapping, nothing programmed. */
	ck_assert(!filters[1].launch_has_hw);
	ck_assert(!filters[1].attach_has_hw);
	/* No byte is canonical: nothing programmed, but said. */
	ck_assert(!filters[2].launch_has_hw);
	ck_assert_str_eq(notes_of(&filters[2]), "non-canonical");
	ck_assert(filters[3].launch_has_hw);
	ck_assert_uint_eq(filters[3].launch_hw.last, 0x7fffffffffff);
	ck_assert_str_eq(notes_of(&filters[3]), "non-canonical");
	end(&scene);
}
END_TEST

START_TEST(what_matched_nothing_has_no_hardware_view)
{
	struct itf_pmu pmu;
	struct scene scene;

	itf_pmu_init(&pmu, &itf_pmu_any);
	begin(&scene, "start 0@/f,start kernel:0", &pmu, JUDGE_ATTACH);
	ck_assert(!add(&scene)[0].launch_has_hw);
	ck_assert(!scene.report.processes[0].filters[0].attach_has_hw);
	ck_assert(scene.report.processes[0].filters[1].attach_has_hw);
	end(&scene);
}
END_TEST

START_TEST(without_a_model_there_is_no_hardware_view)
{
	struct scene scene;

	begin(&scene, "filter kernel:0x800000000000/0x1000", NULL, JUDGE_ATTACH);
	ck_assert(!add(&scene)->launch_has_hw);
	ck_assert_str_eq(notes_of(scene.report.processes[0].filters), "");
	end(&scene);
}
END_TEST

/* ---------------------------------------------------------------------- entries */

START_TEST(an_entry_is_the_process_as_it_was)
{
	struct scene scene;

	begin(&scene, "filter 0/0x3000@/f", NULL, JUDGE_LAUNCH);
	ck_assert(process_comm(&scene.process, "a\0b", 3));
	scene.process.pid = 7;
	map(&scene, 0x1000, 0x1000, 0, 1, TEXT);
	map(&scene, 0x5000, 0x1000, 0x1000, 1, TEXT);
	map(&scene, 0x9000, 0x1000, 0x2000, 1, TEXT);
	add(&scene);
	itf_track_exit(&scene.process.track);
	ck_assert(process_comm(&scene.process, "new", 3));
	add(&scene);
	add(&scene);
	ck_assert_uint_eq(scene.report.count, 3);
	ck_assert_int_eq(scene.report.processes[0].pid, 7);
	ck_assert_uint_eq(scene.report.processes[0].comm_len, 3);
	ck_assert_mem_eq(scene.report.processes[0].comm, "a\0b", 3);
	ck_assert_uint_eq(scene.report.processes[0].filters[0].exact_count, 3);
	ck_assert_uint_eq(scene.report.processes[0].filters[0].exact[2].start, 0x9000);
	ck_assert_uint_eq(scene.report.processes[0].filters[0].exact[2].offset, 0x2000);
	ck_assert_uint_eq(scene.report.processes[1].filters[0].exact_count, 0);
	ck_assert_mem_eq(scene.report.processes[2].comm, "new", 3);
	end(&scene);
}
END_TEST

START_TEST(an_empty_set_has_entries_without_filters)
{
	struct scene scene;

	begin(&scene, "", NULL, JUDGE_LAUNCH);
	add(&scene);
	ck_assert(!report_trouble(&scene.report));
	ck_assert_ptr_null(scene.report.processes[0].comm);
	end(&scene);
}
END_TEST

static const struct {
	enum itf_verdict verdicts[2][2]; /* of two filters in two processes */
	bool trouble;
} troubles[] = {
#define C ITF_VERDICT_COVERED
#define P ITF_VERDICT_PARTIAL
#define N ITF_VERDICT_NONE
#define R ITF_VERDICT_RUNAWAY
#define U ITF_VERDICT_UNKNOWN
	{ { { C, C }, { C, C } }, false }, { { { P, P }, { P, P } }, false },
	{ { { N, C }, { C, N } }, false }, { { { U, C }, { P, N } }, false },
	{ { { N, C }, { N, C } }, true },  { { { C, U }, { C, U } }, true },
	{ { { C, U }, { C, N } }, true },  { { { R, C }, { C, C } }, true },
	{ { { C, C }, { C, R } }, true },
};

START_TEST(trouble_is_a_runaway_anywhere_or_nothing_everywhere)
{
	struct scene scene;

	begin(&scene, "filter 0/1@/f,filter 0/1@/g", NULL, JUDGE_LAUNCH);
	for (size_t p = 0; p < 2; p++) {
		add(&scene);
		for (size_t i = 0; i < 2; i++)
			scene.report.processes[p].filters[i].verdict = troubles[_i].verdicts[p][i];
	}
	ck_assert_int_eq(report_trouble(&scene.report), troubles[_i].trouble);
	end(&scene);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *all = tcase_create("all");
	TCase *files = tcase_create("files");

	tcase_add_loop_test(all, the_verdict_is_about_the_answer_asked_for, 0,
			    sizeof(verdicts) / sizeof(verdicts[0]));
	tcase_add_test(all, notes_stand_in_the_order_of_the_list);
	tcase_add_test(all, what_is_known_of_process_and_object_becomes_notes);
	tcase_add_test(all, both_answers_are_explained_whichever_is_judged);
	tcase_add_test(all, a_report_is_what_all_mappings_say);
	tcase_add_test(all, no_file_is_needed_for_a_report);
	tcase_add_test(all, the_hardware_view_is_of_what_is_programmed);
	tcase_add_test(all, what_matched_nothing_has_no_hardware_view);
	tcase_add_test(all, without_a_model_there_is_no_hardware_view);
	tcase_add_test(all, an_entry_is_the_process_as_it_was);
	tcase_add_test(all, an_empty_set_has_entries_without_filters);
	tcase_add_loop_test(all, trouble_is_a_runaway_anywhere_or_nothing_everywhere, 0,
			    sizeof(troubles) / sizeof(troubles[0]));
	suite_add_tcase(suite, all);
	tcase_add_checked_fixture(files, make_elf, remove_elf);
	tcase_add_test(files, an_address_is_noted_unless_the_filter_is_covered);
	suite_add_tcase(suite, files);
	return run_suite(suite);
}
