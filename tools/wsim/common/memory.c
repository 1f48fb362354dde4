/* Memory, or the end; see memory.h. */
#include "memory.h"
#include "tool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Launches free what the next one allocates. The C library would give it back to the system each
 * time, which costs a short launch as much as its checks. */
enum { HEAP_KEPT = 64 << 20 };

/* The buffer of standard output holds part of an answer that will not be complete: the
 * status says so. */
void memory_out(void) {
    exit(tool_error("out of memory"));
}

static void *need(void *memory) {
    if (!memory)
        memory_out();
    return memory;
}

void *memory_make(size_t count, size_t size) {
    return need(calloc(count ? count : 1, size ? size : 1));
}

void *memory_grow(void *old, size_t size) {
    return need(realloc(old, size ? size : 1));
}

void *memory_add(void *old, size_t count, size_t size) {
    return count & (count - 1) ? old : memory_grow(old, (count ? 2 * count : 1) * size);
}

char *memory_text(const char *text, size_t length) {
    return need(strndup(text, length));
}

char *memory_join(const char *a, const char *b, const char *c) {
    const size_t room = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = memory_make(room, 1);
    snprintf(text, room, "%s%s%s", a, b, c);
    return text;
}

static void *make_json(size_t size) {
    return need(malloc(size ? size : 1));
}

void memory_open(void) {
    json_set_alloc_funcs(make_json, free);
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, HEAP_KEPT);
    mallopt(M_MMAP_THRESHOLD, HEAP_KEPT / 2);
#endif
}
