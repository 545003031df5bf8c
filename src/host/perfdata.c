// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The form of a perf.data file, by the kernel tree's own description of it: header, attributes,
 * records, compression. What a record says is perfdata_decode.c's, their order
 * perfdata_queue.c's. See perfdata.h.
 */
#include "perfdata.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The default hash function does not compile without warnings. */
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "perfdata_decode.h"
#include "perfdata_queue.h"

/* Records that perf itself writes; their numbers are part of the file's form. */
enum user_record {
	USER_FIRST = 64,
	USER_ATTR = 64,
	USER_TRACING_DATA = 66,
	USER_FINISHED_ROUND = 68,
	USER_AUXTRACE_INFO = 70,
	USER_AUXTRACE = 71,
	USER_COMPRESSED = 81,
	USER_COMPRESSED2 = 83
};

/* Of the records about a tracer: the type of Intel PT, and which of its numbers is a length. */
#define AUXTRACE_INTEL_PT 1
#define PT_FILTER_LEN 16

#define FILE_HEADER 104 /* magic, size, attr size, three sections, feature bits */
#define PIPE_HEADER 16
#define ATTR_MIN 64 /* struct perf_event_attr, first version */
#define RECORD_MAX 0x10000
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define CHUNK ((size_t)1 << 12) /* fuzzers try little at a time, and should meet its end */
#else
#define CHUNK ((size_t)1 << 20)
#endif
#define HEAD_MAX ((u64)64 << 20) /* attributes of more events than any machine has */

/* The layout of the event with an id. */
struct event {
	u64 id;
	struct perfdata_layout layout;
	UT_hash_handle hh;
};

struct reader {
	int fd;
	u8 *buf; /* CHUNK + RECORD_MAX bytes */
	size_t from, to; /* of @buf: read but not used yet */
	u64 at; /* byte offset in the file of buf[from] */
	bool eof;
	bool big;
	bool pipe;
	bool unfinished; /* the header does not know yet how many records there are */
	u64 left; /* bytes of records to come, if !pipe */
	struct event *events;
	struct perfdata_layout layout; /* of the first event */
	bool has_layout;
	bool layouts_differ;
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
	u8 *plain; /* RECORD_MAX + CHUNK bytes: what compressed records held */
	size_t plain_len;
	struct perfdata_queue queue;
	struct perfdata_end *end;
	char **filters; /* if set, look for these only */
	void (*progress)(u64 bytes);
};

/* Damage is no failure: it ends the reading and is told. */
enum outcome {
	GO_ON,
	DONE, /* the end, good or @end->broken */
	FAILED /* errno tells */
};

static enum outcome broken(struct reader *r, u64 at, const char *why)
{
	r->end->broken = true;
	r->end->at = at;
	r->end->why = why;
	return DONE;
}

/* Have at least @want bytes at buf[from], or all that there are. */
static bool fill(struct reader *r, size_t want)
{
	if (r->to - r->from >= want || r->eof)
		return true;
	memmove(r->buf, r->buf + r->from, r->to - r->from);
	r->to -= r->from;
	r->from = 0;
	while (r->to < want && !r->eof) {
		ssize_t n = read(r->fd, r->buf + r->to, CHUNK + RECORD_MAX - r->to);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		r->eof = n == 0;
		r->to += (size_t)n;
	}
	if (r->progress)
		r->progress(r->at);
	return true;
}

static void use(struct reader *r, size_t n)
{
	r->from += n;
	r->at += n;
}

/* Pass over bytes that are no records. */
static enum outcome skip(struct reader *r, u64 n)
{
	while (n) {
		size_t have;

		if (!fill(r, 1))
			return FAILED;
		have = r->to - r->from;
		if (!have)
			return broken(r, r->at, "the file ends too early");
		if (have > n)
			have = (size_t)n;
		use(r, have);
		n -= have;
		if (!r->pipe)
			r->left -= have < r->left ? have : r->left;
	}
	return GO_ON;
}

static bool add_layout(struct reader *r, const u8 *attr, size_t size, const u8 *ids, size_t count)
{
	struct perfdata_layout layout;
	size_t i;

	perfdata_layout_of(attr, size, r->big, &layout);
	r->end->data |= perfdata_has_data(attr, size, r->big);
	if (!r->has_layout)
		r->layout = layout;
	else if (memcmp(&layout, &r->layout, sizeof(layout)))
		r->layouts_differ = true;
	r->has_layout = true;
	for (i = 0; i < count; i++) {
		struct event *event, *old;

		event = calloc(1, sizeof(*event));
		if (!event)
			return false;
		event->id = perfdata_u64(ids + 8 * i, r->big);
		event->layout = layout;
		HASH_REPLACE(hh, r->events, id, sizeof(event->id), event, old);
		free(old);
	}
	return true;
}

/* Which event a record belongs to tells what stands behind its fields. */
static const struct perfdata_layout *layout_of(struct reader *r, const u8 *bytes, size_t size)
{
	struct event *event = NULL;
	u64 id;

	if (!r->layouts_differ || !r->layout.has_identifier || size < PERFDATA_HEAD + 8)
		return &r->layout;
	id = perfdata_u64(bytes + size - 8, r->big);
	HASH_FIND(hh, r->events, &id, sizeof(id), event);
	return event ? &event->layout : &r->layout;
}

static enum outcome take_kernel(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	struct perfdata_record record = { .at = at };

	if (r->filters)
		return GO_ON;
	switch (perfdata_decode(bytes, size, r->big, layout_of(r, bytes, size), &record)) {
	case 0:
		return GO_ON;
	case 1:
		return perfdata_queue_add(&r->queue, &record) ? GO_ON : FAILED;
	default:
		return broken(r, at, "a record is too short for what it tells");
	}
}

#ifdef HAVE_ZSTD
static enum outcome take(struct reader *r, const u8 *bytes, size_t size, u64 at);

/* Records out of what was decompressed; a record may be cut anywhere and go on in the next. */
static enum outcome take_plain(struct reader *r, u64 at)
{
	enum outcome outcome = GO_ON;
	size_t from = 0;

	while (outcome == GO_ON && r->plain_len - from >= PERFDATA_HEAD) {
		size_t size = perfdata_u16(r->plain + from + 6, r->big);

		if (size < PERFDATA_HEAD)
			return broken(r, at, "a record inside a compressed one has no size");
		if (perfdata_u32(r->plain + from, r->big) >= USER_COMPRESSED)
			return broken(r, at, "a compressed record inside a compressed one");
		if (r->plain_len - from < size)
			break;
		outcome = take(r, r->plain + from, size, at);
		from += size;
	}
	memmove(r->plain, r->plain + from, r->plain_len - from);
	r->plain_len -= from;
	return outcome;
}

static enum outcome take_compressed(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	ZSTD_inBuffer in = { bytes, size, 0 };

	if (!r->zstd) {
		r->zstd = ZSTD_createDStream();
		r->plain = malloc(RECORD_MAX + CHUNK);
		if (!r->zstd || !r->plain) {
			errno = ENOMEM;
			return FAILED;
		}
	}
	for (;;) {
		ZSTD_outBuffer out = { r->plain, RECORD_MAX + CHUNK, r->plain_len };
		size_t state = ZSTD_decompressStream(r->zstd, &out, &in);
		bool full = out.pos == out.size;
		enum outcome outcome;

		if (ZSTD_isError(state))
			return broken(r, at, "a compressed record is damaged");
		r->plain_len = out.pos;
		outcome = take_plain(r, at);
		if (outcome != GO_ON)
			return outcome;
		/* Output that did not fill the buffer means that all input was used. */
		if (in.pos == in.size && !full)
			return GO_ON;
	}
}

static void release_compressed(struct reader *r)
{
	ZSTD_freeDStream(r->zstd);
	free(r->plain);
}
#else
static enum outcome take_compressed(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	(void)bytes;
	(void)size;
	return broken(r, at, "records are compressed, and this program was built without libzstd");
}

static void release_compressed(struct reader *r)
{
	free(r->plain);
}
#endif

static enum outcome take_attr(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	size_t attr_size = size >= PERFDATA_HEAD + ATTR_MIN ?
				   perfdata_u32(bytes + PERFDATA_HEAD + 4, r->big) :
				   0;

	if (!attr_size)
		attr_size = ATTR_MIN;
	if (attr_size < ATTR_MIN || attr_size > size - PERFDATA_HEAD)
		return broken(r, at, "an event's attributes do not fit their record");
	return add_layout(r, bytes + PERFDATA_HEAD, attr_size, bytes + PERFDATA_HEAD + attr_size,
			  (size - PERFDATA_HEAD - attr_size) / 8) ?
		       GO_ON :
		       FAILED;
}

/*
 * What perf told the hardware's tracer: its type, and then numbers. Those of Intel PT are followed
 * by the filters, since there are such.
 */
static enum outcome take_auxtrace_info(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	const size_t len_at = PERFDATA_HEAD + 8 + 8 * PT_FILTER_LEN, text_at = len_at + 8;
	u64 len;

	if (!r->filters)
		return GO_ON;
	if (size < text_at || perfdata_u32(bytes + PERFDATA_HEAD, r->big) != AUXTRACE_INTEL_PT)
		return DONE;
	len = perfdata_u64(bytes + len_at, r->big);
	if (len > size - text_at)
		return broken(r, at, "the recorded filters do not fit their record");
	if (!len)
		return DONE;
	*r->filters = strndup((const char *)bytes + text_at, (size_t)len);
	return *r->filters ? DONE : FAILED;
}

static enum outcome take(struct reader *r, const u8 *bytes, size_t size, u64 at)
{
	u32 type = perfdata_u32(bytes, r->big);

	r->end->records++;
	if (type < USER_FIRST)
		return take_kernel(r, bytes, size, at);
	switch (type) {
	case USER_ATTR:
		return r->pipe ? take_attr(r, bytes, size, at) : GO_ON;
	case USER_FINISHED_ROUND:
		return perfdata_queue_round(&r->queue) ? GO_ON : FAILED;
	case USER_AUXTRACE_INFO:
		return take_auxtrace_info(r, bytes, size, at);
	case USER_COMPRESSED:
		return take_compressed(r, bytes + PERFDATA_HEAD, size - PERFDATA_HEAD, at);
	case USER_COMPRESSED2:
		if (size < PERFDATA_HEAD + 8 ||
		    perfdata_u64(bytes + 8, r->big) > size - PERFDATA_HEAD - 8)
			return broken(r, at, "a compressed record is too short");
		return take_compressed(r, bytes + PERFDATA_HEAD + 8,
				       (size_t)perfdata_u64(bytes + 8, r->big), at);
	default:
		return GO_ON;
	}
}

/* Bytes that stand behind a record without being part of it. */
static u64 payload(const struct reader *r, const u8 *bytes, size_t size)
{
	u32 type = perfdata_u32(bytes, r->big);

	if (type == USER_AUXTRACE && size >= PERFDATA_HEAD + 8)
		return perfdata_u64(bytes + 8, r->big);
	if (type == USER_TRACING_DATA && r->pipe && size >= PERFDATA_HEAD + 4)
		return ((u64)perfdata_u32(bytes + 8, r->big) + 7) & ~(u64)7;
	return 0;
}

static enum outcome next_record(struct reader *r)
{
	enum outcome outcome;
	size_t have, size;
	const u8 *bytes;
	u64 behind;

	if (!r->pipe && !r->left)
		return DONE;
	if (!fill(r, RECORD_MAX))
		return FAILED;
	bytes = r->buf + r->from;
	have = r->to - r->from;
	if (!have && r->pipe)
		return DONE;
	if (!have && r->unfinished)
		return broken(r, r->at, "perf record was killed before it finished the file");
	if (have < PERFDATA_HEAD)
		return broken(r, r->at, "the file ends too early");
	size = perfdata_u16(bytes + 6, r->big);
	if (size < PERFDATA_HEAD)
		return broken(r, r->at, "a record has no size");
	if (have < size || (!r->pipe && r->left < size))
		return broken(r, r->at, "the file ends inside a record");
	outcome = take(r, bytes, size, r->at);
	behind = payload(r, bytes, size);
	use(r, size);
	if (!r->pipe)
		r->left -= size;
	return outcome == GO_ON ? skip(r, behind) : outcome;
}

/* Events and their ids, all of which stand before the records: @head is the file up to there. */
static enum outcome read_attrs(struct reader *r, const u8 *head, u64 len)
{
	u64 entry = perfdata_u64(head + 16, r->big);
	u64 at = perfdata_u64(head + 24, r->big), size = perfdata_u64(head + 32, r->big), i;
	/* Each event has ids of its own: ids that many share would take time without end. */
	u64 left = len;

	if (entry < ATTR_MIN + 16)
		return broken(r, 16, "the attributes of an event are too small");
	if (at > len || size > len - at)
		return broken(r, 24, "the attributes of the events are not where they belong");
	for (i = 0; i + entry <= size; i += entry) {
		const u8 *attr = head + at + i;
		u64 ids = perfdata_u64(attr + entry - 16, r->big);
		u64 bytes = perfdata_u64(attr + entry - 8, r->big);

		if (bytes && (ids > len || bytes > len - ids || bytes > left))
			return broken(r, at + i, "the ids of an event are not where they belong");
		left -= bytes;
		if (!add_layout(r, attr, (size_t)entry - 16, bytes ? head + ids : NULL,
				(size_t)bytes / 8))
			return FAILED;
	}
	return GO_ON;
}

static enum outcome read_file_header(struct reader *r)
{
	u64 data = perfdata_u64(r->buf + r->from + 40, r->big);
	u64 size = perfdata_u64(r->buf + r->from + 48, r->big);
	enum outcome outcome;
	u64 len = 0;
	u8 *head;

	if (data < FILE_HEADER || data < perfdata_u64(r->buf + r->from + 8, r->big) ||
	    data > HEAD_MAX)
		return broken(r, 40, "the records are not where they belong");
	head = malloc((size_t)data);
	if (!head)
		return FAILED;
	r->left = ~(u64)0;
	while (len < data) {
		size_t have;

		if (!fill(r, 1)) {
			free(head);
			return FAILED;
		}
		have = r->to - r->from;
		if (!have)
			break;
		if (have > data - len)
			have = (size_t)(data - len);
		memcpy(head + len, r->buf + r->from, have);
		use(r, have);
		len += have;
	}
	outcome = len < data ? broken(r, len, "the file ends before its first record") :
			       read_attrs(r, head, len);
	free(head);
	/* The size is written last; without it, what is there is read. */
	r->unfinished = !size;
	r->left = size ? size : ~(u64)0;
	return outcome;
}

static enum outcome read_header(struct reader *r)
{
	const u8 *head;
	u64 size;

	if (!fill(r, FILE_HEADER))
		return FAILED;
	head = r->buf + r->from;
	if (r->to - r->from < PIPE_HEADER)
		return broken(r, 0, "this is no perf.data file");
	if (!memcmp(head, "2ELIFREP", 8))
		r->big = true;
	else if (memcmp(head, "PERFILE2", 8))
		return broken(r, 0, "this is no perf.data file");
	size = perfdata_u64(head + 8, r->big);
	if (size == PIPE_HEADER) {
		r->pipe = true;
		use(r, PIPE_HEADER);
		return GO_ON;
	}
	if (size < FILE_HEADER || r->to - r->from < FILE_HEADER)
		return broken(r, 8, "the file's header has a wrong size");
	return read_file_header(r);
}

static void release(struct reader *r)
{
	struct event *event, *next;

	HASH_ITER(hh, r->events, event, next) {
		HASH_DEL(r->events, event);
		free(event);
	}
	perfdata_queue_free(&r->queue);
	release_compressed(r);
	free(r->buf);
}

static bool read_all(struct reader *r)
{
	enum outcome outcome = FAILED;
	int error;

	memset(r->end, 0, sizeof(*r->end));
	r->buf = malloc(CHUNK + RECORD_MAX);
	if (r->buf)
		outcome = read_header(r);
	while (outcome == GO_ON)
		outcome = next_record(r);
	if (outcome == DONE && !r->end->broken && r->plain_len)
		broken(r, r->at, "the file ends inside a compressed record");
	if (outcome == DONE && !perfdata_queue_end(&r->queue))
		outcome = FAILED;
	error = errno;
	release(r);
	errno = error;
	return outcome == DONE;
}

bool perfdata_read(int fd, perfdata_fn *fn, void *ctx, struct perfdata_end *end,
		   void (*progress)(u64 bytes))
{
	struct reader r = {
		.fd = fd,
		.queue = { .fn = fn, .ctx = ctx },
		.end = end,
		.progress = progress,
	};

	return read_all(&r);
}

bool perfdata_filters(int fd, char **filters, struct perfdata_end *end, void (*progress)(u64 bytes))
{
	struct reader r = { .fd = fd, .end = end, .filters = filters, .progress = progress };

	*filters = NULL;
	return read_all(&r);
}
