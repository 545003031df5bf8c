/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One process: a track that grows as needed, and its name. Where it learns of its mappings is for
 * others to know.
 */
#ifndef ITF_HOST_PROCESS_H
#define ITF_HOST_PROCESS_H

#include <sys/types.h>

#include "set.h"

/**
 * struct process - one process, or the mappings of a file that came from one
 * @track: its mappings and the linux answers; arrays owned
 * @pid: thread-group id; 0 if not known
 * @comm: command name, bytes as the kernel has them, owned; NULL if not known
 * @comm_len: bytes in @comm
 * @notes: ITF_NOTE_BIT() of what holds for all its filters: _MAY_BE_STALE, _TRUNCATED_MAPS
 */
struct process {
	struct itf_track track;
	pid_t pid;
	char *comm;
	size_t comm_len;
	u32 notes;
};

/**
 * process_init() - a process without mappings, on which the set was just set
 * @process: filled; release it with process_free()
 * @set: kept
 * @addr_bits: 32 or 64; 0 means 64
 *
 * Return: true; false with errno set if memory ran out.
 */
bool process_init(struct process *process, const struct filter_set *set, unsigned int addr_bits);

/**
 * process_mmap() - itf_track_mmap(), growing the space as needed
 * @process: a process
 * @mapping: copied
 *
 * Return: ITF_OK, ITF_E_BAD_MAPPING, or ITF_E_SPACE_FULL if memory ran out. On failure nothing has
 * changed.
 */
enum itf_error process_mmap(struct process *process, const struct itf_mapping *mapping);

/**
 * process_replace() - the mappings were read anew: take them, leave the launch answers as they are
 * @process: a process
 * @maps: array of @count mappings, sorted by address and disjoint; copied, but for those that
 *	itf_space_map() refuses
 * @count: mappings
 *
 * Return: true; false with errno set if memory ran out, and nothing has changed.
 */
bool process_replace(struct process *process, const struct itf_mapping *maps, size_t count);

/**
 * process_attach() - compute the attach answer anew: the set is set right now
 * @process: a process; its launch answers stay as they are
 */
void process_attach(struct process *process);

/**
 * process_fork() - itf_track_fork() into a new process
 * @child: filled; release it with process_free(). Its comm is its parent's
 * @pid: of the child
 * @parent: who forked
 * @root: the process that the set was set on
 *
 * Return: true; false with errno set if memory ran out.
 */
bool process_fork(struct process *child, pid_t pid, const struct process *parent,
		  const struct process *root);

/**
 * process_comm() - set the command name
 * @process: a process
 * @comm: bytes, copied; NULL if not known
 * @len: bytes in @comm
 *
 * Return: true; false with errno set if memory ran out.
 */
bool process_comm(struct process *process, const char *comm, size_t len);

/**
 * process_free() - release what a process owns
 * @process: a process
 */
void process_free(struct process *process);

#endif
