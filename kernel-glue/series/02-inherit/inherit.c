/*
 * Clone the ranges of the task that forks: they are valid until exec() even if
 * the mm is not shared. That task need not be the one that the filters were set
 * on, so they are not always those of child::parent.
 */
static void perf_addr_filters_inherit(struct perf_event *child, struct perf_event *from)
{
	struct perf_addr_filters_head *ifh = perf_event_addr_filters(child);

	if (!has_addr_filter(child))
		return;

	raw_spin_lock_irq(&ifh->lock);
	memcpy(child->addr_filter_ranges, from->addr_filter_ranges,
	       child->pmu->nr_addr_filters * sizeof(*child->addr_filter_ranges));
	raw_spin_unlock_irq(&ifh->lock);
}
