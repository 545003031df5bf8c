// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Resolving: the handed cases over maps files, judging incomplete input, and living processes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/resolve.h"
#include "runner.h"
#include "support.h"

static struct vectors cases;

/* Set, report and what became of it, for one text of filters. */
struct run {
	struct filter_set set;
	struct report report;
	struct maps_count count;
	struct trouble trouble;
	bool ok;
};

static void begin(struct run *run, const char *filters, enum report_judge judge)
{
	const struct itf_syntax syntax = { .quotes = true };

	memset(run, 0, sizeof(*run));
	ck_assert(set_parse(&run->set, filters, strlen(filters), &syntax));
	ck_assert_int_eq(run->set.error, ITF_OK);
	report_init(&run->report, &run->set, NULL, judge);
}

static void end(struct run *run)
{
	report_free(&run->report);
	set_free(&run->set);
}

static void over_file(struct run *run, const char *filters, int fd, unsigned int addr_bits)
{
	begin(run, filters, JUDGE_WORSE);
	run->ok = resolve_maps(&run->report, &run->set, fd, "the file", addr_bits, &run->count,
			       NULL, &run->trouble);
}

/* Over the text of a maps file, through a pipe. */
static void over_text(struct run *run, const char *filters, const char *text)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], text, strlen(text)), (ssize_t)strlen(text));
	close(fds[1]);
	over_file(run, filters, fds[0], 64);
	close(fds[0]);
}

static void over_pid(struct run *run, const char *filters, pid_t pid)
{
	begin(run, filters, JUDGE_ATTACH);
	run->ok = resolve_pid(&run->report, &run->set, pid, 64, &run->trouble);
}

static const struct report_filter *filter_of(const struct run *run, size_t index)
{
	ck_assert(run->ok);
	ck_assert_uint_eq(run->report.count, 1);
	ck_assert_uint_lt(index, run->set.count);
	return &run->report.processes[0].filters[index];
}

static bool has_note(const struct report_filter *filter, enum itf_note code)
{
	for (size_t i = 0; i < filter->note_count; i++) {
		if (filter->notes[i].code == code)
			return true;
	}
	return false;
}

/* ---------------------------------------------------------------------- the handed cases */

static void slot_text(const struct itf_slot *slot, char *text, size_t size)
{
	if (slot->matched)
		snprintf(text, size, "0x%llx+0x%llx", (unsigned long long)slot->range.start,
			 (unsigned long long)slot->range.size);
	else
		snprintf(text, size, "-");
}

static void exact_text(const struct report_filter *filter, char *text, size_t size)
{
	size_t len = 0;

	snprintf(text, size, "-");
	for (size_t i = 0; i < filter->exact_count; i++)
		len += (size_t)snprintf(text + len, size - len, "%s0x%llx+0x%llx", i ? " " : "",
					(unsigned long long)filter->exact[i].start,
					(unsigned long long)filter->exact[i].size);
}

START_TEST(a_case_agrees_in_all_three_answers)
{
	const struct vector *row = &cases.rows[_i];
	const char *srcdir = getenv("srcdir");
	const struct report_filter *filter;
	char path[4096], text[1024];
	struct run run;
	int fd;

	ck_assert_uint_eq(row->count, 5);
	snprintf(path, sizeof(path), "%s/tests/vectors/maps/%s.maps", srcdir ? srcdir : ".",
		 row->fields[0]);
	fd = open(path, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	over_file(&run, row->fields[1], fd, 64);
	close(fd);
	filter = filter_of(&run, 0);
	ck_assert_uint_eq(run.count.malformed, 0);
	exact_text(filter, text, sizeof(text));
	ck_assert_str_eq(text, row->fields[2]);
	slot_text(&filter->launch, text, sizeof(text));
	ck_assert_str_eq(text, row->fields[3]);
	slot_text(&filter->attach, text, sizeof(text));
	ck_assert_str_eq(text, row->fields[4]);
	ck_assert_int_eq(run.report.processes[0].pid, 0);
	ck_assert_ptr_null(run.report.processes[0].comm);
	end(&run);
}
END_TEST

/* ---------------------------------------------------------------------- maps files */

#define LINE(start, end, prot, offset, name) \
#start "-" #end " " prot " " #offset " fe:00 4711 " name "\n"

START_TEST(mappings_are_made_in_the_order_of_the_file)
{
	struct run run;

	/* The later line is the later mapping, wherever it lies; attach goes by address. */
	over_text(&run, "filter 0/0x10@/f",
		  LINE(5000, 6000, "r-xp", 0, "/f") LINE(1000, 2000, "r-xp", 0, "/f"));
	ck_assert_uint_eq(filter_of(&run, 0)->launch.range.start, 0x1000);
	ck_assert_uint_eq(filter_of(&run, 0)->attach.range.start, 0x1000);
	end(&run);
	over_text(&run, "filter 0/0x10@/f",
		  LINE(1000, 2000, "r-xp", 0, "/f") LINE(5000, 6000, "r-xp", 0, "/f"));
	ck_assert_uint_eq(filter_of(&run, 0)->launch.range.start, 0x5000);
	ck_assert_uint_eq(filter_of(&run, 0)->attach.range.start, 0x1000);
	end(&run);
}
END_TEST

START_TEST(malformed_lines_are_counted_and_the_rest_is_used)
{
	struct run run;

	over_text(&run, "filter 0/0x10@/f", "bad\n" LINE(1000, 2000, "r-xp", 0, "/f") "bad\n");
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(run.count.lines, 3);
	ck_assert_uint_eq(run.count.malformed, 2);
	ck_assert_uint_eq(run.count.first_malformed, 1);
	ck_assert(!has_note(filter_of(&run, 0), ITF_NOTE_TRUNCATED_MAPS));
	end(&run);
}
END_TEST

START_TEST(a_mapping_beyond_the_address_width_is_malformed)
{
	static const char text[] = LINE(1000, 2000, "r-xp", 0, "/f")
		LINE(100000000, 100001000, "r-xp", 0, "/f") "bad\n";
	struct run run;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], text, sizeof(text) - 1), sizeof(text) - 1);
	close(fds[1]);
	over_file(&run, "filter 0/0x10@/f", fds[0], 32);
	close(fds[0]);
	ck_assert_uint_eq(filter_of(&run, 0)->exact_count, 1);
	ck_assert_uint_eq(run.count.malformed, 2);
	ck_assert_uint_eq(run.count.first_malformed, 2);
	end(&run);
}
END_TEST

static const struct {
	const char *filter;
	enum itf_verdict verdict;
} cut_short[] = {
	/* /f and /h are mapped, the list breaks off behind them. */
	{ "filter 0/0x10@/f", ITF_VERDICT_COVERED },
	{ "filter 0/0x2000@/f", ITF_VERDICT_COVERED },
	{ "filter 0x2000/0x10@/f", ITF_VERDICT_RUNAWAY },
	{ "filter 0/0x10@/g", ITF_VERDICT_UNKNOWN },
	{ "start 0@/g", ITF_VERDICT_UNKNOWN },
	/* Matched, though for nothing; a later mapping changes attach no more. */
	{ "start 0x2000@/f", ITF_VERDICT_NONE },
	{ "filter 0x2000/0x10@/h", ITF_VERDICT_RUNAWAY },
	{ "filter 0/0x10@/h", ITF_VERDICT_UNKNOWN },
	/* What needs no mapping, or cannot be set at all, is known all the same. */
	{ "filter kernel:0x1000/0x10", ITF_VERDICT_COVERED },
	{ "filter file:0@/g", ITF_VERDICT_NONE },
};

START_TEST(a_list_cut_short_makes_only_what_matched_nothing_unknown)
{
	static const char whole[] = LINE(1000, 3000, "r-xp", 0, "/f")
		LINE(3000, 5000, "r--p", 0, "/h");
	enum itf_verdict verdict = cut_short[_i].verdict;
	const struct report_filter *filter;
	char text[256];
	struct run run;

	snprintf(text, sizeof(text), "%s5000-60", whole);
	over_text(&run, cut_short[_i].filter, text);
	filter = filter_of(&run, 0);
	ck_assert(run.count.truncated);
	ck_assert_int_eq(filter->verdict, verdict);
	ck_assert_int_eq(has_note(filter, ITF_NOTE_TRUNCATED_MAPS),
			 run.set.filters[0].source == ITF_SOURCE_FILE);
	end(&run);

	over_text(&run, cut_short[_i].filter, whole);
	filter = filter_of(&run, 0);
	ck_assert_int_eq(filter->verdict,
			 verdict == ITF_VERDICT_UNKNOWN ? ITF_VERDICT_NONE : verdict);
	ck_assert(!has_note(filter, ITF_NOTE_TRUNCATED_MAPS));
	end(&run);
}
END_TEST

START_TEST(a_deleted_name_matches_and_is_said)
{
	struct run run;

	over_text(&run, "filter 0/0x10@/f", LINE(1000, 2000, "r-xp", 0, "/f (deleted)"));
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
	ck_assert(has_note(filter_of(&run, 0), ITF_NOTE_DELETED_FILE));
	end(&run);
}
END_TEST

START_TEST(a_name_with_a_newline_matches_its_quoted_path)
{
	struct run run;

	over_text(&run, "filter 0/0x10@\"/a\\nb\"", LINE(1000, 2000, "r-xp", 0, "/a\\012b"));
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
	end(&run);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_trouble)
{
	int dir = open("/", O_RDONLY);
	struct run run;

	over_file(&run, "filter 0/0x10@/f", dir, 64);
	ck_assert(!run.ok);
	ck_assert_str_eq(run.trouble.text, "cannot read the file: Is a directory");
	ck_assert_uint_eq(run.report.count, 0);
	close(dir);
	end(&run);
}
END_TEST

/* ---------------------------------------------------------------------- living processes */

/* A file of four pages in a directory of its own, mapped by children. */
static char directory[64], file_path[128];

static void make_file(void)
{
	char page[4096] = "";
	int fd;

	strcpy(directory, "/tmp/itf-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(file_path, sizeof(file_path), "%s/mapped", directory);
	fd = open(file_path, O_CREAT | O_RDWR, 0755);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(write(fd, page, sizeof(page)), sizeof(page));
	close(fd);
}

static void remove_file(void)
{
	unlink(file_path);
	rmdir(directory);
}

static void *map_file(int prot, size_t pages, off_t offset)
{
	int fd = open(file_path, O_RDONLY);
	void *at = mmap(NULL, pages * 4096, prot, MAP_PRIVATE, fd, offset);

	close(fd);
	return at;
}

/* Mappings below those made before: so many that to read them takes a while. */
static void map_much(size_t count)
{
	char *place = mmap(NULL, 2 * count * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; i < count; i++)
		mprotect(place + 2 * i * 4096, 4096, PROT_READ);
}

/*
 * A child that maps the file executable, then makes @more mappings, says so, and waits to be killed
 * or ends after @usec.
 */
static pid_t child_with_mapping(size_t more, useconds_t usec)
{
	int fds[2];
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		map_file(PROT_READ | PROT_EXEC, 4, 0);
		if (more)
			map_much(more);
		if (write(fds[1], "x", 1) != 1)
			_exit(1);
		if (usec)
			usleep(usec);
		else
			pause();
		_exit(0);
	}
	ck_assert_int_eq(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void reap(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static char *filter_text(const char *before, const char *after)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s@%s%s", before, file_path, after);
	return text;
}

START_TEST(a_process_is_resolved_with_its_name)
{
	pid_t pid = child_with_mapping(0, 0);
	const struct report_process *process;
	struct run run;

	over_pid(&run, filter_text("filter 0x1000/0x10", ""), pid);
	ck_assert_str_eq(run.trouble.text, "");
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(filter_of(&run, 0)->exact_count, 1);
	process = &run.report.processes[0];
	ck_assert_int_eq(process->pid, pid);
	ck_assert_uint_gt(process->comm_len, 0);
	ck_assert_ptr_null(memchr(process->comm, '\n', process->comm_len));
	end(&run);
	reap(pid);
}
END_TEST

START_TEST(mappings_of_a_process_count_as_made_by_address)
{
	struct run run;
	char *low, *high;
	char *place = mmap(NULL, 64 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(file_path, O_RDONLY);

	/* The upper one is made first. */
	high = mmap(place + 32 * 4096, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	low = mmap(place, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	ck_assert_ptr_ne(low, MAP_FAILED);
	ck_assert_ptr_ne(high, MAP_FAILED);
	close(fd);
	over_pid(&run, filter_text("filter 0/0x10", ""), getpid());
	ck_assert_uint_eq(filter_of(&run, 0)->launch.range.start, (uintptr_t)high);
	ck_assert_uint_eq(filter_of(&run, 0)->attach.range.start, (uintptr_t)low);
	ck_assert_uint_eq(filter_of(&run, 0)->exact_count, 2);
	end(&run);
}
END_TEST

static void *resolve_own_thread(void *ctx)
{
	struct run *run = ctx;

	over_pid(run, filter_text("filter 0/0x10", ""), gettid());
	return NULL;
}

START_TEST(a_thread_id_stands_for_its_process)
{
	pthread_t thread;
	struct run run;

	map_file(PROT_READ | PROT_EXEC, 4, 0);
	pthread_create(&thread, NULL, resolve_own_thread, &run);
	pthread_join(thread, NULL);
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
	ck_assert_int_eq(run.report.processes[0].pid, getpid());
	end(&run);
}
END_TEST

START_TEST(the_verdict_over_a_process_is_about_attach)
{
	struct run run;

	/* A mapping without execute permission comes first, as in nearly every program. */
	char *place = mmap(NULL, 64 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(file_path, O_RDONLY);

	mmap(place, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
	mmap(place + 4096, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 4096);
	close(fd);
	over_pid(&run, filter_text("filter 0/0x2000", ""), getpid());
	ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_NONE);
	ck_assert_uint_eq(filter_of(&run, 0)->launch.range.size, 0x1000);
	ck_assert(has_note(filter_of(&run, 0), ITF_NOTE_NON_EXEC_FIRST));
	ck_assert(report_trouble(&run.report));
	end(&run);
}
END_TEST

START_TEST(no_process_is_trouble)
{
	static const pid_t none[] = { 0, -1, -77, 0x3fffffff };
	struct run run;
	char text[64];

	over_pid(&run, "filter 0/0x10@/bin/true", none[_i]);
	ck_assert(!run.ok);
	snprintf(text, sizeof(text), "there is no process %d", none[_i]);
	ck_assert_str_eq(run.trouble.text, text);
	ck_assert_uint_eq(run.report.count, 0);
	end(&run);
}
END_TEST

START_TEST(a_zombie_is_trouble)
{
	pid_t pid = child_with_mapping(0, 1);
	siginfo_t info;
	struct run run;

	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	over_pid(&run, "filter 0/0x10@/bin/true", pid);
	ck_assert(!run.ok);
	ck_assert_ptr_nonnull(strstr(run.trouble.text, "zombie"));
	end(&run);
	reap(pid);
}
END_TEST

START_TEST(a_kernel_thread_is_trouble)
{
	char exe[16];
	struct run run;

	/* Elsewhere than in a container 2 is kthreadd; it has no executable. */
	if (access("/proc/2", F_OK) || readlink("/proc/2/exe", exe, sizeof(exe)) >= 0)
		return;
	over_pid(&run, "filter 0/0x10@/bin/true", 2);
	ck_assert(!run.ok);
	ck_assert_str_ne(run.trouble.hint, "");
	end(&run);
}
END_TEST

START_TEST(a_process_of_somebody_else_is_trouble_with_a_hint)
{
	pid_t pid = getpid(), other;
	int status;

	if (geteuid() != 0)
		return;
	other = fork();
	if (other == 0) {
		struct run run;

		if (setgid(65534) || setuid(65534))
			_exit(2);
		over_pid(&run, "filter 0/0x10@/bin/true", pid);
		_exit(run.ok || !strstr(run.trouble.text, "maps: Permission denied") ||
		      !strstr(run.trouble.hint, "CAP_SYS_PTRACE"));
	}
	waitpid(other, &status, 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

/*
 * A process that ends or does exec while it is looked at: an error or a whole answer, never half a
 * list of mappings taken for the whole.
 */
START_TEST(a_process_that_ends_meanwhile_gives_all_or_nothing)
{
	size_t whole = 0;

	for (int i = 0; i < 40; i++) {
		pid_t pid = child_with_mapping(5000, 200 + 1777 * (useconds_t)i);
		struct run run;
		bool ok;

		/* Again and again, so that the end falls into the reading. */
		do {
			over_pid(&run, filter_text("filter 0x1000/0x10", ""), pid);
			ok = run.ok;
			if (ok) {
				ck_assert_int_eq(filter_of(&run, 0)->verdict, ITF_VERDICT_COVERED);
				whole++;
			} else {
				ck_assert_str_ne(run.trouble.text, "");
				ck_assert_uint_eq(run.report.count, 0);
			}
			end(&run);
		} while (ok);
		reap(pid);
	}
	ck_assert_uint_gt(whole, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("resolve");
	TCase *files = tcase_create("files");
	TCase *processes = tcase_create("processes");

	cases = vectors_read("resolve.tsv");
	tcase_add_loop_test(files, a_case_agrees_in_all_three_answers, 0, (int)cases.count);
	tcase_add_test(files, mappings_are_made_in_the_order_of_the_file);
	tcase_add_test(files, malformed_lines_are_counted_and_the_rest_is_used);
	tcase_add_test(files, a_mapping_beyond_the_address_width_is_malformed);
	tcase_add_loop_test(files, a_list_cut_short_makes_only_what_matched_nothing_unknown, 0,
			    sizeof(cut_short) / sizeof(cut_short[0]));
	tcase_add_test(files, a_deleted_name_matches_and_is_said);
	tcase_add_test(files, a_name_with_a_newline_matches_its_quoted_path);
	tcase_add_test(files, a_file_that_cannot_be_read_is_trouble);
	suite_add_tcase(suite, files);
	tcase_add_checked_fixture(processes, make_file, remove_file);
	tcase_set_timeout(processes, 60);
	tcase_add_test(processes, a_process_is_resolved_with_its_name);
	tcase_add_test(processes, mappings_of_a_process_count_as_made_by_address);
	tcase_add_test(processes, a_thread_id_stands_for_its_process);
	tcase_add_test(processes, the_verdict_over_a_process_is_about_attach);
	tcase_add_loop_test(processes, no_process_is_trouble, 0, 4);
	tcase_add_test(processes, a_zombie_is_trouble);
	tcase_add_test(processes, a_kernel_thread_is_trouble);
	tcase_add_test(processes, a_process_of_somebody_else_is_trouble_with_a_hint);
	tcase_add_test(processes, a_process_that_ends_meanwhile_gives_all_or_nothing);
	suite_add_tcase(suite, processes);
	return run_suite(suite);
}
