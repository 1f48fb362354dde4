/* heap.h - a heap that a test can end. */
#ifndef TESTS_UNIT_LAUNCH_HEAP_H
#define TESTS_UNIT_LAUNCH_HEAP_H

/* Whether this build can: not under a sanitizer, which has an allocator of its own. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) &&                       \
    !__has_feature(thread_sanitizer)
#define HEAP_ENDS 1
#else
#define HEAP_ENDS 0
#endif

/* After `calls` more allocations every other one fails; -1: none does. */
void heap_end_after(long calls);

/* Blocks that are allocated now; 0 without HEAP_ENDS. */
long heap_blocks(void);

#endif
