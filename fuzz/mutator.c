// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* libFuzzer's custom mutator: half of the changes are the generator's, half libFuzzer's own. */
#include "fuzz.h"

/* Other engines that call harnesses have none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	/* The low bits of libFuzzer's seeds are as good as any. */
	if (seed & 1 && LLVMFuzzerMutate)
		return LLVMFuzzerMutate(data, size, max_size);
	return gen_mutate(fuzz_format, data, size, max_size, seed);
}
