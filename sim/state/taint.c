/* Mirrors of frames: which bits of registers are uninitialised. */
#include "taint.h"

#include "device.h"
#include "known.h"
#include "launch.h"

#include <stdlib.h>

int taint_begin(struct run_warp *warp) {
    if (!warp->taint)
        warp->taint = calloc(1, sizeof *warp->taint);
    return warp->taint != NULL;
}

void taint_end(struct run_warp *warp) {
    struct taint_frame *next;
    if (!warp->taint)
        return;
    for (struct taint_frame *mirror = warp->taint->frames; mirror; mirror = next) {
        next = mirror->next;
        free(mirror);
    }
    free(warp->taint);
    warp->taint = NULL;
}

void taint_unit_end(struct run_unit *unit) {
    free(unit->taint.loads);
    unit->taint = (struct taint_unit){0};
}

uint32_t taint_origin(struct run_warp *warp, const struct run_op *op, uint8_t space, int async,
                      uint64_t at, const struct run_buffer *buffer) {
    struct taint_unit *unit = &warp->block->unit->taint;
    const uint32_t number = run_number(warp, op);
    for (uint32_t i = 0; i < unit->n; i++)
        if (unit->loads[i].op == number && unit->loads[i].space == space &&
            unit->loads[i].buffer == buffer && (space != TAINT_REGISTER || unit->loads[i].at == at))
            return i + 1;
    if (unit->n == unit->room) {
        const uint32_t room = unit->room ? 2 * unit->room : 8;
        struct taint_load *grown = realloc(unit->loads, room * sizeof *grown);
        if (!grown) {
            run_no_memory(warp);
            return 0;
        }
        unit->loads = grown;
        unit->room = room;
    }
    unit->loads[unit->n] = (struct taint_load){
        .op = number, .space = space, .async = async != 0, .at = at, .buffer = buffer};
    return ++unit->n;
}

struct taint_frame *taint_find(const struct run_warp *warp, const uint8_t *frame) {
    struct taint_frame *mirror = warp->taint ? warp->taint->frames : NULL;
    while (mirror && mirror->of != frame)
        mirror = mirror->next;
    return mirror;
}

struct taint_frame *taint_mirror(struct run_warp *warp, const struct run_frame *frame) {
    enum { LINE = 64 };
    struct taint_frame *mirror = taint_find(warp, frame->bytes);
    const uint32_t size = frame->function->frame_bytes;
    uint8_t *bytes;
    if (mirror)
        return mirror;
    mirror = taint_begin(warp) ? calloc(1, sizeof *mirror + 2 * (size_t)size + LINE) : NULL;
    if (!mirror) {
        run_no_memory(warp);
        return NULL;
    }
    bytes = (uint8_t *)(mirror + 1);
    bytes += (LINE - (uintptr_t)bytes % LINE) % LINE;
    mirror->of = frame->bytes;
    mirror->size = size;
    mirror->bits = bytes;
    mirror->origins = (uint32_t *)(void *)(bytes + size);
    mirror->next = warp->taint->frames;
    warp->taint->frames = mirror;
    return mirror;
}

void taint_unset(struct run_warp *warp, const struct run_frame *frame, uint32_t lanes) {
    const struct run_function *function = frame->function;
    struct taint_frame *mirror;
    if (!function->n_unset || !(warp->worker->launch->how->checks & WSIM_CHECK_INIT))
        return;
    mirror = taint_mirror(warp, frame);
    for (uint32_t i = 0; mirror && i < function->n_unset; i++) {
        const uint32_t reg = function->unset[i].reg;
        const struct run_row row = {.at = function->registers[reg].at,
                                    .bits = (uint8_t)function->source->registers[reg].type.bits};
        const uint32_t origin = taint_origin(warp, &warp->program->ops[function->unset[i].op],
                                             TAINT_REGISTER, 0, reg, NULL);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            taint_put(mirror, row, run_lowest(rest), UINT64_MAX, origin);
            if (row.bits == 128)
                taint_put_high(mirror, row, run_lowest(rest), UINT64_MAX, origin);
        }
    }
}

uint32_t taint_lanes(const struct taint_frame *mirror, struct run_row row, uint32_t lanes) {
    uint64_t any = 0;
    uint32_t tainted = 0;
    if (!mirror || !row.bits)
        return 0;
    if (row.bits == 1)
        return *run_pred(mirror->bits, row.at) & lanes;
    if (row.bits <= 32) {
        const uint32_t *words = run_words(mirror->bits, row.at);
        for (unsigned lane = 0; lane < RUN_LANES; lane++)
            any |= words[lane];
        for (unsigned lane = 0; lane < RUN_LANES && any && row.bits == 32; lane++)
            tainted |= (uint32_t)(words[lane] != 0) << lane;
        if (row.bits == 32)
            return tainted & lanes;
    } else {
        const uint64_t *longs = run_longs(mirror->bits, row.at);
        for (unsigned i = 0; i < row.bits / 64u * RUN_LANES; i++)
            any |= longs[i];
    }
    for (uint32_t rest = any ? lanes : 0; rest; rest &= rest - 1)
        if (taint_get(mirror, row, run_lowest(rest)) |
            taint_get_high(mirror, row, run_lowest(rest)))
            tainted |= rest & (0u - rest);
    return tainted;
}

void taint_put(struct taint_frame *mirror, struct run_row row, unsigned lane, uint64_t bits,
               uint32_t origin) {
    run_put(mirror->bits, row, lane, bits);
    if (bits)
        mirror->origins[taint_place(row, lane)] = origin;
}

void taint_put_high(struct taint_frame *mirror, struct run_row row, unsigned lane, uint64_t bits,
                    uint32_t origin) {
    run_longs(mirror->bits, row.at)[RUN_LANES + lane] = bits;
    if (bits)
        mirror->origins[taint_place(row, lane)] = origin;
}

void taint_clear(struct taint_frame *mirror, struct run_row row, uint32_t lanes) {
    if (!mirror || !row.bits)
        return;
    if (row.bits == 1) {
        *run_pred(mirror->bits, row.at) &= ~lanes;
        return;
    }
    if (lanes == UINT32_MAX) {
        memset(mirror->bits + row.at, 0, (row.bits <= 32 ? 4u : row.bits / 8u) * RUN_LANES);
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        run_put(mirror->bits, row, run_lowest(rest), 0);
        if (row.bits == 128)
            run_longs(mirror->bits, row.at)[RUN_LANES + run_lowest(rest)] = 0;
    }
}

void taint_drop_shared(struct run_warp *warp, struct run_block *block, uint64_t from,
                       uint64_t unknown, uint32_t origin) {
    struct run_initialised *bits = &block->initialised;
    if (!bits->origins)
        bits->origins = calloc(block->shared.size / 4 + 1, sizeof *bits->origins);
    if (!bits->origins) {
        run_no_memory(warp);
        return;
    }
    for (; unknown; unknown &= unknown - 1) {
        const uint64_t at = from + base_lowest(unknown);
        bits->unknown +=
            !known_missing(&bits->known[at / 64], known_whole(block->shared.size, at / 64));
        known_drop(bits->known, at, at + 1);
        bits->origins[at / 4] = origin;
    }
}

void taint_report(struct run_warp *warp, const struct run_op *op, unsigned lane, uint32_t origin,
                  enum taint_use use) {
    static const char *const uses[] = {[TAINT_STORED] = "stores the value",
                                       [TAINT_ADDRESS] = "uses the value as an address",
                                       [TAINT_BRANCH] = "branches on the value",
                                       [TAINT_OPERAND] = "uses the value"};
    static const char *const takes[] = {[TAINT_STORED] = "stores",
                                        [TAINT_ADDRESS] = "has an address from",
                                        [TAINT_BRANCH] = "branches on",
                                        [TAINT_OPERAND] = "uses"};
    static const char *const reads[] = {"reads", "a copy reads"};
    const struct taint_unit *unit = &warp->block->unit->taint;
    struct taint_load *load = origin && origin <= unit->n ? &unit->loads[origin - 1] : NULL;
    struct run_subject subject = {.kind = RUN_ADDRESS, .bytes = 1};
    const struct run_op *other;
    if (!load || load->used)
        return;
    load->used = 1;
    subject.space = load->space;
    subject.at = load->at;
    if (load->space > PTX_GENERIC)
        subject.kind = RUN_NO_SUBJECT;
    other = &warp->program->ops[load->op];
    if (load->space == TAINT_REGISTER)
        run_finding_late(warp, other, lane, op, RULE_INIT_REGISTER, &subject,
                         "reads uninitialised register %.60s, and the kernel %s",
                         run_function_of(warp->program, load->op)->source->registers[load->at].name,
                         uses[use]);
    else if (load->space == TAINT_LANE)
        run_finding_late(warp, other, lane, op, RULE_ADVICE_SHUFFLE_ABSENT, &subject,
                         "takes the value of lane %u, which does not execute this, and the kernel "
                         "%s it",
                         (unsigned)load->at, takes[use]);
    else if (load->space == PTX_GLOBAL)
        run_finding_late(warp, other, lane, op, RULE_INIT_GLOBAL, &subject,
                         "%s uninitialised byte %llu of '%s', and the kernel %s",
                         reads[load->async], (unsigned long long)(load->at - load->buffer->base),
                         load->buffer->name ? load->buffer->name : "a buffer", uses[use]);
    else if (load->space == TAINT_TENSOR)
        run_finding_late(warp, other, lane, op, RULE_INIT_TENSOR, &subject,
                         "reads uninitialised tensor memory, lane %u, column %u, and the kernel %s",
                         (unsigned)(load->at >> 16), (unsigned)(load->at & 0xFFFF), uses[use]);
    else if (load->space == PTX_LOCAL)
        run_finding_late(warp, other, lane, op, RULE_INIT_LOCAL, &subject,
                         "%s uninitialised local memory at 0x%llx, and the kernel %s",
                         reads[load->async], (unsigned long long)load->at, uses[use]);
    else
        run_finding_late(warp, other, lane, op, RULE_INIT_SHARED, &subject,
                         "%s uninitialised shared memory at %s, and the kernel %s",
                         reads[load->async], run_shared_words(warp, load->at, "").text, uses[use]);
}

void taint_use(struct run_warp *warp, const struct run_op *op, struct taint_frame *mirror,
               struct run_row row, uint32_t lanes, enum taint_use use) {
    const uint32_t tainted = taint_lanes(mirror, row, lanes);
    if (!tainted)
        return;
    taint_report(warp, op, run_lowest(tainted),
                 mirror->origins[taint_place(row, run_lowest(tainted))], use);
    taint_clear(mirror, row, tainted);
}
