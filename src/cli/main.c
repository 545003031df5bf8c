// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf: find the subcommand, and make sure that what it wrote has arrived. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

static const struct {
	const char *name;
	enum status (*main)(int argc, char **argv);
} commands[] = {
	{ "check", check_main },
	{ "convert", convert_main },
	{ "resolve", resolve_main },
	{ "watch", watch_main },
};

static const struct argp_option table[] = {
	OPTION_HELP,
	{ "version", OPT_VERSION, NULL, 0, "Show the version and end", -1 },
	{ 0 },
};

static const char doc[] =
	"What filters for instruction tracing say, and what they will really cover.\n"
	"\vCommands:\n"
	"  check    Check filters, and say what is odd about them\n"
	"  convert  Write filters in another form\n"
	"  resolve  Show what filters cover in a process, or in a maps file\n"
	"  watch    Run a command and show what filters cover in it\n"
	"\n"
	"itf COMMAND --help tells more of each.\n"
	"\n"
	"Exit status:\n"
	"  0  fine\n"
	"  1  the filter is wrong or refused\n"
	"  2  usage or environment\n"
	"  3  a filter would trace nothing, or everything (resolve and watch)\n";

/* What the arguments before the subcommand ask for. */
struct request {
	int command; /* index of the subcommand's name; 0 if there is none */
	bool done;
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *request = state->input;

	(void)arg;
	switch (key) {
	case OPT_HELP:
		argp_help(state->root_argp, stdout,
			  ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC,
			  (char[]){ "itf" });
		request->done = true;
		return OPTION_TOLD;
	case OPT_VERSION:
		puts("itf " PACKAGE_VERSION);
		request->done = true;
		return OPTION_TOLD;
	case ARGP_KEY_ARG:
		request->command = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_INIT:
		state->err_stream = NULL;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static enum status wrong_call(void)
{
	fputs("usage: itf [--help] COMMAND [OPTION...] FILTERS\n", stderr);
	return STATUS_TROUBLE;
}

static enum status run(int argc, char **argv)
{
	const struct argp argp = {
		.options = table,
		.parser = take_option,
		.args_doc = "COMMAND [ARG...]",
		.doc = doc,
	};
	struct request request = { 0 };
	error_t error = options_argp(&argp, argc, argv, ARGP_IN_ORDER, &request);

	if (request.done)
		return STATUS_FINE;
	if (error)
		return wrong_call();
	if (!request.command) {
		diag_error("a command is missing");
		return wrong_call();
	}
	argv += request.command;
	argc -= request.command;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].main(argc, argv);
	}
	diag_error("there is no command %s", argv[0]);
	return wrong_call();
}

static void ignore(int signal)
{
	(void)signal;
}

/*
 * A closed pipe is an error to tell (SPEC 6), not a silent end. A handler rather than SIG_IGN: a
 * command under watch would inherit that.
 */
static void survive_closed_pipes(void)
{
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART }, old;

	if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &action, NULL);
}

/*
 * If standard output is closed, the next file opened would get its number and our output. So each
 * of the three gets something that fails as a closed one does.
 */
static void hold_standard_files(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", modes[fd]);
	}
}

int main(int argc, char **argv)
{
	enum status status;

	hold_standard_files();
	survive_closed_pipes();
	setlocale(LC_CTYPE, "");
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	status = run(argc, argv);
	/* A write that failed earlier leaves no errno behind that would be worth telling. */
	if (ferror(stdout)) {
		diag_error("cannot write to standard output");
		return STATUS_TROUBLE;
	}
	if (fclose(stdout) != 0) {
		fprintf(stderr, "itf: error: cannot write to standard output: %s\n",
			strerror(errno));
		return STATUS_TROUBLE;
	}
	return (int)status;
}
