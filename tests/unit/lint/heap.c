/* The allocator of the test program. */
#include "../launch/heap.c"
