// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Resolve a filter set over a running process or a maps file: read the mappings, hand them to a
 * process, add it to the report. Must not judge anything itself.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "procfs.h"
#include "resolve.h"

/* An exec while maps is read ends the old mappings: then it is read anew, but not for ever. */
#define MAPS_TRIES 8

static bool __attribute__((format(printf, 3, 4)))
fail(struct trouble *trouble, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(trouble->text, sizeof(trouble->text), format, args);
	va_end(args);
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
	return false;
}

static bool fail_memory(struct trouble *trouble)
{
	return fail(trouble, "", "%s", strerror(ENOMEM));
}

/* ---------------------------------------------------------------------- lines to mappings */

struct reader {
	struct process *process;
	struct objects *objects;
	struct maps_count *count;
	bool no_memory;
};

/* Take one line. One that does not fit the address width is as bad as one that cannot be read. */
static bool take_line(const struct map_line *line, void *ctx)
{
	struct reader *reader = ctx;
	struct itf_mapping mapping = {
		.start = line->start,
		.size = line->end - line->start,
		.offset = line->offset,
		.object = object_of_line(reader->objects, line, reader->process->pid),
		.prot = line->prot,
	};

	switch (process_mmap(reader->process, &mapping)) {
	case ITF_OK:
		return true;
	case ITF_E_BAD_MAPPING:
		if (!reader->count->malformed++)
			reader->count->first_malformed = reader->count->lines;
		return true;
	default:
		reader->no_memory = true;
		return false;
	}
}

/* ---------------------------------------------------------------------- files of /proc */

/* A whole file in memory. */
struct content {
	char *text;
	size_t len;
};

/* Return: true; false with errno set. @content is to be released in any case. */
static bool read_fd(int fd, struct content *content)
{
	size_t room = 0;

	for (;;) {
		ssize_t n;

		if (content->len == room) {
			size_t more = room ? room * 2 : 65536;
			char *text = realloc(content->text, more);

			if (!text)
				return false;
			content->text = text;
			room = more;
		}
		n = read(fd, content->text + content->len, room - content->len);
		if (n == 0)
			return true;
		if (n > 0)
			content->len += (size_t)n;
		else if (errno != EINTR)
			return false;
	}
}

static int open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* As read_fd(). */
static bool read_proc(pid_t pid, const char *name, struct content *content)
{
	int fd = open_proc(pid, name);
	bool ok;
	int error;

	if (fd < 0)
		return false;
	ok = read_fd(fd, content);
	error = errno;
	close(fd);
	errno = error;
	return ok;
}

/*
 * Did the mappings outlive the reading? A process that ends or does exec takes them away in the
 * middle, and what was read up to there looks like the whole.
 */
static bool still_there(int fd)
{
	char byte;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) != 0)
		return false;
	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

/*
 * All of /proc/PID/maps. The whole text is read before any line is looked at, so that the mappings
 * have little time to change. Return: as read_fd(); true with an empty @maps if there are none.
 */
static bool read_maps(pid_t pid, struct content *maps)
{
	for (int try = 0; try < MAPS_TRIES; try++) {
		int fd = open_proc(pid, "maps");
		bool ok, complete;
		int error;

		if (fd < 0)
			return false;
		maps->len = 0;
		ok = read_fd(fd, maps);
		error = errno;
		complete = ok && maps->len && still_there(fd);
		close(fd);
		errno = error;
		if (!ok || complete)
			return ok;
	}
	maps->len = 0;
	return true;
}

/* The rest of the line of /proc/PID/status that begins with @key, up to @size - 1 bytes of it. */
static bool status_field(const struct content *status, const char *key, char *value, size_t size)
{
	const char *end = status->text + status->len;
	const char *line = status->text;
	size_t key_len = strlen(key);

	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t len = (size_t)((newline ? newline : end) - line);

		if (len > key_len && memcmp(line, key, key_len) == 0) {
			line += key_len;
			len -= key_len;
			while (len && (*line == '\t' || *line == ' ')) {
				line++;
				len--;
			}
			if (len >= size)
				len = size - 1;
			memcpy(value, line, len);
			value[len] = '\0';
			return true;
		}
		if (!newline)
			break;
		line = newline + 1;
	}
	return false;
}

/* ---------------------------------------------------------------------- a running process */

static bool fail_read(struct trouble *trouble, pid_t pid, const char *name, int error)
{
	const char *hint = "";

	if (error == ENOMEM)
		return fail_memory(trouble);
	if (error == ENOENT || error == ESRCH)
		return procfs_missing(trouble, pid);
	if (error == EACCES || error == EPERM)
		hint = "it takes the user of the process, or CAP_SYS_PTRACE: try it as root";
	return fail(trouble, hint, "cannot read /proc/%ld/%s: %s", (long)pid, name,
		    strerror(error));
}

/* A process without a single mapping: say why. */
static bool fail_empty(struct trouble *trouble, pid_t pid)
{
	struct content status = { 0 };
	char state[64] = "", threads[32] = "";

	if (!read_proc(pid, "status", &status)) {
		free(status.text);
		return procfs_missing(trouble, pid);
	}
	status_field(&status, "State:", state, sizeof(state));
	status_field(&status, "Threads:", threads, sizeof(threads));
	free(status.text);
	if (state[0] == 'Z' && strtol(threads, NULL, 10) > 1)
		return fail(trouble, "give the id of a thread that still runs",
			    "the main thread of process %ld has ended and shows no mappings",
			    (long)pid);
	if (state[0] == 'Z' || state[0] == 'X')
		return fail(trouble, "", "process %ld has ended: it is a zombie without mappings",
			    (long)pid);
	return fail(trouble, "a kernel thread has none, nor has a process that is just ending",
		    "process %ld has no mappings", (long)pid);
}

/* Thread-group id and name of the process that @pid is a thread of. */
static bool read_identity(struct process *process, pid_t pid, struct trouble *trouble)
{
	struct content status = { 0 }, comm = { 0 };
	char tgid[32];
	bool ok;

	if (!read_proc(pid, "status", &status)) {
		fail_read(trouble, pid, "status", errno);
		free(status.text);
		return false;
	}
	ok = status_field(&status, "Tgid:", tgid, sizeof(tgid));
	free(status.text);
	if (!ok)
		return fail_read(trouble, pid, "status", EPROTO);
	process->pid = (pid_t)strtol(tgid, NULL, 10);
	ok = read_proc(process->pid, "comm", &comm);
	if (!ok)
		fail_read(trouble, process->pid, "comm", errno);
	/* A name may hold newlines of its own; the last one is /proc's. */
	if (ok && comm.len && comm.text[comm.len - 1] == '\n')
		comm.len--;
	if (ok && !process_comm(process, comm.text, comm.len))
		ok = fail_memory(trouble);
	free(comm.text);
	return ok;
}

static bool take_maps(struct process *process, struct objects *objects, struct content *maps,
		      struct trouble *trouble)
{
	struct maps_count count;
	struct reader reader = { .process = process, .objects = objects, .count = &count };

	if (!maps_parse(maps->text, maps->len, take_line, &reader, &count))
		return fail_memory(trouble);
	if (count.truncated)
		process->notes |= ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS);
	process_attach(process);
	return true;
}

/* Fill a process with the mappings that @pid has now. A thread's are asked of the thread itself. */
static bool fill_from_pid(struct process *process, struct objects *objects, pid_t pid,
			  struct trouble *trouble)
{
	struct content maps = { 0 };
	bool ok;

	if (!read_identity(process, pid, trouble))
		return false;
	if (!read_maps(pid, &maps))
		ok = fail_read(trouble, pid, "maps", errno);
	else if (!maps.len)
		ok = fail_empty(trouble, pid);
	else
		ok = take_maps(process, objects, &maps, trouble);
	free(maps.text);
	return ok;
}

bool resolve_pid(struct report *report, struct filter_set *set, pid_t pid, unsigned int addr_bits,
		 struct trouble *trouble)
{
	struct objects objects;
	struct process process;
	bool ok;

	if (!objects_by_inode(&objects, set, pid))
		return fail_memory(trouble);
	if (!process_init(&process, set, addr_bits)) {
		objects_free(&objects);
		return fail_memory(trouble);
	}
	ok = fill_from_pid(&process, &objects, pid, trouble);
	if (ok && !report_add(report, &process, &objects))
		ok = fail_memory(trouble);
	process_free(&process);
	objects_free(&objects);
	return ok;
}

/* ---------------------------------------------------------------------- a maps file */

static bool fill_from_file(struct process *process, struct objects *objects, int fd,
			   const char *name, struct maps_count *count, void (*progress)(u64 bytes),
			   struct trouble *trouble)
{
	struct reader reader = { .process = process, .objects = objects, .count = count };

	if (!maps_read(fd, take_line, &reader, count, progress)) {
		if (reader.no_memory)
			return fail_memory(trouble);
		return fail(trouble, "", "cannot read %s: %s", name, strerror(errno));
	}
	if (count->truncated)
		process->notes |= ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS);
	process_attach(process);
	return true;
}

bool resolve_maps(struct report *report, struct filter_set *set, int fd, const char *name,
		  unsigned int addr_bits, struct maps_count *count, void (*progress)(u64 bytes),
		  struct trouble *trouble)
{
	struct objects objects;
	struct process process;
	bool ok;

	*count = (struct maps_count){ 0 };
	if (!objects_by_name(&objects, set))
		return fail_memory(trouble);
	if (!process_init(&process, set, addr_bits)) {
		objects_free(&objects);
		return fail_memory(trouble);
	}
	ok = fill_from_file(&process, &objects, fd, name, count, progress, trouble);
	if (ok && !report_add(report, &process, &objects))
		ok = fail_memory(trouble);
	process_free(&process);
	objects_free(&objects);
	return ok;
}
