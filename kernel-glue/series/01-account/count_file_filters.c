static unsigned int count_file_filters(const struct list_head *filters)
{
	const struct perf_addr_filter *filter;
	unsigned int count = 0;

	list_for_each_entry(filter, filters, entry) {
		if (filter->path.dentry)
			count++;
	}

	return count;
}
