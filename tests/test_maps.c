// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The reader for /proc/PID/maps: every kind of name, bad lines, every way that bytes can arrive. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/maps.h"
#include "runner.h"
#include "support.h"

/* The lines that a reader gave, as text: protection as number, name in brackets, D if deleted. */
struct seen {
	char *text;
	size_t len;
	size_t stop_after; /* 0: never */
	size_t lines;
};

static bool see(const struct map_line *line, void *ctx)
{
	struct seen *seen = ctx;
	FILE *out;
	char *text;
	size_t len;

	out = open_memstream(&text, &len);
	fprintf(out, "%llx-%llx %u%s %llx %x:%x %llu [", (unsigned long long)line->start,
		(unsigned long long)line->end, line->prot, line->shared ? "s" : "p",
		(unsigned long long)line->offset, line->major, line->minor,
		(unsigned long long)line->inode);
	fwrite(line->name, 1, line->name_len, out);
	fprintf(out, "]%s\n", line->deleted ? "D" : "");
	fclose(out);
	seen->text = realloc(seen->text, seen->len + len + 1);
	memcpy(seen->text + seen->len, text, len + 1);
	seen->len += len;
	seen->lines++;
	free(text);
	return seen->lines != seen->stop_after;
}

/* Parse a copy that ends where memory ends. */
static struct maps_count parse(const char *text, size_t len, struct seen *seen)
{
	struct guarded copy = guard(text, len);
	struct maps_count count = { 99, 99, 99, true };

	*seen = (struct seen){ 0 };
	ck_assert(maps_parse(copy.text, copy.len, see, seen, &count));
	unguard(&copy);
	return count;
}

#define HEAD "00400000-00401000 r-xp 00002000 fe:00 4711"
#define PAD "                       "

#define FILE_LINE(name) (HEAD PAD name)
#define FILE_SEEN(name) ("400000-401000 5p 2000 fe:0 4711 " name "\n")

static const struct {
	const char *text; /* without newline */
	const char *seen;
} lines[] = {
	{ FILE_LINE("/bin/prog"), FILE_SEEN("[/bin/prog]") },
	{ HEAD " /x", FILE_SEEN("[/x]") },
	/* Names are bytes. */
	{ FILE_LINE("/a b"), FILE_SEEN("[/a b]") },
	{ FILE_LINE("/a  b  "), FILE_SEEN("[/a  b  ]") },
	{ FILE_LINE("/a\tb\t"), FILE_SEEN("[/a\tb\t]") },
	{ FILE_LINE("\t"), FILE_SEEN("[\t]") },
	{ FILE_LINE("/a\r"), FILE_SEEN("[/a\r]") },
	{ FILE_LINE("/\xff\xfe\x80"), FILE_SEEN("[/\xff\xfe\x80]") },
	/* Only \012 is an escape: the kernel writes no other here. */
	{ FILE_LINE("/a\\012b"), FILE_SEEN("[/a\nb]") },
	{ FILE_LINE("\\012\\012"), FILE_SEEN("[\n\n]") },
	{ FILE_LINE("/\\\\012"), FILE_SEEN("[/\\\n]") },
	{ FILE_LINE("/a\\011b\\"), FILE_SEEN("[/a\\011b\\]") },
	{ FILE_LINE("/a\\01"), FILE_SEEN("[/a\\01]") },
	/* " (deleted)" at the end, once. */
	{ FILE_LINE("/x (deleted)"), FILE_SEEN("[/x]D") },
	{ FILE_LINE("/x (deleted) (deleted)"), FILE_SEEN("[/x (deleted)]D") },
	{ FILE_LINE("/x (deleted) "), FILE_SEEN("[/x (deleted) ]") },
	{ FILE_LINE("/x(deleted)"), FILE_SEEN("[/x(deleted)]") },
	{ FILE_LINE("/x  (deleted)"), FILE_SEEN("[/x ]D") },
	{ FILE_LINE("(deleted)"), FILE_SEEN("[(deleted)]") },
	{ FILE_LINE("/a\\012 (deleted)"), FILE_SEEN("[/a\n]D") },
	{ "700000-701000 r-xp 00000000 00:01 4711" PAD "/memfd:x y (deleted)",
	  "700000-701000 5p 0 0:1 4711 [/memfd:x y]D\n" },
	/* What is no file. */
	{ "07ffd000-07ffe000 r-xp 00000000 00:00 0" PAD "[vdso]",
	  "7ffd000-7ffe000 5p 0 0:0 0 [[vdso]]\n" },
	{ "1000-2000 rw-p 0 0:0 0" PAD "[anon:a b]", "1000-2000 3p 0 0:0 0 [[anon:a b]]\n" },
	{ "1000-2000 rw-p 0 0:0 0" PAD "//anon", "1000-2000 3p 0 0:0 0 [//anon]\n" },
	{ "1000-2000 rw-p 0 0:0 0", "1000-2000 3p 0 0:0 0 []\n" },
	{ "1000-2000 rw-p 0 0:0 0 ", "1000-2000 3p 0 0:0 0 []\n" },
	{ "1000-2000 rw-p 0 0:0 0" PAD, "1000-2000 3p 0 0:0 0 []\n" },
	/* Protections. */
	{ "1000-2000 ---p 0 0:0 0", "1000-2000 0p 0 0:0 0 []\n" },
	{ "1000-2000 -w-s 0 0:0 0", "1000-2000 2s 0 0:0 0 []\n" },
	{ "1000-2000 rwxs 0 0:0 0", "1000-2000 7s 0 0:0 0 []\n" },
	{ "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]",
	  "ffffffffff600000-ffffffffff601000 4p 0 0:0 0 [[vsyscall]]\n" },
	/* Numbers at their limits. */
	{ "0-ffffffffffffffff r--p ffffffffffffffff 103:fffff 18446744073709551615 /x",
	  "0-ffffffffffffffff 1p ffffffffffffffff 103:fffff 18446744073709551615 [/x]\n" },
	{ "1000-2000 r--p 0 ffffffff:ffffffff 0", "1000-2000 1p 0 ffffffff:ffffffff 0 []\n" },
	{ "0000000000000000000001000-2000 r--p 0 0:0 0000000000000000000000001 /x",
	  "1000-2000 1p 0 0:0 1 [/x]\n" },
	{ "AB000-aC000 r--p D 0:E 0", "ab000-ac000 1p d 0:e 0 []\n" },
};

START_TEST(a_line_is_taken_apart)
{
	char text[512];

	/* Both with its newline and as the unfinished end of the text. */
	for (int newline = 0; newline < 2; newline++) {
		int len = snprintf(text, sizeof(text), "%s%s", lines[_i].text, newline ? "\n" : "");
		struct seen seen;
		struct maps_count count = parse(text, (size_t)len, &seen);

		ck_assert_str_eq(seen.text, lines[_i].seen);
		ck_assert_uint_eq(count.lines, 1);
		ck_assert_uint_eq(count.malformed, 0);
		ck_assert_uint_eq(count.first_malformed, 0);
		ck_assert(!count.truncated);
		free(seen.text);
	}
}
END_TEST

static const char *const malformed[] = {
	"",
	" ",
	"hello",
	" 1000-2000 r--p 0 0:0 0",
	"1000 2000 r--p 0 0:0 0",
	"-2000 r--p 0 0:0 0",
	"1000- r--p 0 0:0 0",
	"0x1000-0x2000 r--p 0 0:0 0",
	"1000-2000 r--p 0 0:0",
	"1000-2000 r--p 0 0:0 ",
	"1000-2000 r--p 0 0:0 x",
	"1000-2000 r--p 0 0:0 1x",
	"1000-2000 r--p 0 0:0 -1",
	"1000-2000 r--p 0 0:0 1\t/x",
	"1000-2000 r--p 0 0 0",
	"1000-2000 r--p 0 0: 0",
	"1000-2000 r--p 0 :0 0",
	"1000-2000 r--p  0 0:0 0",
	"1000-2000 r--p g 0:0 0",
	"1000-2000 r-- 0 0:0 0",
	"1000-2000 r--pp 0 0:0 0",
	"1000-2000 R--p 0 0:0 0",
	"1000-2000 rr-p 0 0:0 0",
	"1000-2000 r-wp 0 0:0 0",
	"1000-2000 r--- 0 0:0 0",
	"1000-2000",
	"1000-2000 r--p",
	/* Empty and backward mappings. */
	"1000-1000 r--p 0 0:0 0",
	"2000-1000 r--p 0 0:0 0",
	"0-0 r--p 0 0:0 0",
	/* Numbers of more than 64 bits, or more than 32 in a device. */
	"10000000000000000-20000000000000000 r--p 0 0:0 0",
	"1000-10000000000000000 r--p 0 0:0 0",
	"1000-2000 r--p 10000000000000000 0:0 0",
	"1000-2000 r--p 0 100000000:0 0",
	"1000-2000 r--p 0 0:100000000 0",
	"1000-2000 r--p 0 0:0 18446744073709551616",
	"1000-2000 r--p 0 0:0 18446744073709551620",
	"1000-2000 r--p 0 0:0 184467440737095516150",
};

START_TEST(a_malformed_line_is_counted_and_passed_over)
{
	struct maps_count count;
	struct seen seen;
	char text[512];
	int len;

	len = snprintf(text, sizeof(text),
		       "1000-2000 r--p 0 0:0 0 /a\n%s\n3000-4000 r--p 0 0:0 0 /b\n", malformed[_i]);
	count = parse(text, (size_t)len, &seen);
	ck_assert_uint_eq(count.lines, 3);
	ck_assert_uint_eq(count.malformed, 1);
	ck_assert_uint_eq(count.first_malformed, 2);
	ck_assert(!count.truncated);
	ck_assert_str_eq(seen.text, "1000-2000 1p 0 0:0 0 [/a]\n3000-4000 1p 0 0:0 0 [/b]\n");
	free(seen.text);
}
END_TEST

START_TEST(a_malformed_end_without_newline_is_a_text_cut_short)
{
	struct maps_count count;
	struct seen seen;
	char text[512];
	int len;

	if (!*malformed[_i])
		return;
	len = snprintf(text, sizeof(text), "hello\n1000-2000 r--p 0 0:0 0 /a\n%s", malformed[_i]);
	count = parse(text, (size_t)len, &seen);
	ck_assert_uint_eq(count.lines, 3);
	ck_assert_uint_eq(count.malformed, 2);
	ck_assert_uint_eq(count.first_malformed, 1);
	ck_assert(count.truncated);
	free(seen.text);
}
END_TEST

/* Whatever way a number is read, at each of its places, also where several are read at once. */
START_TEST(only_digits_are_digits)
{
	static const char line[] = "0000000000000000a-ffffffffffffffff r--p 0 0:0 0";
	size_t at;
	int byte;

	for (at = 0; at < sizeof("0000000000000000a") - 1; at++) {
		for (byte = 0; byte < 256; byte++) {
			char text[sizeof(line)];
			struct maps_count count;
			struct seen seen;
			bool good = byte && strchr("0123456789abcdefABCDEF", byte);

			if (byte == '\n')
				continue;
			memcpy(text, line, sizeof(line));
			text[at] = (char)byte;
			/* One digit too many, unless it is a zero. */
			if (!at)
				good = byte == '0';
			count = parse(text, sizeof(text) - 1, &seen);
			ck_assert_msg((seen.lines == 1) == good, "byte %d at %zu", byte, at);
			ck_assert((count.malformed == 0) == good);
			free(seen.text);
		}
	}
}
END_TEST

START_TEST(no_text_has_no_lines)
{
	struct maps_count count;
	struct seen seen;

	count = parse("", 0, &seen);
	ck_assert_uint_eq(count.lines, 0);
	ck_assert(!count.truncated);
	ck_assert(maps_parse(NULL, 0, see, &seen, &count));
}
END_TEST

START_TEST(every_prefix_of_a_line_stays_within_the_text)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (size_t len = 0; len <= strlen(lines[i].text); len++) {
			struct seen seen;
			struct maps_count count = parse(lines[i].text, len, &seen);

			ck_assert_uint_eq(seen.lines + count.malformed, count.lines);
			ck_assert_int_eq(count.truncated, count.malformed == 1);
			free(seen.text);
		}
	}
}
END_TEST

static size_t count_in_callback;

static bool look_at_count(const struct map_line *line, void *ctx)
{
	const struct maps_count *count = ctx;

	(void)line;
	count_in_callback = count->lines;
	return count->lines < 3;
}

START_TEST(the_callback_stops_the_reader_and_knows_the_line)
{
	char text[] = "bad\n1-2 r--p 0 0:0 0\n1-2 r--p 0 0:0 0\n1-2 r--p 0 0:0 0\n";
	struct maps_count count;

	ck_assert(!maps_parse(text, strlen(text), look_at_count, &count, &count));
	ck_assert_uint_eq(count_in_callback, 3);
	ck_assert_uint_eq(count.lines, 3);
}
END_TEST

/* ---------------------------------------------------------------------- from a file descriptor */

/* What the other end of a pipe does. */
struct writer {
	int fd;
	const char *text;
	size_t len;
	size_t step;
	pthread_t reader; /* interrupted between writes */
};

static void *write_slowly(void *ctx)
{
	struct writer *writer = ctx;
	size_t done = 0;

	while (done < writer->len) {
		size_t n = writer->len - done < writer->step ? writer->len - done : writer->step;

		ck_assert_int_eq(write(writer->fd, writer->text + done, n), (ssize_t)n);
		done += n;
		pthread_kill(writer->reader, SIGUSR1);
		if (writer->len / writer->step < 1000)
			usleep(50);
	}
	close(writer->fd);
	return NULL;
}

static void on_signal(int signal)
{
	(void)signal;
}

/* Read text through a pipe in pieces of @step bytes, each followed by a signal. */
static struct maps_count read_in_steps(const char *text, size_t len, size_t step, struct seen *seen)
{
	/* Without SA_RESTART: a signal makes read() fail with EINTR. */
	struct sigaction action = { .sa_handler = on_signal };
	struct maps_count count = { 99, 99, 99, true };
	struct writer writer = { .text = text, .len = len, .step = step, .reader = pthread_self() };
	pthread_t thread;
	int fds[2];

	sigaction(SIGUSR1, &action, NULL);
	ck_assert_int_eq(pipe(fds), 0);
	writer.fd = fds[1];
	*seen = (struct seen){ 0 };
	pthread_create(&thread, NULL, write_slowly, &writer);
	ck_assert(maps_read(fds[0], see, seen, &count, NULL));
	pthread_join(thread, NULL);
	close(fds[0]);
	return count;
}

START_TEST(bytes_may_come_in_pieces_of_any_size)
{
	static const char text[] = HEAD PAD "/a  b\nbad\n" HEAD PAD "/c\\012d (deleted)\n\n"
					    "1000-2000 rw-p 0 0:0 0" PAD
					    "\n3000-4000 r--p 0 0:0 0 /end";
	struct maps_count whole, pieces;
	struct seen all, some;

	whole = parse(text, sizeof(text) - 1, &all);
	pieces = read_in_steps(text, sizeof(text) - 1, (size_t)_i, &some);
	ck_assert_str_eq(some.text, all.text);
	ck_assert_uint_eq(pieces.lines, 6);
	ck_assert_uint_eq(pieces.malformed, 2);
	ck_assert_uint_eq(pieces.first_malformed, 2);
	ck_assert(!pieces.truncated);
	ck_assert_uint_eq(whole.malformed, 2);
	ck_assert_uint_eq(whole.lines, 6);
	free(all.text);
	free(some.text);
}
END_TEST

/* A file that is gone when it is closed. */
static FILE *text_file(void)
{
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	return file;
}

START_TEST(a_line_may_be_longer_than_any_buffer)
{
	size_t long_len = (size_t)3 << 20;
	struct maps_count count;
	struct seen seen = { 0 };
	FILE *file = text_file();

	fprintf(file, "1000-2000 r--p 0 0:0 1 /a\n2000-3000 r--p 0 0:0 2 /");
	for (size_t i = 1; i < long_len; i++)
		fputc('x', file);
	fprintf(file, "\n3000-4000 r--p 0 0:0 3 /b\n");
	fflush(file);
	rewind(file);
	ck_assert(maps_read(fileno(file), see, &seen, &count, NULL));
	ck_assert_uint_eq(count.lines, 3);
	ck_assert_uint_eq(count.malformed, 0);
	ck_assert_uint_gt(seen.len, long_len);
	ck_assert_ptr_nonnull(strstr(seen.text, "xxx]\n3000-4000 1p 0 0:0 3 [/b]\n"));
	free(seen.text);
	fclose(file);
}
END_TEST

static bool add_up(const struct map_line *line, void *ctx)
{
	u64 *sum = ctx;

	*sum += line->start;
	return true;
}

static u64 progress_bytes;
static size_t progress_calls;

static void on_progress(u64 bytes)
{
	ck_assert_uint_gt(bytes, progress_bytes);
	progress_bytes = bytes;
	progress_calls++;
}

START_TEST(a_million_lines_are_read_with_progress)
{
	FILE *file = text_file();
	struct maps_count count;
	u64 sum = 0, expected = 0;
	u64 size;

	for (u64 i = 1; i <= 1000000; i++) {
		fprintf(file, "%08llx-%08llx r-xp %08llx fe:00 4711" PAD "/lib/some library.so\n",
			(unsigned long long)i << 12, (unsigned long long)(i + 1) << 12,
			(unsigned long long)i << 12);
		expected += i << 12;
	}
	fflush(file);
	size = (u64)ftello(file);
	rewind(file);
	progress_bytes = 0;
	progress_calls = 0;
	ck_assert(maps_read(fileno(file), add_up, &sum, &count, on_progress));
	ck_assert_uint_eq(count.lines, 1000000);
	ck_assert_uint_eq(count.malformed, 0);
	ck_assert_uint_eq(sum, expected);
	ck_assert_uint_ge(progress_calls, 10);
	ck_assert_uint_le(progress_bytes, size);
	fclose(file);
}
END_TEST

START_TEST(this_process_has_no_malformed_lines)
{
	int fd = open("/proc/self/maps", O_RDONLY);
	struct maps_count count;
	struct seen seen = { 0 };

	ck_assert(maps_read(fd, see, &seen, &count, NULL));
	ck_assert_uint_gt(count.lines, 5);
	ck_assert_uint_eq(count.malformed, 0);
	ck_assert_uint_eq(seen.lines, count.lines);
	ck_assert_ptr_nonnull(strstr(seen.text, "[[stack]]"));
	free(seen.text);
	close(fd);
}
END_TEST

START_TEST(a_read_error_is_told_apart_from_a_stop)
{
	struct seen seen = { .stop_after = 1 };
	struct maps_count count;
	FILE *file = text_file();
	int dir = open("/", O_RDONLY);

	errno = 0;
	ck_assert(!maps_read(dir, see, &seen, &count, NULL));
	ck_assert_int_eq(errno, EISDIR);
	close(dir);

	fputs("1000-2000 r--p 0 0:0 0\n3000-4000 r--p 0 0:0 0\n", file);
	fflush(file);
	rewind(file);
	errno = EIO;
	ck_assert(!maps_read(fileno(file), see, &seen, &count, NULL));
	ck_assert_int_eq(errno, 0);
	ck_assert_uint_eq(seen.lines, 1);
	free(seen.text);
	fclose(file);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("maps");
	TCase *memory = tcase_create("memory");
	TCase *files = tcase_create("files");

	tcase_add_loop_test(memory, a_line_is_taken_apart, 0, sizeof(lines) / sizeof(lines[0]));
	tcase_add_loop_test(memory, a_malformed_line_is_counted_and_passed_over, 0,
			    sizeof(malformed) / sizeof(malformed[0]));
	tcase_add_loop_test(memory, a_malformed_end_without_newline_is_a_text_cut_short, 0,
			    sizeof(malformed) / sizeof(malformed[0]));
	tcase_add_test(memory, only_digits_are_digits);
	tcase_add_test(memory, no_text_has_no_lines);
	tcase_add_test(memory, every_prefix_of_a_line_stays_within_the_text);
	tcase_add_test(memory, the_callback_stops_the_reader_and_knows_the_line);
	suite_add_tcase(suite, memory);
	tcase_set_timeout(files, 120);
	tcase_add_loop_test(files, bytes_may_come_in_pieces_of_any_size, 1, 120);
	tcase_add_test(files, a_line_may_be_longer_than_any_buffer);
	tcase_add_test(files, a_million_lines_are_read_with_progress);
	tcase_add_test(files, this_process_has_no_malformed_lines);
	tcase_add_test(files, a_read_error_is_told_apart_from_a_stop);
	suite_add_tcase(suite, files);
	return run_suite(suite);
}
