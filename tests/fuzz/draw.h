/* draw.h - what the targets of copies share: numbers out of bytes, the copies that there are, and
 * memories of which every touch is watched. */
#ifndef FUZZ_DRAW_H
#define FUZZ_DRAW_H

#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

enum { MOST = 16384, OPS = 4096 };

struct bytes {
    const uint8_t *at;
    size_t left;
};

static inline void need(int truth) {
    if (!truth)
        abort();
}

static inline unsigned draw(struct bytes *in, unsigned n) { /* 0 to n - 1 */
    unsigned value = 0, i;
    for (i = 0; i < 2 && in->left; i++, in->left--)
        value = value << 8 | *in->at++;
    return value % n;
}

/* Mostly 0 to n - 1, at times about a power of two. */
static inline uint64_t wild(struct bytes *in, unsigned n) {
    unsigned kind = draw(in, 64);
    return kind ? draw(in, n) : (UINT64_C(1) << draw(in, 64)) - 2 + draw(in, 5);
}

/* Copies that `arch` has. */
static inline unsigned copies(struct wsim_op ops[OPS], const struct wsim_arch *arch) {
    uint32_t cursor = 0;
    unsigned n = 0;
    struct wsim_op op;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        enum wsim_family family = wsim_op_describe(&op).family;
        if ((family == WSIM_BULK || family == WSIM_BULK_TENSOR || family == WSIM_BULK_REDUCE ||
             family == WSIM_BULK_REDUCE_TENSOR) &&
            wsim_op_check(&op, arch, NULL) == WSIM_OK)
            ops[n++ % OPS] = op;
    }
    return n < OPS ? n : OPS;
}

/* An allocation of exactly its size, so that a byte beside it is seen. At times it lies at the end
 * of its address space, or across it, and at times it is read-only. */
static inline struct wsim_memory draw_memory(struct bytes *in, enum wsim_space space,
                                             unsigned align) {
    struct wsim_memory memory = wsim_memory_over(space, NULL, 0, 0);
    uint64_t i, end = space == WSIM_SHARED ? UINT64_C(1) << 32 : 0;
    memory.size = draw(in, 4) ? MOST : draw(in, MOST);
    memory.read_only = draw(in, 16) == 15;
    switch (draw(in, 8)) {
    case 5: memory.base = end - memory.size - (uint64_t)align * draw(in, 2); break;
    case 6: memory.base = end - (uint64_t)align * draw(in, 4); break;
    case 7: memory.base = (uint64_t)align * draw(in, 4); break;
    default: break;
    }
    memory.bytes = malloc(memory.size + 1);
    if (!memory.bytes)
        exit(EXIT_FAILURE);
    memory.bytes = realloc(memory.bytes, memory.size ? memory.size : 1);
    for (i = 0; i < memory.size; i++)
        memory.bytes[i] = (uint8_t)(i * 167 + i / 256 * 13);
    return memory;
}

static inline uint8_t *copy_of(const struct wsim_memory *memory) {
    uint8_t *copy = malloc(memory->size + 1);
    if (!copy)
        exit(EXIT_FAILURE);
    memcpy(copy, memory->bytes, memory->size);
    return copy;
}

/* A memory with its content before a copy, and the kinds of reported accesses, a bit each. */
struct watched {
    struct wsim_memory memory;
    struct wsim_watch watch;
    uint8_t *before;
    uint8_t told[MOST];
};

static inline void watched_touch(void *context, const struct wsim_memory *memory,
                                 const struct wsim_touch *touch) {
    struct watched *w = context;
    uint64_t at = touch->address - memory->base;
    need(memory == &w->memory && touch->bytes && at < memory->size &&
         touch->bytes <= memory->size - at);
    for (uint32_t i = 0; i < touch->bytes; i++)
        w->told[at + i] |= (uint8_t)(1u << touch->kind);
}

static inline void watched_start(struct watched *w, struct bytes *in, enum wsim_space space,
                                 unsigned align) {
    memset(w->told, 0, sizeof w->told);
    w->memory = draw_memory(in, space, align);
    w->watch.touch = watched_touch;
    w->watch.context = w;
}

/* From here on the memory is watched. */
static inline void watched_listen(struct watched *w) {
    w->before = copy_of(&w->memory);
    w->memory.watch = &w->watch;
}

/* True if bytes changed. A copy reports every changed byte as written; a refused copy reports and
 * changes nothing. */
static inline int watched_changed(const struct watched *w, int refused) {
    int changed = 0;
    for (uint64_t i = 0; i < w->memory.size; i++) {
        int differs = w->memory.bytes[i] != w->before[i];
        changed |= differs;
        need(!refused || !w->told[i]);
        need(!differs || w->told[i] & (1u << WSIM_TOUCH_WRITE | 1u << WSIM_TOUCH_UPDATE));
    }
    need(!changed || (!refused && !w->memory.read_only));
    return changed;
}

static inline void watched_end(struct watched *w) {
    free(w->before);
    free(w->memory.bytes);
}

#endif
