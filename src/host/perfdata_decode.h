/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One record of a perf.data file: from its bytes to a struct perfdata_record. Knows nothing of how
 * records come out of a file.
 */
#ifndef ITF_HOST_PERFDATA_DECODE_H
#define ITF_HOST_PERFDATA_DECODE_H

#include "perfdata.h"

/* The head of every record: u32 type, u16 misc, u16 size of the whole record. */
#define PERFDATA_HEAD 8

/* A number out of a file, @big-endian or little-endian. */
static inline u32 perfdata_u16(const u8 *p, bool big)
{
	return big ? (u32)p[0] << 8 | p[1] : (u32)p[1] << 8 | p[0];
}

static inline u32 perfdata_u32(const u8 *p, bool big)
{
	return big ? perfdata_u16(p, true) << 16 | perfdata_u16(p + 2, true) :
		     perfdata_u16(p + 2, false) << 16 | perfdata_u16(p, false);
}

static inline u64 perfdata_u64(const u8 *p, bool big)
{
	return big ? (u64)perfdata_u32(p, true) << 32 | perfdata_u32(p + 4, true) :
		     (u64)perfdata_u32(p + 4, false) << 32 | perfdata_u32(p, false);
}

/**
 * struct perfdata_layout - what stands behind the fields of a record, from the event's attributes
 * @size: bytes of the sample id; 0 if there is none
 * @time_at: bytes from the end of the record back to the time; 0 if there is no time
 * @has_identifier: the last 8 bytes are the event's id
 */
struct perfdata_layout {
	size_t size;
	size_t time_at;
	bool has_identifier;
};

/**
 * perfdata_layout_of() - the layout from an event's attributes
 * @attr: struct perf_event_attr as in the file, any version
 * @size: bytes in @attr; at least 48
 * @big: byte order of the file
 * @layout: set
 */
void perfdata_layout_of(const u8 *attr, size_t size, bool big, struct perfdata_layout *layout);

/**
 * perfdata_has_data() - whether an event records mappings that are not executable
 * @attr: as in perfdata_layout_of()
 * @size: bytes in @attr; at least 48
 * @big: byte order of the file
 *
 * Return: whether it does.
 */
bool perfdata_has_data(const u8 *attr, size_t size, bool big);

/**
 * perfdata_decode() - decode one record
 * @bytes: the whole record
 * @size: bytes in @bytes, as its head says; at least PERFDATA_HEAD
 * @big: byte order of the file
 * @layout: of the event that the record belongs to
 * @record: set if the record is of a kind of enum perfdata_kind; its name points into @bytes
 *
 * Return: 1 if @record was set; 0 if the record is of no interest; -1 if it is too short for what
 * it claims to be.
 */
int perfdata_decode(const u8 *bytes, size_t size, bool big, const struct perfdata_layout *layout,
		    struct perfdata_record *record);

#endif
