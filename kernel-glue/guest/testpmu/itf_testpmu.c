// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A PMU that counts nothing and takes address filters as Intel PT or CoreSight do, and shows in
 * debugfs what each of its events was given: the ranges as perf core has them now, and those of
 * the last time that they were programmed. For tests of perf core; programs no hardware.
 */
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#define MAX_SLOTS 64

static unsigned int slots = 8;
module_param(slots, uint, 0444);
MODULE_PARM_DESC(slots, "nr_addr_filters of new events, at most 64");

static char *model = "any";
module_param(model, charp, 0644);
MODULE_PARM_DESC(model, "what is refused: as pt, as etm, or nothing (any)");

static struct pmu test_pmu;
static struct dentry *dir;

/* The events that there are; an event adds and removes itself. */
static LIST_HEAD(all);
static DEFINE_MUTEX(all_lock);

struct shown {
	struct list_head entry;
	struct perf_event *event;
	unsigned int synced; /* how often */
	unsigned int count; /* filters at the last sync */
	struct perf_addr_filter_range ranges[MAX_SLOTS];
};

static void test_destroy(struct perf_event *event)
{
	struct shown *shown = event->pmu_private;

	mutex_lock(&all_lock);
	list_del(&shown->entry);
	mutex_unlock(&all_lock);
	kfree(shown);
}

static int test_event_init(struct perf_event *event)
{
	struct shown *shown;

	if (event->attr.type != test_pmu.type)
		return -ENOENT;

	shown = kzalloc(sizeof(*shown), GFP_KERNEL);
	if (!shown)
		return -ENOMEM;
	shown->event = event;
	event->pmu_private = shown;
	event->destroy = test_destroy;

	mutex_lock(&all_lock);
	list_add_tail(&shown->entry, &all);
	mutex_unlock(&all_lock);
	return 0;
}

static bool refused_by_pt(const struct perf_addr_filter *filter)
{
	return !filter->size || filter->action == PERF_ADDR_FILTER_ACTION_START;
}

static bool refused_by_etm(const struct perf_addr_filter *filter, bool ranges, bool points)
{
	if (filter->size && filter->action != PERF_ADDR_FILTER_ACTION_FILTER)
		return true;
	return ranges && points;
}

static int test_validate(struct list_head *filters)
{
	const struct perf_addr_filter *filter;
	bool ranges = false, points = false;

	list_for_each_entry(filter, filters, entry) {
		ranges |= filter->size != 0;
		points |= filter->size == 0;
		if (!strcmp(model, "pt") && refused_by_pt(filter))
			return -EOPNOTSUPP;
		if (!strcmp(model, "etm") && refused_by_etm(filter, ranges, points))
			return -EOPNOTSUPP;
	}
	return 0;
}

/* The filters' lock is held. */
static void test_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct shown *shown = event->pmu_private;
	struct perf_addr_filter *filter;
	unsigned int count = 0;

	list_for_each_entry(filter, &head->list, entry) {
		if (count < MAX_SLOTS)
			shown->ranges[count] = event->addr_filter_ranges[count];
		count++;
	}
	shown->count = count;
	shown->synced++;
}

static void test_start(struct perf_event *event, int flags)
{
	perf_event_addr_filters_sync(event);
	event->hw.state = 0;
}

static void test_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
}

static int test_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		test_start(event, flags);
	return 0;
}

static void test_del(struct perf_event *event, int flags)
{
	test_stop(event, flags);
}

static void test_read(struct perf_event *event)
{
}

/* As PT and ETM: in the context of software events, which takes part in the swap of contexts. */
static struct pmu test_pmu = {
	.module			= THIS_MODULE,
	.task_ctx_nr		= perf_sw_context,
	.event_init		= test_event_init,
	.add			= test_add,
	.del			= test_del,
	.start			= test_start,
	.stop			= test_stop,
	.read			= test_read,
	.addr_filters_validate	= test_validate,
	.addr_filters_sync	= test_sync,
};

/* Copies of what a spinlock guards; all_lock is held. */
static struct perf_addr_filter_range now[MAX_SLOTS], synced[MAX_SLOTS];

static void show_ranges(struct seq_file *m, const char *what,
			const struct perf_addr_filter_range *ranges, unsigned int count)
{
	unsigned int i;

	seq_printf(m, " %s", what);
	for (i = 0; i < count && i < MAX_SLOTS; i++)
		seq_printf(m, " 0x%lx+0x%lx", ranges[i].start, ranges[i].size);
}

static void show_event(struct seq_file *m, struct shown *shown)
{
	struct perf_event *event = shown->event;
	struct perf_event_context *ctx = READ_ONCE(event->ctx);
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct task_struct *task = ctx ? READ_ONCE(ctx->task) : NULL;
	unsigned int count = 0, synced_count;
	struct perf_addr_filter *filter;
	unsigned long flags;

	raw_spin_lock_irqsave(&head->lock, flags);
	list_for_each_entry(filter, &head->list, entry) {
		if (count == MAX_SLOTS || !event->addr_filter_ranges)
			break;
		now[count] = event->addr_filter_ranges[count];
		count++;
	}
	synced_count = min_t(unsigned int, shown->count, MAX_SLOTS);
	memcpy(synced, shown->ranges, sizeof(synced));
	raw_spin_unlock_irqrestore(&head->lock, flags);

	/* The context of an exited task has a mark instead of a task. */
	seq_printf(m, "event %llu root %llu pid %d syncs %u", event->id,
		   event->parent ? event->parent->id : event->id,
		   task && task != (void *)-1L ? task->pid : 0, shown->synced);
	show_ranges(m, "now", now, count);
	show_ranges(m, "programmed", synced, synced_count);
	seq_putc(m, '\n');
}

static int events_show(struct seq_file *m, void *data)
{
	struct shown *shown;

	mutex_lock(&all_lock);
	rcu_read_lock();
	list_for_each_entry(shown, &all, entry)
		show_event(m, shown);
	rcu_read_unlock();
	mutex_unlock(&all_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events);

/* Lowered below what an event was made with, it shows whether perf core counts by itself. */
static int limit_set(void *data, u64 value)
{
	test_pmu.nr_addr_filters = value;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(limit_fops, NULL, limit_set, "%llu\n");

static int __init test_init(void)
{
	if (!slots || slots > MAX_SLOTS)
		return -EINVAL;
	test_pmu.nr_addr_filters = slots;

	dir = debugfs_create_dir("itf_test", NULL);
	debugfs_create_file("events", 0400, dir, NULL, &events_fops);
	debugfs_create_file("limit", 0200, dir, NULL, &limit_fops);
	return perf_pmu_register(&test_pmu, "itf_test", -1);
}

static void __exit test_exit(void)
{
	perf_pmu_unregister(&test_pmu);
	debugfs_remove(dir);
}

module_init(test_init);
module_exit(test_exit);
MODULE_DESCRIPTION("Test PMU for address filters");
MODULE_LICENSE("Dual MIT/GPL");
