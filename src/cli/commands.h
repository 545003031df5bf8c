/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The subcommands. */
#ifndef ITF_CLI_COMMANDS_H
#define ITF_CLI_COMMANDS_H

#include "diag.h"

/*
 * Each runs one subcommand with its arguments, the first being its name, and returns the exit
 * status. What it prints may still be in the buffer of stdout then.
 */
enum status check_main(int argc, char **argv);
enum status convert_main(int argc, char **argv);
enum status resolve_main(int argc, char **argv);
enum status watch_main(int argc, char **argv);

#endif
