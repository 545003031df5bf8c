/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Filters and their text: one filter, the pull parser that reads a filter set from text, the
 * formatter that writes one, and the lints. The grammar is SPEC 2.
 */
#ifndef ITF_FILTER_H
#define ITF_FILTER_H

#include <itf/env.h>
#include <itf/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum itf_action - what the hardware does in or at the range
 * @ITF_ACTION_FILTER: trace while in the range
 * @ITF_ACTION_START: start tracing when the range is reached
 * @ITF_ACTION_STOP: stop tracing when the range is reached
 */
enum itf_action {
	ITF_ACTION_FILTER,
	ITF_ACTION_START,
	ITF_ACTION_STOP
};

/**
 * enum itf_source - what the start of a filter counts from
 * @ITF_SOURCE_FILE: start is a byte offset in an object file
 * @ITF_SOURCE_KERNEL: start is an absolute address (not checked to be one of the kernel's, G6)
 */
enum itf_source {
	ITF_SOURCE_FILE,
	ITF_SOURCE_KERNEL
};

/**
 * enum itf_dialect - which forms of the grammar are accepted or written
 * @ITF_DIALECT_ANY: seed or mainline form, filter by filter
 * @ITF_DIALECT_SEED: every filter names its source, as first proposed in 2015
 * @ITF_DIALECT_MAINLINE: no filter names its source: what today's kernel takes
 */
enum itf_dialect {
	ITF_DIALECT_ANY = 0,
	ITF_DIALECT_SEED,
	ITF_DIALECT_MAINLINE
};

/**
 * struct itf_filter - one filter of a set: the structure that everything else works on
 * @action: filter, start or stop
 * @source: file or kernel
 * @start: file: byte offset in the object file; kernel: absolute address
 * @size: bytes from @start; 0 means the point at @start. @start + @size is at most 2^64 (2^32 with
 *	32-bit addresses): a range may end exactly there
 * @object: identity of the object file, chosen by the caller and compared for equality only (in the
 *	kernel the inode). 0 means none: such a file filter is in no mapping. The parser sets 0
 * @path: file: the path as written, a slice of the text given to the parser, not NUL-terminated,
 *	without the quotes if it was quoted; kernel: NULL
 * @path_len: bytes in @path; 0 if and only if @path is NULL
 * @quoted: @path stood in quotes and still holds its escapes: see itf_path_decode()
 * @has_source: the text named the source (seed form)
 * @has_size: the text named a size, perhaps 0
 * @start_base: 8, 10 or 16, as @start was written; a lone 0 is decimal; 0 if not from text
 * @size_base: likewise for @size; 0 if no size was written
 * @span: in the text: from the first byte of the action to the last of the range
 * @start_span: in the text: the digits of @start, with a prefix 0x
 * @size_span: in the text: the digits of @size; length 0 after the start if there are none
 * @path_span: in the text: the path with its quotes; length 0 if there is none
 *
 * Filled by itf_parser_next(), or by hand: then only @action, @source, @start, @size and, for a
 * file filter, @path, @path_len and @quoted matter; zero the rest.
 */
struct itf_filter {
	enum itf_action action;
	enum itf_source source;
	u64 start;
	u64 size;
	u64 object;
	const char *path;
	size_t path_len;
	bool quoted;
	bool has_source;
	bool has_size;
	u8 start_base;
	u8 size_base;
	struct itf_span span;
	struct itf_span start_span;
	struct itf_span size_span;
	struct itf_span path_span;
};

/**
 * struct itf_syntax - what the parser accepts
 * @dialect: which forms
 * @quotes: a path that begins with a double quote is a quoted path; otherwise a quote is an
 *	ordinary byte
 * @addr_bits: width of start, size and the end of a range: 32 or 64; 0 means 64
 * @max_len: longest text in bytes; 0 means no limit (the kernel's is 4095 on 4 KiB pages)
 *
 * All zero is a useful default.
 */
struct itf_syntax {
	enum itf_dialect dialect;
	bool quotes;
	unsigned int addr_bits;
	size_t max_len;
};

/**
 * struct itf_parser - a pull parser over one text; memory of the caller, nothing to release
 * @text: the text; must stay as it is while the parser and the filters it gave are in use
 * @len: bytes in @text
 * @pos: first byte not read yet
 * @syntax: what is accepted
 * @error: read: ITF_OK, or the error that ended the parse; sticky
 * @span: read: where @error is; meaningless while @error is ITF_OK
 * @hint: read: what the writer probably meant
 * @after_path: the last filter ended in a path without quotes
 *
 * The fields marked "read" are for the caller to read; all others belong to the parser.
 */
struct itf_parser {
	const char *text;
	size_t len;
	size_t pos;
	struct itf_syntax syntax;
	enum itf_error error;
	struct itf_span span;
	enum itf_hint hint;
	bool after_path;
};

/**
 * itf_parser_init() - start to read a filter set
 * @parser: to be initialised
 * @text: the filters, any bytes; may be NULL if @len is 0
 * @len: bytes in @text
 * @syntax: copied; NULL means all defaults. An addr_bits that is neither 0, 32 nor 64 makes the
 *	first itf_parser_next() fail with ITF_E_INVALID
 *
 * Does not look at the text, only at its length: a text over the maximum is reported by the first
 * itf_parser_next() (SPEC 2: before anything else).
 */
void itf_parser_init(struct itf_parser *parser, const char *text, size_t len,
		     const struct itf_syntax *syntax);

/**
 * itf_parser_next() - read the next filter
 * @parser: as itf_parser_init() or the last call left it
 * @filter: filled on success, left as it was otherwise
 *
 * Filters come in the order of the text, each judged before the next is looked at (SPEC 2). Reading
 * a whole text takes time linear in its length, constant stack and no memory.
 *
 * Errors, in @parser->error, with @parser->span and @parser->hint: ITF_E_STRING_TOO_LONG and every
 * error from ITF_E_EXPECTED_ACTION to ITF_E_RANGE_WRAPS; ITF_E_INVALID as itf_parser_init() says.
 * After an error every further call returns false and changes nothing.
 *
 * Return: true with a filter; false at the end of the text (@parser->error is ITF_OK) or on error.
 */
bool itf_parser_next(struct itf_parser *parser, struct itf_filter *filter);

/**
 * itf_path_decode() - the bytes of a filter's path, with quoting undone
 * @filter: a filter; a kernel filter has a path of 0 bytes
 * @buf: where the bytes go, without a NUL behind them; may be NULL if @size is 0
 * @size: bytes that fit in @buf
 *
 * Return: the length of the path. If it is over @size, nothing was written. A path never holds NUL.
 */
size_t itf_path_decode(const struct itf_filter *filter, char *buf, size_t size);

/**
 * itf_path_equal() - do two filters name the same object
 * @a: a filter
 * @b: a filter
 *
 * Return: whether both are kernel filters, or both are file filters whose decoded paths have the
 * same bytes. Links are not followed: the engine knows no files.
 */
bool itf_path_equal(const struct itf_filter *a, const struct itf_filter *b);

/**
 * itf_format() - write a filter set as text
 * @filters: array of @count filters
 * @count: filters in the set; 0 gives the empty text
 * @to: ITF_DIALECT_SEED or ITF_DIALECT_MAINLINE; ITF_DIALECT_ANY writes each filter in the form
 *	that its has_source tells
 * @buf: where the text goes, without a NUL behind it; may be NULL if @size is 0
 * @size: bytes that fit in @buf
 * @need: set to the length of the text on success and with ITF_E_BUFFER_TOO_SMALL; may be NULL
 * @bad: set to the index of the first filter that cannot be written, with ITF_E_NOT_IN_MAINLINE;
 *	may be NULL
 *
 * Filters are joined by ",", numbers are lower-case 0x numbers, a size of 0 is not written. In seed
 * form a path that holds a separator or begins with a quote is quoted, so the text must be read
 * with quotes on. Reading the text in the target dialect gives the same actions, sources, starts,
 * sizes and path bytes.
 *
 * Errors, all of which leave @buf as it was: ITF_E_NOT_IN_MAINLINE for a filter without a size or
 * with a path that would have to be quoted when written in mainline form; ITF_E_BUFFER_TOO_SMALL.
 *
 * Return: ITF_OK or one of these.
 */
enum itf_error itf_format(const struct itf_filter *filters, size_t count, enum itf_dialect to,
			  char *buf, size_t size, size_t *need, size_t *bad);

/**
 * itf_in_mainline() - can a filter be written for today's kernel (G4, KERNEL-FACTS 1.6)
 * @filter: a filter
 *
 * Return: false for an action filter without a size, and for a path that would have to be quoted.
 */
bool itf_in_mainline(const struct itf_filter *filter);

/**
 * itf_action_name() - "filter", "start" or "stop"
 * @action: an action
 *
 * Return: a static string, never NULL; "unknown" for a value outside the enum.
 */
const char *itf_action_name(enum itf_action action);

/**
 * itf_source_name() - "file" or "kernel"
 * @source: a source
 *
 * Return: a static string, never NULL; "unknown" for a value outside the enum.
 */
const char *itf_source_name(enum itf_source source);

/**
 * struct itf_event_kind - the perf event that a filter set is meant for
 * @cpu_wide: the event has no task
 * @exclude_kernel: the event does not count in the kernel
 */
struct itf_event_kind {
	bool cpu_wide;
	bool exclude_kernel;
};

/**
 * itf_check_event() - does a filter fit an event (S3, S12)
 * @filter: a filter
 * @event: what the event is
 *
 * Return: ITF_OK; ITF_E_FILE_FILTER_NEEDS_TASK (every kernel refuses it); or
 * ITF_E_KERNEL_FILTER_EXCLUDED (kernels from 5.18 on take it; the caller decides).
 */
enum itf_error itf_check_event(const struct itf_filter *filter, const struct itf_event_kind *event);

/**
 * enum itf_lint - accepted, but probably not meant (SPEC 2)
 * @ITF_LINT_NONE: nothing to say
 * @ITF_LINT_OCTAL_NUMBER: a leading 0 with more digits after it
 * @ITF_LINT_MIXED_BASES: start hexadecimal, size decimal and above 9
 * @ITF_LINT_DUPLICATE_FILTER: same action, source, start, size and path
 * @ITF_LINT_OVERLAPPING_FILTERS: same action and object, ranges share a byte, not duplicates
 * @ITF_LINT_CONTRADICTING_FILTERS: a filter and a sized stop of one object share a byte, or a start
 *	and a stop are the same point of one object
 * @ITF_LINT_LOOKS_LIKE_ADDRESS: a file offset that looks like an address; only a caller that can
 *	read the object file can tell, the engine never does
 * @ITF_LINT_KERNEL_FILTER_EXCLUDED: a kernel filter for an event that excludes the kernel
 * @ITF_LINT_COUNT: how many there are; not a lint
 */
enum itf_lint {
	ITF_LINT_NONE = 0,
	ITF_LINT_OCTAL_NUMBER,
	ITF_LINT_MIXED_BASES,
	ITF_LINT_DUPLICATE_FILTER,
	ITF_LINT_OVERLAPPING_FILTERS,
	ITF_LINT_CONTRADICTING_FILTERS,
	ITF_LINT_LOOKS_LIKE_ADDRESS,
	ITF_LINT_KERNEL_FILTER_EXCLUDED,
	ITF_LINT_COUNT
};

/**
 * itf_lint_octal_start() - was the start written in octal
 * @filter: a filter from the parser
 *
 * Return: whether ITF_LINT_OCTAL_NUMBER applies to the start.
 */
static inline bool itf_lint_octal_start(const struct itf_filter *filter)
{
	return filter->start_base == 8;
}

/**
 * itf_lint_octal_size() - was the size written in octal
 * @filter: a filter from the parser
 *
 * Return: whether ITF_LINT_OCTAL_NUMBER applies to the size.
 */
static inline bool itf_lint_octal_size(const struct itf_filter *filter)
{
	return filter->size_base == 8;
}

/**
 * itf_lint_mixed_bases() - is a hexadecimal start followed by a decimal size above 9
 * @filter: a filter from the parser
 *
 * Return: whether ITF_LINT_MIXED_BASES applies.
 */
static inline bool itf_lint_mixed_bases(const struct itf_filter *filter)
{
	return filter->start_base == 16 && filter->size_base == 10 && filter->size > 9;
}

/**
 * itf_lint_pair() - do two filters of a set duplicate, overlap or contradict each other
 * @a: a filter
 * @b: another filter of the same set
 *
 * The order of the arguments does not matter. A point counts as the byte at it.
 *
 * Return: ITF_LINT_NONE, ITF_LINT_DUPLICATE_FILTER, ITF_LINT_OVERLAPPING_FILTERS or
 * ITF_LINT_CONTRADICTING_FILTERS.
 */
enum itf_lint itf_lint_pair(const struct itf_filter *a, const struct itf_filter *b);

/**
 * itf_lint_name() - the stable kebab-case name of a lint
 * @lint: any value
 *
 * Return: a static string such as "octal-number", never NULL; "unknown" for a value outside the
 * enum.
 */
const char *itf_lint_name(enum itf_lint lint);

/**
 * itf_lint_message() - one sentence for people
 * @lint: any value
 *
 * Return: a static string without a full stop or newline, never NULL.
 */
const char *itf_lint_message(enum itf_lint lint);

#ifdef __cplusplus
}
#endif

#endif
