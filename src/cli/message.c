// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Words that text and JSON share: made here once, so that both say the same. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static char *join(const char *message, const char *detail)
{
	char *text;

	if (!detail)
		return strdup(message);
	return asprintf(&text, "%s: %s", message, detail) < 0 ? NULL : text;
}

char *message_lint(const struct set_lint *lint)
{
	char other[48];

	if (lint->other == SIZE_MAX)
		return join(itf_lint_message(lint->code), lint->detail);
	snprintf(other, sizeof(other), "the other one is filter %zu", lint->other);
	return join(itf_lint_message(lint->code), other);
}

char *message_note(const struct report_note *note)
{
	return join(itf_note_message(note->code), note->detail);
}

void message_prot(u32 prot, char text[4])
{
	text[0] = prot & ITF_PROT_READ ? 'r' : '-';
	text[1] = prot & ITF_PROT_WRITE ? 'w' : '-';
	text[2] = prot & ITF_PROT_EXEC ? 'x' : '-';
	text[3] = '\0';
}

const char *message_event(enum watch_kind kind)
{
	static const char *const names[] = {
		[WATCH_MMAP] = "mmap", [WATCH_EXEC] = "exec", [WATCH_FORK] = "fork",
		[WATCH_EXIT] = "exit", [WATCH_LOST] = "lost",
	};

	return names[kind];
}
