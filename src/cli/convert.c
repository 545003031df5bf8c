// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* itf convert: the same filters in the other form. */
#include <stdlib.h>

#include "commands.h"
#include "json.h"

static const struct argp_option table[] = {
	{ "to", OPT_TO, "seed|mainline", 0, "The form to write", 0 },
	OPTION_DIALECT,
	OPTION_ADDR_BITS,
	OPTION_JSON,
	OPTION_HELP,
	{ 0 },
};

static const struct usage usage = {
	.name = "convert",
	.table = table,
	.args = "--to=seed|mainline FILTERS",
	.doc = "Write filters in the seed form, or in the one that today's kernel takes.",
	.more = "Exit status: 0 fine, 1 wrong or not to be written so, 2 usage or environment.\n"
		"\n"
		"Example: itf convert --to=mainline 'filter file:0x1000/0x200@/bin/ls'\n",
};

/* No more warnings than this: a set may hold very many filters. */
#define MOST_WARNINGS 5

static bool lacks_size(const struct itf_filter *f)
{
	return f->action == ITF_ACTION_FILTER && !f->size;
}

/* Today's kernel has no filter without a size: one byte is the nearest that it takes. */
static size_t add_sizes(struct itf_filter *filters, size_t count)
{
	size_t added = 0;

	for (size_t i = 0; i < count; i++) {
		if (!lacks_size(&filters[i]))
			continue;
		filters[i].size = 1;
		added++;
	}
	return added;
}

static void tell_sizes(const struct filter_set *set, size_t added)
{
	size_t told = 0;

	for (size_t i = 0; i < set->count && told < added && told < MOST_WARNINGS; i++) {
		const struct itf_filter *f = &set->filters[i];

		if (f->action != ITF_ACTION_FILTER || f->has_size)
			continue;
		told++;
		diag_warning("filter %zu has no size, today's kernel needs one: wrote /0x1", i);
	}
	if (told < added)
		diag_warning("and %zu more without a size", added - told);
}

/* The filters that no longer fit into what the kernel takes. */
static struct wrong too_long(const struct filter_set *set, size_t need)
{
	struct wrong wrong = { .error = ITF_OK };
	size_t from = 0, to = set->count;
	size_t last = set->count - 1;

	if (need <= OPTIONS_KERNEL_MAX)
		return wrong;
	/* The first filter that ends too far: the length grows with the count. */
	while (from + 1 < to) {
		size_t middle = from + (to - from) / 2;

		itf_format(set->filters, middle, ITF_DIALECT_MAINLINE, NULL, 0, &need, NULL);
		if (need > OPTIONS_KERNEL_MAX)
			to = middle;
		else
			from = middle;
	}
	wrong.error = ITF_E_STRING_TOO_LONG;
	wrong.span.off = set->filters[from].span.off;
	wrong.span.len = set->filters[last].span.off + set->filters[last].span.len - wrong.span.off;
	return wrong;
}

/* Can it be written? Return: the length in @need if so, else why not. */
static struct wrong measure(const struct filter_set *set, enum itf_dialect to, size_t *need)
{
	struct wrong wrong = { .error = ITF_OK };
	size_t bad;

	if (itf_format(set->filters, set->count, to, NULL, 0, need, &bad) ==
	    ITF_E_NOT_IN_MAINLINE) {
		wrong.error = ITF_E_NOT_IN_MAINLINE;
		wrong.span = set->filters[bad].path_span;
	} else if (to == ITF_DIALECT_MAINLINE) {
		wrong = too_long(set, *need);
	}
	return wrong;
}

static enum status convert(struct filter_set *set, const struct options *options)
{
	struct wrong wrong = filters_wrong(set, &options->event);
	size_t need = 0, added = 0;
	char *text;
	bool ok = true;

	if (!wrong.error && options->to == ITF_DIALECT_MAINLINE)
		added = add_sizes(set->filters, set->count);
	if (!wrong.error)
		wrong = measure(set, options->to, &need);
	if (wrong.error)
		return filters_tell(set, options, &wrong);
	text = malloc(need + 1);
	if (!text)
		return diag_memory();
	itf_format(set->filters, set->count, options->to, text, need, NULL, NULL);
	tell_sizes(set, added);
	if (options->json) {
		ok = json_converted(text, need);
	} else {
		fwrite(text, 1, need, stdout);
		putchar('\n');
	}
	free(text);
	return ok ? STATUS_FINE : diag_memory();
}

enum status convert_main(int argc, char **argv)
{
	struct options options;
	struct filter_set set;
	enum status status;

	if (!options_parse(&options, &usage, argc, argv, &status))
		return status;
	if (!options.has_to)
		return options_wrong(&usage, "--to is missing");
	if (!filters_read(&set, &options, &status))
		return status;
	status = convert(&set, &options);
	set_free(&set);
	return status;
}
