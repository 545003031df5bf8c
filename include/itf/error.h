/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Errors: one enum for the whole engine, with a stable name, an errno class and a sentence each,
 * all from the one table in error.c. Error numbers of the host system appear nowhere: the kernel
 * glue and the program translate the errno class themselves.
 */
#ifndef ITF_ERROR_H
#define ITF_ERROR_H

#include <itf/env.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum itf_error - what can go wrong
 * @ITF_OK: success
 * @ITF_E_STRING_TOO_LONG: the text is longer than the caller's maximum; judged before all others
 * @ITF_E_EXPECTED_ACTION: a token that is not filter, start or stop stands where one must
 * @ITF_E_EXPECTED_RANGE: an action stands where a range must
 * @ITF_E_BAD_NUMBER: no number, or not one as the kernel's base-0 numbers are, where one must stand
 * @ITF_E_EMPTY_PATH: nothing follows "@"
 * @ITF_E_TRAILING_GARBAGE: bytes follow a complete range without a separator
 * @ITF_E_BAD_QUOTE: a quoted path has a wrong escape or no closing quote
 * @ITF_E_NUL_BYTE: a NUL byte; the text is (pointer, length) and NUL belongs nowhere in it
 * @ITF_E_INCOMPLETE_FILTER: the text ends after an action
 * @ITF_E_SOURCE_REQUIRED: seed dialect: neither "file:" nor "kernel:"
 * @ITF_E_SOURCE_NOT_ALLOWED: mainline dialect: today's kernel knows no "file:" or "kernel:"
 * @ITF_E_PATH_REQUIRED: "file:" without "@path"
 * @ITF_E_PATH_NOT_ALLOWED: "kernel:" with "@path"
 * @ITF_E_NUMBER_TOO_LARGE: start or size does not fit the address width; the one ERANGE
 * @ITF_E_SIZE_REQUIRED: "filter" without a size in mainline form
 * @ITF_E_EMPTY_RANGE: "filter" with size 0
 * @ITF_E_RANGE_WRAPS: the range goes past the last address (it may end exactly there)
 * @ITF_E_FILE_FILTER_NEEDS_TASK: a file filter on a CPU-wide event (S12)
 * @ITF_E_KERNEL_FILTER_EXCLUDED: a kernel filter on an event that excludes the kernel (S3; kernels
 *	before 5.18 refuse it)
 * @ITF_E_TOO_MANY_FILTERS: more filters than the hardware has slots for
 * @ITF_E_START_UNSUPPORTED: the hardware has no "start"
 * @ITF_E_POINT_UNSUPPORTED: the hardware needs a size here
 * @ITF_E_SIZED_START_STOP: the hardware takes only points for start and stop
 * @ITF_E_MIXED_RANGES_AND_POINTS: the hardware takes all ranges or all points
 * @ITF_E_TOO_MANY_COMPARATORS: accepted when set, but fails when the event starts
 * @ITF_E_NOT_IN_MAINLINE: the filter cannot be written in the mainline dialect
 * @ITF_E_BUFFER_TOO_SMALL: the caller's buffer is too small; the length needed was reported
 * @ITF_E_SPACE_FULL: the caller's mapping array is full
 * @ITF_E_BAD_MAPPING: a mapping that is empty, wraps, or goes past the address width
 * @ITF_E_INVALID: the caller broke a documented rule (a mistake of the program, not of its user)
 * @ITF_ERROR_COUNT: how many there are; not an error
 *
 * Zero is success. The grammar's errors stand in the order in which they are judged within one
 * filter (SPEC 2). Numbers may change between releases; names (itf_error_name()) may not.
 */
enum itf_error {
	ITF_OK = 0,

	ITF_E_STRING_TOO_LONG,
	ITF_E_EXPECTED_ACTION,
	ITF_E_EXPECTED_RANGE,
	ITF_E_BAD_NUMBER,
	ITF_E_EMPTY_PATH,
	ITF_E_TRAILING_GARBAGE,
	ITF_E_BAD_QUOTE,
	ITF_E_NUL_BYTE,
	ITF_E_INCOMPLETE_FILTER,
	ITF_E_SOURCE_REQUIRED,
	ITF_E_SOURCE_NOT_ALLOWED,
	ITF_E_PATH_REQUIRED,
	ITF_E_PATH_NOT_ALLOWED,
	ITF_E_NUMBER_TOO_LARGE,
	ITF_E_SIZE_REQUIRED,
	ITF_E_EMPTY_RANGE,
	ITF_E_RANGE_WRAPS,

	ITF_E_FILE_FILTER_NEEDS_TASK,
	ITF_E_KERNEL_FILTER_EXCLUDED,

	ITF_E_TOO_MANY_FILTERS,
	ITF_E_START_UNSUPPORTED,
	ITF_E_POINT_UNSUPPORTED,
	ITF_E_SIZED_START_STOP,
	ITF_E_MIXED_RANGES_AND_POINTS,
	ITF_E_TOO_MANY_COMPARATORS,

	ITF_E_NOT_IN_MAINLINE,
	ITF_E_BUFFER_TOO_SMALL,
	ITF_E_SPACE_FULL,
	ITF_E_BAD_MAPPING,
	ITF_E_INVALID,

	ITF_ERROR_COUNT
};

/**
 * enum itf_errno - the errno class of an error, without the host's numbers
 * @ITF_ERRNO_NONE: success
 * @ITF_EINVAL: EINVAL
 * @ITF_ERANGE: ERANGE
 * @ITF_EOPNOTSUPP: EOPNOTSUPP
 * @ITF_ENOSPC: ENOSPC
 */
enum itf_errno {
	ITF_ERRNO_NONE = 0,
	ITF_EINVAL,
	ITF_ERANGE,
	ITF_EOPNOTSUPP,
	ITF_ENOSPC
};

/**
 * enum itf_hint - what the writer of a wrong filter probably meant
 * @ITF_HINT_NONE: no guess
 * @ITF_HINT_TRACESTOP: the perf tool's action "tracestop"
 * @ITF_HINT_SYMBOL: a symbol where a number belongs
 * @ITF_HINT_WHOLE_FILE: the perf tool's "*"
 * @ITF_HINT_BLANKS: blanks around "/" or "@", as the perf tool allows
 * @ITF_HINT_OCTAL: a leading 0 made the number octal and it has an 8 or 9
 * @ITF_HINT_SEPARATOR_IN_PATH: a path was cut at a separator
 * @ITF_HINT_DROP_SOURCE: "file:" or "kernel:" in a string for today's kernel
 * @ITF_HINT_ADD_SOURCE: neither "file:" nor "kernel:" where one is required
 * @ITF_HINT_ADD_PATH: a file filter without its path
 * @ITF_HINT_ADD_SIZE: a filter without its size
 * @ITF_HINT_COUNT: how many there are; not a hint
 */
enum itf_hint {
	ITF_HINT_NONE = 0,
	ITF_HINT_TRACESTOP,
	ITF_HINT_SYMBOL,
	ITF_HINT_WHOLE_FILE,
	ITF_HINT_BLANKS,
	ITF_HINT_OCTAL,
	ITF_HINT_SEPARATOR_IN_PATH,
	ITF_HINT_DROP_SOURCE,
	ITF_HINT_ADD_SOURCE,
	ITF_HINT_ADD_PATH,
	ITF_HINT_ADD_SIZE,
	ITF_HINT_COUNT
};

/**
 * struct itf_span - a part of the input text
 * @off: bytes before it
 * @len: bytes in it; 0 marks a place between two bytes
 *
 * off + len never exceeds the length of the text.
 */
struct itf_span {
	size_t off;
	size_t len;
};

/**
 * itf_error_name() - the stable kebab-case name of an error
 * @error: any value
 *
 * Return: a static string such as "number-too-large" ("ok" for ITF_OK), never NULL; "unknown" for a
 * value outside the enum.
 */
const char *itf_error_name(enum itf_error error);

/**
 * itf_error_message() - one sentence for people
 * @error: any value
 *
 * Return: a static string without a full stop or newline, never NULL.
 */
const char *itf_error_message(enum itf_error error);

/**
 * itf_error_errno() - the errno class of an error (SPEC 2, SPEC 5)
 * @error: any value
 *
 * Return: ITF_ERRNO_NONE for ITF_OK, ITF_EINVAL for a value outside the enum.
 */
enum itf_errno itf_error_errno(enum itf_error error);

/**
 * itf_errno_name() - "EINVAL" and so on
 * @errnum: any value
 *
 * Return: a static string, "" for ITF_ERRNO_NONE, never NULL.
 */
const char *itf_errno_name(enum itf_errno errnum);

/**
 * itf_hint_text() - what to write instead
 * @hint: any value
 *
 * Return: a static sentence without a full stop or newline, or NULL for ITF_HINT_NONE and for a
 * value outside the enum.
 */
const char *itf_hint_text(enum itf_hint hint);

#ifdef __cplusplus
}
#endif

#endif
