/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The processes and threads of a family. Only family*.c, member.c and recorded.c look in here. */
#ifndef ITF_HOST_MEMBER_H
#define ITF_HOST_MEMBER_H

/* Lack of memory is an error to report, not a reason for a library to end the program. */
#define HASH_NONFATAL_OOM 1
/* The default hash function does not compile without warnings. */
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>
#include <utlist.h>

#include "family.h"

/**
 * struct thread - a thread, with what its event holds
 * @tid: its id
 * @member: its process; dangling for a root that has ended
 * @root: the thread whose event was opened, from which this one's was inherited; itself for a root
 * @slots: array of slots, one for each filter, owned
 * @hh: among all threads that live
 * @prev: among the living threads of its process
 * @next: likewise
 * @next_root: among all roots there ever were
 */
struct thread {
	pid_t tid;
	struct member *member;
	struct thread *root;
	struct itf_slot *slots;
	UT_hash_handle hh;
	struct thread *prev, *next;
	struct thread *next_root;
};

/**
 * struct member_file - what is known of the object file of one filter in one process
 * @mapped_at: when it was last mapped
 * @other: a thread with other ranges than the main thread
 * @others: how many there were
 */
struct member_file {
	u64 mapped_at;
	pid_t other;
	size_t others;
};

/**
 * struct member - a process
 * @pid: its id
 * @process: its mappings; its launch answers are the main thread's, after family__answer()
 * @leader: the main thread, alive or not
 * @threads: those that live
 * @files: array, one for each filter, owned
 * @checked_at: when its mappings were last read from /proc
 * @from: what was mapped up to here was known from the start
 * @born: which in the order of beginnings
 * @attached: recorded only: its mappings were there before the recording began
 * @scanned: recorded only: if @attached, the filters were set
 * @started: recorded only: it began, or did exec, while it was recorded
 * @concerned: recorded only: it mapped an object file of the set at some time
 * @hh: among all members
 */
struct member {
	pid_t pid;
	struct process process;
	struct thread *leader;
	struct thread *threads;
	struct member_file *files;
	u64 checked_at;
	u64 from;
	u64 born;
	bool attached;
	bool scanned;
	bool started;
	bool concerned;
	UT_hash_handle hh;
};

/* Bytes of the slots of a thread. */
size_t slots_size(const struct family *family);

/* A thread that lives; NULL if there is none. */
struct thread *thread_find(const struct family *family, pid_t tid);

/*
 * A thread that the kernel made under @root and that has its ranges; NULL makes it a root itself,
 * without any. Return: NULL with errno set if memory ran out.
 */
struct thread *thread_add(struct family *family, struct member *member, pid_t tid,
			  struct thread *root);

/* Not alive any more; a main thread is still asked for its answers while its process lives. */
void thread_remove(struct family *family, struct thread *thread);

/* Release one that is not alive, unless it is a root, which may be asked until the end. */
void thread_release(struct thread *thread);

/* A process that lives; NULL if there is none. */
struct member *member_find(const struct family *family, pid_t pid);

/* A process not entered yet, its struct process all zero. Return: NULL if memory ran out. */
struct member *member_new(struct family *family, pid_t pid);

/* Release one that was not entered. */
void member_free(struct member *member);

/* Enter a new member with its main thread. Return: it; NULL if memory ran out, and it is free. */
struct member *member_enter(struct family *family, struct member *member, struct thread *root);

/* Enter one without mappings. Return: NULL if memory ran out. */
struct member *member_add(struct family *family, pid_t pid, struct thread *root);

/* Release a member with all its threads. */
void member_remove(struct family *family, struct member *member);

/* Make the answers of a process what they are: its main thread's, and an attach of right now. */
void family__answer(const struct family *family, struct member *member);

/* Tell of an event; @member is the process that it is about, NULL for none. */
void family__tell(struct family *family, struct member *member, struct watch_event *event);

/* Note which ranges of a thread are not its main thread's. */
void family__compare(const struct family *family, struct member *member,
		     const struct thread *thread);

/*
 * Exec ends all threads but the one that does it, which becomes the main thread: it is the one
 * whose end was not told.
 */
void family__take_over(struct family *family, struct member *member);

/* Add to one filter of a reported process what is known of its member. False if memory ran out. */
bool family__notes(const struct member *member, const struct itf_filter *filter, size_t index,
		   struct report_filter *out);

/* A process has ended: tell, report, remove. Return: false if memory ran out. */
bool family__end(struct family *family, struct member *member, u64 time, pid_t tid);

/* Records later than @since were dropped: processes that are in the report may have been theirs. */
bool family__lost(struct family *family, u64 since);

#endif
