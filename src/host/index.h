/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tables from the name or the inode number of a file to ids of object files. They know nothing of
 * what an id stands for.
 */
#ifndef ITF_HOST_INDEX_H
#define ITF_HOST_INDEX_H

#include <itf/env.h>

struct name_entry;
struct inode_entry;

/**
 * struct name_table - from names, any bytes, to ids
 * @first: private
 * @lengths: private: bit (length mod 64) of each name: most names that are not there need no hash
 *
 * All zero is an empty table.
 */
struct name_table {
	struct name_entry *first;
	u64 lengths;
};

/**
 * struct inode_table - from inode numbers to ids; a number may have several, on different devices
 * @first: private
 *
 * All zero is an empty table.
 */
struct inode_table {
	struct inode_entry *first;
};

/**
 * name_find() - look a name up
 * @table: a table
 * @name: any bytes
 * @len: bytes in @name
 *
 * Return: its id, 0 if it is not there.
 */
u64 name_find(const struct name_table *table, const char *name, size_t len);

/**
 * name_add() - enter a name unless it is there already
 * @table: a table
 * @name: any bytes, copied
 * @len: bytes in @name
 * @id: its id, not 0
 *
 * Return: true; false with errno set if memory ran out.
 */
bool name_add(struct name_table *table, const char *name, size_t len, u64 id);

/**
 * name_free() - release a table, which is empty afterwards
 * @table: a table
 */
void name_free(struct name_table *table);

/**
 * inode_find() - look an inode number up
 * @table: a table
 * @inode: number
 *
 * Return: the first entry, NULL if none.
 */
const struct inode_entry *inode_find(const struct inode_table *table, u64 inode);

/**
 * inode_next() - the next entry with the same number
 * @entry: an entry
 * @id: set to the id of @entry
 *
 * Return: the next entry, NULL if @entry is the last.
 */
const struct inode_entry *inode_next(const struct inode_entry *entry, u64 *id);

/**
 * inode_add() - enter an inode number
 * @table: a table
 * @inode: number
 * @id: its id, not 0
 *
 * Return: true; false with errno set if memory ran out.
 */
bool inode_add(struct inode_table *table, u64 inode, u64 id);

/**
 * inode_free() - release a table, which is empty afterwards
 * @table: a table
 */
void inode_free(struct inode_table *table);

#endif
