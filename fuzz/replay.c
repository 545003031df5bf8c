// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Runs a harness without any fuzzer: over files, over all files of a directory, and over inputs of
 * the generator. Needs nothing but a C library, so "make check" can do it everywhere. Results are
 * in the Test Anything Protocol.
 *
 *	fuzz_parse			the corpus below $srcdir and GENERATED generated inputs
 *	fuzz_parse FILE|DIRECTORY...	these
 *	fuzz_parse -g COUNT [SEED]	generated inputs from SEED on
 *	fuzz_parse -t			the time that a byte takes in inputs that grow
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#ifdef SMALL_DOMAIN
#define GENERATED 2000
#else
#define GENERATED 20000
#endif
#define MAX_GENERATED 4096

/* What runs now, for whoever looks at a crash. */
static char running[4096];

static void crashed(int number)
{
	static const char text[] = "replay: this happened in ";
	ssize_t n;

	n = write(STDERR_FILENO, text, sizeof(text) - 1);
	n += write(STDERR_FILENO, running, strlen(running));
	n += write(STDERR_FILENO, "\n", 1);
	(void)n;
	signal(number, SIG_DFL);
	raise(number);
}

static void die(const char *what)
{
	fprintf(stderr, "replay: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static void run_file(const char *path)
{
	uint8_t *bytes = NULL;
	size_t size = 0, room = 0, n;
	FILE *f = fopen(path, "rb");

	if (!f)
		die(path);
	do {
		if (size == room) {
			room = room ? 2 * room : 4096;
			bytes = realloc(bytes, room);
			if (!bytes)
				die(path);
		}
		n = fread(bytes + size, 1, room - size, f);
		size += n;
	} while (n);
	if (ferror(f))
		die(path);
	fclose(f);
	snprintf(running, sizeof(running), "%s", path);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Return: how many files there were. */
static unsigned int run_path(const char *path)
{
	struct dirent **entries;
	struct stat st;
	int i, n;

	if (stat(path, &st))
		die(path);
	if (!S_ISDIR(st.st_mode)) {
		run_file(path);
		return 1;
	}
	n = scandir(path, &entries, not_hidden, alphasort);
	if (n < 0)
		die(path);
	for (i = 0; i < n; i++) {
		char file[4096];

		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		run_file(file);
		free(entries[i]);
	}
	free(entries);
	return (unsigned int)n;
}

static void run_generated(unsigned long count, unsigned long seed)
{
	static uint8_t bytes[MAX_GENERATED];
	unsigned long i;

	for (i = 0; i < count; i++) {
		struct gen g;

		gen_init(&g, seed + i, bytes, sizeof(bytes));
		gen_input(&g, fuzz_format);
		/* Every other one is a step away from what the generator thinks of. */
		if (i % 2)
			g.used = gen_mutate(fuzz_format, bytes, g.used, sizeof(bytes), seed + i);
		snprintf(running, sizeof(running), "the input of -g 1 %lu", seed + i);
		LLVMFuzzerTestOneInput(bytes, g.used);
	}
}

/* What long texts are made of: a beginning, and what is repeated. */
static const struct {
	enum gen_format format;
	const char *what, *begin, *unit;
} shapes[] = {
	{ GEN_PARSE, "filters", "4", "filter file:0x1000/0x20@\"/bin/l s\",start 010@/x\n" },
	{ GEN_PARSE, "one number", "4start 0x", "0000000000000001" },
	{ GEN_PARSE, "one path", "0start 1@", "/usr/bin" },
	{ GEN_PARSE, "one quoted path", "4start 1@\"", "\\\"\\x20 a@" },
	{ GEN_PARSE, "at and quote", "4start x", "@\"" },
	{ GEN_PARSE, "separators", "0", " ,\n" },
	{ GEN_PARSE, "a word", "0", "filter" },
	{ GEN_TEXT, "filters", "", "filter 0x1000/0x20@/bin/ls,start 010\n" },
	{ GEN_TEXT, "one number", "start 0x", "0000000000000001" },
	{ GEN_MAPS, "lines", "", "00400000-00401000 r-xp 00002000 fe:00 4711   /bin/a\\012b\n" },
	{ GEN_MAPS, "one name", "00400000-00401000 r-xp 00002000 fe:00 4711   /", "\\012\\" },
	{ GEN_MAPS, "one number", "0", "0000" },
	{ GEN_MAPS, "empty lines", "", "\n" },
};

static double time_one(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = fuzz_copy(bytes, size);
	struct timespec from, to;
	unsigned int i;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (i = 0; i < 16; i++)
		LLVMFuzzerTestOneInput(copy, size);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	free(copy);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / 16;
}

/* Inputs that grow: the time for a byte must stay what it is. */
static void run_timed(void)
{
	static uint8_t bytes[1 << 16];
	size_t i, size, used, n;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (shapes[i].format != fuzz_format)
			continue;
		n = strlen(shapes[i].begin);
		memcpy(bytes, shapes[i].begin, n);
		for (used = n; used < sizeof(bytes); used++)
			bytes[used] = (uint8_t)shapes[i].unit[(used - n) % strlen(shapes[i].unit)];
		printf("%-16s", shapes[i].what);
		for (size = 1 << 12; size <= sizeof(bytes); size *= 4)
			printf(" %6zu bytes: %6.2f ns a byte", size,
			       time_one(bytes, size) / (double)size);
		printf("\n");
	}
}

static const char *name_of(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;

	return strncmp(name, "lt-", 3) ? name : name + 3;
}

static void run_all(const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];

	if (fuzz_skip && fuzz_skip()) {
		printf("1..0 # SKIP %s\n", fuzz_skip());
		return;
	}
	snprintf(path, sizeof(path), "%s/corpus/%s", srcdir ? srcdir : ".", name);
	printf("1..2\n");
	fflush(stdout);
	printf("ok 1 - %s: %u files of the corpus\n", name, run_path(path));
	fflush(stdout);
	run_generated(GENERATED, 1);
	printf("ok 2 - %s: %u generated inputs\n", name, GENERATED);
}

int main(int argc, char **argv)
{
	static const int signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	size_t n;
	int i;

	for (n = 0; n < sizeof(signals) / sizeof(signals[0]); n++)
		signal(signals[n], crashed);
	if (argc == 1) {
		run_all(name_of(argv[0]));
	} else if (!strcmp(argv[1], "-g")) {
		run_generated(argc > 2 ? strtoul(argv[2], NULL, 0) : GENERATED,
			      argc > 3 ? strtoul(argv[3], NULL, 0) : 1);
	} else if (!strcmp(argv[1], "-t")) {
		run_timed();
	} else {
		for (i = 1; i < argc; i++)
			printf("# %s: %u files\n", argv[i], run_path(argv[i]));
	}
	return EXIT_SUCCESS;
}
