/* Computes a block of D. Accumulators stay in registers along k: D of an instruction replaces its
 * C. */
#include "tensor.h"

#include "../exec/strip.h"
#include "../isa/isa.h"
#include "../num/num.h"

#include <string.h>

/* A block under way: tiles of D from (row, column) on. */
struct block {
    const struct wsim_gemm *gemm;
    const uint32_t *a, *b; /* packed: the strips, and the panel                                  */
    size_t row, rows, columns;
    uint32_t *d;   /* accumulators, a tile after another                                    */
    uint32_t *sum; /* promote: what they are added to; else NULL                            */
    uint32_t *all; /* split: what slices are added to; else NULL                            */
    void *at;      /* room for pointers to registers of a row of tiles                      */
    void *memory;  /* tcgen05: room for its memories                                        */
};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Block numbers go down a panel of B first, so that threads that run at the same time read the same
 * panel. */
static struct block locate(const struct wsim_gemm *gemm, size_t number, size_t *column) {
    const struct wsim_gemm_work *work = &gemm->work;
    size_t down = gemm->blocks / gemm->parts_b;
    struct block block = {.gemm = gemm, .row = number % down * work->strip};
    *column = number / down * work->panel;
    block.rows = least(work->strip, work->rows - block.row);
    block.columns = least(work->panel, work->columns - *column);
    return block;
}

struct wsim_gemm_block wsim_gemm_locate(const struct wsim_gemm *gemm, size_t number) {
    struct wsim_gemm_block place = {0};
    if (number < gemm->blocks) {
        size_t column;
        struct block block = locate(gemm, number, &column);
        place.row = block.row * gemm->tile_m;
        place.column = column * gemm->tile_n;
        place.rows = least(block.rows * gemm->tile_m, gemm->size.m - place.row);
        place.columns = least(block.columns * gemm->tile_n, gemm->size.n - place.column);
    }
    return place;
}

/* --- instructions --- */

/* The door takes pointers to words that it may write; packed words are only read. */
static void point(uint32_t **at, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count / WSIM_LANES; i++)
        at[i] = (uint32_t *)words + i * WSIM_LANES;
}

/* A row of tiles at one step along k: pointers to the registers of all its tiles, in order. */
struct row {
    uint32_t **d, **a, **b;
};

/* One tile of a row, through the door. */
static enum wsim_status run_tile(const struct block *block, const struct row *row, size_t column,
                                 struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &block->gemm->work;
    uint32_t *const *d = row->d + column * work->words_d / WSIM_LANES;
    uint32_t *const *b = row->b + column * work->words_b / WSIM_LANES;
    struct wsim_memory shared =
        wsim_memory_const(WSIM_SHARED, b[0], work->words_b * sizeof(uint32_t) + TILE_SLACK, 0);
    struct wsim_io io = {.shared = &shared};
    if (isa_is_group(&block->gemm->code->op))
        io.wgmma = (struct wsim_io_wgmma){.d = d,
                                          .a = (const uint32_t *const *)row->a,
                                          .c = (const uint32_t *const *)d,
                                          .desc_b = work->desc_b,
                                          .scale_d = 1};
    else
        io.mma = (struct wsim_io_mma){.d = d,
                                      .a = (const uint32_t *const *)row->a,
                                      .b = (const uint32_t *const *)b,
                                      .c = (const uint32_t *const *)d};
    if (block->gemm->scale) {
        io.mma.sfa = (const uint32_t *const *)row->a + work->a.regs;
        io.mma.sfb = (const uint32_t *const *)b + work->b.regs;
    }
    return wsim_run(block->gemm->code, &io, diag);
}

/* run_row() for tcgen05: a tile of D stays in tensor memory. */
static enum wsim_status run_tensor_row(const struct block *block, size_t number, size_t step,
                                       size_t last, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &block->gemm->work;
    enum wsim_status status = WSIM_OK;
    for (size_t column = 0; column < block->columns && !status; column++) {
        uint32_t *d = block->d + (number * block->columns + column) * work->words_d;
        tensor_begin(block->gemm, d, block->memory);
        for (size_t k = step; k < last && !status; k++)
            status = tensor_step(block->gemm, block->a + (number * work->steps + k) * work->words_a,
                                 block->b + (k * block->columns + column) * work->words_b,
                                 block->memory, diag);
        tensor_end(block->gemm, d, block->memory);
    }
    return status;
}

/* Runs steps `step` .. `last` - 1 of a row of tiles of D. A kernel, if the instruction has one,
 * takes the row at once. */
static enum wsim_status run_row(const struct block *block, size_t number, size_t step, size_t last,
                                struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &block->gemm->work;
    size_t words = block->columns * work->words_b;
    struct row row = {.d = block->at};
    enum wsim_status status = WSIM_OK;
    if (tensor_is(block->gemm->code))
        return run_tensor_row(block, number, step, last, diag);
    row.a = row.d + block->columns * work->words_d / WSIM_LANES;
    row.b = row.a + work->words_a / WSIM_LANES;
    point(row.d, block->d + number * block->columns * work->words_d,
          block->columns * work->words_d);
    for (; step < last && !status; step++) {
        point(row.a, block->a + (number * work->steps + step) * work->words_a, work->words_a);
        point(row.b, block->b + step * words, words);
        if (!block->gemm->scale && strip_is_row(block->gemm->code))
            strip_row(block->gemm->code, (const uint32_t *const *)row.a,
                      (const uint32_t *const *)row.b, (const uint32_t *const *)row.d, row.d,
                      (unsigned)block->columns);
        else
            for (size_t column = 0; column < block->columns && !status; column++)
                status = run_tile(block, &row, column, diag);
    }
    return status;
}

/* Runs steps `step` .. `last` - 1 of all tiles. */
static enum wsim_status run_steps(const struct block *block, size_t step, size_t last,
                                  struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    for (; step < last && !status; step += block->gemm->work.chunk) {
        size_t end = least(step + block->gemm->work.chunk, last);
        for (size_t row = 0; row < block->rows && !status; row++)
            status = run_row(block, row, step, end, diag);
    }
    return status;
}

/* Adds the accumulators to the sum and clears them. */
static void promote(const struct block *block) {
    size_t words = block->rows * block->columns * block->gemm->work.words_d;
    num_add_f32(block->sum, block->d, words);
    memset(block->d, 0, words * sizeof *block->d);
}

/* Runs a slice of k, with promotion if requested. */
static enum wsim_status run_slice(const struct block *block, size_t step, size_t last,
                                  struct wsim_diag *diag) {
    size_t each = block->gemm->size.promote / block->gemm->tile_k;
    enum wsim_status status = WSIM_OK;
    if (!block->sum)
        return run_steps(block, step, last, diag);
    for (; step < last && !status; step += each) {
        status = run_steps(block, step, least(step + each, last), diag);
        if (!status)
            promote(block);
    }
    return status;
}

/* Adds elements of two registers: rows of low words and rows of high words alternate. NaNs
 * propagate as in add.f64, the addend's first. */
static void add_f64(uint32_t *all, const uint32_t *addend, size_t words, size_t lanes) {
    const uint64_t one = UINT64_C(0x3FF0000000000000);
    for (size_t i = 0; i < words; i += 2 * lanes)
        for (size_t low = i; low < i + lanes; low++) {
            uint64_t a = all[low] | (uint64_t)all[low + lanes] << 32;
            uint64_t b = addend[low] | (uint64_t)addend[low + lanes] << 32;
            a = num_fma(&isa_formats[FORMAT_F64], a, one, b, WSIM_RN, 0);
            all[low] = (uint32_t)a;
            all[low + lanes] = (uint32_t)(a >> 32);
        }
}

/* Adds a slice to the total and clears the accumulators for the next one. */
static void add_slice(const struct block *block) {
    const struct wsim_gemm *gemm = block->gemm;
    size_t words = block->rows * block->columns * gemm->work.words_d;
    uint32_t *slice = block->sum ? block->sum : block->d;
    if (gemm->d == &isa_formats[FORMAT_F32])
        num_add_f32(block->all, slice, words);
    else if (gemm->d == &isa_formats[FORMAT_F64])
        add_f64(block->all, slice, words, gemm->work.d.lanes);
    else
        for (size_t i = 0; i < words; i++)
            block->all[i] += slice[i];
    memset(slice, 0, words * sizeof *slice);
}

static enum wsim_status run_all(const struct block *block, struct wsim_diag *diag) {
    const struct wsim_gemm *gemm = block->gemm;
    size_t steps = gemm->work.steps, each = gemm->slice_k / gemm->tile_k;
    enum wsim_status status = WSIM_OK;
    if (!block->all)
        return run_slice(block, 0, steps, diag);
    for (size_t step = 0; step < steps && !status; step += each) {
        status = run_slice(block, step, least(step + each, steps), diag);
        if (!status)
            add_slice(block);
    }
    return status;
}

/* The words that start as C and end as D. */
static uint32_t *result(const struct block *block) {
    return block->all ? block->all : block->sum ? block->sum : block->d;
}

/* --- the block --- */

/* Accumulators start as C, or as zeros if a sum is kept; the outermost sum starts as C. */
static void start(const struct block *block, const struct tile_map *map,
                  const struct tile_view *c) {
    const struct wsim_gemm *gemm = block->gemm;
    size_t words = gemm->work.words_d, tiles = block->rows * block->columns;
    uint32_t *first = result(block);
    memset(block->d, 0, tiles * words * sizeof *block->d);
    if (block->sum)
        memset(block->sum, 0, tiles * words * sizeof *block->sum);
    if (block->all)
        memset(block->all, 0, tiles * words * sizeof *block->all);
    for (size_t i = 0; c && i < tiles; i++) {
        struct tile_view tile =
            tile_part(c, i / block->columns * gemm->tile_m, i % block->columns * gemm->tile_n);
        if (tensor_is(gemm->code))
            tensor_gather(gemm, &tile, first + i * words);
        else
            tile_gather(map, &tile, first + i * words);
    }
}

static void finish(const struct block *block, const struct tile_map *map,
                   const struct tile_view *d) {
    const struct wsim_gemm *gemm = block->gemm;
    const uint32_t *from = result(block);
    for (size_t i = 0; i < block->rows * block->columns; i++) {
        struct tile_view tile =
            tile_part(d, i / block->columns * gemm->tile_m, i % block->columns * gemm->tile_n);
        if (tensor_is(gemm->code))
            tensor_scatter(gemm, from + i * gemm->work.words_d, &tile);
        else
            tile_scatter(map, from + i * gemm->work.words_d, &tile);
    }
}

/* The block's part of C or D. */
static struct tile_view view_of(const struct wsim_gemm *gemm, size_t number, const void *elements,
                                size_t row, size_t column) {
    struct wsim_gemm_block place = wsim_gemm_locate(gemm, number);
    size_t bytes = gemm->element_d;
    struct tile_view all = {elements, row * bytes, column * bytes, gemm->size.m, gemm->size.n};
    return tile_part(&all, place.row, place.column);
}

/* True if neither lines of `count` elements nor elements of a line overlap. */
static int are_apart(size_t line, size_t lines, size_t element, size_t count) {
    if (count == 1)
        return lines == 1 || line;
    return element && (lines == 1 || (line && (line - 1) / element >= count - 1));
}

static enum wsim_status check_target(const struct wsim_gemm *gemm, const struct wsim_gemm_to *d,
                                     size_t block, struct wsim_diag *diag) {
    const struct wsim_gemm_size *size = &gemm->size;
    if (block >= gemm->blocks)
        return base_refuse(diag, RULE_GEMM_PART_RANGE, 0, "block %llu: there are %llu, from 0 on",
                           (unsigned long long)block, (unsigned long long)gemm->blocks);
    if (are_apart(d->row, size->m, d->column, size->n) ||
        are_apart(d->column, size->n, d->row, size->m))
        return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_RESULT_OVERLAID, 0,
                       "row %llu, column %llu: two elements of a D of %llu x %llu would have the "
                       "same place; stored row by row it is row %llu, column 1",
                       (unsigned long long)d->row, (unsigned long long)d->column,
                       (unsigned long long)size->m, (unsigned long long)size->n,
                       (unsigned long long)size->n);
}

enum wsim_status wsim_gemm_run(const struct wsim_gemm *gemm, const void *a, const void *b,
                               const struct wsim_gemm_from *c, const struct wsim_gemm_to *d,
                               size_t number, void *own, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &gemm->work;
    enum wsim_status status = check_target(gemm, d, number, diag);
    struct tile_view from, to;
    struct tile_map map;
    struct block block;
    size_t column, words;
    if (status)
        return status;
    block = locate(gemm, number, &column);
    block.a = (const uint32_t *)a + block.row * work->steps * work->words_a;
    block.b = (const uint32_t *)b + column * work->steps * work->words_b;
    block.at = own;
    block.d = (uint32_t *)((uint32_t **)own + tile_pointers(work));
    words = block.rows * block.columns * work->words_d;
    if (gemm->size.promote)
        block.sum = block.d + words;
    if (gemm->slices > 1)
        block.all = (block.sum ? block.sum : block.d) + words;
    block.memory = (block.all ? block.all : block.sum ? block.sum : block.d) + words;
    tile_compile(&map, &work->d, gemm->element_d, 1);
    to = view_of(gemm, number, d->elements, d->row, d->column);
    if (c)
        from = view_of(gemm, number, c->elements, c->row, c->column);
    start(&block, &map, c ? &from : NULL);
    status = run_all(&block, diag);
    if (!status)
        finish(&block, &map, &to);
    return status;
}
