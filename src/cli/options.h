/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The command line, from arguments to what is asked for. Opens no files. */
#ifndef ITF_CLI_OPTIONS_H
#define ITF_CLI_OPTIONS_H

#include <argp.h>
#include <sys/types.h>

#include <itf/itf.h>

#include "diag.h"

/* What perf core's buffer for the string takes on 4 KiB pages (KERNEL-FACTS 1.1). */
#define OPTIONS_KERNEL_MAX ((size_t)4095)

/* Keys of all options of all subcommands; each subcommand lists those that it takes. */
enum option_key {
	OPT_HELP = 'h',
	OPT_VERSION = 'V',
	OPT_DIALECT = 0x100,
	OPT_ADDR_BITS,
	OPT_PMU,
	OPT_CPU_WIDE,
	OPT_EXCLUDE_KERNEL,
	OPT_JSON,
	OPT_TO,
	OPT_PID,
	OPT_MAPS,
	OPT_PERF_DATA,
	OPT_RECORDED_FILTERS
};

/* Lines for the option tables of the subcommands. */
#define OPTION_DIALECT                                                               \
	{                                                                            \
		"dialect", OPT_DIALECT, "D", 0, "any (default), seed or mainline", 0 \
	}
#define OPTION_ADDR_BITS                                                            \
	{                                                                           \
		"addr-bits", OPT_ADDR_BITS, "N", 0, "Width of addresses: 64, 32", 0 \
	}
#define OPTION_PMU                                                            \
	{                                                                     \
		"pmu", OPT_PMU, "MODEL", 0, "Ask what this hardware takes", 0 \
	}
#define OPTION_JSON                                                    \
	{                                                              \
		"json", OPT_JSON, NULL, 0, "Write JSON on one line", 0 \
	}
#define OPTION_HELP                                                \
	{                                                          \
		"help", OPT_HELP, NULL, 0, "Show this and end", -1 \
	}

/* What an option's parser returns for what it has told already. */
#define OPTION_TOLD 1

/**
 * struct options - what is asked for
 * @name: of the subcommand
 * @syntax: how FILTERS is to be read
 * @event: the kind of event it is for
 * @pmu: the model, if @has_pmu
 * @has_pmu: a model was named
 * @json: JSON rather than text
 * @to: target dialect, if @has_to
 * @has_to: a target was named
 * @pid: process id; 0 if none was named
 * @maps: name of a maps file, "-" for standard input; NULL if none was named
 * @perf_data: name of a perf.data file, "-" for standard input; NULL if none was named
 * @recorded_filters: the filters are in the perf.data file
 * @filters: FILTERS as given, "-" for standard input; NULL if @recorded_filters
 * @command: NULL-terminated COMMAND and its arguments; NULL if there is none
 */
struct options {
	const char *name;
	struct itf_syntax syntax;
	struct itf_event_kind event;
	struct itf_pmu pmu;
	bool has_pmu;
	bool json;
	enum itf_dialect to;
	bool has_to;
	pid_t pid;
	const char *maps;
	const char *perf_data;
	bool recorded_filters;
	const char *filters;
	char **command;
};

/**
 * struct usage - how a subcommand is called
 * @name: "check"
 * @table: its options, ended by a zero line
 * @args: what follows the options
 * @doc: for --help, before the options
 * @more: for --help, at the end
 * @takes_command: -- COMMAND may follow FILTERS
 * @takes_model: it has the option --pmu
 */
struct usage {
	const char *name;
	const struct argp_option *table;
	const char *args;
	const char *doc;
	const char *more;
	bool takes_command;
	bool takes_model;
};

/**
 * options_parse() - read the arguments of a subcommand
 * @options: filled
 * @usage: of the subcommand
 * @argc: arguments, the first being the name of the subcommand
 * @argv: the arguments; reordered
 * @status: set to the exit status if there is nothing left to do
 *
 * Return: true to go on; false if --help was given, or on an error, which was told.
 */
bool options_parse(struct options *options, const struct usage *usage, int argc, char **argv,
		   enum status *status);

/**
 * options_wrong() - tell that the arguments are wrong
 * @usage: of the subcommand
 * @format: of printf, without a newline
 *
 * Return: STATUS_TROUBLE.
 */
__attribute__((format(printf, 2, 3))) enum status options_wrong(const struct usage *usage,
								const char *format, ...);

/**
 * options_argp() - argp_parse() that neither prints help nor ends the program
 * @argp: what to parse; its parser must handle OPT_HELP
 * @argc: arguments
 * @argv: the arguments; argv[0] is replaced
 * @flags: more flags of argp
 * @input: for the parser
 *
 * Complaints of getopt come as "itf: error: ...".
 *
 * Return: 0, or what the parser returned, or EINVAL.
 */
error_t options_argp(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input);

/**
 * options_pmu() - read the name of a model
 * @text: as --help says
 * @pmu: set on success
 *
 * Return: whether it is one.
 */
bool options_pmu(const char *text, struct itf_pmu *pmu);

#endif
