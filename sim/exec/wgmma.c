/* wgmma.mma_async: each warp of the group multiplies its 16 rows of A by B. B is decoded once for
 * all of them, some columns at a time. Matrices come from registers or through descriptors. */
#include "wgmma.h"

#include "door.h"
#include "map.h"

/* --- checks --- */

static enum wsim_status check_flag(const struct wsim_op *op, const char *name, unsigned value,
                                   int allowed, struct wsim_diag *diag) {
    if (value > 1)
        return base_refuse(diag, RULE_WGMMA_FLAG_RANGE, 0, "%s is %u, must be 0 or 1", name, value);
    if (value && !allowed)
        return base_refuse(diag, RULE_WGMMA_FLAG_NONE, 0, "%s: %s has no such immediate", name,
                           isa_op_called(op).text);
    return WSIM_OK;
}

static enum wsim_status check_flags(const struct wsim_op *op, const struct wsim_io *io,
                                    struct wsim_diag *diag) {
    const struct isa_form *form = isa_form(op);
    enum wsim_status status = check_flag(op, "scale_d", io->wgmma.scale_d, 1, diag);
    if (!status)
        status = check_flag(op, "negate_a", io->wgmma.negate_a, form->signs, diag);
    if (!status)
        status = check_flag(op, "negate_b", io->wgmma.negate_b, form->signs, diag);
    if (!status)
        status = check_flag(op, "trans_a", io->wgmma.trans_a, form->majors, diag);
    if (!status)
        status = check_flag(op, "trans_b", io->wgmma.trans_b, form->majors, diag);
    if (!status && io->wgmma.trans_a && io->wgmma.a)
        status = base_refuse(diag, RULE_WGMMA_TRANSPOSE_REGISTERS, 0,
                             "trans_a: A is in registers, only a matrix in shared memory can be "
                             "transposed");
    return status;
}

static enum wsim_status check_element(const struct wsim_code *code,
                                      const struct wgmma_source *source, unsigned row, unsigned k,
                                      struct wsim_diag *diag) {
    const struct wsim_memory *shared = source->io->shared;
    uint32_t at = wsim_descriptor_address(&source->descriptor, &source->tile, row, k);
    if (!memory_has(shared, at, source->bytes))
        return base_refuse(
            diag, RULE_MEMORY_BOUNDS, 0,
            "%s, row %u, k %u: address 0x%x is outside the given shared memory, [0x%x, 0x%x)",
            source->name, row, k, (unsigned)at, (unsigned)shared->base,
            (unsigned)(shared->base + shared->size));
    if ((uint64_t)at + source->bytes > work_of(code)->shared_end)
        return base_refuse(diag, RULE_MEMORY_END, 0,
                           "%s, row %u, k %u: address 0x%x: shared memory of %s ends at 0x%x, and "
                           "wgmma traps beyond it",
                           source->name, row, k, (unsigned)at, code->arch->name,
                           (unsigned)work_of(code)->shared_end);
    return WSIM_OK;
}

static enum wsim_status check_bounds(const struct wsim_code *code,
                                     const struct wgmma_source *source, struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (descriptor_fits(&source->descriptor, &source->tile, source->io->shared,
                        work_of(code)->shared_end))
        return WSIM_OK;
    for (unsigned row = 0; row < source->tile.rows && !status; row++)
        for (unsigned k = 0; k < source->tile.k && !status; k += source->step)
            status = check_element(code, source, row, k, diag);
    return status;
}

/* Fills *source and checks that all of it can be read. Bits of a descriptor that mean nothing are
 * ignored, as by the hardware. */
static enum wsim_status open_source(const struct wsim_code *code, const struct wsim_io *io,
                                    enum wsim_operand operand, struct wgmma_source *source,
                                    struct wsim_diag *diag) {
    int is_a = operand == WSIM_A;
    enum wsim_status status = wsim_wgmma_tile(
        &code->op, operand, is_a ? io->wgmma.trans_a : io->wgmma.trans_b, &source->tile, diag);
    if (status)
        return status;
    source->name = is_a ? "A" : "B";
    source->io = io;
    source->step = source->tile.bits == 1 ? MAP_WORD : 1;
    source->bytes = map_bytes(source->tile.bits);
    wsim_descriptor_decode(is_a ? io->wgmma.desc_a : io->wgmma.desc_b, &source->descriptor, NULL);
    return check_bounds(code, source, diag);
}

/* --- elements --- */

/* The element that is so far from the start by its row and by its k. */
static uint64_t read(const struct wgmma_source *source, uint32_t row, uint32_t k) {
    return memory_get(source->io->shared, descriptor_join(&source->descriptor, row, k),
                      source->bytes);
}

/* All of A, into a plane. */
static void load_a(const struct wsim_code_product *how, const struct wgmma_source *source,
                   void *plane) {
    for (unsigned k = 0; k < how->k; k++) {
        uint32_t at = descriptor_k(&source->descriptor, &source->tile, k * source->step);
        unsigned to = product_order(how->split, k);
        for (unsigned row = 0; row < how->rows; row++)
            map_put(plane, source->bytes, row * how->k + to,
                    read(source, descriptor_row(&source->descriptor, &source->tile, row), at));
    }
}

static void gather_a(const struct wsim_code *code, const struct wsim_io *io, void *plane) {
    unsigned rows = work_of(code)->product.rows / work_of(code)->warps;
    for (unsigned warp = 0; warp < work_of(code)->warps; warp++)
        map_gather(&work_of(code)->a, io->wgmma.a + warp, work_of(code)->warps, plane,
                   warp * rows * work_of(code)->product.k);
}

/* A sparse A picks elements of B row by row, so the order of SPLIT is applied there, not here. */
static void load_columns(const struct product *p, const void *b, unsigned col, unsigned count,
                         const struct product_list *list) {
    const struct wsim_code_product *how = p->how;
    const struct wgmma_source *source = b;
    unsigned split = how->kept ? 0 : how->split;
    for (unsigned k = 0; k < how->k_dense; k++) {
        uint32_t at = descriptor_k(&source->descriptor, &source->tile, k * source->step);
        unsigned to = product_order(split, k);
        for (unsigned i = 0; i < count; i++)
            product_decode(
                how, how->b, how->in_b, how->bits_b, source->io->wgmma.negate_b,
                read(source, descriptor_row(&source->descriptor, &source->tile, col + i), at), list,
                i * how->k_dense + to);
    }
}

enum { MOST_ALONG = 64 /* pieces along k: 32 elements of a column, or 64 bytes of a row */ };

/* Tells of a matrix, in pieces of 16 bytes, which lie together in every mode. */
static void tell(const struct wgmma_source *source) {
    const struct wsim_tile *tile = &source->tile;
    unsigned piece = DESCRIPTOR_UNIT * 8u / tile->bits;
    unsigned rows = tile->mn_major ? piece : 1, ks = tile->mn_major ? 1 : piece;
    uint32_t along[MOST_ALONG];
    if (!source->io->shared->watch)
        return;
    for (unsigned k = 0; k < tile->k; k += ks)
        along[k / ks] = descriptor_k(&source->descriptor, tile, k);
    for (unsigned row = 0; row < tile->rows; row += rows) {
        const uint32_t across = descriptor_row(&source->descriptor, tile, row);
        for (unsigned k = 0; k < tile->k; k += ks)
            exec_tell(source->io, source->io->shared,
                      descriptor_join(&source->descriptor, across, along[k / ks]), DESCRIPTOR_UNIT,
                      WSIM_NO_LANE, WSIM_TOUCH_READ);
    }
}

/* --- the whole --- */

static enum wsim_status check_result(const struct wsim_code *code, const struct product_out *d,
                                     struct wsim_diag *diag) {
    return d->words
               ? WSIM_OK
               : exec_need_regs(d->rows, work_of(code)->d.regs * work_of(code)->warps, "d", diag);
}

static enum wsim_status check_operands(const struct wsim_code *code, const struct wsim_io *io,
                                       const struct product_in *c, struct wsim_diag *diag) {
    unsigned warps = work_of(code)->warps;
    enum wsim_status status = WSIM_OK;
    if (io->wgmma.scale_d && !c->words)
        status = exec_need_regs(c->rows, work_of(code)->c.regs * warps, "c", diag);
    if (!status && io->wgmma.a)
        status = exec_need_regs(io->wgmma.a, work_of(code)->a.regs * warps, "a", diag);
    if (!status)
        status = memory_need(io->shared, WSIM_SHARED, diag);
    return status ? status : check_flags(&code->op, io, diag);
}

static enum wsim_status read_nibbles(const struct wsim_code *code, const struct wsim_io *io,
                                     uint8_t (*nibbles)[PRODUCT_MAX_CHUNKS],
                                     struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    if (!work_of(code)->product.kept)
        return WSIM_OK;
    status = exec_need_regs(io->wgmma.e, work_of(code)->warps, "e", diag);
    for (unsigned warp = 0; warp < work_of(code)->warps && !status; warp++)
        status = product_nibbles(code, io->wgmma.e[warp], io->wgmma.selector, warp,
                                 nibbles + warp * PRODUCT_MAX_WARP, diag);
    return status;
}

/* Whether there is a kernel, and metadata that it can have. */
static int can_strip(const struct wsim_code *code, const struct wsim_io *io, strip_meta *meta) {
    return work_of(code)->strip.path &&
           (!work_of(code)->product.kept ||
            (io->wgmma.e && strip_read_meta(code, io->wgmma.e, io->wgmma.selector, meta)));
}

/* Where A and B lie in memory, A only if it does. */
struct sources {
    struct wgmma_source a, b;
};

static enum wsim_status open_sources(const struct wsim_code *code, const struct wsim_io *io,
                                     const struct product_in *c, struct sources *in,
                                     struct wsim_diag *diag) {
    enum wsim_status status = check_operands(code, io, c, diag);
    if (!status && !io->wgmma.a)
        status = open_source(code, io, WSIM_A, &in->a, diag);
    return status ? status : open_source(code, io, WSIM_B, &in->b, diag);
}

/* Gathers A, and starts *p. */
static void start(const struct wsim_code *code, const struct wsim_io *io, const struct sources *in,
                  uint64_t *plane, struct product_in c, struct product *p) {
    if (io->wgmma.a)
        gather_a(code, io, plane);
    else
        load_a(&work_of(code)->product, &in->a, plane);
    product_start(p, code);
    p->a = plane;
    p->negate_a = io->wgmma.negate_a;
    p->adds = io->wgmma.scale_d;
    p->c = c;
}

enum wsim_status wgmma_run(const struct wsim_code *code, const struct wsim_io *io,
                           struct product_in c, struct product_out d, struct wsim_diag *diag) {
    const struct wsim_code_product *how = &work_of(code)->product;
    struct {
        union {
            uint64_t plane[PRODUCT_MAX_A / 8];
            uint32_t words[PRODUCT_MAX_A / 128][WSIM_LANES];
        };
        union {
            uint8_t nibbles[4 * PRODUCT_MAX_WARP][PRODUCT_MAX_CHUNKS];
            strip_meta meta[4];
        };
    } in;
    int by_strips;
    struct sources from;
    struct product p;
    unsigned count = product_at_once(how);
    enum wsim_status status = check_result(code, &d, diag);
    if (!status)
        status = open_sources(code, io, &c, &from, diag);
    by_strips = !status && can_strip(code, io, in.meta);
    if (!status && !by_strips)
        status = read_nibbles(code, io, in.nibbles, diag);
    if (status)
        return status;
    if (!io->wgmma.a)
        tell(&from.a);
    tell(&from.b);
    if (by_strips) {
        struct strip_group group = {.meta = (const strip_meta *)in.meta, .d = d};
        if (io->wgmma.scale_d)
            group.c = c;
        wgmma_strips(code, &from.a, &from.b, in.words, &group);
        return WSIM_OK;
    }
    start(code, io, &from, in.plane, c, &p);
    p.nibbles = in.nibbles[0];
    p.d = d;
    for (unsigned col = 0; col < how->cols; col += count)
        product_some(&p, load_columns, &from.b, col,
                     count < how->cols - col ? count : how->cols - col);
    return WSIM_OK;
}

enum wsim_status wgmma_watch(const struct wsim_code *code, const struct wsim_io *io, unsigned row,
                             unsigned col, const struct num_watch *watch, struct wsim_diag *diag) {
    uint64_t plane[PRODUCT_MAX_A / 8];
    uint8_t nibbles[4 * PRODUCT_MAX_WARP][PRODUCT_MAX_CHUNKS];
    struct product_in c = {io->wgmma.c, NULL};
    struct sources from;
    struct product p;
    enum wsim_status status = open_sources(code, io, &c, &from, diag);
    if (!status)
        status = read_nibbles(code, io, nibbles, diag);
    if (status)
        return status;
    start(code, io, &from, plane, c, &p);
    p.nibbles = nibbles[0];
    p.fused.watch = watch;
    product_one(&p, load_columns, &from.b, row, col);
    return WSIM_OK;
}

enum wsim_status exec_wgmma(const struct wsim_code *code, const struct wsim_io *io,
                            struct wsim_diag *diag) {
    struct product_in c = {io->wgmma.c, NULL};
    struct product_out d = {io->wgmma.d, NULL};
    return wgmma_run(code, io, c, d, diag);
}
