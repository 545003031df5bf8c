// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A second reader of perf.data. See second_perfdata.h. The form of the file is that of the kernel
 * tree's own description of it.
 */
#include "second_perfdata.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include <itf/range.h>

/* Fields of a sample id, in the order in which they stand at the end of a record. */
static const struct {
	u64 bit;
	char what;
} sample_id[] = { { 1u << 1, ' ' }, { 1u << 2, 't' }, { 1u << 6, ' ' },
		  { 1u << 9, ' ' }, { 1u << 7, ' ' }, { 1u << 16, 'i' } };

#define SAMPLE_FIELDS (sizeof(sample_id) / sizeof(sample_id[0]))

/* An event: its sample type if its records have sample ids, else 0. */
struct event {
	u64 id;
	u64 type;
};

struct waiting {
	struct perfdata_record record;
	bool gone;
};

struct whole {
	const u8 *bytes;
	size_t size, pos;
	u64 at; /* of the outer record */
	bool big, pipe, stop;
	struct event *events;
	size_t event_count;
	bool any_event;
	u64 first_type;
	struct waiting *waiting;
	size_t waiting_count;
	u64 newest, safe;
	struct second *out;
	bool filters;
	/* Of what a compressed record held: the beginning of a record that goes on in the next. */
	const u8 *rest;
	size_t rest_size;
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
};

static void *grow(void *array, size_t count, size_t size)
{
	/* Room for powers of two. */
	if (count & (count - 1) && array)
		return array;
	array = realloc(array, (count ? 2 * count : 1) * size);
	if (!array)
		abort();
	return array;
}

/* A number of @n bytes, digit by digit. */
static u64 number(const struct whole *w, const u8 *p, unsigned int n)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		value = value << 8 | p[w->big ? i : n - 1 - i];
	return value;
}

static void broken(struct whole *w, u64 at)
{
	w->out->end.broken = true;
	w->out->end.at = at;
	w->stop = true;
}

/* ---------- order */

static void hand_out(struct whole *w, const struct perfdata_record *record)
{
	struct second *s = w->out;

	s->records = grow(s->records, s->count, sizeof(*s->records));
	s->records[s->count++] = *record;
}

static void hand_out_up_to(struct whole *w, u64 limit)
{
	size_t i, next;

	for (;;) {
		next = w->waiting_count;
		for (i = 0; i < w->waiting_count; i++) {
			if (w->waiting[i].gone || w->waiting[i].record.time > limit)
				continue;
			if (next == w->waiting_count ||
			    w->waiting[i].record.time < w->waiting[next].record.time)
				next = i;
		}
		if (next == w->waiting_count)
			return;
		w->waiting[next].gone = true;
		hand_out(w, &w->waiting[next].record);
	}
}

static void come(struct whole *w, const struct perfdata_record *record)
{
	if (!record->has_time) {
		hand_out(w, record);
		return;
	}
	w->waiting = grow(w->waiting, w->waiting_count, sizeof(*w->waiting));
	w->waiting[w->waiting_count++] = (struct waiting){ .record = *record };
	if (record->time > w->newest)
		w->newest = record->time;
}

static void end_of_round(struct whole *w)
{
	u64 limit = w->safe;

	w->safe = w->newest;
	hand_out_up_to(w, limit);
}

/* ---------- one record of the kernel */

static unsigned int fields(u64 type)
{
	unsigned int i, n = 0;

	for (i = 0; i < SAMPLE_FIELDS; i++)
		n += (type & sample_id[i].bit) != 0;
	return n;
}

/* The sample type that tells what stands at the end of a record. */
static u64 type_of(const struct whole *w, const u8 *p, size_t size)
{
	bool identified = w->first_type & 1u << 16;
	size_t i;

	if (identified && size >= 16) {
		/* Who comes last is right: an id may be told twice. */
		for (i = w->event_count; i--;) {
			if (w->events[i].id == number(w, p + size - 8, 8))
				return w->events[i].type;
		}
	}
	return w->first_type;
}

static void set_name(struct perfdata_record *record, const u8 *p, const u8 *end)
{
	record->name = (const char *)p;
	while (p < end && *p)
		p++;
	record->name_len = (size_t)(p - (const u8 *)record->name);
}

static void set_time(const struct whole *w, struct perfdata_record *record, const u8 *p, u64 type)
{
	unsigned int i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if (!(type & sample_id[i].bit))
			continue;
		if (sample_id[i].what == 't')
			record->time = number(w, p, 8);
		p += 8;
	}
	record->has_time = record->time + 1 > 1;
	if (!record->has_time)
		record->time = 0;
}

static void read_mapping(const struct whole *w, struct perfdata_record *record, const u8 *p,
			 const u8 *end, u32 misc, bool second_form)
{
	record->kind = PERFDATA_MMAP;
	record->start = number(w, p + 16, 8);
	record->size = number(w, p + 24, 8);
	record->offset = number(w, p + 32, 8);
	record->truncated = misc >> 12 & 1;
	record->prot = ITF_PROT_READ | (misc >> 13 & 1 ? ITF_PROT_WRITE : ITF_PROT_EXEC);
	if (second_form) {
		record->prot = (u32)number(w, p + 64, 4) & 7;
		record->has_inode = !(misc >> 14 & 1) && number(w, p + 48, 8);
		if (!(misc >> 14 & 1)) {
			record->major = (u32)number(w, p + 40, 4);
			record->minor = (u32)number(w, p + 44, 4);
			record->inode = number(w, p + 48, 8);
		}
	}
	set_name(record, p + (second_form ? 72 : 40), end);
}

static void read_kernel(struct whole *w, const u8 *p, size_t size)
{
	static const struct {
		u32 type;
		unsigned int least;
	} kinds[] = { { 1, 40 }, { 2, 24 }, { 3, 16 }, { 4, 32 }, { 7, 32 }, { 10, 72 } };
	struct perfdata_record record = { .at = w->at };
	u32 type = (u32)number(w, p, 4), misc = (u32)number(w, p + 4, 2);
	u64 sample = type_of(w, p, size);
	const u8 *end = p + size - 8 * fields(sample);
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && kinds[i].type != type; i++)
		;
	if (i == sizeof(kinds) / sizeof(kinds[0]))
		return;
	if (size < kinds[i].least + 8 * fields(sample)) {
		broken(w, w->at);
		return;
	}
	set_time(w, &record, end, sample);
	if (type != 2) {
		record.pid = (u32)number(w, p + 8, 4);
		record.tid = (u32)number(w, p + (type == 4 || type == 7 ? 16 : 12), 4);
	}
	switch (type) {
	case 1:
	case 10:
		read_mapping(w, &record, p, end, misc, type == 10);
		break;
	case 2:
		record.kind = PERFDATA_LOST;
		record.lost = number(w, p + 16, 8);
		break;
	case 3:
		record.kind = PERFDATA_COMM;
		record.exec = misc >> 13 & 1;
		set_name(&record, p + 16, end);
		break;
	default:
		record.kind = type == 7 ? PERFDATA_FORK : PERFDATA_EXIT;
		record.ppid = (u32)number(w, p + 12, 4);
		record.ptid = (u32)number(w, p + 20, 4);
		if (!record.has_time)
			record.time = number(w, p + 24, 8);
		break;
	}
	come(w, &record);
}

/* ---------- events */

static void add_event(struct whole *w, const u8 *attr, const u8 *ids, u64 count)
{
	u64 all = 1u << 1 | 1u << 2 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 16;
	/* Flags are bits of a u64; which end of it is the first depends on the machine. */
	u64 flags = number(w, attr + 40, 8), type = number(w, attr + 24, 8) & all;
	u64 i;

	if (!(w->big ? flags >> (63 - 18) & 1 : flags >> 18 & 1))
		type = 0;
	if (w->big ? flags >> (63 - 17) & 1 : flags >> 17 & 1)
		w->out->end.data = true;
	if (!w->any_event)
		w->first_type = type;
	w->any_event = true;
	for (i = 0; i < count; i++) {
		w->events = grow(w->events, w->event_count, sizeof(*w->events));
		w->events[w->event_count++] = (struct event){ number(w, ids + 8 * i, 8), type };
	}
}

static void read_attr_record(struct whole *w, const u8 *p, size_t size)
{
	u64 attr = size >= 8 + 64 ? number(w, p + 12, 4) : 0;

	if (!attr)
		attr = 64;
	if (attr < 64 || 8 + attr > size) {
		broken(w, w->at);
		return;
	}
	add_event(w, p + 8, p + 8 + attr, (size - 8 - attr) / 8);
}

/* ---------- compression */

static void read_record(struct whole *w, const u8 *p, size_t size);

#ifdef HAVE_ZSTD
/* As much at a time as the first reader takes: how much it sees before damage depends on it. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define PLAIN_SIZE ((1u << 16) + (1u << 12))
#else
#define PLAIN_SIZE ((1u << 16) + (1u << 20))
#endif

/* The records in a piece of what was decompressed; the last one may go on in the next piece. */
static void read_plain(struct whole *w, const u8 *p, size_t size)
{
	while (!w->stop && size >= 8) {
		u64 record = number(w, p + 6, 2);

		if (record < 8 || number(w, p, 4) >= 81) {
			broken(w, w->at);
			return;
		}
		if (record > size)
			break;
		read_record(w, p, record);
		p += record;
		size -= record;
	}
	w->rest = p;
	w->rest_size = size;
}

static void read_compressed(struct whole *w, const u8 *p, u64 size)
{
	ZSTD_inBuffer in = { p, size, 0 };
	ZSTD_outBuffer out;

	if (!w->zstd)
		w->zstd = ZSTD_createDStream();
	do {
		u8 *piece = malloc(PLAIN_SIZE);

		if (!piece || !w->zstd)
			abort();
		/* All is kept, since names point into it. */
		if (w->out->plain_count == sizeof(w->out->plain) / sizeof(w->out->plain[0])) {
			free(piece);
			w->out->too_much = true;
			w->stop = true;
			return;
		}
		w->out->plain[w->out->plain_count++] = piece;
		if (w->rest_size)
			memcpy(piece, w->rest, w->rest_size);
		out = (ZSTD_outBuffer){ piece, PLAIN_SIZE, w->rest_size };
		if (ZSTD_isError(ZSTD_decompressStream(w->zstd, &out, &in))) {
			broken(w, w->at);
			return;
		}
		read_plain(w, piece, out.pos);
	} while (!w->stop && (in.pos < in.size || out.pos == out.size));
}
#else
static void read_compressed(struct whole *w, const u8 *p, u64 size)
{
	(void)p;
	(void)size;
	broken(w, w->at);
}
#endif

/* ---------- the file */

/* A type, 4 bytes of nothing, 17 numbers; the last is the length of the text behind them. */
static void read_filters(struct whole *w, const u8 *p, size_t size)
{
	u64 len = size >= 8 + 8 + 17 * 8 ? number(w, p + 16 + 16 * 8, 8) : 0;

	w->stop = true;
	if (!len || number(w, p + 8, 4) != 1)
		return;
	if (len > size - (8 + 8 + 17 * 8)) {
		broken(w, w->at);
		return;
	}
	w->out->filters = p + 8 + 8 + 17 * 8;
	while (w->out->filters_len < len && w->out->filters[w->out->filters_len])
		w->out->filters_len++;
}

static void read_record(struct whole *w, const u8 *p, size_t size)
{
	u32 type = (u32)number(w, p, 4);

	w->out->end.records++;
	if (type < 64 && !w->filters)
		read_kernel(w, p, size);
	else if (type == 64 && w->pipe)
		read_attr_record(w, p, size);
	else if (type == 68)
		end_of_round(w);
	else if (type == 70 && w->filters)
		read_filters(w, p, size);
	else if (type == 81)
		read_compressed(w, p + 8, size - 8);
	else if (type == 83 && (size < 16 || number(w, p + 8, 8) > size - 16))
		broken(w, w->at);
	else if (type == 83)
		read_compressed(w, p + 16, number(w, p + 8, 8));
}

/* All records from @pos to @limit, which may lie behind the end of the file. */
static void read_records(struct whole *w, u64 limit)
{
	while (!w->stop) {
		const u8 *p = w->bytes + w->pos;
		u64 left = w->size - w->pos, size, behind = 0;

		w->at = w->pos;
		if (w->pipe ? !left : w->pos >= limit)
			return;
		if (left < 8 || number(w, p + 6, 2) < 8 || number(w, p + 6, 2) > left ||
		    (!w->pipe && number(w, p + 6, 2) > limit - w->pos)) {
			broken(w, w->at);
			return;
		}
		size = number(w, p + 6, 2);
		read_record(w, p, size);
		if (number(w, p, 4) == 71 && size >= 16)
			behind = number(w, p + 8, 8);
		if (number(w, p, 4) == 66 && w->pipe && size >= 12)
			behind = (number(w, p + 8, 4) + 7) / 8 * 8;
		w->pos += size;
		if (w->stop)
			return;
		if (behind > w->size - w->pos) {
			broken(w, w->size);
			return;
		}
		w->pos += behind;
	}
}

/* A section of the file that lies before its records. */
static bool section(const struct whole *w, u64 limit, const u8 *p, u64 *at, u64 *size)
{
	*at = number(w, p, 8);
	*size = number(w, p + 8, 8);
	return *at <= limit && *size <= limit - *at;
}

static void read_file(struct whole *w)
{
	const u8 *p = w->bytes;
	u64 entry, attrs, attrs_size, ids, ids_size, data, data_size, limit, i;
	u64 all_ids = 0;

	if (w->size < 104 || number(w, p + 8, 8) < 104) {
		broken(w, 8);
		return;
	}
	data = number(w, p + 40, 8);
	data_size = number(w, p + 48, 8);
	entry = number(w, p + 16, 8);
	if (data < number(w, p + 8, 8) || data < 104 || data > 64u << 20) {
		broken(w, 40);
		return;
	}
	if (data > w->size) {
		broken(w, w->size);
		return;
	}
	if (entry < 80 || !section(w, data, p + 24, &attrs, &attrs_size)) {
		broken(w, entry < 80 ? 16 : 24);
		return;
	}
	for (i = 0; i < attrs_size && entry <= attrs_size - i; i += entry) {
		const u8 *attr = p + attrs + i;

		/* The ids of all events lie beside each other, so together they fit, too. */
		if ((!section(w, data, attr + entry - 16, &ids, &ids_size) ||
		     ids_size > data - all_ids) &&
		    ids_size) {
			broken(w, attrs + i);
			return;
		}
		all_ids += ids_size;
		add_event(w, attr, ids_size ? p + ids : NULL, ids_size / 8);
	}
	w->pos = data;
	/* A file without the size of its records goes on to its end. */
	if (!data_size || __builtin_add_overflow(data, data_size, &limit))
		limit = ~(u64)0;
	read_records(w, limit);
}

struct second *second_read(const u8 *bytes, size_t size, bool filters)
{
	struct whole w = { .bytes = bytes, .size = size, .filters = filters };

	w.out = calloc(1, sizeof(*w.out));
	if (!w.out)
		abort();
	w.big = size >= 16 && !memcmp(bytes, "2ELIFREP", 8);
	if (size < 16 || (!w.big && memcmp(bytes, "PERFILE2", 8))) {
		broken(&w, 0);
	} else if (number(&w, bytes + 8, 8) == 16) {
		w.pipe = true;
		w.pos = 16;
		read_records(&w, size);
	} else {
		read_file(&w);
	}
	if (!w.out->end.broken && w.rest_size)
		broken(&w, w.pos);
	hand_out_up_to(&w, ~(u64)0);
	free(w.events);
	free(w.waiting);
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(w.zstd);
#endif
	return w.out;
}

void second_free(struct second *s)
{
	while (s->plain_count)
		free(s->plain[--s->plain_count]);
	free(s->records);
	free(s);
}
