// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The one table of errors, and that of hints: names, errno classes, sentences. No logic. */
#include <itf/error.h>

static const struct {
	const char *name;
	const char *message;
	enum itf_errno errnum;
} errors[ITF_ERROR_COUNT] = {
	[ITF_OK] = { "ok", "no error", ITF_ERRNO_NONE },
	[ITF_E_STRING_TOO_LONG] = {
		"string-too-long", "the filter string is longer than the kernel takes", ITF_EINVAL
	},
	[ITF_E_EXPECTED_ACTION] = {
		"expected-action", "expected filter, start or stop", ITF_EINVAL
	},
	[ITF_E_EXPECTED_RANGE] = {
		"expected-range", "expected a range after the action", ITF_EINVAL
	},
	[ITF_E_BAD_NUMBER] = { "bad-number", "expected a number", ITF_EINVAL },
	[ITF_E_EMPTY_PATH] = { "empty-path", "expected a path after \"@\"", ITF_EINVAL },
	[ITF_E_TRAILING_GARBAGE] = {
		"trailing-garbage", "the range should have ended before this", ITF_EINVAL
	},
	[ITF_E_BAD_QUOTE] = {
		"bad-quote", "the quoted path has a wrong escape or no closing quote", ITF_EINVAL
	},
	[ITF_E_NUL_BYTE] = { "nul-byte", "a NUL byte cannot be part of a filter", ITF_EINVAL },
	[ITF_E_INCOMPLETE_FILTER] = {
		"incomplete-filter", "the last action has no range", ITF_EINVAL
	},
	[ITF_E_SOURCE_REQUIRED] = {
		"source-required", "the range needs \"file:\" or \"kernel:\" in front", ITF_EINVAL
	},
	[ITF_E_SOURCE_NOT_ALLOWED] = {
		"source-not-allowed", "today's kernel takes no source in front of a range",
		ITF_EINVAL
	},
	[ITF_E_PATH_REQUIRED] = {
		"path-required", "a file range needs \"@path\" behind it", ITF_EINVAL
	},
	[ITF_E_PATH_NOT_ALLOWED] = {
		"path-not-allowed", "a kernel range takes no path", ITF_EINVAL
	},
	[ITF_E_NUMBER_TOO_LARGE] = {
		"number-too-large", "the number does not fit the address width", ITF_ERANGE
	},
	[ITF_E_SIZE_REQUIRED] = {
		"size-required", "the action filter needs a size", ITF_EINVAL
	},
	[ITF_E_EMPTY_RANGE] = {
		"empty-range", "the action filter needs a size above 0", ITF_EINVAL
	},
	[ITF_E_RANGE_WRAPS] = {
		"range-wraps", "the range goes past the last address", ITF_EINVAL
	},
	[ITF_E_FILE_FILTER_NEEDS_TASK] = {
		"file-filter-needs-task", "a CPU-wide event takes no file filter", ITF_EOPNOTSUPP
	},
	[ITF_E_KERNEL_FILTER_EXCLUDED] = {
		"kernel-filter-excluded",
		"kernels before 5.18 refuse a kernel filter on an event that excludes the kernel",
		ITF_EINVAL
	},
	[ITF_E_TOO_MANY_FILTERS] = {
		"too-many-filters", "the hardware has fewer ranges than there are filters",
		ITF_EOPNOTSUPP
	},
	[ITF_E_START_UNSUPPORTED] = {
		"start-unsupported", "the hardware has no start filters", ITF_EOPNOTSUPP
	},
	[ITF_E_POINT_UNSUPPORTED] = {
		"point-unsupported", "the hardware needs a size here", ITF_EOPNOTSUPP
	},
	[ITF_E_SIZED_START_STOP] = {
		"sized-start-stop", "the hardware takes start and stop without a size only",
		ITF_EOPNOTSUPP
	},
	[ITF_E_MIXED_RANGES_AND_POINTS] = {
		"mixed-ranges-and-points", "the hardware takes either ranges or points, not both",
		ITF_EOPNOTSUPP
	},
	[ITF_E_TOO_MANY_COMPARATORS] = {
		"too-many-comparators",
		"the kernel takes these filters, but the event fails when it starts: too few comparators",
		ITF_EOPNOTSUPP
	},
	[ITF_E_NOT_IN_MAINLINE] = {
		"not-in-mainline", "the filter cannot be written for today's kernel", ITF_EINVAL
	},
	[ITF_E_BUFFER_TOO_SMALL] = { "buffer-too-small", "the buffer is too small", ITF_ENOSPC },
	[ITF_E_SPACE_FULL] = { "space-full", "there is no room for more mappings", ITF_ENOSPC },
	[ITF_E_BAD_MAPPING] = {
		"bad-mapping", "the mapping is empty or does not fit the address space", ITF_EINVAL
	},
	[ITF_E_INVALID] = { "invalid-call", "the program made a wrong call", ITF_EINVAL },
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
	[ITF_ERRNO_NONE] = "",
	[ITF_EINVAL] = "EINVAL",
	[ITF_ERANGE] = "ERANGE",
	[ITF_EOPNOTSUPP] = "EOPNOTSUPP",
	[ITF_ENOSPC] = "ENOSPC",
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
