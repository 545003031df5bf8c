// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One record of a perf.data file, by the layouts of perf_event_open(2). See perfdata_decode.h.
 * The kernel's header gives the constants; sizes and places are checked against the bytes at hand
 * before they are used.
 */
#include "perfdata_decode.h"

#include <linux/perf_event.h>
#include <string.h>

#include <itf/range.h>

/* Written by perf when it could not read /proc/PID/maps in time; no kernel header has it. */
#define MISC_MAPS_TIMEOUT 0x1000u
#define MISC_BUILD_ID 0x4000u

/* struct perf_event_attr: sample_type is at 24, the flags from 40 on. */
#define ATTR_SAMPLE_TYPE 24
#define ATTR_FLAGS 40
#define FLAG_MMAP_DATA 17
#define FLAG_SAMPLE_ID_ALL 18

static bool attr_flag(const u8 *attr, unsigned int flag, bool big)
{
	u8 byte = attr[ATTR_FLAGS + flag / 8];

	/* Bit-fields fill a byte from the other end on big-endian machines. */
	return byte >> (big ? 7 - flag % 8 : flag % 8) & 1;
}

void perfdata_layout_of(const u8 *attr, size_t size, bool big, struct perfdata_layout *layout)
{
	/* The fields of a sample id, from the end of the record backwards. */
	static const u64 backwards[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,
					 PERF_SAMPLE_STREAM_ID,	 PERF_SAMPLE_ID,
					 PERF_SAMPLE_TIME,	 PERF_SAMPLE_TID };
	u64 type = size >= 32 ? perfdata_u64(attr + ATTR_SAMPLE_TYPE, big) : 0;
	const size_t count = sizeof(backwards) / sizeof(*backwards);
	size_t i;

	memset(layout, 0, sizeof(*layout));
	if (size < 48 || !attr_flag(attr, FLAG_SAMPLE_ID_ALL, big))
		return;
	for (i = 0; i < count; i++) {
		if (!(type & backwards[i]))
			continue;
		layout->size += 8;
		if (backwards[i] == PERF_SAMPLE_TIME)
			layout->time_at = layout->size;
		if (backwards[i] == PERF_SAMPLE_IDENTIFIER)
			layout->has_identifier = true;
	}
}

bool perfdata_has_data(const u8 *attr, size_t size, bool big)
{
	return size >= 48 && attr_flag(attr, FLAG_MMAP_DATA, big);
}

/* A name: up to its NUL, or to the end of the record without its sample id. */
static void set_name(struct perfdata_record *record, const u8 *bytes, size_t size)
{
	record->name = (const char *)bytes;
	record->name_len = strnlen(record->name, size);
}

static void decode_task(const u8 *bytes, bool big, struct perfdata_record *record)
{
	record->pid = perfdata_u32(bytes + 8, big);
	record->ppid = perfdata_u32(bytes + 12, big);
	record->tid = perfdata_u32(bytes + 16, big);
	record->ptid = perfdata_u32(bytes + 20, big);
	/* Without the time of the sample it does not order the record among all others. */
	if (!record->has_time)
		record->time = perfdata_u64(bytes + 24, big);
}

static void decode_mmap(const u8 *bytes, bool big, u32 misc, struct perfdata_record *record)
{
	record->pid = perfdata_u32(bytes + 8, big);
	record->tid = perfdata_u32(bytes + 12, big);
	record->start = perfdata_u64(bytes + 16, big);
	record->size = perfdata_u64(bytes + 24, big);
	record->offset = perfdata_u64(bytes + 32, big);
	record->truncated = misc & MISC_MAPS_TIMEOUT;
	record->prot = ITF_PROT_READ |
		       (misc & PERF_RECORD_MISC_MMAP_DATA ? ITF_PROT_WRITE : ITF_PROT_EXEC);
}

static void decode_mmap2(const u8 *bytes, bool big, u32 misc, struct perfdata_record *record)
{
	record->prot = perfdata_u32(bytes + 64, big) &
		       (ITF_PROT_READ | ITF_PROT_WRITE | ITF_PROT_EXEC);
	if (misc & MISC_BUILD_ID)
		return;
	record->major = perfdata_u32(bytes + 40, big);
	record->minor = perfdata_u32(bytes + 44, big);
	record->inode = perfdata_u64(bytes + 48, big);
	/* perf itself writes zeros where it knew no better; then only the name tells. */
	record->has_inode = record->inode != 0;
}

int perfdata_decode(const u8 *bytes, size_t size, bool big, const struct perfdata_layout *layout,
		    struct perfdata_record *record)
{
	static const size_t fixed[] = {
		[PERF_RECORD_MMAP] = 40, [PERF_RECORD_LOST] = 24, [PERF_RECORD_COMM] = 16,
		[PERF_RECORD_EXIT] = 32, [PERF_RECORD_FORK] = 32, [PERF_RECORD_MMAP2] = 72,
	};
	u32 type = perfdata_u32(bytes, big), misc = perfdata_u16(bytes + 4, big);
	u64 at = record->at;
	size_t body;

	if (type > PERF_RECORD_MMAP2 || !fixed[type])
		return 0;
	if (size < fixed[type] + layout->size)
		return -1;
	body = size - layout->size;
	memset(record, 0, sizeof(*record));
	record->at = at;
	if (layout->time_at) {
		u64 time = perfdata_u64(bytes + size - layout->time_at, big);

		record->has_time = time && time != ~(u64)0;
		record->time = record->has_time ? time : 0;
	}
	switch (type) {
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_MMAP:
		record->kind = PERFDATA_MMAP;
		decode_mmap(bytes, big, misc, record);
		if (type == PERF_RECORD_MMAP2)
			decode_mmap2(bytes, big, misc, record);
		set_name(record, bytes + fixed[type], body - fixed[type]);
		break;
	case PERF_RECORD_COMM:
		record->kind = PERFDATA_COMM;
		record->pid = perfdata_u32(bytes + 8, big);
		record->tid = perfdata_u32(bytes + 12, big);
		record->exec = misc & PERF_RECORD_MISC_COMM_EXEC;
		set_name(record, bytes + fixed[type], body - fixed[type]);
		break;
	case PERF_RECORD_LOST:
		record->kind = PERFDATA_LOST;
		record->lost = perfdata_u64(bytes + 16, big);
		break;
	default:
		record->kind = type == PERF_RECORD_FORK ? PERFDATA_FORK : PERFDATA_EXIT;
		decode_task(bytes, big, record);
		break;
	}
	return 1;
}
