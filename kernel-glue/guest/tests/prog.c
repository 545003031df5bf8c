// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the real perf records in the guest: waits until an event of this process has ranges, and
 * says them with the addresses of its functions: "PROG ranges: ... main: 0x... work: 0x...".
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) int work(int x)
{
	return x * 3;
}

__attribute__((noinline)) int more(int x)
{
	return x * 5 + work(x);
}

static int has_ranges(char *ranges, size_t size)
{
	FILE *file = fopen("/sys/kernel/debug/itf_test/events", "r");
	char line[1024];
	int pid, found = 0;

	while (file && !found && fgets(line, sizeof(line), file)) {
		char *at = strstr(line, " now ");
		char *end = strstr(line, " programmed");

		if (sscanf(line, "event %*u root %*u pid %d", &pid) != 1 || pid != getpid())
			continue;
		if (!at || !end || at + 5 >= end)
			continue;
		snprintf(ranges, size, "%.*s", (int)(end - at - 5), at + 5);
		found = 1;
	}
	if (file)
		fclose(file);
	return found;
}

int main(void)
{
	char ranges[1024] = "none";
	volatile int sum = 0;
	int i;

	for (i = 0; i < 100 && !has_ranges(ranges, sizeof(ranges)); i++) {
		sum += more(work(i));
		usleep(100000);
	}
	printf("PROG ranges: %s main: %p work: %p more: %p\n", ranges, (void *)main, (void *)work,
	       (void *)more);
	return 0;
}
