// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Tables from names and inode numbers to ids. Nothing but tables: no files, no filters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lack of memory is an error to report, not a reason for a library to end the program. */
#define HASH_NONFATAL_OOM 1
/* The default hash function does not compile without warnings. */
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>

#include "index.h"

struct name_entry {
	char *name;
	size_t len;
	u64 id;
	UT_hash_handle hh;
};

struct inode_entry {
	u64 inode;
	u64 id;
	struct inode_entry *same;
	UT_hash_handle hh;
};

static struct name_entry *find(const struct name_table *table, const char *name, size_t len)
{
	struct name_entry *entry;

	HASH_FIND(hh, table->first, name, len, entry);
	return entry;
}

u64 name_find(const struct name_table *table, const char *name, size_t len)
{
	struct name_entry *entry;

	if (!(table->lengths >> (len % 64) & 1))
		return 0;
	entry = find(table, name, len);
	return entry ? entry->id : 0;
}

bool name_add(struct name_table *table, const char *name, size_t len, u64 id)
{
	struct name_entry *entry;

	if (find(table, name, len))
		return true;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return false;
	entry->name = malloc(len + 1);
	if (!entry->name) {
		free(entry);
		return false;
	}
	memcpy(entry->name, name, len);
	entry->name[len] = '\0';
	entry->len = len;
	entry->id = id;
	HASH_ADD_KEYPTR(hh, table->first, entry->name, len, entry);
	if (!entry->hh.tbl) {
		free(entry->name);
		free(entry);
		errno = ENOMEM;
		return false;
	}
	table->lengths |= (u64)1 << (len % 64);
	return true;
}

void name_free(struct name_table *table)
{
	struct name_entry *entry, *next;

	HASH_ITER(hh, table->first, entry, next) {
		HASH_DEL(table->first, entry);
		free(entry->name);
		free(entry);
	}
	*table = (struct name_table){ 0 };
}

const struct inode_entry *inode_find(const struct inode_table *table, u64 inode)
{
	struct inode_entry *entry;

	HASH_FIND(hh, table->first, &inode, sizeof(inode), entry);
	return entry;
}

const struct inode_entry *inode_next(const struct inode_entry *entry, u64 *id)
{
	*id = entry->id;
	return entry->same;
}

bool inode_add(struct inode_table *table, u64 inode, u64 id)
{
	struct inode_entry *entry = calloc(1, sizeof(*entry));
	struct inode_entry *first;

	if (!entry)
		return false;
	entry->inode = inode;
	entry->id = id;
	HASH_FIND(hh, table->first, &inode, sizeof(inode), first);
	if (first) {
		entry->same = first->same;
		first->same = entry;
		return true;
	}
	HASH_ADD(hh, table->first, inode, sizeof(entry->inode), entry);
	if (!entry->hh.tbl) {
		free(entry);
		errno = ENOMEM;
		return false;
	}
	return true;
}

void inode_free(struct inode_table *table)
{
	struct inode_entry *entry, *next, *same;

	HASH_ITER(hh, table->first, entry, next) {
		HASH_DEL(table->first, entry);
		for (; entry; entry = same) {
			same = entry->same;
			free(entry);
		}
	}
	*table = (struct inode_table){ 0 };
}
