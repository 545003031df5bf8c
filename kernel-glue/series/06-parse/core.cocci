// SPDX-License-Identifier: GPL-2.0-only
// perf core parses address filters with the engine: the parser itself has been cut out before.
@@
@@
-#include <linux/parser.h>

@@
@@
 #include "internal.h"
+#include "addr_filter.h"

@@
expression ctx, ret, event, text, list;
@@
-ret = perf_event_parse_addr_filter(event, text, list);
+ret = perf_addr_filters_parse(event, text, list);
 mutex_lock(&ctx->mutex);
 if (ret)
-	return ret;
+	goto fail_free_filters;
