/*
 * The ranges of an event become those of its own task's mappings: the scheduler
 * may no longer swap its context for that of a clone. Returns the task that the
 * context stays with.
 */
static struct task_struct *perf_addr_filters_unclone(struct perf_event_context *ctx)
{
	struct perf_event_context *clone;
	struct task_struct *task;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->lock, flags);
	clone = unclone_ctx(ctx);
	task = READ_ONCE(ctx->task);
	raw_spin_unlock_irqrestore(&ctx->lock, flags);

	if (clone)
		put_ctx(clone);

	return task;
}
