// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Which object file a filter names and which one a mapping shows. Looks files up, but must not open
 * them for reading; knows nothing of ranges.
 *
 * Linux compares inodes (G9), so the device and inode of a mapping decide wherever they can be
 * trusted. Where they cannot, /proc/PID/map_files leads to the very file that is mapped.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "index.h"
#include "object.h"

#define OVERLAYFS_MAGIC 0x794c7630u
#define BTRFS_MAGIC 0x9123683eu

/*
 * Tables over the list, so that neither a big set nor a big maps file costs the product of both.
 * @paths has what filters say, @names what maps may show for it: the same only by name.
 */
struct object_index {
	struct name_table paths;
	struct name_table names;
	struct inode_table inodes;
};

/* Append a copy of @object. Return: its id, 0 if memory ran out. */
static u64 add_object(struct objects *objects, const struct object *object)
{
	size_t count = objects->count;
	char *path = strdup(object->path);

	if (!path)
		return 0;
	/* The array has room for the next power of two. */
	if ((count & (count - 1)) == 0) {
		struct object *list =
			reallocarray(objects->list, count ? count * 2 : 1, sizeof(*list));

		if (!list) {
			free(path);
			return 0;
		}
		objects->list = list;
	}
	objects->list[count] = *object;
	objects->list[count].path = path;
	return ++objects->count;
}

static struct object *object_at(const struct objects *objects, u64 id)
{
	return &objects->list[id - 1];
}

/* ---------------------------------------------------------------------- looking files up */

/* As the process sees an absolute path. */
static int open_there(const char *path, pid_t pid)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	char root[64];
	int dir, fd, error;

	snprintf(root, sizeof(root), "/proc/%ld/root", (long)pid);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	/* Symbolic links on the way must not lead out of the root of that process. */
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
		/* Kernels before 5.6; and links such as /proc/PID/fd/N, which that call refuses. */
		path += strspn(path, "/");
		fd = openat(dir, *path ? path : ".", O_PATH | O_CLOEXEC);
	}
	error = errno;
	close(dir);
	errno = error;
	return fd;
}

/* Has the process a view of its own of this path? */
static bool is_there_too(const char *path, pid_t pid)
{
	return pid && path[0] == '/';
}

int object_open(const char *path, pid_t pid)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	return fd < 0 && is_there_too(path, pid) ? open_there(path, pid) : fd;
}

/* The name of an open file as maps shows it to us. Return: its length, 0 if there is none. */
static size_t name_of_fd(int fd, char *name, size_t size)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, size);
	return n > 0 && (size_t)n < size && name[0] == '/' ? (size_t)n : 0;
}

/*
 * The name that a file which is no longer there had: that of its directory, as we see it or as the
 * process does, and the last part.
 */
static size_t name_of_missing(const char *path, pid_t pid, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	size_t last_len = strlen(last);
	char *dir = slash ? strndup(path, (size_t)(last - path)) : strdup(".");
	size_t len = 0;
	int fd;

	if (!dir)
		return 0;
	fd = pid ? open_there(dir, pid) : open(dir, O_PATH | O_CLOEXEC);
	free(dir);
	if (fd < 0)
		return 0;
	len = name_of_fd(fd, name, size);
	close(fd);
	if (len == 1)
		len = 0; /* the root directory: no second slash */
	else if (!len)
		return 0;
	if (last_len >= size - len - 1)
		return 0;
	name[len++] = '/';
	memcpy(name + len, last, last_len);
	return len + last_len;
}

/* Fill in device and inode of an open file, if Linux would take it for a filter. */
static void identify(struct object *object, int fd)
{
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	object->known = true;
	object->major = major(st.st_dev);
	object->minor = minor(st.st_dev);
	object->inode = st.st_ino;
	if (fstatfs(fd, &fs) == 0)
		object->device_misleads = (u32)fs.f_type == OVERLAYFS_MAGIC ||
					  (u32)fs.f_type == BTRFS_MAGIC;
}

/* The object that is a certain inode, 0 if there is none. */
static u64 find_file(const struct objects *objects, u32 major, u32 minor, u64 inode)
{
	const struct inode_entry *entry = inode_find(&objects->index->inodes, inode);
	u64 id;

	while (entry) {
		const struct object *object;

		entry = inode_next(entry, &id);
		object = object_at(objects, id);
		if (object->major == major && object->minor == minor)
			return id;
	}
	return 0;
}

/* ---------------------------------------------------------------------- from filters */

/* A new object file, known by its name only. Return: its id, 0 if memory ran out. */
static u64 object_by_name(struct objects *objects, const struct object *object)
{
	u64 id = add_object(objects, object);

	if (id && !name_add(&objects->index->names, object->path, object->path_len, id))
		return 0;
	return id;
}

/* A path not met before: a new object file or another path to one. Return: as object_by_name(). */
static u64 object_by_inode(struct objects *objects, struct object *object, pid_t pid)
{
	char name[PATH_MAX + 1];
	size_t len;
	u64 id = 0;
	int fd = object_open(object->path, pid);

	if (fd >= 0) {
		identify(object, fd);
		len = name_of_fd(fd, name, sizeof(name));
		close(fd);
	} else {
		len = name_of_missing(object->path, 0, name, sizeof(name));
	}
	if (object->known)
		id = find_file(objects, object->major, object->minor, object->inode);
	if (!id) {
		id = add_object(objects, object);
		if (!id)
			return 0;
		if (object->known && !inode_add(&objects->index->inodes, object->inode, id))
			return 0;
	}
	if (len ? !name_add(&objects->index->names, name, len, id) :
		  !name_add(&objects->index->names, object->path, object->path_len, id))
		return 0;
	if (fd < 0 && is_there_too(object->path, pid)) {
		len = name_of_missing(object->path, pid, name, sizeof(name));
		if (len && !name_add(&objects->index->names, name, len, id))
			return 0;
	}
	return id;
}

/* The id of the object file of a file filter. Return: 0 if memory ran out. */
static u64 object_of_filter(struct objects *objects, const struct itf_filter *filter, pid_t pid)
{
	struct object object = { .path = set_path(filter) };
	u64 id;

	if (!object.path)
		return 0;
	object.path_len = strlen(object.path);
	id = name_find(&objects->index->paths, object.path, object.path_len);
	if (!id) {
		id = objects->by_name ? object_by_name(objects, &object) :
					object_by_inode(objects, &object, pid);
		if (id && !name_add(&objects->index->paths, object.path, object.path_len, id))
			id = 0;
	}
	free(object.path);
	return id;
}

static bool objects_init(struct objects *objects, struct filter_set *set, bool by_name, pid_t pid)
{
	*objects = (struct objects){ .by_name = by_name };
	objects->index = calloc(1, sizeof(*objects->index));
	if (!objects->index)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		struct itf_filter *filter = &set->filters[i];

		filter->object = 0;
		if (filter->source != ITF_SOURCE_FILE)
			continue;
		filter->object = object_of_filter(objects, filter, pid);
		if (!filter->object) {
			objects_free(objects);
			errno = ENOMEM;
			return false;
		}
	}
	name_free(&objects->index->paths);
	return true;
}

bool objects_by_name(struct objects *objects, struct filter_set *set)
{
	return objects_init(objects, set, true, 0);
}

bool objects_by_inode(struct objects *objects, struct filter_set *set, pid_t pid)
{
	return objects_init(objects, set, false, pid);
}

void objects_free(struct objects *objects)
{
	if (objects->index) {
		name_free(&objects->index->paths);
		name_free(&objects->index->names);
		inode_free(&objects->index->inodes);
		free(objects->index);
	}
	for (size_t i = 0; i < objects->count; i++)
		free(objects->list[i].path);
	free(objects->list);
	*objects = (struct objects){ 0 };
}

/* ---------------------------------------------------------------------- from mappings */

/* The object whose file has the name that the mapping shows, 0 if none. */
static u64 named_object(const struct objects *objects, const struct map_line *line)
{
	return name_find(&objects->index->names, line->name, line->name_len);
}

/* Memory without a file of its own, whatever maps calls it. */
static bool is_anonymous(const struct map_line *line)
{
	static const char huge[] = "/anon_hugepage";

	return !line->inode || (line->deleted && line->name_len == sizeof(huge) - 1 &&
				memcmp(line->name, huge, sizeof(huge) - 1) == 0);
}

static u64 line_by_name(struct objects *objects, const struct map_line *line)
{
	u64 id = named_object(objects, line);

	if (id) {
		if (line->deleted)
			object_at(objects, id)->seen |= ITF_NOTE_BIT(ITF_NOTE_DELETED_FILE);
		return id;
	}
	return is_anonymous(line) ? 0 : OBJECT_OTHER;
}

/* The file that is mapped, asked of the kernel itself. */
struct mapped_file {
	bool asked;
	bool told;
	struct stat st;
};

/*
 * Does a mapping show an object although its device says otherwise? @file is filled when needed.
 * Nobody but root may ask the kernel; without an answer a file that still has the name is taken to
 * be it.
 */
static bool settle(const struct object *object, const struct map_line *line, pid_t pid,
		   bool same_name, struct mapped_file *file)
{
	char path[96];

	if (!object->known)
		return false;
	if (!file->asked) {
		file->asked = true;
		snprintf(path, sizeof(path), "/proc/%ld/map_files/%llx-%llx", (long)pid,
			 (unsigned long long)line->start, (unsigned long long)line->end);
		file->told = pid && stat(path, &file->st) == 0;
	}
	if (file->told)
		return major(file->st.st_dev) == object->major &&
		       minor(file->st.st_dev) == object->minor && file->st.st_ino == object->inode;
	return object->device_misleads && same_name && !line->deleted;
}

/* The object that a mapping shows although its device is not the object's; 0 if none. */
static u64 line_by_file(struct objects *objects, const struct map_line *line, u64 named, pid_t pid)
{
	const struct inode_entry *entry = inode_find(&objects->index->inodes, line->inode);
	struct mapped_file file = { 0 };
	u64 id;

	if (named && settle(object_at(objects, named), line, pid, true, &file))
		return named;
	while (entry) {
		const struct object *object;

		entry = inode_next(entry, &id);
		object = object_at(objects, id);
		if (object->device_misleads && settle(object, line, pid, false, &file))
			return id;
	}
	return 0;
}

u64 object_of_line(struct objects *objects, const struct map_line *line, pid_t pid)
{
	struct object *object;
	u64 named, id;

	if (objects->by_name)
		return line_by_name(objects, line);
	if (is_anonymous(line))
		return 0;
	id = find_file(objects, line->major, line->minor, line->inode);
	if (!id) {
		named = named_object(objects, line);
		id = line_by_file(objects, line, named, pid);
		if (!id && named) {
			object = object_at(objects, named);
			/* Deleted or not, what has the name now is another file. */
			if (object->known)
				object->seen |= ITF_NOTE_BIT(ITF_NOTE_REPLACED_FILE);
			else if (line->deleted)
				object->seen |= ITF_NOTE_BIT(ITF_NOTE_DELETED_FILE);
		}
		if (!id)
			return OBJECT_OTHER;
	}
	object = object_at(objects, id);
	if (object->device_misleads)
		object->seen |= ITF_NOTE_BIT(ITF_NOTE_OVERLAY_DEVICE);
	return id;
}
