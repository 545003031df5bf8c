// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Which object file a mapping shows: by name, and by inode on real files and mounts. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/index.h"
#include "host/object.h"
#include "runner.h"
#include "support.h"

#define DELETED ITF_NOTE_BIT(ITF_NOTE_DELETED_FILE)
#define REPLACED ITF_NOTE_BIT(ITF_NOTE_REPLACED_FILE)
#define OVERLAY ITF_NOTE_BIT(ITF_NOTE_OVERLAY_DEVICE)

static void parse_set(struct filter_set *set, const char *filters)
{
	const struct itf_syntax syntax = { .quotes = true };

	ck_assert(set_parse(set, filters, strlen(filters), &syntax));
	ck_assert_int_eq(set->error, ITF_OK);
}

/* ---------------------------------------------------------------------- tables */

START_TEST(tables_find_what_was_entered_and_nothing_else)
{
	struct name_table names = { 0 };
	struct inode_table inodes = { 0 };
	const struct inode_entry *entry;
	u64 id, sum = 0;

	ck_assert_uint_eq(name_find(&names, "", 0), 0);
	ck_assert_ptr_null(inode_find(&inodes, 1));
	ck_assert(name_add(&names, "", 0, 7));
	ck_assert(name_add(&names, "a\0b", 3, 1));
	ck_assert(name_add(&names, "a\0c", 3, 2));
	ck_assert(name_add(&names, "a\0b", 3, 3));
	ck_assert_uint_eq(name_find(&names, "", 0), 7);
	ck_assert_uint_eq(name_find(&names, "a\0b", 3), 1);
	ck_assert_uint_eq(name_find(&names, "a\0c", 3), 2);
	ck_assert_uint_eq(name_find(&names, "a\0d", 3), 0);
	ck_assert_uint_eq(name_find(&names, "a", 1), 0);
	name_free(&names);
	ck_assert_uint_eq(name_find(&names, "", 0), 0);

	ck_assert(inode_add(&inodes, 5, 1));
	ck_assert(inode_add(&inodes, 5, 2));
	ck_assert(inode_add(&inodes, 5, 4));
	ck_assert(inode_add(&inodes, ~(u64)0, 8));
	ck_assert_ptr_null(inode_find(&inodes, 6));
	for (entry = inode_find(&inodes, 5); entry; sum += id)
		entry = inode_next(entry, &id);
	ck_assert_uint_eq(sum, 7);
	ck_assert_ptr_null(inode_next(inode_find(&inodes, ~(u64)0), &id));
	ck_assert_uint_eq(id, 8);
	inode_free(&inodes);
}
END_TEST

/* ---------------------------------------------------------------------- by name */

static const char names_set[] =
	"start 0@/a,start 0@/b,stop 5@/a,start kernel:0,stop 0@\"/c d \",start 0@rel,stop 0@[vdso]";

static const struct {
	const char *line;
	u64 id;
	u32 seen; /* of that object */
} by_name[] = {
	{ "1-2 r-xp 0 fe:0 4711 /a", 1, 0 },
	{ "1-2 r-xp 0 fe:0 4711 /b", 2, 0 },
	{ "1-2 r-xp 0 fe:0 4711 /c d ", 3, 0 },
	{ "1-2 r-xp 0 fe:0 4711 /c d", OBJECT_OTHER, 0 },
	{ "1-2 r-xp 0 fe:0 4711 rel", 4, 0 },
	{ "1-2 r-xp 0 0:0 0 [vdso]", 5, 0 },
	{ "1-2 r-xp 0 fe:0 4711 /a (deleted)", 1, DELETED },
	{ "1-2 r-xp 0 fe:0 4711 /aa", OBJECT_OTHER, 0 },
	{ "1-2 r-xp 0 fe:0 4711 /A", OBJECT_OTHER, 0 },
	{ "1-2 r-xp 0 0:1 4711 /memfd:x (deleted)", OBJECT_OTHER, 0 },
	/* A name is enough: a shortened or invented list may have no inodes. */
	{ "1-2 r-xp 0 0:0 0 /a", 1, 0 },
	/* Memory without a file. */
	{ "1-2 rw-p 0 0:0 0", 0, 0 },
	{ "1-2 rw-p 0 0:0 0 [heap]", 0, 0 },
	{ "1-2 rw-p 0 0:0 0 //anon", 0, 0 },
	{ "1-2 rw-p 0 0:0 0 [anon:a b]", 0, 0 },
	{ "1-2 rwxp 0 0:f 4711 /anon_hugepage (deleted)", 0, 0 },
	{ "1-2 rwxp 0 0:f 4711 /anon_hugepage", OBJECT_OTHER, 0 },
};

/* What a line is about. */
struct ask {
	struct objects *objects;
	pid_t pid;
	u64 id;
	u64 start; /* of the mapping to look at; 0 for any */
};

static bool ask_line(const struct map_line *line, void *ctx)
{
	struct ask *ask = ctx;

	if (ask->start && line->start != ask->start)
		return true;
	ask->id = object_of_line(ask->objects, line, ask->pid);
	return !ask->start;
}

START_TEST(a_name_is_compared_byte_by_byte)
{
	struct objects objects;
	struct filter_set set;
	struct ask ask = { .objects = &objects, .id = 99 };
	struct maps_count count;
	char text[256];

	parse_set(&set, names_set);
	ck_assert(objects_by_name(&objects, &set));
	ck_assert_uint_eq(objects.count, 5);
	strcpy(text, by_name[_i].line);
	ck_assert(maps_parse(text, strlen(text), ask_line, &ask, &count));
	ck_assert_uint_eq(count.malformed, 0);
	ck_assert_uint_eq(ask.id, by_name[_i].id);
	for (u64 id = 1; id <= objects.count; id++)
		ck_assert_uint_eq(objects.list[id - 1].seen,
				  id == by_name[_i].id ? by_name[_i].seen : 0);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

START_TEST(filters_of_one_path_share_an_object)
{
	static const u64 ids[] = { 1, 2, 1, 0, 3, 4, 5 };
	struct objects objects;
	struct filter_set set;

	parse_set(&set, names_set);
	for (int by_inode = 0; by_inode < 2; by_inode++) {
		ck_assert(by_inode ? objects_by_inode(&objects, &set, 0) :
				     objects_by_name(&objects, &set));
		for (size_t i = 0; i < set.count; i++)
			ck_assert_uint_eq(set.filters[i].object, ids[i]);
		ck_assert_str_eq(objects.list[0].path, "/a");
		ck_assert_str_eq(objects.list[2].path, "/c d ");
		ck_assert_uint_eq(objects.list[2].path_len, 5);
		objects_free(&objects);
	}
	set_free(&set);
}
END_TEST

START_TEST(an_empty_set_has_no_objects)
{
	struct objects objects;
	struct filter_set set;

	parse_set(&set, "");
	ck_assert(objects_by_name(&objects, &set));
	ck_assert_uint_eq(objects.count, 0);
	objects_free(&objects);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

/* Product of both would be 10^10 comparisons. */
START_TEST(many_filters_and_many_lines_cost_little)
{
	static char line[64];
	struct objects objects;
	struct filter_set set;
	struct map_line parsed = { .start = 1, .end = 2, .inode = 1, .name = line };
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (int i = 0; i < 100000; i++)
		fprintf(out, "filter %d/1@/path/number/%d,", i, i / 2);
	fclose(out);
	parse_set(&set, text);
	ck_assert(objects_by_name(&objects, &set));
	ck_assert_uint_eq(objects.count, 50000);
	for (int i = 0; i < 100000; i++) {
		parsed.name_len = (size_t)snprintf(line, sizeof(line), "/path/number/%d", i);
		ck_assert_uint_eq(object_of_line(&objects, &parsed, 0),
				  i < 50000 ? (u64)i + 1 : OBJECT_OTHER);
	}
	objects_free(&objects);
	set_free(&set);
	free(text);
}
END_TEST

/* ---------------------------------------------------------------------- by inode */

/* A directory of its own, under which the tests make files, links and mounts. */
static char directory[64];

static const char *in_directory(const char *name)
{
	static char paths[8][256];
	static unsigned int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

static void make_file(const char *path)
{
	char page[4096] = "";
	int fd = open(path, O_CREAT | O_EXCL | O_RDWR, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, page, sizeof(page)), sizeof(page));
	close(fd);
}

static void make_directory(void)
{
	strcpy(directory, "/tmp/itf-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	make_file(in_directory("file"));
	make_file(in_directory("other"));
}

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static u64 map_path(const char *path)
{
	int fd = open(path, O_RDONLY);
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	close(fd);
	return (u64)(uintptr_t)at;
}

/* The object id, for a filter of @path, of the mapping of @pid that begins at @start. */
static u64 ask_pid(const char *path, pid_t pid, u64 start, u32 *seen, struct object *object)
{
	struct objects objects;
	struct filter_set set;
	struct ask ask = { .objects = &objects, .pid = pid, .id = 99, .start = start };
	struct maps_count count;
	char text[512];
	int fd;

	snprintf(text, sizeof(text), "filter 0/1@%s", path);
	parse_set(&set, text);
	ck_assert(objects_by_inode(&objects, &set, pid));
	snprintf(text, sizeof(text), "/proc/%d/maps", pid);
	fd = open(text, O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert(!maps_read(fd, ask_line, &ask, &count, NULL));
	close(fd);
	*seen = objects.list[0].seen;
	if (object)
		*object = objects.list[0];
	objects_free(&objects);
	set_free(&set);
	return ask.id;
}

START_TEST(every_path_to_an_inode_finds_it)
{
	u64 start = map_path(in_directory("file"));
	const char *paths[5] = { in_directory("file"), NULL, in_directory("hard"),
				 in_directory("soft"), "file" };
	char up[256];
	u32 seen;

	snprintf(up, sizeof(up), "%s/../%s/file", directory, strrchr(directory, '/') + 1);
	paths[1] = up;
	ck_assert_int_eq(link(paths[0], paths[2]), 0);
	ck_assert_int_eq(symlink(paths[0], paths[3]), 0);
	ck_assert_int_eq(chdir(directory), 0);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(ask_pid(paths[i], getpid(), start, &seen, NULL), 1);
		ck_assert_uint_eq(seen, 0);
	}
	ck_assert_uint_eq(ask_pid(in_directory("other"), getpid(), start, &seen, NULL),
			  OBJECT_OTHER);
	ck_assert_uint_eq(seen, 0);
}
END_TEST

START_TEST(two_paths_to_an_inode_are_one_object)
{
	struct objects objects;
	struct filter_set set;
	char text[512];

	ck_assert_int_eq(link(in_directory("file"), in_directory("hard")), 0);
	snprintf(text, sizeof(text), "filter 0/1@%s,filter 0/1@%s,filter 0/1@%s",
		 in_directory("file"), in_directory("other"), in_directory("hard"));
	parse_set(&set, text);
	ck_assert(objects_by_inode(&objects, &set, 0));
	ck_assert_uint_eq(objects.count, 2);
	ck_assert_uint_eq(set.filters[0].object, 1);
	ck_assert_uint_eq(set.filters[1].object, 2);
	ck_assert_uint_eq(set.filters[2].object, 1);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

START_TEST(deleted_and_replaced_files_are_told_apart)
{
	u64 start = map_path(in_directory("file"));
	char soft[256];
	u32 seen;

	/* By way of a linked directory too: maps shows where it leads. */
	snprintf(soft, sizeof(soft), "%s/dir/file", directory);
	ck_assert_int_eq(symlink(directory, in_directory("dir")), 0);

	unlink(in_directory("file"));
	ck_assert_uint_eq(ask_pid(in_directory("file"), getpid(), start, &seen, NULL),
			  OBJECT_OTHER);
	ck_assert_uint_eq(seen, DELETED);
	ck_assert_uint_eq(ask_pid(soft, getpid(), start, &seen, NULL), OBJECT_OTHER);
	ck_assert_uint_eq(seen, DELETED);

	make_file(in_directory("file"));
	ck_assert_uint_eq(ask_pid(in_directory("file"), getpid(), start, &seen, NULL),
			  OBJECT_OTHER);
	ck_assert_uint_eq(seen, REPLACED);
	ck_assert_uint_eq(ask_pid(soft, getpid(), start, &seen, NULL), OBJECT_OTHER);
	ck_assert_uint_eq(seen, REPLACED);
	ck_assert_uint_eq(ask_pid(in_directory("other"), getpid(), start, &seen, NULL),
			  OBJECT_OTHER);
	ck_assert_uint_eq(seen, 0);
}
END_TEST

START_TEST(a_living_file_named_like_a_deleted_one_is_itself)
{
	const char *path = in_directory("f (deleted)");
	struct objects objects;
	struct filter_set set;
	struct map_line line = { .start = 1, .end = 2, .deleted = true };
	struct stat st;
	char text[512];

	make_file(path);
	ck_assert_int_eq(stat(path, &st), 0);
	snprintf(text, sizeof(text), "filter 0/1@\"%s\"", path);
	parse_set(&set, text);
	ck_assert(objects_by_inode(&objects, &set, 0));
	line.major = major(st.st_dev);
	line.minor = minor(st.st_dev);
	line.inode = st.st_ino;
	line.name = path;
	line.name_len = strlen(path) - strlen(" (deleted)");
	ck_assert_uint_eq(object_of_line(&objects, &line, 0), 1);
	ck_assert_uint_eq(objects.list[0].seen, 0);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

START_TEST(only_a_regular_file_is_an_object)
{
	struct objects objects;
	struct filter_set set;

	parse_set(&set, "start 0@/,start 0@/dev/null,start 0@/no/file,start 0@/proc/self/exe");
	ck_assert(objects_by_inode(&objects, &set, getpid()));
	ck_assert_uint_eq(objects.count, 4);
	ck_assert(!objects.list[0].known);
	ck_assert(!objects.list[1].known);
	ck_assert(!objects.list[2].known);
	ck_assert(objects.list[3].known);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

/* A memory file is reached through the links of /proc (R22). */
START_TEST(a_memory_file_is_found_by_its_descriptor)
{
	int fd = memfd_create("x y", 0);
	char path[64];
	u64 start;
	u32 seen;

	ck_assert_int_eq(ftruncate(fd, 4096), 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	start = map_path(path);
	ck_assert_uint_eq(ask_pid(path, getpid(), start, &seen, NULL), 1);
	ck_assert_uint_eq(seen, 0);
	close(fd);
}
END_TEST

/* ---------------------------------------------------------------------- devices that mislead */

/* May this process follow /proc/PID/map_files? */
static bool map_files_readable(u64 start)
{
	char path[96];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/self/map_files/%llx-%llx", (unsigned long long)start,
		 (unsigned long long)start + 4096);
	return stat(path, &st) == 0;
}

static const struct {
	const char *label;
	bool misleads; /* the file is on overlayfs or btrfs */
	bool same_inode; /* as the file has it */
	bool same_name;
	bool deleted;
	bool other_mapped; /* the mapping is one of another file */
	bool ask_kernel;
	u64 id;
	u32 seen;
} devices[] = {
	{ "settled by name", true, false, true, false, false, true, 1, OVERLAY },
	{ "settled by inode number", true, true, false, false, false, true, 1, OVERLAY },
	{ "settled by both", true, true, true, false, false, true, 1, OVERLAY },
	{ "settled though deleted", true, true, true, true, false, true, 1, OVERLAY },
	{ "another file of the name", true, true, true, true, true, true, OBJECT_OTHER, REPLACED },
	{ "another file of the inode", true, true, false, false, true, true, OBJECT_OTHER, 0 },
	{ "nothing in common", true, false, false, false, true, true, OBJECT_OTHER, 0 },
	{ "settled elsewhere", false, false, true, false, false, true, 1, 0 },
	{ "another elsewhere", false, false, true, false, true, true, OBJECT_OTHER, REPLACED },
	{ "inode number elsewhere", false, true, false, false, false, true, OBJECT_OTHER, 0 },
	/* Without the kernel's word. */
	{ "name", true, false, true, false, false, false, 1, OVERLAY },
	{ "name and inode", true, true, true, false, false, false, 1, OVERLAY },
	{ "name of a deleted one", true, true, true, true, false, false, OBJECT_OTHER, REPLACED },
	{ "inode number only", true, true, false, false, false, false, OBJECT_OTHER, 0 },
	{ "name elsewhere", false, false, true, false, false, false, OBJECT_OTHER, REPLACED },
};

START_TEST(a_device_that_misleads_is_settled_by_the_mapped_file)
{
	const char *path = in_directory("file");
	const char *name = devices[_i].same_name ? path : "/another/name";
	u64 start = map_path(in_directory(devices[_i].other_mapped ? "other" : "file"));
	struct map_line line = { .start = start,
				 .end = start + 4096,
				 .name = name,
				 .name_len = strlen(name),
				 .deleted = devices[_i].deleted };
	struct objects objects;
	struct filter_set set;
	char text[512];
	u64 id;

	if (devices[_i].ask_kernel && !map_files_readable(start))
		return;
	snprintf(text, sizeof(text), "filter 0/1@%s", path);
	parse_set(&set, text);
	ck_assert(objects_by_inode(&objects, &set, 0));
	objects.list[0].device_misleads = devices[_i].misleads;
	line.major = objects.list[0].major + 1;
	line.minor = objects.list[0].minor;
	line.inode = objects.list[0].inode + !devices[_i].same_inode;
	id = object_of_line(&objects, &line, devices[_i].ask_kernel ? getpid() : 0);
	ck_assert_msg(id == devices[_i].id, "%s: %llx", devices[_i].label, (unsigned long long)id);
	ck_assert_msg(objects.list[0].seen == devices[_i].seen, "%s: %x", devices[_i].label,
		      objects.list[0].seen);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

/* Mount in a namespace of its own: gone with the test. Return: false where that is not allowed. */
static bool own_mounts(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0;
}

START_TEST(a_file_on_a_real_overlay_is_found_and_said)
{
	char options[1024];
	struct object object;
	u64 start;
	u32 seen;

	if (!own_mounts())
		return;
	mkdir(in_directory("upper"), 0755);
	mkdir(in_directory("work"), 0755);
	mkdir(in_directory("merged"), 0755);
	mkdir(in_directory("lower"), 0755);
	make_file(in_directory("lower/file"));
	make_file(in_directory("lower/other"));
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s",
		 in_directory("lower"), in_directory("upper"), in_directory("work"));
	if (mount("overlay", in_directory("merged"), "overlay", 0, options))
		return;
	start = map_path(in_directory("merged/file"));
	ck_assert_uint_eq(ask_pid(in_directory("merged/file"), getpid(), start, &seen, &object), 1);
	ck_assert(object.device_misleads);
	ck_assert_uint_eq(seen, OVERLAY);
	ck_assert_uint_eq(ask_pid(in_directory("merged/other"), getpid(), start, &seen, NULL),
			  OBJECT_OTHER);
	ck_assert_uint_eq(seen, 0);
	munmap((void *)(uintptr_t)start, 4096);
	umount2(in_directory("merged"), MNT_DETACH);
}
END_TEST

START_TEST(paths_are_ours_as_for_linux_and_else_the_process)
{
	struct open_how how = { .flags = O_PATH };
	int to_child[2], from_child[2];
	char path[1024];
	u64 start = 0;
	pid_t pid;
	u32 seen;
	int fd;

	if (geteuid() != 0)
		return;
	ck_assert_int_eq(symlink("/file", in_directory("link")), 0);
	ck_assert_int_eq(pipe(to_child), 0);
	ck_assert_int_eq(pipe(from_child), 0);
	pid = fork();
	if (pid == 0) {
		if (chroot(directory))
			_exit(1);
		start = map_path("/file");
		if (write(from_child[1], &start, sizeof(start)) != sizeof(start) ||
		    read(to_child[0], &start, 1) != 1)
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(read(from_child[0], &start, sizeof(start)), sizeof(start));
	ck_assert_uint_eq(ask_pid("/file", pid, start, &seen, NULL), 1);
	ck_assert_uint_eq(ask_pid("/other", pid, start, &seen, NULL), OBJECT_OTHER);
	/* G8: Linux looks paths up for whoever sets the filter, and it is the same file. */
	ck_assert_uint_eq(ask_pid(in_directory("file"), pid, start, &seen, NULL), 1);
	snprintf(path, sizeof(path), "/proc/%ld/root/file", (long)pid);
	ck_assert_uint_eq(ask_pid(path, pid, start, &seen, NULL), 1);
	/* So this is our file, whatever the process has there. */
	snprintf(path, sizeof(path), "%s/etc/passwd", directory);
	ck_assert_int_eq(mkdir(in_directory("etc"), 0755), 0);
	ck_assert_int_eq(rename(in_directory("file"), path), 0);
	ck_assert_uint_eq(ask_pid("/etc/passwd", pid, start, &seen, NULL), OBJECT_OTHER);
	ck_assert_int_eq(rename(path, in_directory("file")), 0);
	ck_assert_int_eq(rmdir(in_directory("etc")), 0);
	/* Relative paths are ours. */
	ck_assert_int_eq(chdir(directory), 0);
	ck_assert_uint_eq(ask_pid("./file", pid, start, &seen, NULL), 1);
	fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));
	if (fd >= 0) {
		close(fd);
		ck_assert_uint_eq(ask_pid("/link", pid, start, &seen, NULL), 1);
	}
	unlink(in_directory("file"));
	ck_assert_uint_eq(ask_pid("/file", pid, start, &seen, NULL), OBJECT_OTHER);
	ck_assert_uint_eq(seen, DELETED);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
END_TEST

START_TEST(a_process_that_is_gone_adds_no_files)
{
	pid_t pid = fork();
	struct objects objects;
	struct filter_set set;

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	parse_set(&set, "filter 0/1@/bin/true,filter 0/1@/no/file");
	ck_assert(objects_by_inode(&objects, &set, pid));
	ck_assert(objects.list[0].known);
	ck_assert(!objects.list[1].known);
	ck_assert_int_lt(object_open("/no/file", pid), 0);
	objects_free(&objects);
	set_free(&set);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("object");
	TCase *names = tcase_create("names");
	TCase *inodes = tcase_create("inodes");

	tcase_add_test(names, tables_find_what_was_entered_and_nothing_else);
	tcase_add_loop_test(names, a_name_is_compared_byte_by_byte, 0,
			    sizeof(by_name) / sizeof(by_name[0]));
	tcase_add_test(names, filters_of_one_path_share_an_object);
	tcase_add_test(names, an_empty_set_has_no_objects);
	tcase_add_test(names, many_filters_and_many_lines_cost_little);
	suite_add_tcase(suite, names);
	tcase_add_checked_fixture(inodes, make_directory, remove_directory);
	tcase_add_test(inodes, every_path_to_an_inode_finds_it);
	tcase_add_test(inodes, two_paths_to_an_inode_are_one_object);
	tcase_add_test(inodes, deleted_and_replaced_files_are_told_apart);
	tcase_add_test(inodes, a_living_file_named_like_a_deleted_one_is_itself);
	tcase_add_test(inodes, only_a_regular_file_is_an_object);
	tcase_add_test(inodes, a_memory_file_is_found_by_its_descriptor);
	tcase_add_loop_test(inodes, a_device_that_misleads_is_settled_by_the_mapped_file, 0,
			    sizeof(devices) / sizeof(devices[0]));
	tcase_add_test(inodes, a_file_on_a_real_overlay_is_found_and_said);
	tcase_add_test(inodes, paths_are_ours_as_for_linux_and_else_the_process);
	tcase_add_test(inodes, a_process_that_is_gone_adds_no_files);
	suite_add_tcase(suite, inodes);
	return run_suite(suite);
}
