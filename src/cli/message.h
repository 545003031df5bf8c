/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Words that text and JSON share. */
#ifndef ITF_CLI_MESSAGE_H
#define ITF_CLI_MESSAGE_H

#include "../host/report.h"
#include "../host/watch.h"

/**
 * message_lint() - the lint's own sentence and what is special about it here
 * @lint: a lint
 *
 * Return: an allocated string; NULL if memory ran out.
 */
char *message_lint(const struct set_lint *lint);

/**
 * message_note() - the note's own sentence and what is special about it here
 * @note: a note
 *
 * Return: an allocated string; NULL if memory ran out.
 */
char *message_note(const struct report_note *note);

/**
 * message_prot() - "r-x" and so on
 * @prot: ITF_PROT_*
 * @text: set to the string
 */
void message_prot(u32 prot, char text[4]);

/**
 * message_event() - "mmap" and so on
 * @kind: what happened
 *
 * Return: a static string.
 */
const char *message_event(enum watch_kind kind);

#endif
