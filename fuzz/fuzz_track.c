// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: after any events in a tree of processes, mappings, the exact answer, both of Linux's
 * answers, verdicts and notes are what follows from a plain model that keeps each byte of a small
 * memory (model.h); an event that fails has changed nothing, and fails for the reason it must.
 *
 * Input: a byte of place, filters of three bytes (what, start, size), events of six bytes (kind and
 * process, then numbers). Missing bytes are 0.
 */
#include "fuzz.h"
#include "model.h"

const enum gen_format fuzz_format = GEN_TRACK;

#define PROCESSES 4
#define ROOM 40

static const struct model_place places[] = {
	{ 0x1000, 0, 64, false },
	{ 0x400000, 0x100000000 - 16, 64, false },
	{ 0x100000000 - MODEL_BYTES / 2, 0x1000, 64, false },
	{ 0 - (u64)MODEL_BYTES, 0x1000, 64, true },
	{ 0x1000, 0 - (u64)40, 64, false },
	{ 0x100000000 - MODEL_BYTES, 0, 32, true },
	{ 0x1000, 0x100000000 - 16, 32, false },
	{ 0 - (u64)MODEL_BYTES, 0 - (u64)MODEL_BYTES, 64, true },
};

struct process {
	bool used;
	struct model model;
	struct itf_track track;
	/* What the engine is given, each exactly as large as it may use. */
	struct itf_mapping *maps;
	struct itf_slot *launch, *attach;
};

static struct {
	struct model_set set;
	struct process processes[PROCESSES];
	size_t capacity;
} run;

static void take_filter(struct fuzz_bytes *in, struct itf_filter *f)
{
	u8 what = fuzz_u8(in), start = fuzz_u8(in), size = fuzz_u8(in);
	u64 base = what & 0x20 ? run.set.place->memory : run.set.place->file;

	*f = (struct itf_filter){
		.action = (enum itf_action)((what & 3) % 3),
		.source = what & 0x20 ? ITF_SOURCE_KERNEL : ITF_SOURCE_FILE,
		.object = what >> 2 & 3,
		.start = base + start % 64,
		.size = what & 0x40 ? size % 64 :
			what & 0x80 ? 0 :
				      size,
	};
	/* Filters come from the parser: they end where numbers end. */
	if (f->size && f->size - 1 > ~(u64)0 - f->start)
		f->size = 0 - f->start;
	if (f->source == ITF_SOURCE_KERNEL)
		f->object = 0;
}

static void *array(size_t count, size_t size)
{
	void *p = malloc(count * size);

	FUZZ_ASSERT(p || !count);
	return p;
}

static void start_process(struct process *p)
{
	p->used = true;
	p->maps = array(run.capacity, sizeof(*p->maps));
	p->launch = array(run.set.count, sizeof(*p->launch));
	p->attach = array(run.set.count, sizeof(*p->attach));
	itf_space_init(&p->track.space, p->maps, run.capacity, run.set.place->addr_bits);
}

static void end_process(struct process *p)
{
	free(p->maps);
	free(p->launch);
	free(p->attach);
	memset(p, 0, sizeof(*p));
}

static void set_filters(struct process *p)
{
	free(p->launch);
	free(p->attach);
	p->launch = array(run.set.count, sizeof(*p->launch));
	p->attach = array(run.set.count, sizeof(*p->attach));
	itf_track_set(&p->track, run.set.filters, run.set.count, p->launch, p->attach);
	model_apply(&p->model, &run.set);
}

static u64 address(size_t at)
{
	u64 mask = run.set.place->addr_bits == 32 ? 0xffffffff : ~(u64)0;

	return (run.set.place->memory + at) & mask;
}

/* Where memory ends, some sizes go past the end; elsewhere that would be memory, too. */
static size_t size_at(size_t start, u8 size)
{
	size_t left = MODEL_BYTES - start;

	return size > left && !run.set.place->top ? left : size;
}

/* The engine did @error where the model did @good and came to @next. */
static void settle(struct process *p, const struct model *next, bool good, enum itf_error error)
{
	if (!good) {
		FUZZ_ASSERT(error == ITF_E_BAD_MAPPING);
	} else if (model_count(next) > run.capacity) {
		FUZZ_ASSERT(error == ITF_E_SPACE_FULL);
	} else {
		FUZZ_ASSERT(error == ITF_OK);
		p->model = *next;
	}
}

static void event_mmap(struct process *p, const u8 *arg)
{
	size_t start = arg[1] % MODEL_BYTES, size = size_at(start, arg[2]);
	struct model_byte first = {
		.object = arg[3] & 3,
		.prot = arg[3] >> 2 & 7,
		.offset = run.set.place->file + arg[4] % 64,
	};
	struct itf_mapping map = { address(start), size, first.offset, first.object, first.prot };
	struct model next = p->model;
	bool good;

	/* Bytes of a mapping that was made show its file, as far as that goes. */
	good = model_mmap(&next, &run.set, start, size, &first);
	settle(p, &next, good, itf_track_mmap(&p->track, &map));
}

static void event_munmap(struct process *p, const u8 *arg)
{
	size_t start = arg[1] % MODEL_BYTES, size = size_at(start, arg[2]);
	struct model next = p->model;
	bool good = model_munmap(&next, start, size);

	settle(p, &next, good, itf_track_munmap(&p->track, address(start), size));
}

static void event_mprotect(struct process *p, const u8 *arg)
{
	size_t start = arg[1] % MODEL_BYTES, size = size_at(start, arg[2]);
	struct model next = p->model;
	bool good = model_mprotect(&next, &run.set, start, size, arg[3] & 7);

	settle(p, &next, good, itf_track_mprotect(&p->track, address(start), size, arg[3] & 7));
}

static void event_mremap(struct process *p, const u8 *arg)
{
	size_t from = arg[1] % MODEL_BYTES, size = size_at(from, arg[2]);
	size_t to = arg[5] & 1 ? from : arg[3] % MODEL_BYTES, new_size = size_at(to, arg[4]);
	struct model next = p->model;
	bool good;

	/* Few sizes fit by chance. */
	if (arg[5] & 2)
		size = model_end(&next, from) - from;
	if (arg[5] & 4)
		new_size = size_at(to, (u8)size);
	good = model_mremap(&next, from, size, to, new_size);
	settle(p, &next, good,
	       itf_track_mremap(&p->track, address(from), size, address(to), new_size));
}

static void event_fork(struct process *parent)
{
	struct process *child = run.processes;

	while (child < run.processes + PROCESSES && child->used)
		child++;
	if (child == run.processes + PROCESSES)
		return;
	start_process(child);
	child->track.launch = child->launch;
	child->track.attach = child->attach;
	/* A child without the room has nothing, not a part. */
	if (parent->track.space.count) {
		child->track.space.capacity = parent->track.space.count - 1;
		FUZZ_ASSERT(itf_track_fork(&child->track, &parent->track,
					   &run.processes[0].track) == ITF_E_SPACE_FULL);
		FUZZ_ASSERT(!child->track.space.count);
	}
	child->track.space.capacity = run.capacity;
	FUZZ_ASSERT(itf_track_fork(&child->track, &parent->track, &run.processes[0].track) ==
		    ITF_OK);
	model_fork(&child->model, &parent->model, &run.processes[0].model);
	model_compare(&child->model, &run.set, &child->track);
}

static void event_set(const u8 *arg)
{
	struct process *p;

	/* The set of all processes is replaced; with 0 filters it is cleared. */
	run.set.count = arg[1] % (MODEL_FILTERS + 1);
	if (run.set.count)
		run.set.filters[arg[1] % run.set.count].object = arg[2] % 4;
	for (p = run.processes; p < run.processes + PROCESSES; p++) {
		if (!p->used)
			continue;
		set_filters(p);
		model_compare(&p->model, &run.set, &p->track);
	}
}

static void event(const u8 *arg)
{
	struct process *p = &run.processes[arg[0] >> 4 & 3];

	if (!p->used)
		p = run.processes;
	switch (arg[0] & 15) {
	case 0:
		event_fork(p);
		break;
	case 1:
		event_set(arg);
		break;
	case 2:
		itf_track_exec(&p->track);
		model_exec(&p->model, &run.set);
		break;
	case 3:
		itf_track_exit(&p->track);
		model_exit(&p->model);
		model_compare(&p->model, &run.set, &p->track);
		if (p != run.processes)
			end_process(p);
		return;
	case 4:
	case 5:
		event_munmap(p, arg);
		break;
	case 6:
	case 7:
	case 8:
		event_mprotect(p, arg);
		break;
	case 9:
	case 10:
	case 11:
		event_mremap(p, arg);
		break;
	default:
		event_mmap(p, arg);
		break;
	}
	model_compare(&p->model, &run.set, &p->track);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = { data, size };
	u8 place = fuzz_u8(&in), arg[GEN_TRACK_EVENT];
	struct process *p;
	size_t i;

	run.set.place = &places[place % (sizeof(places) / sizeof(places[0]))];
	/* Most runs have room enough. */
	run.capacity = place & 0x80 ? place >> 3 & 15 : ROOM;
	run.set.count = MODEL_FILTERS;
	for (i = 0; i < MODEL_FILTERS; i++)
		take_filter(&in, &run.set.filters[i]);
	start_process(&run.processes[0]);
	set_filters(&run.processes[0]);
	while (in.left) {
		for (i = 0; i < sizeof(arg); i++)
			arg[i] = fuzz_u8(&in);
		event(arg);
	}
	for (p = run.processes; p < run.processes + PROCESSES; p++)
		end_process(p);
	return 0;
}
