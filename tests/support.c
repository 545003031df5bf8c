// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the unit tests share. See support.h. */
#include "support.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded guard(const void *bytes, size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (len + page - 1) / page * page;
	struct guarded g = { .len = len, .mapped = page + room + page };

	g.base = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(g.base, MAP_FAILED);
	ck_assert_int_eq(mprotect(g.base, page, PROT_NONE), 0);
	ck_assert_int_eq(mprotect((char *)g.base + page + room, page, PROT_NONE), 0);
	g.text = (char *)g.base + page + room - len;
	if (len)
		memcpy(g.text, bytes, len);
	return g;
}

void unguard(struct guarded *g)
{
	munmap(g->base, g->mapped);
}

/* Vectors are read before the first test runs, so Check's own assertions are of no use here. */
static void need(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "tests: cannot read %s\n", what);
	exit(EXIT_FAILURE);
}

static size_t split(char *line, char **fields, size_t max)
{
	size_t n = 0;

	for (;;) {
		fields[n++] = line;
		line = strchr(line, '\t');
		if (!line || n == max)
			return n;
		*line++ = '\0';
	}
}

struct vectors vectors_read(const char *name)
{
	const char *srcdir = getenv("srcdir");
	struct vectors v = { NULL, 0 };
	char path[4096], *line = NULL;
	unsigned int number = 0;
	size_t size = 0;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/vectors/%s", srcdir ? srcdir : ".", name);
	f = fopen(path, "r");
	need(f, path);
	while ((len = getline(&line, &size, f)) >= 0) {
		struct vector *row;

		number++;
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (!line[0] || line[0] == '#')
			continue;
		v.rows = realloc(v.rows, (v.count + 1) * sizeof(*v.rows));
		need(v.rows, path);
		row = &v.rows[v.count++];
		row->line = number;
		row->fields = calloc(16, sizeof(*row->fields));
		need(row->fields, path);
		row->count = split(strdup(line), row->fields, 16);
	}
	free(line);
	fclose(f);
	need(v.count, path);
	return v;
}

static int hex(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

size_t unescape(char *text)
{
	char *in = text, *out = text;

	while (*in) {
		if (*in != '\\') {
			*out++ = *in++;
			continue;
		}
		in++;
		switch (*in++) {
		case 'n':
			*out++ = '\n';
			break;
		case 't':
			*out++ = '\t';
			break;
		case 'r':
			*out++ = '\r';
			break;
		case '0':
			*out++ = '\0';
			break;
		case 'x':
			ck_assert(hex(in[0]) >= 0 && hex(in[1]) >= 0);
			*out++ = (char)(hex(in[0]) * 16 + hex(in[1]));
			in += 2;
			break;
		default:
			*out++ = in[-1];
			break;
		}
	}
	*out = '\0';
	return (size_t)(out - text);
}
