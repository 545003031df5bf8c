#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What OSS-Fuzz and ClusterFuzzLite run to build the harnesses into $OUT. They set CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE, OUT, SRC, SANITIZER and ARCHITECTURE.

set -eu

: "${OUT:?}" "${LIB_FUZZING_ENGINE:?}"
source=${SRC:?}/itrace-filter

# Their images put -m32 into CFLAGS already; a run by hand may not.
if [ "${ARCHITECTURE:-x86_64}" = i386 ]; then
	case " ${CFLAGS:-} " in
	*" -m32 "*) ;;
	*) export CFLAGS="-m32 ${CFLAGS:-}" CXXFLAGS="-m32 ${CXXFLAGS:-}" ;;
	esac
fi

# What is promised to be found must stop the harness; UBSan alone would only print.
if [ "${SANITIZER:-}" = undefined ]; then
	export CFLAGS="$CFLAGS -fno-sanitize-recover=all"
fi

exec "$source/fuzz/build.sh" "$OUT"
