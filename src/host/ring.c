// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * perf_event_open and the memory shared with the kernel. Must not decode records nor know what they
 * are for.
 *
 * A dummy event counts nothing; it only carries records of what its task does. The kernel lets an
 * event that children inherit be mapped only if it is bound to a CPU, so there is one a CPU. All
 * events on one CPU write to one ring.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "refused.h"
#include "ring.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST 16
#endif

/* The size of a record is a u16. */
#define RECORD_MAX ((size_t)1 << 16)
#define RECORD_HEAD 8

/* ---------------------------------------------------------------------- CPUs */

static bool add_ring(struct rings *rings, unsigned int cpu)
{
	struct ring *list = reallocarray(rings->list, rings->count + 1, sizeof(*list));

	if (!list)
		return false;
	rings->list = list;
	list[rings->count++] = (struct ring){ .cpu = cpu };
	return true;
}

/* From a list such as "0-3,8", as the kernel writes it. */
static bool add_listed(struct rings *rings, const char *list)
{
	char *end;

	while (*list >= '0' && *list <= '9') {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last; first++) {
			if (!add_ring(rings, (unsigned int)first))
				return false;
		}
		list = *end == ',' ? end + 1 : end;
	}
	return true;
}

static bool add_cpus(struct rings *rings)
{
	char list[4096] = "";
	int fd = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (fd >= 0) {
		ssize_t n = read(fd, list, sizeof(list) - 1);

		close(fd);
		if (n > 0)
			list[n] = '\0';
	}
	if (!add_listed(rings, list))
		return false;
	for (long cpu = 0; !rings->count && cpu < cpus; cpu++) {
		if (!add_ring(rings, (unsigned int)cpu))
			return false;
	}
	return true;
}

bool rings_init(struct rings *rings, size_t bytes, struct trouble *trouble)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	while (size < bytes)
		size *= 2;
	*rings = (struct rings){ .bytes = size, .tells_lost = true };
	rings->straight = malloc(RECORD_MAX);
	if (rings->straight && add_cpus(rings))
		return true;
	rings_free(rings);
	refused_memory(trouble);
	return false;
}

/* ---------------------------------------------------------------------- events */

static int open_event(const struct rings *rings, pid_t tid, unsigned int cpu, bool on_exec)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.read_format = rings->tells_lost ? PERF_FORMAT_LOST : 0,
		.disabled = on_exec,
		.enable_on_exec = on_exec,
		.inherit = 1,
		/* Nothing of the kernel's is of interest, and without it no privilege is needed. */
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.mmap = 1,
		.mmap2 = 1,
		.mmap_data = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		/* Wake us for every record: the sooner maps is read after it, the better. */
		.watermark = 1,
		.wakeup_watermark = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* As many files as we may have; a command that waits for its exec keeps its own limit. */
static bool raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* As open_event(), after doing without what can be done without. */
static int try_event(struct rings *rings, pid_t tid, unsigned int cpu, bool on_exec)
{
	int fd = open_event(rings, tid, cpu, on_exec);

	if (fd < 0 && errno == EMFILE && raise_file_limit())
		fd = open_event(rings, tid, cpu, on_exec);
	if (fd < 0 && errno == EINVAL && rings->tells_lost) {
		rings->tells_lost = false;
		fd = open_event(rings, tid, cpu, on_exec);
	}
	return fd;
}

/* Map a ring of the size asked for, or of less if that is more than may be locked. */
static bool map_ring(struct ring *ring, int fd, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (; bytes >= page; bytes /= 2) {
		void *at = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (at != MAP_FAILED) {
			ring->page = at;
			ring->size = bytes;
			return true;
		}
		if (errno != EPERM && errno != ENOMEM)
			return false;
	}
	return false;
}

/* Let an event write to a ring. On failure it is closed. */
static bool add_event(struct rings *rings, struct ring *ring, int fd, struct trouble *trouble)
{
	int *fds = reallocarray(ring->fds, ring->fd_count + 1, sizeof(*fds));
	bool ok;

	if (!fds) {
		close(fd);
		refused_memory(trouble);
		return false;
	}
	ring->fds = fds;
	ok = ring->page ? ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, fds[0]) == 0 :
			  map_ring(ring, fd, rings->bytes);
	if (!ok) {
		refused_ring(trouble, errno);
		close(fd);
		return false;
	}
	fds[ring->fd_count++] = fd;
	return true;
}

bool rings_follow(struct rings *rings, pid_t tid, bool on_exec, bool *gone, struct trouble *trouble)
{
	size_t opened = 0;

	*gone = false;
	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->list[i];
		int fd = try_event(rings, tid, ring->cpu, on_exec);

		if (fd < 0 && errno == ENODEV)
			continue; /* went offline */
		if (fd < 0) {
			*gone = errno == ESRCH;
			refused_event(trouble, errno);
			return false;
		}
		if (!add_event(rings, ring, fd, trouble))
			return false;
		opened++;
	}
	if (!opened)
		refused_event(trouble, ENODEV);
	return opened > 0;
}

/* ---------------------------------------------------------------------- waiting and reading */

void rings_poll(const struct rings *rings, struct pollfd *polls)
{
	for (size_t i = 0; i < rings->count; i++) {
		const struct ring *ring = &rings->list[i];
		bool lives = ring->ended < ring->fd_count;

		/* One event is enough to be woken: the kernel wakes all that write to the ring. */
		polls[i].fd = lives ? ring->fds[ring->ended] : -1;
		polls[i].events = POLLIN;
		polls[i].revents = 0;
	}
}

bool rings_polled(struct rings *rings, const struct pollfd *polls)
{
	bool all = true;

	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->list[i];

		if (polls[i].fd >= 0 && polls[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			ring->ended++;
		if (ring->ended < ring->fd_count)
			all = false;
	}
	return all;
}

/* Copy bytes out of a ring, from position @at on, which may go over its end. */
static void copy_out(const struct ring *ring, const u8 *data, u64 at, u8 *to, size_t size)
{
	size_t from = (size_t)(at & (ring->size - 1));
	size_t first = ring->size - from;

	if (first > size)
		first = size;
	memcpy(to, data + from, first);
	memcpy(to + first, data, size - first);
}

static bool read_ring(struct rings *rings, size_t index, ring_fn *fn, void *ctx)
{
	struct ring *ring = &rings->list[index];
	struct perf_event_mmap_page *page = ring->page;
	const u8 *data = (const u8 *)ring->page + sysconf(_SC_PAGESIZE);
	u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	u64 tail = page->data_tail;
	bool more = true;

	while (more && head - tail >= RECORD_HEAD) {
		struct perf_event_header header;

		copy_out(ring, data, tail, (u8 *)&header, sizeof(header));
		if (header.size < RECORD_HEAD || header.size > head - tail) {
			tail = head; /* the kernel never does this */
			break;
		}
		copy_out(ring, data, tail, rings->straight, header.size);
		tail += header.size;
		more = fn(rings->straight, header.size, index, ctx);
	}
	/* Only now may the kernel write there again. */
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	return more;
}

bool rings_read(struct rings *rings, ring_fn *fn, void *ctx)
{
	for (size_t i = 0; i < rings->count; i++) {
		if (rings->list[i].page && !read_ring(rings, i, fn, ctx))
			return false;
	}
	return true;
}

u64 rings_lost(const struct rings *rings)
{
	u64 lost = 0;

	for (size_t i = 0; rings->tells_lost && i < rings->count; i++) {
		for (size_t n = 0; n < rings->list[i].fd_count; n++) {
			u64 values[2]; /* the count, and the records lost */

			if (read(rings->list[i].fds[n], values, sizeof(values)) ==
			    (ssize_t)sizeof(values))
				lost += values[1];
		}
	}
	return lost;
}

void rings_free(struct rings *rings)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->list[i];

		if (ring->page)
			munmap(ring->page, page + ring->size);
		for (size_t n = 0; n < ring->fd_count; n++)
			close(ring->fds[n]);
		free(ring->fds);
	}
	free(rings->list);
	free(rings->straight);
	*rings = (struct rings){ 0 };
}
