/* The allocator of a program that runs out of memory. Allocations of the program and its libraries
 * fail from call number $WSIM_FAIL_AT on; with $WSIM_FAIL_ONE only that call fails. With
 * $WSIM_FAIL_COUNT how many calls there were is the last line on standard error. Only for a C
 * library whose own allocator has these names too. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* By the libraries as well. */
#define SEEN __attribute__((visibility("default")))

static atomic_long calls;

/* The environment is there before anything of the program runs. */
static int fails(void) {
    const char *text = getenv("WSIM_FAIL_AT");
    long limit = 0, call = atomic_fetch_add(&calls, 1) + 1;
    for (; text && *text >= '0' && *text <= '9'; text++)
        limit = 10 * limit + (*text - '0');
    if (limit == 0 || call < limit || (call > limit && getenv("WSIM_FAIL_ONE")))
        return 0;
    errno = ENOMEM;
    return 1;
}

SEEN void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

SEEN void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

SEEN void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

__attribute__((destructor)) static void report(void) {
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    if (getenv("WSIM_FAIL_COUNT") && write(STDERR_FILENO, text, (size_t)n) != n)
        _exit(2);
}
