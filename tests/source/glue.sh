#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The glue for perf core, on stub headers. Here and not where it is at home, so that its log stays out of a release.

. "$(dirname "$0")/lib.sh"

bash "$top/kernel-glue/stub/stub.sh"
