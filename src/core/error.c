// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The one table of errors, and that of hints: names, errno classes, sentences. No logic. */
#include <itf/error.h>

static const struct {
	const char *name;
	const char *message;
	enum itf_errno errnum;
} errors[ITF_ERROR_COUNT] = {
	[ITF_OK] = {
		.name = "ok",
		.message = "no error",
		.errnum = ITF_ERRNO_NONE,
	},
	[ITF_E_STRING_TOO_LONG] = {
		.name = "string-too-long",
		.message = "the filter string is longer than the kernel takes",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_EXPECTED_ACTION] = {
		.name = "expected-action",
		.message = "expected filter, start or stop",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_EXPECTED_RANGE] = {
		.name = "expected-range",
		.message = "expected a range after the action",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_BAD_NUMBER] = {
		.name = "bad-number",
		.message = "expected a number",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_EMPTY_PATH] = {
		.name = "empty-path",
		.message = "expected a path after \"@\"",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_TRAILING_GARBAGE] = {
		.name = "trailing-garbage",
		.message = "the range should have ended before this",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_BAD_QUOTE] = {
		.name = "bad-quote",
		.message = "the quoted path has a wrong escape or no closing quote",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_NUL_BYTE] = {
		.name = "nul-byte",
		.message = "a NUL byte cannot be part of a filter",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_INCOMPLETE_FILTER] = {
		.name = "incomplete-filter",
		.message = "the last action has no range",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_SOURCE_REQUIRED] = {
		.name = "source-required",
		.message = "the range needs \"file:\" or \"kernel:\" in front",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_SOURCE_NOT_ALLOWED] = {
		.name = "source-not-allowed",
		.message = "today's kernel takes no source in front of a range",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_PATH_REQUIRED] = {
		.name = "path-required",
		.message = "a file range needs \"@path\" behind it",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_PATH_NOT_ALLOWED] = {
		.name = "path-not-allowed",
		.message = "a kernel range takes no path",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_NUMBER_TOO_LARGE] = {
		.name = "number-too-large",
		.message = "the number does not fit the address width",
		.errnum = ITF_ERANGE,
	},
	[ITF_E_SIZE_REQUIRED] = {
		.name = "size-required",
		.message = "the action filter needs a size",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_EMPTY_RANGE] = {
		.name = "empty-range",
		.message = "the action filter needs a size above 0",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_RANGE_WRAPS] = {
		.name = "range-wraps",
		.message = "the range goes past the last address",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_FILE_FILTER_NEEDS_TASK] = {
		.name = "file-filter-needs-task",
		.message = "a CPU-wide event takes no file filter",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_KERNEL_FILTER_EXCLUDED] = {
		.name = "kernel-filter-excluded",
		.message = "kernels before 5.18 take no kernel filter with exclude_kernel",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_TOO_MANY_FILTERS] = {
		.name = "too-many-filters",
		.message = "the hardware has fewer ranges than there are filters",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_START_UNSUPPORTED] = {
		.name = "start-unsupported",
		.message = "the hardware has no start filters",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_POINT_UNSUPPORTED] = {
		.name = "point-unsupported",
		.message = "the hardware needs a size here",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_SIZED_START_STOP] = {
		.name = "sized-start-stop",
		.message = "the hardware takes start and stop without a size only",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_MIXED_RANGES_AND_POINTS] = {
		.name = "mixed-ranges-and-points",
		.message = "the hardware takes either ranges or points, not both",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_TOO_MANY_COMPARATORS] = {
		.name = "too-many-comparators",
		.message = "accepted when set, but the event cannot start: too few comparators",
		.errnum = ITF_EOPNOTSUPP,
	},
	[ITF_E_NOT_IN_MAINLINE] = {
		.name = "not-in-mainline",
		.message = "the filter cannot be written for today's kernel",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_BUFFER_TOO_SMALL] = {
		.name = "buffer-too-small",
		.message = "the buffer is too small",
		.errnum = ITF_ENOSPC,
	},
	[ITF_E_SPACE_FULL] = {
		.name = "space-full",
		.message = "there is no room for more mappings",
		.errnum = ITF_ENOSPC,
	},
	[ITF_E_BAD_MAPPING] = {
		.name = "bad-mapping",
		.message = "the mapping is empty or does not fit the address space",
		.errnum = ITF_EINVAL,
	},
	[ITF_E_INVALID] = {
		.name = "invalid-call",
		.message = "the program made a wrong call",
		.errnum = ITF_EINVAL,
	},
};

static const char *const hints[ITF_HINT_COUNT] = {
	[ITF_HINT_TRACESTOP] =
		"tracestop is the perf tool's word; the kernel's is stop with a size: stop START/SIZE@PATH",
	[ITF_HINT_SYMBOL] =
		"symbols are the perf tool's; write the function's file offset as a number: 0x1129/0x4@PATH",
	[ITF_HINT_WHOLE_FILE] =
		"* is the perf tool's; for a whole file write 0 and its size: 0/0x23000@PATH",
	[ITF_HINT_BLANKS] =
		"the perf tool allows blanks around / and @; write them without: START/SIZE@PATH",
	[ITF_HINT_OCTAL] =
		"a leading 0 makes a number octal; drop it, or write hexadecimal with 0x",
	[ITF_HINT_SEPARATOR_IN_PATH] =
		"a blank or comma ends a path; in the seed form, quote it: @\"/a path\"",
	[ITF_HINT_DROP_SOURCE] =
		"drop it: START/SIZE@PATH is a file range and START/SIZE an absolute one",
	[ITF_HINT_ADD_SOURCE] =
		"write file:START/SIZE@PATH for a file, kernel:START/SIZE for an address",
	[ITF_HINT_ADD_PATH] = "write file:START/SIZE@PATH; for an address write kernel: instead",
	[ITF_HINT_ADD_SIZE] = "write START/SIZE, with the size in bytes",
};

static const char *const errnos[] = {
	[ITF_ERRNO_NONE] = "",		 [ITF_EINVAL] = "EINVAL", [ITF_ERANGE] = "ERANGE",
	[ITF_EOPNOTSUPP] = "EOPNOTSUPP", [ITF_ENOSPC] = "ENOSPC",
};

const char *itf_error_name(enum itf_error error)
{
	return (unsigned int)error < ITF_ERROR_COUNT ? errors[error].name : "unknown";
}

const char *itf_error_message(enum itf_error error)
{
	return (unsigned int)error < ITF_ERROR_COUNT ? errors[error].message : "unknown error";
}

enum itf_errno itf_error_errno(enum itf_error error)
{
	return (unsigned int)error < ITF_ERROR_COUNT ? errors[error].errnum : ITF_EINVAL;
}

const char *itf_errno_name(enum itf_errno errnum)
{
	return (unsigned int)errnum <= ITF_ENOSPC ? errnos[errnum] : "";
}

const char *itf_hint_text(enum itf_hint hint)
{
	return (unsigned int)hint < ITF_HINT_COUNT ? hints[hint] : NULL;
}
