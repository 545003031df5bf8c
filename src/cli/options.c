// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The command line. Tells what is wrong with it, but never ends the program. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* The parse of one command line. */
struct parse {
	struct options *options;
	const struct usage *usage;
	char **args;
	size_t arg_count;
	bool dashes; /* there was a "--" */
	bool help;
};

static void say_usage(const struct usage *usage)
{
	fprintf(stderr, "usage: itf %s [--help] [OPTION...] %s\n", usage->name, usage->args);
}

enum status options_wrong(const struct usage *usage, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_error("%s", text);
	say_usage(usage);
	return STATUS_TROUBLE;
}

/* ---------------------------------------------------------------------- values */

/* A decimal number, nothing else. */
static bool read_number(const char *text, size_t len, unsigned long max, unsigned long *number)
{
	unsigned long value = 0;

	if (!len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, 10ul, &value) ||
		    __builtin_add_overflow(value, (unsigned long)(text[i] - '0'), &value))
			return false;
	}
	if (value > max)
		return false;
	*number = value;
	return true;
}

static bool read_dialect(const char *text, enum itf_dialect *dialect)
{
	static const struct {
		const char *name;
		enum itf_dialect dialect;
	} names[] = {
		{ "any", ITF_DIALECT_ANY },
		{ "seed", ITF_DIALECT_SEED },
		{ "mainline", ITF_DIALECT_MAINLINE },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i].name)) {
			*dialect = names[i].dialect;
			return true;
		}
	}
	return false;
}

/* ---------------------------------------------------------------------- models */

/* The parameter that "KEY=" begins: its number into @field. */
static bool read_field(const char *text, size_t len, const char *key, unsigned long max,
		       unsigned int *field)
{
	size_t key_len = strlen(key);
	unsigned long number;

	if (len < key_len || memcmp(text, key, key_len) != 0 ||
	    !read_number(text + key_len, len - key_len, max, &number))
		return false;
	*field = (unsigned int)number;
	return true;
}

static bool read_parameter(struct itf_pmu *pmu, const char *text, size_t len)
{
	unsigned int bits;

	if (pmu->model == &itf_pmu_cs_etm)
		return read_field(text, len, "pairs=", 8, &pmu->slots);
	if (pmu->model != &itf_pmu_intel_pt)
		return false;
	if (read_field(text, len, "ranges=", 4, &pmu->slots))
		return true;
	if (!read_field(text, len, "vaddr-bits=", 57, &bits) || (bits != 48 && bits != 57))
		return false;
	pmu->vaddr_bits = bits;
	return true;
}

bool options_pmu(const char *text, struct itf_pmu *pmu)
{
	static const struct {
		const char *name;
		const struct itf_pmu_model *model;
	} models[] = {
		{ "intel_pt", &itf_pmu_intel_pt },
		{ "cs_etm", &itf_pmu_cs_etm },
		{ "any", &itf_pmu_any },
	};
	size_t len = strcspn(text, ":");
	struct itf_pmu made = { 0 };

	itf_pmu_init(&made, &itf_pmu_count);
	if (read_field(text, strlen(text), "nr_addr_filters=", UINT_MAX, &made.slots)) {
		*pmu = made;
		return made.slots > 0;
	}
	made.model = NULL;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		if (strlen(models[i].name) == len && !memcmp(text, models[i].name, len))
			itf_pmu_init(&made, models[i].model);
	}
	if (!made.model)
		return false;
	for (text += len; *text == ':'; text += len) {
		text++;
		len = strcspn(text, ":");
		if (!read_parameter(&made, text, len))
			return false;
	}
	*pmu = made;
	return true;
}

/* ---------------------------------------------------------------------- options */

static error_t wrong_value(const char *option, const char *value, const char *want)
{
	diag_error("--%s=%s: expected %s", option, value, want);
	return OPTION_TOLD;
}

static error_t take_dialect(struct options *o, const char *value)
{
	if (!strcmp(value, "perf")) {
		diag_error("--dialect=perf: this build does not read the perf tool's dialect");
		return OPTION_TOLD;
	}
	if (!read_dialect(value, &o->syntax.dialect))
		return wrong_value("dialect", value, "any, seed or mainline");
	return 0;
}

static error_t take_addr_bits(struct options *o, const char *value)
{
	if (!strcmp(value, "64"))
		o->syntax.addr_bits = 64;
	else if (!strcmp(value, "32"))
		o->syntax.addr_bits = 32;
	else
		return wrong_value("addr-bits", value, "64 or 32");
	return 0;
}

static error_t take_pmu(struct options *o, const char *value)
{
	if (!options_pmu(value, &o->pmu))
		return wrong_value("pmu", value, "intel_pt, cs_etm, nr_addr_filters=N or any");
	o->has_pmu = true;
	return 0;
}

static error_t take_to(struct options *o, const char *value)
{
	o->has_to = true;
	if (!read_dialect(value, &o->to) || o->to == ITF_DIALECT_ANY)
		return wrong_value("to", value, "seed or mainline");
	return 0;
}

static error_t take_pid(struct options *o, const char *value)
{
	unsigned long pid;

	if (!read_number(value, strlen(value), INT_MAX, &pid) || !pid)
		return wrong_value("pid", value, "a process id");
	o->pid = (pid_t)pid;
	return 0;
}

static error_t take_args(struct parse *p, const struct argp_state *state)
{
	p->args = state->argv + state->next;
	p->arg_count = (size_t)(state->argc - state->next);
	p->dashes = state->quoted != 0;
	return 0;
}

static const char help_filters[] =
	"\n"
	"FILTERS is one argument; - reads it from standard input:\n"
	"  ACTION [SOURCE:]START[/SIZE][@PATH][,...]\n"
	"  ACTION is filter, start or stop\n"
	"  SOURCE is file (START is an offset in PATH) or kernel (START is an address)\n";

static const char help_models[] = "\n"
				  "MODEL is one of\n"
				  "  intel_pt[:ranges=0..4][:vaddr-bits=48|57]\n"
				  "  cs_etm[:pairs=0..8]\n"
				  "  nr_addr_filters=N (that many filters, and no other limit)\n"
				  "  any (no limit)\n";

static error_t show_help(struct parse *p, const struct argp_state *state)
{
	char name[32];

	snprintf(name, sizeof(name), "itf %s", p->usage->name);
	argp_help(state->root_argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG,
		  name);
	fputs(help_filters, stdout);
	if (p->usage->takes_model)
		fputs(help_models, stdout);
	putchar('\n');
	fputs(p->usage->more, stdout);
	p->help = true;
	return OPTION_TOLD;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	struct options *o = p->options;

	switch (key) {
	case OPT_HELP:
		return show_help(p, state);
	case OPT_DIALECT:
		return take_dialect(o, arg);
	case OPT_ADDR_BITS:
		return take_addr_bits(o, arg);
	case OPT_PMU:
		return take_pmu(o, arg);
	case OPT_TO:
		return take_to(o, arg);
	case OPT_PID:
		return take_pid(o, arg);
	case OPT_CPU_WIDE:
		o->event.cpu_wide = true;
		return 0;
	case OPT_EXCLUDE_KERNEL:
		o->event.exclude_kernel = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_MAPS:
		o->maps = arg;
		return 0;
	case OPT_PERF_DATA:
		o->perf_data = arg;
		return 0;
	case OPT_RECORDED_FILTERS:
		o->recorded_filters = true;
		return 0;
	case ARGP_KEY_ARGS:
		return take_args(p, state);
	case ARGP_KEY_INIT:
		/* Or argp would add its own idea of a usage line to every message. */
		state->err_stream = NULL;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

error_t options_argp(const struct argp *argp, int argc, char **argv, unsigned int flags,
		     void *input)
{
	/* The name that getopt complains under. */
	argv[0] = (char[]){ "itf: error" };
	argp_err_exit_status = STATUS_TROUBLE;
	return argp_parse(argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT | flags, NULL, input);
}

/* FILTERS, and behind it perhaps COMMAND. getopt takes the first "--" away, wherever it stands. */
static bool place_args(struct parse *p, enum status *status)
{
	bool more = p->arg_count > 1;
	size_t command = more && p->usage->takes_command && !strcmp(p->args[1], "--") ? 2 : 1;

	if (p->options->recorded_filters) {
		if (p->arg_count)
			*status = options_wrong(p->usage,
						"--recorded-filters stands instead of FILTERS");
		return !p->arg_count;
	}
	if (!p->arg_count) {
		*status = options_wrong(p->usage, "FILTERS is missing");
		return false;
	}
	p->options->filters = p->args[0];
	if (!more)
		return true;
	if (!p->usage->takes_command) {
		*status = options_wrong(p->usage, "too many arguments: quote FILTERS, it is one");
		return false;
	}
	if (!p->dashes) {
		*status = options_wrong(p->usage, "-- must stand between FILTERS and COMMAND");
		return false;
	}
	if (command < p->arg_count)
		p->options->command = p->args + command;
	return true;
}

bool options_parse(struct options *options, const struct usage *usage, int argc, char **argv,
		   enum status *status)
{
	const struct argp argp = {
		.options = usage->table,
		.parser = take_option,
		.args_doc = usage->args,
		.doc = usage->doc,
	};
	struct parse p = { .options = options, .usage = usage };
	error_t error;

	*options = (struct options){ .name = usage->name, .syntax = { .addr_bits = 64 } };
	error = options_argp(&argp, argc, argv, 0, &p);
	if (p.help) {
		*status = STATUS_FINE;
		return false;
	}
	*status = STATUS_TROUBLE;
	if (error == ENOMEM)
		diag_memory();
	else if (error)
		say_usage(usage); /* what is wrong was told by take_option() or by getopt */
	if (error)
		return false;
	if (!place_args(&p, status))
		return false;
	/* Today's kernel knows no quotes, and its buffer has an end. */
	options->syntax.quotes = options->syntax.dialect != ITF_DIALECT_MAINLINE;
	if (options->syntax.dialect == ITF_DIALECT_MAINLINE)
		options->syntax.max_len = OPTIONS_KERNEL_MAX;
	return true;
}
