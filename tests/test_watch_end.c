// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* How watches begin and end: commands, running processes, signals, and a kernel that refuses. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "runner.h"
#include "watching.h"

static struct watching w;

static void setup(void)
{
	watching_init(&w);
}

static void teardown(void)
{
	watching_free(&w);
}

static void run_shell(const char *script)
{
	char *command[] = { "sh", "-c", (char *)script, NULL };

	w.ask.command = command;
	watching_run(&w, NULL);
	w.ask.command = NULL;
}

/* ---------------------------------------------------------------------- commands */

static const struct {
	const char *script;
	bool exited;
	int status;
} ends[] = {
	{ "exit 0", true, 0 },
	{ "exit 7", true, 7 },
	{ "exit 255", true, 255 },
	{ "kill -9 $$", false, SIGKILL },
	{ "kill -TERM $$", false, SIGTERM },
	/* Not the command's: a child's. */
	{ "sh -c 'exit 5'; exit 6", true, 6 },
};

START_TEST(the_status_of_the_command_is_kept)
{
	run_shell(ends[_i].script);
	ck_assert_msg(w.ok, "%s", w.trouble.text);
	ck_assert(w.end.has_status && !w.end.interrupted);
	ck_assert(w.end.exited == ends[_i].exited);
	ck_assert_int_eq(w.end.status, ends[_i].status);
	ck_assert_uint_eq(w.end.lost, 0);
}
END_TEST

START_TEST(the_output_of_the_command_goes_where_it_was_told)
{
	char buf[16] = "";
	int pair[2];

	ck_assert(pipe2(pair, O_CLOEXEC) == 0);
	w.ask.stdout_fd = pair[1];
	watching_run(&w, "say");
	close(pair[1]);
	ck_assert_int_eq(read(pair[0], buf, sizeof(buf) - 1), 6);
	ck_assert_str_eq(buf, "hello\n");
	close(pair[0]);
}
END_TEST

static const struct {
	char *command;
	const char *text;
	bool hint;
} unrunnable[] = {
	{ "no-such-command-anywhere", "cannot run no-such-command-anywhere: No such file", true },
	{ "/no/such/file", "cannot run /no/such/file: No such file", false },
	{ "/etc/passwd", "cannot run /etc/passwd: Permission denied", false },
	{ "/", "cannot run /: Permission denied", false },
};

START_TEST(a_command_that_cannot_be_run_is_trouble_and_nothing_else)
{
	char *command[] = { unrunnable[_i].command, NULL };

	w.ask.command = command;
	watching_run(&w, NULL);
	w.ask.command = NULL;
	ck_assert(!w.ok);
	ck_assert_uint_eq(w.count, 0);
	ck_assert_uint_eq(w.report.count, 0);
	ck_assert_msg(!strncmp(w.trouble.text, unrunnable[_i].text, strlen(unrunnable[_i].text)),
		      "%s", w.trouble.text);
	ck_assert((w.trouble.hint[0] != '\0') == unrunnable[_i].hint);
	/* It has ended and is gone. */
	ck_assert(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}
END_TEST

/* The signals that a process blocks and ignores, as /proc tells them. */
static unsigned long long of_status(const char *key)
{
	char text[8192] = "";
	int fd = open("/proc/self/status", O_RDONLY);

	ck_assert(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return strtoull(strstr(text, key) + strlen(key), NULL, 16);
}

START_TEST(the_command_has_the_signals_that_we_had)
{
	unsigned long long blocked, ignored;
	char expected[128], seen[128] = "";
	int pair[2];

	signal(SIGCHLD, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	blocked = of_status("\nSigBlk:");
	ignored = of_status("\nSigIgn:");
	ck_assert(pipe2(pair, O_CLOEXEC) == 0);
	w.ask.stdout_fd = pair[1];
	run_shell("while read a b; do case $a in SigBlk:|SigIgn:) echo $b;; esac; done "
		  "</proc/self/status");
	close(pair[1]);
	ck_assert(read(pair[0], seen, sizeof(seen) - 1) > 0);
	close(pair[0]);
	/* Whether children's ends are ignored is ours alone: otherwise there is no status. */
	ignored &= ~(1ull << (SIGCHLD - 1));
	snprintf(expected, sizeof(expected), "%016llx\n%016llx\n", blocked, ignored);
	ck_assert_str_eq(seen, expected);
	ck_assert(w.end.has_status && w.end.status == 0);
	ck_assert(of_status("\nSigBlk:") == blocked);
	ck_assert(of_status("\nSigIgn:") & 1ull << (SIGCHLD - 1));
}
END_TEST

/* ---------------------------------------------------------------------- signals */

START_TEST(a_signal_is_passed_on_and_the_watch_ends_with_the_command)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	/* nohup, for one, ignores it. */
	signal(signals[_i], SIG_DFL);
	w.raise = signals[_i];
	watching_run(&w, "forever");
	ck_assert_msg(w.ok, "%s", w.trouble.text);
	ck_assert(w.end.interrupted);
	ck_assert(w.end.has_status && !w.end.exited);
	ck_assert_int_eq(w.end.status, signals[_i]);
	ck_assert_uint_eq(w.report.count, 1);
}
END_TEST

START_TEST(a_second_signal_ends_the_watch_anyway)
{
	w.raise = SIGINT;
	watching_run(&w, "stubborn");
	ck_assert_msg(w.ok, "%s", w.trouble.text);
	ck_assert(w.end.interrupted && !w.end.has_status);
	ck_assert_uint_eq(w.report.count, 1);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 0);
	ck_assert(kill(w.report.processes[0].pid, SIGKILL) == 0);
}
END_TEST

START_TEST(after_a_signal_children_are_not_waited_for)
{
	watching_signal_later(SIGINT, 400);
	run_shell("trap '' INT; sleep 30 & sleep 1; exit 9");
	ck_assert_msg(w.ok, "%s", w.trouble.text);
	ck_assert(w.end.interrupted && w.end.has_status && w.end.exited);
	ck_assert_int_eq(w.end.status, 9);
	ck_assert_uint_eq(w.report.count, 3);
	ck_assert_str_eq(w.report.processes[1].comm, "sleep");
	ck_assert(kill(w.report.processes[1].pid, SIGKILL) == 0);
}
END_TEST

START_TEST(an_ignored_signal_stays_ignored)
{
	signal(SIGINT, SIG_IGN);
	watching_signal_later(SIGINT, 600);
	run_shell("sleep 1; exit 2");
	ck_assert(w.ok && !w.end.interrupted);
	ck_assert_int_eq(w.end.status, 2);
}
END_TEST

/* ---------------------------------------------------------------------- running processes */

START_TEST(a_running_process_is_followed_with_its_threads)
{
	const struct report_filter *filter;
	const struct told *told;

	w.ask.pid = watching_start(&w, "ready");
	watching_cue_later(&w, 600);
	watching_run(&w, NULL);
	filter = watching_filter_of(&w, 0);
	told = watching_last(&w, WATCH_MMAP);
	ck_assert(!w.end.has_status && !w.end.interrupted);
	ck_assert_uint_eq(w.report.count, 1);
	ck_assert_int_eq(w.report.processes[0].pid, w.ask.pid);
	ck_assert_str_eq(w.report.processes[0].comm, "test_watch_end");
	/* Only the thread's mapping was an event; what was there before is known from maps. */
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 1);
	ck_assert_int_ne(told->tid, told->pid);
	ck_assert_uint_eq(filter->exact_count, 2);
	ck_assert(filter->launch.matched);
	ck_assert_uint_ne(filter->launch.range.start, told->mapping.start);
	ck_assert_ptr_nonnull(watching_note(filter, ITF_NOTE_THREADS_DIFFER));
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 1);
}
END_TEST

START_TEST(any_thread_names_its_process)
{
	char path[64];
	pid_t pid = watching_start(&w, "ready"), tid = pid;

	/* Ids count up, so the other thread is the next that is there. */
	do {
		tid++;
		snprintf(path, sizeof(path), "/proc/%ld/task/%ld", (long)pid, (long)tid);
	} while (access(path, F_OK));
	w.ask.pid = tid;
	watching_cue_later(&w, 600);
	watching_run(&w, NULL);
	ck_assert_uint_eq(watching_filter_of(&w, 0)->exact_count, 2);
	ck_assert_int_eq(w.report.processes[0].pid, pid);
}
END_TEST

START_TEST(new_threads_and_children_of_a_running_process_are_followed)
{
	w.ask.pid = watching_start(&w, "ready_parent");
	watching_cue_later(&w, 600);
	watching_run(&w, NULL);
	/* The child lives longer than the process that is watched. */
	ck_assert_uint_eq(watching_filter_of(&w, 0)->exact_count, 1);
	ck_assert_uint_eq(w.report.count, 2);
	ck_assert_uint_eq(w.counts[WATCH_FORK], 1);
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 1);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 1);
}
END_TEST

START_TEST(a_signal_ends_the_watch_of_a_running_process)
{
	w.ask.pid = watching_start(&w, "ready");
	watching_signal_later(SIGINT, 600);
	watching_run(&w, NULL);
	ck_assert_uint_eq(watching_filter_of(&w, 0)->exact_count, 1);
	ck_assert(w.end.interrupted && !w.end.has_status);
	ck_assert(kill(w.ask.pid, 0) == 0);
	ck_assert(kill(w.ask.pid, SIGKILL) == 0);
}
END_TEST

START_TEST(what_still_lives_is_told_as_it_is_at_the_end)
{
	w.ask.pid = watching_start(&w, "ready_unmap");
	watching_cue_later(&w, 600);
	watching_signal_later(SIGINT, 1000);
	watching_run(&w, NULL);
	ck_assert(watching_filter_of(&w, 0)->launch.matched);
	ck_assert_uint_eq(watching_filter_of(&w, 0)->exact_count, 0);
	ck_assert(kill(w.ask.pid, SIGKILL) == 0);
}
END_TEST

START_TEST(a_file_deleted_before_the_watch_is_noted)
{
	w.ask.pid = watching_start(&w, "ready");
	ck_assert(unlink(w.file) == 0);
	watching_signal_later(SIGINT, 600);
	watching_run(&w, NULL);
	ck_assert_uint_eq(watching_filter_of(&w, 0)->exact_count, 0);
	ck_assert_ptr_nonnull(watching_note(watching_filter_of(&w, 0), ITF_NOTE_DELETED_FILE));
	kill(w.ask.pid, SIGKILL);
}
END_TEST

static const pid_t nobody[] = { 0, -1, 0x7ffffffe };

START_TEST(a_process_that_is_not_there_is_trouble)
{
	char text[64];

	snprintf(text, sizeof(text), "there is no process %ld", (long)nobody[_i]);
	w.ask.pid = nobody[_i];
	watching_run(&w, NULL);
	ck_assert(!w.ok);
	ck_assert_str_eq(w.trouble.text, text);
	ck_assert_uint_eq(w.report.count, 0);
}
END_TEST

START_TEST(a_process_that_has_ended_is_trouble)
{
	w.ask.pid = fork();
	if (!w.ask.pid)
		_exit(0);
	usleep(100000);
	watching_run(&w, NULL);
	ck_assert(!w.ok);
	ck_assert_str_ne(w.trouble.text, "");
	waitpid(w.ask.pid, NULL, 0);
}
END_TEST

/* ---------------------------------------------------------------------- refusals */

/* Let a system call fail with @error. */
static void forbid(unsigned int number, int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	ck_assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	ck_assert(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static const struct {
	unsigned int number;
	int error;
	const char *text;
	const char *hints[4];
} refusals[] = {
	{ SYS_perf_event_open,
	  EACCES,
	  "the kernel refuses perf_event_open: Permission denied",
	  { "kernel.perf_event_paranoid is ", "CAP_PERFMON", "seccomp" } },
	{ SYS_perf_event_open,
	  EPERM,
	  "the kernel refuses perf_event_open: Operation not permitted",
	  { "kernel.perf_event_paranoid is ", "CAP_PERFMON", "seccomp" } },
	{ SYS_perf_event_open,
	  ENOSYS,
	  "the kernel refuses perf_event_open: Function not implemented",
	  { "CONFIG_PERF_EVENTS", "seccomp" } },
	{ SYS_perf_event_open,
	  EINVAL,
	  "the kernel refuses perf_event_open: Invalid argument",
	  { "too old" } },
	{ SYS_perf_event_open,
	  EMFILE,
	  "the kernel refuses perf_event_open: Too many open files",
	  { "ulimit -n" } },
};

/* In a process of its own, because there is no way back. */
static void in_child(void (*check)(int), int i)
{
	pid_t pid = fork();
	int status;

	ck_assert(pid >= 0);
	if (!pid) {
		check(i);
		_exit(0);
	}
	ck_assert(waitpid(pid, &status, 0) == pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void check(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s (%s)\n", what, w.trouble.text, w.trouble.hint);
	_exit(1);
}

static void run_refused(int i)
{
	forbid(refusals[i].number, refusals[i].error);
	watching_run(&w, "say");
	check(!w.ok, "refused");
	check(!w.count && !w.report.count, "nothing half done");
	check(!strcmp(w.trouble.text, refusals[i].text), "text");
	for (size_t n = 0; refusals[i].hints[n]; n++)
		check(strstr(w.trouble.hint, refusals[i].hints[n]), refusals[i].hints[n]);
	check(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no child is left");
}

START_TEST(a_kernel_that_refuses_is_trouble_with_a_hint)
{
	in_child(run_refused, _i);
}
END_TEST

static void run_without_pidfd(int i)
{
	(void)i;
	w.ask.pid = watching_start(&w, "ready_parent");
	watching_cue_later(&w, 600);
	forbid(SYS_pidfd_open, ENOSYS);
	watching_run(&w, NULL);
	check(w.ok, "watch");
	check(w.counts[WATCH_EXIT] == 1 && w.report.count == 2, "its child lives on");
}

START_TEST(a_kernel_without_pidfds_will_do)
{
	in_child(run_without_pidfd, 0);
}
END_TEST

#define PLAIN_USER 65534

/* A copy of this program where everybody can run it. Return: whether it may run as its owner. */
static bool copy_program(char *path, mode_t mode)
{
	struct statvfs fs;
	char buf[65536];
	int in = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	ssize_t n;

	ck_assert(in >= 0 && to >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		ck_assert(write(to, buf, (size_t)n) == n);
	ck_assert(fchmod(to, mode) == 0 && fstatvfs(to, &fs) == 0);
	close(in);
	close(to);
	w.program = path;
	return !(fs.f_flag & ST_NOSUID);
}

static void become_plain_user(void)
{
	check(setgroups(0, NULL) == 0 && setgid(PLAIN_USER) == 0 && setuid(PLAIN_USER) == 0,
	      "setuid");
	/* Whoever was root before is not to be looked at by others, nor are its children. */
	check(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "dumpable");
}

/* At perf_event_paranoid 2, which is the kernel's own default, no privilege is needed. */
static void run_plain(int i)
{
	(void)i;
	become_plain_user();
	watching_run(&w, "once");
	check(w.ok, "a plain user may watch own processes");
	check(w.report.count == 1 && w.report.processes[0].filters[0].exact_count == 1, "report");
	check(w.end.has_status && w.end.status == 0, "status");
}

/* The kernel ends the events of a plain user at exec of a program that runs as somebody else. */
static void run_privileged(int i)
{
	(void)i;
	become_plain_user();
	watching_run(&w, "once");
	check(w.ok, "privileged program");
	check(w.end.has_status && w.end.exited && w.end.status == 0, "status");
	check(watching_note(watching_filter_of(&w, 0), ITF_NOTE_MAY_BE_STALE), "note");
}

static void run_plain_pid(int i)
{
	(void)i;
	w.ask.pid = getppid();
	become_plain_user();
	watching_run(&w, NULL);
	check(!w.ok, "a plain user may not watch others' processes");
	check(!strcmp(w.trouble.text, "the kernel refuses perf_event_open: Permission denied"),
	      "text");
	check(strstr(w.trouble.hint, "CAP_PERFMON") &&
		      strstr(w.trouble.hint, "user of the process"),
	      "hint");
}

static bool plain_user_allowed(void)
{
	char text[16] = "";
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY);

	if (getuid() == 0 && fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && atoi(text) <= 2) {
		close(fd);
		return true;
	}
	fprintf(stderr, "SKIP: it takes root and kernel.perf_event_paranoid of at most 2\n");
	return false;
}

START_TEST(a_process_that_the_events_left_may_be_stale)
{
	char path[] = "/tmp/itf-watch-suid-XXXXXX";

	if (!plain_user_allowed())
		return;
	if (copy_program(path, 04755))
		in_child(run_privileged, 0);
	unlink(path);
}
END_TEST

START_TEST(a_plain_user_watches_own_processes_only)
{
	char path[] = "/tmp/itf-watch-run-XXXXXX";

	if (!plain_user_allowed())
		return;
	copy_program(path, 0755);
	in_child(run_plain, 0);
	in_child(run_plain_pid, 0);
	unlink(path);
}
END_TEST

int main(int argc, char **argv)
{
	TCase *commands, *signals, *processes, *refused, *all[4];
	Suite *s;
	int status;

	actor_main(argc, argv);
	if (events_refused(&status))
		return status;
	s = suite_create("watch_end");
	all[0] = commands = tcase_create("commands");
	all[1] = signals = tcase_create("signals");
	all[2] = processes = tcase_create("running processes");
	all[3] = refused = tcase_create("refusals");
	tcase_add_loop_test(commands, the_status_of_the_command_is_kept, 0,
			    sizeof(ends) / sizeof(ends[0]));
	tcase_add_test(commands, the_output_of_the_command_goes_where_it_was_told);
	tcase_add_loop_test(commands, a_command_that_cannot_be_run_is_trouble_and_nothing_else, 0,
			    sizeof(unrunnable) / sizeof(unrunnable[0]));
	tcase_add_test(commands, the_command_has_the_signals_that_we_had);
	tcase_add_loop_test(signals, a_signal_is_passed_on_and_the_watch_ends_with_the_command, 0,
			    3);
	tcase_add_test(signals, a_second_signal_ends_the_watch_anyway);
	tcase_add_test(signals, after_a_signal_children_are_not_waited_for);
	tcase_add_test(signals, an_ignored_signal_stays_ignored);
	tcase_add_test(processes, a_running_process_is_followed_with_its_threads);
	tcase_add_test(processes, any_thread_names_its_process);
	tcase_add_test(processes, new_threads_and_children_of_a_running_process_are_followed);
	tcase_add_test(processes, a_signal_ends_the_watch_of_a_running_process);
	tcase_add_test(processes, what_still_lives_is_told_as_it_is_at_the_end);
	tcase_add_test(processes, a_file_deleted_before_the_watch_is_noted);
	tcase_add_loop_test(processes, a_process_that_is_not_there_is_trouble, 0,
			    sizeof(nobody) / sizeof(nobody[0]));
	tcase_add_test(processes, a_process_that_has_ended_is_trouble);
	tcase_add_loop_test(refused, a_kernel_that_refuses_is_trouble_with_a_hint, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(refused, a_kernel_without_pidfds_will_do);
	tcase_add_test(refused, a_process_that_the_events_left_may_be_stale);
	tcase_add_test(refused, a_plain_user_watches_own_processes_only);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		tcase_add_checked_fixture(all[i], setup, teardown);
		suite_add_tcase(s, all[i]);
	}
	return run_suite(s);
}
