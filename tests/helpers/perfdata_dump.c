// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Prints what perfdata_read() makes of a file or of standard input, in the words of perf script,
 * so that the two can be compared line by line.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/perfdata.h"

static void print_mmap(const struct perfdata_record *r)
{
	printf("PERF_RECORD_MMAP %d/%d: [%#llx(%#llx) @ ", (int)r->pid, (int)r->tid,
	       (unsigned long long)r->start, (unsigned long long)r->size);
	printf(r->offset ? "%#llx" : "%llu", (unsigned long long)r->offset);
	if (r->has_inode)
		printf(" %02x:%02x %llu", r->major, r->minor, (unsigned long long)r->inode);
	printf("]: %s%s%s %.*s\n", r->prot & 1 ? "r" : "-", r->prot & 2 ? "w" : "-",
	       r->prot & 4 ? "x" : "-", (int)r->name_len, r->name);
}

static bool print(const struct perfdata_record *r, void *ctx)
{
	(void)ctx;
	switch (r->kind) {
	case PERFDATA_MMAP:
		print_mmap(r);
		break;
	case PERFDATA_COMM:
		printf("PERF_RECORD_COMM%s: %.*s:%d/%d\n", r->exec ? " exec" : "", (int)r->name_len,
		       r->name, (int)r->pid, (int)r->tid);
		break;
	case PERFDATA_FORK:
	case PERFDATA_EXIT:
		printf("PERF_RECORD_%s(%d:%d):(%d:%d)\n",
		       r->kind == PERFDATA_FORK ? "FORK" : "EXIT", (int)r->pid, (int)r->tid,
		       (int)r->ppid, (int)r->ptid);
		break;
	case PERFDATA_LOST:
		printf("PERF_RECORD_LOST lost %llu\n", (unsigned long long)r->lost);
		break;
	}
	return true;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : STDIN_FILENO;
	struct perfdata_end end;

	if (fd < 0 || !perfdata_read(fd, print, NULL, &end, NULL)) {
		fprintf(stderr, "perfdata_dump: %s\n", strerror(errno));
		return 2;
	}
	if (end.broken)
		printf("broken at %llu: %s\n", (unsigned long long)end.at, end.why);
	return end.broken;
}
