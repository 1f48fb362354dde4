/* Fragments between registers and memory: ldmatrix, stmatrix, wmma.load, wmma.store. */
#include "../exec/exec.h"
#include "matrix.h"

#include "../isa/isa.h"
#include "taint.h"

/* Generic addresses of the instruction are in shared memory. */
static enum run_next rows_in_shared(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                                    const struct matrix_move *move, uint64_t at[RUN_LANES]) {
    for (uint32_t rest = lanes; rest && move->address.space == PTX_GENERIC; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        if (at[lane] >> 32 != RUN_SHARED_WINDOW >> 32)
            return run_finding(warp, op, lane, RULE_MEMORY_SPACE, 1,
                               "address 0x%llx of lane %u is not in shared memory",
                               (unsigned long long)at[lane], lane);
    }
    return RUN_ON;
}

static void begin_rows(struct run_access *access, unsigned kind, uint32_t rows) {
    access->space = PTX_SHARED;
    access->kind = (uint8_t)kind;
    access->async = access->proxy = access->acquires = access->releases = access->row = 0;
    access->swaps = access->for_lane = 0;
    access->taints = RUN_TAINTS_STEP;
    access->replaces = access->narrow = access->barrier = 0;
    access->plain = RUN_PLAIN_TOGETHER;
    access->all = access->nc = access->near = 0;
    access->weak = 1;
    access->data = NULL;
    access->plan = NULL;
    access->bytes = ISA_ROW_BYTES;
    access->lanes = rows;
}

static void count_rows(struct run_warp *warp, const struct run_op *op,
                       const uint32_t addr[RUN_LANES]) {
    const struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
    hear_traffic_code(warp, op, matrix_code(warp, op), &io);
}

/* Lanes wait for each other at the instruction: earlier accesses are ordered before later
 * ones. PTX does not order the access of the instruction itself. A store counts as a later access,
 * a load as an earlier one. */
static void meet(struct run_warp *warp, const struct run_op *op) {
    hear_order(warp, op, UINT32_MAX, RUN_ORDER_WARP, NULL);
}

void matrix_rows_heard(const struct run_op *op, struct run_warp *warp,
                       const uint64_t at[RUN_LANES]) {
    const struct wsim_memory *shared = &warp->block->shared;
    const uint32_t start = (uint32_t)matrix_unranked(warp->block, shared->base);
    const unsigned n = work_of(matrix_code(warp, op))->memory.along;
    uint32_t addr[RUN_LANES];
    struct run_access access;
    for (unsigned row = 0; row < RUN_LANES; row++)
        addr[row] = row < n ? start + (uint32_t)at[row] : 0;
    if (warp->worker->hears >> PTX_SHARED & 1) {
        begin_rows(&access, RUN_READ, UINT32_MAX >> (RUN_LANES - n));
        for (unsigned row = 0; row < n; row++) {
            access.at[row] = shared->base + at[row];
            access.host[row] = shared->bytes + at[row];
        }
        hear_access(warp, op, &access);
    }
    meet(warp, op);
    count_rows(warp, op, addr);
}

enum run_next matrix_rows_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                               struct run_warp *warp) {
    const struct matrix_move *move = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const struct run_block *block = warp->block;
    const uint32_t rank = block->rank << RUN_RANK_SHIFT;
    const struct wsim_memory shared = matrix_shared(block);
    uint32_t addr[RUN_LANES], rows = 0xFFFFFFFFu >> (RUN_LANES - work_of(code)->memory.along);
    uint32_t any = 0;
    uint32_t *regs[MATRIX_REGISTERS];
    uint8_t stored[RUN_LANES][ISA_ROW_BYTES];
    struct wsim_io io = {.shared = &shared, .move = {.addr = addr}};
    struct run_access access;
    struct wsim_diag diag;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    matrix_addresses(frame, &move->address, access.at);
    next = rows_in_shared(warp, op, rows, move, access.at);
    if (next)
        return next;
    access.kind = move->stores ? RUN_WRITE : RUN_READ;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        any |= addr[lane] = (uint32_t)access.at[lane] - rank;
    if (any >> RUN_RANK_SHIFT && (next = run_near_only(warp, op, rows, &access, ISA_ROW_BYTES)))
        return next;
    if (warp->worker->tells) {
        begin_rows(&access, move->stores ? RUN_WRITE : RUN_READ, rows);
        matrix_point(frame, &move->regs, regs);
        if (move->stores) {
            exec_stored_rows(code, (const uint32_t *const *)regs, stored);
            access.data = stored[0];
            meet(warp, op);
        }
        next = run_reach(warp, op, &access, ISA_ROW_BYTES);
        if (next)
            return next;
        if (!move->stores)
            meet(warp, op);
        count_rows(warp, op, addr);
    }
    matrix_point(frame, &move->regs, regs);
    io.move.d = regs;
    io.move.r = (const uint32_t *const *)regs;
    if (wsim_run(code, &io, &diag))
        return run_refused(warp, op, RUN_LANES, &diag);
    if (move->stores)
        matrix_event(warp);
    return warp->taint ? RUN_TAINT : RUN_ON;
}

/* Addresses of shared memory have no high words, and without them a pattern is known again.
 * `pitch`: bytes from line to line. */
static void count(struct run_warp *warp, const struct run_op *op, const struct wsim_code *code,
                  const struct wsim_io *io, uint64_t at, uint64_t pitch) {
    const struct wsim_code_memory *lines = &work_of(code)->memory;
    struct wsim_io low = *io;
    low.move.addr_hi = NULL;
    if (io->shared)
        hear_traffic_code(warp, op, code, &low);
    else
        hear_traffic_lines(warp, op, at, lines->along, pitch, lines->across * lines->bits / 8);
}

/* Uninitialised bytes of a row are bits of a word, so longer lines are several rows. */
enum { ROW_MOST = 64 };

static unsigned rows_of_line(const struct wsim_code_memory *lines) {
    const unsigned bytes = lines->across * lines->bits / 8u;
    return bytes > ROW_MOST ? bytes / ROW_MOST : 1;
}

/* Fragments have each number of the matrix once at least, so what is accessed are its lines. Of
 * `block`, or of global memory. */
static void lines_heard(struct run_warp *warp, const struct run_op *op, unsigned lane,
                        const struct wsim_code *code, const struct wsim_memory *memory,
                        const struct run_block *block, uint64_t at, uint64_t pitch) {
    const struct matrix_move *move = op->more;
    const struct wsim_code_memory *lines = &work_of(code)->memory;
    const unsigned rows = rows_of_line(lines);
    struct run_access access;
    begin_rows(&access, move->stores ? RUN_WRITE : RUN_READ,
               UINT32_MAX >> (RUN_LANES - lines->along * rows));
    access.space = block ? PTX_SHARED : PTX_GLOBAL;
    access.for_lane = (uint8_t)(lane + 1);
    access.bytes = lines->across * lines->bits / 8 / rows;
    for (unsigned i = 0; i < lines->along * rows; i++) {
        const uint64_t there = at + i / rows * pitch + i % rows * ROW_MOST;
        access.at[i] = there + (block ? (uint64_t)block->rank << RUN_RANK_SHIFT : 0);
        access.host[i] = memory->bytes + (size_t)(there - memory->base);
    }
    hear_access(warp, op, &access);
}

/* wmma.load and wmma.store: all lanes give the same address, and the same stride. */
enum run_next matrix_fragment_step(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                                   struct run_warp *warp) {
    const struct matrix_move *move = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const struct wsim_code_memory *lines = &work_of(code)->memory;
    unsigned lane = run_lowest(lanes);
    uint32_t addr[RUN_LANES], addr_hi[RUN_LANES], *regs[MATRIX_REGISTERS];
    uint32_t *words = run_words(frame, move->space);
    struct wsim_io io = {.move = {.addr = addr, .addr_hi = addr_hi}};
    struct wsim_memory memory;
    const struct run_block *block = NULL;
    struct wsim_diag diag;
    uint64_t first = matrix_address_of(frame, &move->address, lane), at = first, stride;
    enum run_next next = sync_together(warp, op, lanes);
    if (next)
        return next;
    if (move->stride.bits)
        io.move.stride = (uint32_t)run_get(frame, move->stride, lane);
    stride = io.move.stride ? io.move.stride : lines->across;
    next = matrix_window(warp, op, lane, (enum ptx_space)move->address.space, &at,
                         ((lines->along - 1) * stride + lines->across) * lines->bits / 8, &memory,
                         &block);
    if (next)
        return next;
    for (unsigned l = 0; l < RUN_LANES; l++) {
        uint64_t there = at + (matrix_address_of(frame, &move->address, l) - first);
        there = lanes >> l & 1 ? there : at;
        addr[l] = (uint32_t)there;
        addr_hi[l] = (uint32_t)(there >> 32);
    }
    if (memory.space == WSIM_SHARED)
        io.shared = &memory;
    else
        io.global = &memory;
    if (warp->worker->tells) {
        if (move->stores)
            meet(warp, op);
        lines_heard(warp, op, lane, code, &memory, block, at, stride * lines->bits / 8);
        if (!move->stores)
            meet(warp, op);
        count(warp, op, code, &io, at, stride * lines->bits / 8);
    }
    if (!move->regs.wide)
        matrix_point(frame, &move->regs, regs);
    else
        matrix_split(frame, &move->regs, words, regs);
    io.move.d = regs;
    io.move.r = (const uint32_t *const *)regs;
    if (wsim_run(code, &io, &diag))
        return run_refused(warp, op, lane, &diag);
    if (move->regs.wide && !move->stores)
        matrix_join(frame, &move->regs, words, lanes);
    if (move->stores)
        matrix_event(warp);
    return warp->taint ? RUN_TAINT : RUN_ON;
}

/* --- uninitialised bits: the instruction moves them between the mirror and an image of its lines,
 * which lie side by side there --- */

enum { IMAGE = RUN_LANES * ROW_MOST, IMAGE_AT = 1024 };

static void run_image(const struct run_op *op, const struct run_warp *warp,
                      struct taint_frame *mirror, uint8_t image[IMAGE]) {
    const struct matrix_move *move = op->more;
    const struct wsim_code *code = matrix_code(warp, op);
    const struct wsim_code_memory *lines = &work_of(code)->memory;
    const int is_fragment = lines->fragment != 0;
    const struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, image, IMAGE, IMAGE_AT);
    const struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, image, IMAGE, IMAGE_AT);
    uint32_t addr[RUN_LANES], zeros[RUN_LANES] = {0}, *regs[MATRIX_REGISTERS];
    uint32_t *words = run_words(mirror->bits, move->space);
    struct wsim_io io = {.shared = &shared, .move = {.addr = addr, .addr_hi = zeros}};
    if (is_fragment && move->address.space == PTX_GLOBAL)
        io.shared = NULL, io.global = &global;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        addr[lane] = IMAGE_AT + (is_fragment ? 0 : ISA_ROW_BYTES * lane);
    if (is_fragment)
        io.move.stride = lines->across;
    else
        io.move.addr_hi = NULL;
    if (move->regs.wide)
        matrix_split(mirror->bits, &move->regs, words, regs);
    else
        matrix_point(mirror->bits, &move->regs, regs);
    io.move.d = regs;
    io.move.r = (const uint32_t *const *)regs;
    wsim_run(code, &io, NULL);
    if (move->regs.wide && !move->stores)
        matrix_join(mirror->bits, &move->regs, words, UINT32_MAX);
}

static unsigned row_bytes(const struct run_op *op, const struct run_warp *warp) {
    const struct wsim_code_memory *lines = &work_of(matrix_code(warp, op))->memory;
    return lines->fragment ? lines->across * lines->bits / 8u / rows_of_line(lines) : ISA_ROW_BYTES;
}

void taint_fragment_load(const struct run_op *op, struct run_warp *warp,
                         struct taint_frame *mirror) {
    const struct matrix_move *move = op->more;
    const struct run_taint *taint = warp->taint;
    const unsigned bytes = row_bytes(op, warp);
    uint8_t image[IMAGE] = {0};
    uint32_t origin = 0;
    for (unsigned line = 0; line < RUN_LANES; line++) {
        for (unsigned i = 0; i < bytes && taint->loaded[line] && (line + 1) * bytes <= IMAGE; i++)
            image[line * bytes + i] = taint->loaded[line] >> i & 1 ? 0xFF : 0;
        if (!origin && taint->loaded[line])
            origin = taint->origin[line];
    }
    run_image(op, warp, mirror, image);
    for (unsigned i = 0; i < move->regs.n; i++)
        for (unsigned lane = 0; lane < (move->regs.wide ? 2u : 1u) * RUN_LANES; lane++)
            mirror->origins[move->regs.at[i] / 4 + lane] = origin;
}

void taint_fragment_store(const struct run_op *op, struct run_warp *warp,
                          struct taint_frame *mirror) {
    const struct matrix_move *move = op->more;
    struct run_taint *taint = warp->taint;
    const unsigned bytes = row_bytes(op, warp);
    const uint8_t bits = move->regs.wide ? 64 : 32;
    uint8_t image[IMAGE] = {0};
    for (unsigned i = 0; i < move->regs.n && !taint->stores; i++) {
        const struct run_row row = {.at = move->regs.at[i], .bits = bits};
        const uint32_t lanes = taint_lanes(mirror, row, UINT32_MAX);
        taint->stores = lanes != 0;
        if (lanes)
            taint->stored_origin = mirror->origins[taint_place(row, run_lowest(lanes))];
    }
    if (!taint->stores)
        return;
    run_image(op, warp, mirror, image);
    for (unsigned line = 0; line < RUN_LANES; line++) {
        taint->stored[line] = 0;
        for (unsigned i = 0; i < bytes && (line + 1) * bytes <= IMAGE; i++)
            if (image[line * bytes + i])
                taint->stored[line] |= UINT64_C(1) << i;
    }
}
