/* compare.c - differences between model and GPU: registers element by element, bytes, hashes,
 * counts. The first difference is kept, the others are counted. */
#include "trace.h"

#include <string.h>

static void differ(struct wsim_replay *replay, const struct wsim_difference *one) {
    if (replay->differences++ == 0)
        replay->first = *one;
    replay->verdict = WSIM_DIFFERENT;
}

void trace_differ(struct wsim_replay *replay, const char *field, uint64_t expected, uint64_t got) {
    struct wsim_difference one = {.field = field, .expected = expected, .got = got};
    if (expected != got)
        differ(replay, &one);
}

/* Registers element by element. */
void trace_compare_regs(const struct trace_case *now, const struct wsim_arch *arch,
                        const uint32_t *got, struct wsim_replay *replay) {
    const uint32_t *expected = now->regs[WSIM_D].at;
    struct wsim_difference one = {.field = "d"};
    struct wsim_layout layout;
    unsigned lane, elem;
    wsim_op_layout(&now->op, arch, WSIM_D, &layout, NULL);
    if (memcmp(got, expected, (size_t)layout.regs * layout.lanes * sizeof *got) == 0)
        return;
    one.format = layout.format;
    for (lane = 0; lane < layout.lanes; lane++)
        for (elem = 0; elem < layout.elems; elem++) {
            one.place = wsim_layout_place(&layout, lane, elem);
            one.coord = wsim_layout_coord(&layout, lane, elem);
            one.expected = wsim_words_get(&layout, expected, one.place);
            one.got = wsim_words_get(&layout, got, one.place);
            if (one.expected != one.got)
                differ(replay, &one);
        }
}

void trace_compare_bytes(const char *field, const struct trace_bytes *expected,
                         const struct trace_bytes *got, struct wsim_replay *replay) {
    struct wsim_difference one = {.field = field};
    size_t i;
    if (memcmp(expected->at, got->at, expected->size) == 0)
        return;
    for (i = 0; i < expected->size; i++) {
        one.offset = (uint32_t)i;
        one.expected = expected->at[i];
        one.got = got->at[i];
        if (one.expected != one.got)
            differ(replay, &one);
    }
}

static uint32_t word_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void trace_compare_tensor(const char *field, const struct trace_bytes *expected,
                          const struct trace_bytes *got, struct wsim_replay *replay) {
    struct wsim_difference one = {.field = field};
    const size_t columns = expected->size / (4 * WSIM_TENSOR_LANES);
    for (size_t i = 0; i < columns * WSIM_TENSOR_LANES; i++) {
        one.offset = (uint32_t)(4 * i);
        one.place.lane = (uint16_t)(i / columns);
        one.coord.col = (uint16_t)(i % columns);
        one.expected = word_at(expected->at + 4 * i);
        one.got = word_at(got->at + 4 * i);
        if (one.expected != one.got)
            differ(replay, &one);
    }
}

uint64_t trace_hash_regs(const struct trace_case *now, const uint32_t *words) {
    uint64_t hash = WSIM_FNV_START;
    struct wsim_layout layout;
    unsigned i, byte;
    wsim_op_layout(&now->op, NULL, WSIM_D, &layout, NULL);
    for (i = 0; i < (unsigned)layout.regs * layout.lanes; i++)
        for (byte = 0; byte < 4; byte++)
            hash = wsim_fnv_byte(hash, (uint8_t)(words[i] >> 8 * byte));
    return hash;
}

uint64_t trace_hash_bytes(const struct trace_bytes *bytes) {
    uint64_t hash = WSIM_FNV_START;
    size_t i;
    for (i = 0; i < bytes->size; i++)
        hash = wsim_fnv_byte(hash, bytes->at[i]);
    return hash;
}
