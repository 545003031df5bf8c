// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Threads and processes come and go: their memory. Must not decide what happens to any of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

/* ---------------------------------------------------------------------- threads */

struct member *member_find(const struct family *family, pid_t pid)
{
	struct member *member;

	HASH_FIND(hh, family->members, &pid, sizeof(pid), member);
	return member;
}

struct thread *thread_find(const struct family *family, pid_t tid)
{
	struct thread *thread;

	HASH_FIND(hh, family->threads, &tid, sizeof(tid), thread);
	return thread;
}

size_t slots_size(const struct family *family)
{
	return family->ask->set->count * sizeof(struct itf_slot);
}

void thread_release(struct thread *thread)
{
	if (!thread || thread->root == thread)
		return;
	free(thread->slots);
	free(thread);
}

void thread_remove(struct family *family, struct thread *thread)
{
	struct member *member = thread->member;

	HASH_DELETE(hh, family->threads, thread);
	DL_DELETE(member->threads, thread);
	if (thread != member->leader)
		thread_release(thread);
}

struct thread *thread_add(struct family *family, struct member *member, pid_t tid,
			  struct thread *root)
{
	const struct filter_set *set = family->ask->set;
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	thread->slots = calloc(set->count ? set->count : 1, sizeof(*thread->slots));
	if (!thread->slots) {
		free(thread);
		return NULL;
	}
	thread->tid = tid;
	thread->member = member;
	HASH_ADD(hh, family->threads, tid, sizeof(tid), thread);
	if (!thread->hh.tbl) {
		free(thread->slots);
		free(thread);
		errno = ENOMEM;
		return NULL;
	}
	DL_APPEND(member->threads, thread);
	if (root) {
		thread->root = root;
		memcpy(thread->slots, root->slots, slots_size(family));
	} else {
		thread->root = thread;
		itf_linux_reset(set->filters, set->count, thread->slots);
		LL_PREPEND2(family->roots, thread, next_root);
	}
	return thread;
}

/* ---------------------------------------------------------------------- processes */

void member_free(struct member *member)
{
	process_free(&member->process);
	free(member->files);
	free(member);
}

struct member *member_new(struct family *family, pid_t pid)
{
	size_t filters = family->ask->set->count;
	struct member *member = calloc(1, sizeof(*member));

	if (!member)
		return NULL;
	member->files = calloc(filters ? filters : 1, sizeof(*member->files));
	if (!member->files) {
		free(member);
		return NULL;
	}
	member->pid = pid;
	return member;
}

struct member *member_enter(struct family *family, struct member *member, struct thread *root)
{
	member->process.pid = member->pid;
	member->leader = thread_add(family, member, member->pid, root);
	if (!member->leader) {
		member_free(member);
		return NULL;
	}
	HASH_ADD(hh, family->members, pid, sizeof(member->pid), member);
	if (!member->hh.tbl) {
		struct thread *leader = member->leader;

		member->leader = NULL;
		thread_remove(family, leader);
		member_free(member);
		errno = ENOMEM;
		return NULL;
	}
	member->born = family->births++;
	return member;
}

struct member *member_add(struct family *family, pid_t pid, struct thread *root)
{
	struct member *member = member_new(family, pid);

	if (!member)
		return NULL;
	if (!process_init(&member->process, family->ask->set, 0)) {
		member_free(member);
		return NULL;
	}
	return member_enter(family, member, root);
}

void member_remove(struct family *family, struct member *member)
{
	struct thread *thread, *next;

	DL_FOREACH_SAFE(member->threads, thread, next)
	thread_remove(family, thread);
	thread_release(member->leader);
	HASH_DELETE(hh, family->members, member);
	member_free(member);
}
