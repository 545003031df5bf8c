/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which object file is it: from the path of a filter and from a mapping to an object id, by name or
 * by device and inode.
 */
#ifndef ITF_HOST_OBJECT_H
#define ITF_HOST_OBJECT_H

#include <sys/types.h>

#include "maps.h"
#include "set.h"

/* The id of every mapped file that no filter of the set names. Ids of named files count from 1. */
#define OBJECT_OTHER (~(u64)0)

/**
 * struct object - one object file that the set names
 * @path: decoded path, NUL-terminated, owned
 * @path_len: bytes in @path
 * @known: there is such a file and @major to @inode tell which
 * @major: device
 * @minor: device
 * @inode: inode
 * @device_misleads: on overlayfs or btrfs, where maps shows another device: see object_of_line()
 * @seen: ITF_NOTE_BIT() of what mappings told since: _DELETED_FILE, _REPLACED_FILE and
 *	_OVERLAY_DEVICE, the last for every mapping of an object whose @device_misleads, however it
 *	was found: kernels without the fix of R19 never match it
 */
struct object {
	char *path;
	size_t path_len;
	bool known;
	u32 major;
	u32 minor;
	u64 inode;
	bool device_misleads;
	u32 seen;
};

struct object_index;

/**
 * struct objects - the object files that a set names
 * @list: array of @count objects, owned; object id I is list[I - 1]
 * @count: objects
 * @by_name: mappings match by the bytes of their name; else by device and inode
 * @index: tables over @list, private
 */
struct objects {
	struct object *list;
	size_t count;
	bool by_name;
	struct object_index *index;
};

/**
 * objects_by_name() - object files known by name only
 * @objects: filled; release it with objects_free()
 * @set: the object of each file filter is set
 *
 * Return: true; false with errno set if memory ran out.
 */
bool objects_by_name(struct objects *objects, struct filter_set *set);

/**
 * objects_by_inode() - object files by device and inode
 * @objects: filled; release it with objects_free()
 * @set: the object of each file filter is set
 * @pid: whose mappings they will be compared with; as for object_open()
 *
 * A path without a file is no failure. Two paths to one inode are one object.
 *
 * Return: true; false with errno set if memory ran out.
 */
bool objects_by_inode(struct objects *objects, struct filter_set *set, pid_t pid);

/**
 * object_open() - find the file of a path
 * @path: a path
 * @pid: look an absolute path that is not there up below /proc/PID/root, symbolic links included;
 *	0 for nobody
 *
 * Linux knows only the first view, that of whoever sets the filter (G8). The second is for a filter
 * that will be set from where the process is, such as in its container.
 *
 * Return: a file descriptor for O_PATH uses, which the caller closes; -1 with errno set.
 */
int object_open(const char *path, pid_t pid);

/**
 * object_of_line() - the object id of a mapping
 * @objects: which files are looked for; @seen of the one that the mapping is about is updated
 * @line: the mapping
 * @pid: whose; /proc/PID/map_files settles what device numbers leave open. 0 if nobody's
 *
 * Return: 0 for a mapping without a file, an id from 1 on for a file of the set, OBJECT_OTHER.
 */
u64 object_of_line(struct objects *objects, const struct map_line *line, pid_t pid);

/**
 * objects_free() - release what objects own
 * @objects: objects
 */
void objects_free(struct objects *objects);

#endif
