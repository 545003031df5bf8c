// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Strings: the whole grammar from /grammar.tsv, and what is beside the grammar. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS "/sys/kernel/debug/itf_test/limit"

/* \n, \t and \r as in the vectors of the engine. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			text++;
			*to++ = *text == 'n' ? '\n' : *text == 't' ? '\t' : *text == 'r' ? '\r' : *text;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

void grammar_cases(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, 0, -1);
	FILE *file = fopen("/grammar.tsv", "r");
	char line[1024], name[1100];

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(name, sizeof(name), "string: %s", line);
		unescape(line);
		case_begin(name);
		say("%s", errno_name(set(event, line)));
		case_end();
	}
	close(event.fd);
}

static struct opened own_event(void)
{
	struct perf_event_attr attr = attr_make();

	return event_open(&attr, 0, -1);
}

static void length_4095(void)
{
	char *text = malloc(4097);

	memset(text, ',', 4097);
	memcpy(text, "start 0x10", 10);
	text[4095] = '\0';
	say("%s", errno_name(set(own_event(), text)));
}

static void length_4096(void)
{
	char *text = malloc(4097);

	memset(text, ',', 4097);
	text[4096] = '\0';
	say("%s", errno_name(set(own_event(), text)));
}

static void null_pointer(void)
{
	say("%s", errno_name(set(own_event(), NULL)));
}

static void text_into_unmapped(void)
{
	char *page = mmap(NULL, 8192, R | W, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(page + 4096, 4096);
	memset(page + 4000, ' ', 96);
	say("%s", errno_name(set(own_event(), page + 4000)));
}

static void name_too_long(void)
{
	char text[400] = "start 1@/";

	memset(text + 9, 'a', 256);
	say("%s", errno_name(set(own_event(), text)));
}

static void not_regular(void)
{
	struct opened event = own_event();

	say("directory %s", errno_name(set(event, "filter 1/1@/")));
	say(" device %s", errno_name(set(event, "filter 1/1@/dev/null")));
	say(" slash %s", errno_name(set(event, "filter 1/1@" LIB "/")));
	say(" missing %s", errno_name(set(event, "filter 1/1@/nonexist")));
}

/* The first bad filter decides, each with its file, before the next is looked at. */
static void order_of_errors(void)
{
	struct opened event = own_event();

	say("%s", errno_name(set(event, "filter 1/1@/nonexist,bogus")));
	say(" %s", errno_name(set(event, "bogus,filter 1/1@/nonexist")));
	say(" %s", errno_name(set(event, "filter 0x10000000000000000/0@/nonexist")));
	say(" %s", errno_name(set(event, "filter 1/0@/nonexist")));
	say(" %s", errno_name(set(event, "filter 1/1@/nonexist,filter 0x10000000000000000/1")));
}

static void cpu_wide(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, -1, 0);

	say("file %s", errno_name(set(event, "filter 1/1@/nonexist")));
	say(" file-size-0 %s", errno_name(set(event, "filter 1/0@/nonexist")));
	say(" kernel %s", errno_name(set(event, "filter 0xffffffff81000000/0x1000")));
}

static void exclude_kernel(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event;

	attr.exclude_kernel = 1;
	event = event_open(&attr, 0, -1);
	set_ok(event, "filter 0xffffffff81000000/0x1000");
	say("%s", ranges_of(event, 0));
}

static void eight_of_eight(void)
{
	struct opened event = own_event();

	set_ok(event, "start 1,start 2,start 3,start 4,start 5,start 6,start 7,start 8");
	say("%s", ranges_of(event, 0));
}

/* The event has room for eight; the PMU now says five and does not count by itself. */
static void more_than_the_pmu_has(void)
{
	struct opened event = own_event();

	write_file(SLOTS, "5");
	say("5 of 5 %s", errno_name(set(event, "start 1,start 2,start 3,start 4,start 5")));
	say(" 6 of 5 %s", errno_name(set(event, "start 1,start 2,start 3,start 4,start 5,start 6")));
	say(" 6 of 5 with a missing file %s",
	    errno_name(set(event, "start 1,start 2,start 3,start 4,start 5,start 6@/nonexist")));
	write_file(SLOTS, "8");
}

static void failing_set_keeps_the_old(void)
{
	struct opened event = own_event();

	set_ok(event, "filter 0x1000/0x10,filter 0x2000/0x10");
	say("%s", errno_name(set(event, "filter 1/1,bogus")));
	say(" %s", errno_name(set(event, "filter 1/1@/nonexist")));
	say(" %s", ranges_of(event, 0));
}

static void set_replace_clear(void)
{
	struct opened event = own_event();

	say("%s", ranges_of(event, 0));
	set_ok(event, "filter 0x1000/0x10");
	say(", %s", ranges_of(event, 0));
	set_ok(event, "filter 0x2000/0x10 stop 0x3000/0x10");
	say(", %s", ranges_of(event, 0));
	set_ok(event, "");
	say(", %s", ranges_of(event, 0));
	set_ok(event, "start 0x1000");
	set_ok(event, ",\n ");
	say(", %s", ranges_of(event, 0));
}

static void with_a_source(void)
{
	struct opened event = own_event();

	map(0x10000000, 0x4000, R | X, 0);
	say("%s", errno_name(set(event, "filter file:0x1000/0x200@" LIB)));
	say(" %s", ranges_of(event, 0));
	say(" %s", errno_name(set(event, "filter kernel:0xffffffff81000000/0x1000")));
	say(" %s", ranges_of(event, 0));
	/* A seed filter without a size is one byte. */
	say(" %s", errno_name(set(event, "filter file:0x1000@" LIB)));
	say(" %s", ranges_of(event, 0));
	say(" %s", errno_name(set(event, "filter file:0x1000/0x200")));
	say(" %s", errno_name(set(event, "filter kernel:0x1000/0x200@" LIB)));
	say(" %s", errno_name(set(event, "filter Kernel:0x1000/0x200")));
}

void string_cases(void)
{
	run("4095 characters", length_4095);
	run("4096 characters", length_4096);
	run("a NULL pointer", null_pointer);
	run("text that runs into an unmapped page", text_into_unmapped);
	run("a path component of 256 bytes", name_too_long);
	run("not a regular file", not_regular);
	run("order of errors", order_of_errors);
	run("CPU-wide", cpu_wide);
	run("exclude_kernel and a kernel filter", exclude_kernel);
	run("eight filters of eight", eight_of_eight);
	run("more filters than the PMU has, and it does not count (G11)", more_than_the_pmu_has);
	run("a failing set keeps the old one", failing_set_keeps_the_old);
	run("set, replace, clear", set_replace_clear);
	run("with a source", with_a_source);
}
