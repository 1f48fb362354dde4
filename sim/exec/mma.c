/* mma and wmma.mma, dense, sparse and block-scaled: check, gather A and B through their layouts,
 * one dot product for each element of D. Every row of mma.def and wmma.def takes this one way, the
 * plain path, or the shorter one of strip.c. */
#include "door.h"
#include "map.h"
#include "product.h"
#include "strip.h"

#include <string.h>

/* --- block scales --- */

/* The batches of a SCALE layout count thread-ids first, then the byte-ids that start a vector. */
struct selection {
    const char *name;
    const struct wsim_code_map *map;
    const uint32_t *const *regs;
    unsigned bid, tid, threads;
};

static enum wsim_status check_selection(const struct selection *s, unsigned blocks,
                                        struct wsim_diag *diag) {
    char range[BASE_RANGE];
    if (s->bid >= PRODUCT_SCALE_BYTES || s->bid % blocks)
        return base_refuse(diag, RULE_MMA_BYTE_ID_RANGE, 0,
                           "byte-id %u of scale %s: with %u factors it must be %s", s->bid, s->name,
                           blocks,
                           blocks == 1   ? "0 1 2 3"
                           : blocks == 2 ? "0 2"
                                         : "0");
    if (s->tid >= s->threads)
        return base_refuse(diag, RULE_MMA_THREAD_ID_RANGE, 0,
                           "thread-id %u of scale %s, must be %s", s->tid, s->name,
                           base_range(range, s->threads - 1));
    return WSIM_OK;
}

/* Factors in the bytes that the selection names. */
static enum wsim_status gather_factors(const struct selection *s, unsigned blocks,
                                       uint8_t (*factors)[PRODUCT_MAX_BLOCKS],
                                       struct wsim_diag *diag) {
    unsigned wanted = s->tid + s->bid / blocks * s->threads;
    enum wsim_status status = check_selection(s, blocks, diag);
    for (unsigned lane = 0; lane < WSIM_LANES && !status; lane++)
        for (unsigned byte = 0; byte < PRODUCT_SCALE_BYTES; byte++) {
            unsigned at = s->map->lane[lane] ^ s->map->elem[byte];
            unsigned line = at >> MAP_FACTOR_LINE & (PRODUCT_MAX_FACTORS - 1);
            if (at >> MAP_FACTOR_BATCH == wanted)
                factors[line][at % PRODUCT_MAX_BLOCKS] =
                    (uint8_t)(s->regs[0][lane] >> 8 * byte & 0xFF);
        }
    return status;
}

/* --- the whole --- */

/* All but D. */
static enum wsim_status check_registers(const struct wsim_code *code, const struct wsim_io *io,
                                        struct wsim_diag *diag) {
    const struct wsim_code_work *work = work_of(code);
    enum wsim_status status = exec_need_regs(io->mma.a, work->a.regs, "a", diag);
    if (!status)
        status = exec_need_regs(io->mma.b, work->b.regs, "b", diag);
    return status ? status : exec_need_regs(io->mma.c, work->c.regs, "c", diag);
}

struct inputs {
    uint64_t a[PRODUCT_MAX_A / 8], b[PRODUCT_MAX_B / 8];
    uint8_t nibbles[PRODUCT_MAX_WARP][PRODUCT_MAX_CHUNKS];
    uint8_t factors_a[PRODUCT_MAX_FACTORS][PRODUCT_MAX_BLOCKS];
    uint8_t factors_b[PRODUCT_MAX_FACTORS][PRODUCT_MAX_BLOCKS];
};

static enum wsim_status gather_scales(const struct wsim_code *code, const struct wsim_io *io,
                                      struct inputs *in, struct wsim_diag *diag) {
    const struct wsim_code_work *work = work_of(code);
    struct selection a = {"a",           &work->sfa,    io->mma.sfa,
                          io->mma.bid_a, io->mma.tid_a, work->product.threads[0]};
    struct selection b = {"b",           &work->sfb,    io->mma.sfb,
                          io->mma.bid_b, io->mma.tid_b, work->product.threads[1]};
    enum wsim_status status = exec_need_regs(io->mma.sfa, 1, "sfa", diag);
    if (!status)
        status = exec_need_regs(io->mma.sfb, 1, "sfb", diag);
    if (!status)
        status = gather_factors(&a, work->product.blocks, in->factors_a, diag);
    return status ? status : gather_factors(&b, work->product.blocks, in->factors_b, diag);
}

static enum wsim_status gather_selected(const struct wsim_code *code, const struct wsim_io *io,
                                        struct inputs *in, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (work_of(code)->product.kept)
        status = exec_need_regs(io->mma.e, 1, "e", diag);
    if (work_of(code)->product.kept && !status)
        status = product_nibbles(code, io->mma.e[0], io->mma.selector, 0, in->nibbles, diag);
    if (work_of(code)->product.blocks && !status)
        status = gather_scales(code, io, in, diag);
    return status;
}

/* Gathers the checked operands and starts *p on them. */
static enum wsim_status gather(const struct wsim_code *code, const struct wsim_io *io,
                               struct inputs *in, struct product *p, struct wsim_diag *diag) {
    enum wsim_status status = gather_selected(code, io, in, diag);
    if (status)
        return status;
    map_gather(&work_of(code)->a, io->mma.a, 1, in->a, 0);
    map_gather(&work_of(code)->b, io->mma.b, 1, in->b, 0);
    product_start(p, code);
    p->a = in->a;
    p->nibbles = in->nibbles[0];
    p->factors_a = in->factors_a[0];
    p->factors_b = in->factors_b[0];
    p->c.rows = io->mma.c;
    return WSIM_OK;
}

enum wsim_status exec_mma(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag) {
    struct inputs in;
    struct product p;
    enum wsim_status status = exec_need_regs(io->mma.d, work_of(code)->d.regs, "d", diag);
    if (!status)
        status = check_registers(code, io, diag);
    if (!status && work_of(code)->strip.path && strip_mma(code, io))
        return WSIM_OK;
    if (!status)
        status = gather(code, io, &in, &p, diag);
    if (!status)
        product_multiply(&p, in.b, io->mma.d);
    return status;
}

enum wsim_status mma_watch(const struct wsim_code *code, const struct wsim_io *io, unsigned row,
                           unsigned col, const struct num_watch *watch, struct wsim_diag *diag) {
    struct inputs in;
    struct product p;
    enum wsim_status status = check_registers(code, io, diag);
    if (!status)
        status = gather(code, io, &in, &p, diag);
    if (status)
        return status;
    p.fused.watch = watch;
    product_one(&p, product_load_plane, in.b, row, col);
    return WSIM_OK;
}
