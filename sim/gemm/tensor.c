/* Products of whole matrices through tcgen05.mma. Matrices in shared memory have no swizzle, except
 * an MN-major one of tf32. D begins at column 0 of tensor memory; scale factors are behind it. */
#include "tensor.h"

#include "../exec/map.h"
#include "../exec/umma.h"

#include <string.h>

enum { PIECE = 16, LINES = 8, SIDE_ALIGN = 1024, QUARTERS = 4, QUARTER = 32 };

/* Columns of tensor memory: D has at most 256, factors of A 4, factors of B 8. */
enum { D_AT = 0, SFA_AT = 256, SFB_AT = 264 };

enum { TENSOR_BYTES = UMMA_LANES * UMMA_COLUMNS * 4 };

int tensor_is(const struct wsim_code *code) {
    return work_of(code)->tensor.rows != 0;
}

/* --- A and B in shared memory --- */

/* A (0) or B (1) of a block. */
struct side {
    struct wsim_tile tile;
    struct wsim_descriptor descriptor;
    unsigned bits, pad; /* of an element in shared memory; zeros below it in its byte           */
    unsigned element;   /* bytes of an element in the matrix                                    */
    size_t bytes;
};

static struct side side_of(const struct wsim_gemm *gemm, unsigned which) {
    const unsigned narrow = work_of(gemm->code)->tensor.narrow[which];
    struct side side = {.tile = umma_tile(gemm->code, which)};
    const unsigned lines = side.tile.rows, wide = lines * side.tile.bits / 8;
    side.bits = narrow ? narrow : side.tile.bits;
    side.pad = narrow ? side.tile.format->pad : 0;
    side.element = which ? gemm->element_b : gemm->element_a;
    side.bytes = (size_t)wide * side.tile.k;
    if (!side.tile.mn_major)
        side.descriptor =
            (struct wsim_descriptor){.leading = lines * PIECE, .stride = LINES * PIECE};
    else if (side.tile.bits < 32)
        side.descriptor =
            (struct wsim_descriptor){.leading = LINES * PIECE, .stride = side.tile.k * PIECE};
    else {
        enum { LINE = 128, HALF = 4 * LINE };
        side.descriptor = (struct wsim_descriptor){
            .leading = 2 * HALF, .stride = HALF, .mode = WSIM_SWIZZLE_128B_ATOM_32B};
        side.bytes = (size_t)(wide + LINE - 1) / LINE * 2 * HALF;
    }
    side.bytes = (side.bytes + SIDE_ALIGN - 1) / SIDE_ALIGN * SIDE_ALIGN;
    return side;
}

/* Elements along k in 16 bytes. */
static void put_piece(const struct side *side, const uint8_t *from, size_t step, size_t count,
                      uint8_t *to) {
    const uint64_t mask = (UINT64_C(1) << side->bits) - 1;
    if (tile_is_plain(side->bits, side->element) && step == side->element) {
        memcpy(to, from, count * side->element);
        return;
    }
    for (size_t i = 0, bit = 0; i < count; i++, bit += side->bits) {
        uint64_t value = map_get(from + i * step, side->element, 0) >> side->pad & mask;
        value <<= bit % 8;
        for (size_t at = bit / 8; value; value >>= 8, at++)
            to[at] |= (uint8_t)value;
    }
}

/* Lines are rows of A or columns of B: `line` and `k` are the distances of elements. */
struct lines {
    const uint8_t *at;
    size_t line, k, lines, length;
};

static struct lines lines_of(const struct tile_view *view, unsigned which) {
    return which ? (struct lines){view->at, view->column, view->row, view->columns, view->rows}
                 : (struct lines){view->at, view->row, view->column, view->rows, view->columns};
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void put_side(const struct side *side, const struct lines *from, size_t first, uint8_t *to) {
    const struct wsim_tile *tile = &side->tile;
    const size_t each = tile->mn_major ? 1 : PIECE * 8 / tile->bits;
    memset(to, 0, side->bytes);
    for (size_t line = 0; line < tile->rows && first + line < from->lines; line++)
        for (size_t k = 0; k < tile->k && k < from->length; k += each)
            put_piece(
                side, from->at + (first + line) * from->line + k * from->k, from->k,
                least(each, from->length - k),
                to + wsim_descriptor_address(&side->descriptor, tile, (unsigned)line, (unsigned)k));
}

/* Factor f of a line is byte id + f of its word. */
static void put_factors(const struct wsim_gemm *gemm, unsigned which, const struct lines *from,
                        size_t count, uint32_t *to) {
    const struct wsim_code_work *work = work_of(gemm->code);
    memset(to, 0, count * sizeof *to);
    for (size_t line = 0; line < count && line < from->lines; line++)
        for (size_t f = 0; f < work->product.blocks && f < from->length; f++)
            to[line] |= (uint32_t)from->at[line * from->line + f * from->k]
                        << 8 * ((work->tensor.factor_id[which] + f) & 3);
}

void tensor_pack(const struct wsim_gemm *gemm, unsigned which, const struct tile_view *tile,
                 const struct tile_view *scales, uint32_t *to) {
    const struct wsim_code_tensor *how = &work_of(gemm->code)->tensor;
    const struct side side = side_of(gemm, which);
    struct lines lines = lines_of(tile, which);
    uint8_t *bytes = (uint8_t *)to;
    for (unsigned block = 0; block < how->blocks; block++)
        put_side(&side, &lines, (size_t)block * side.tile.rows, bytes + block * side.bytes);
    if (!gemm->scale)
        return;
    lines = lines_of(scales, which);
    put_factors(gemm, which, &lines, which ? gemm->tile_n : gemm->tile_m,
                to + how->blocks * side.bytes / sizeof *to);
}

/* --- the whole --- */

static void open_side(struct wsim_gemm *gemm, unsigned which) {
    const struct wsim_code_product *how = &work_of(gemm->code)->product;
    const unsigned blocks = work_of(gemm->code)->tensor.blocks;
    const struct wsim_tile tile = umma_tile(gemm->code, which);
    struct wsim_layout *layout = which ? &gemm->work.b : &gemm->work.a;
    size_t *words = which ? &gemm->work.words_b : &gemm->work.words_a;
    *layout = (struct wsim_layout){.name = "tensor", .format = tile.format, .elem_bits = tile.bits};
    *(which ? &gemm->b : &gemm->a) = tile.format;
    *(which ? &gemm->element_b : &gemm->element_a) = (uint8_t)(tile.bits < 8 ? 1 : tile.bits / 8);
    *words = blocks * side_of(gemm, which).bytes / sizeof(uint32_t);
    if (how->blocks)
        *words += which ? how->cols : how->rows;
}

enum wsim_status tensor_open(struct wsim_gemm *gemm, struct wsim_diag *diag) {
    const struct wsim_code_product *how = &work_of(gemm->code)->product;
    struct wsim_gemm_work *work = &gemm->work;
    if (how->kept)
        return base_refuse(diag, RULE_GEMM_OP_DENSE, 0,
                           "a sparse tcgen05.mma has metadata besides A and B, not modelled for "
                           "whole matrices: use a dense form");
    gemm->d = how->d;
    gemm->element_d = (uint8_t)(how->d->bits / 8);
    gemm->tile_m = how->rows;
    gemm->tile_n = how->cols;
    gemm->tile_k = how->k;
    work->d = (struct wsim_layout){.name = "tensor", .format = how->d, .elem_bits = how->d->bits};
    work->words_d = gemm->tile_m * gemm->tile_n;
    open_side(gemm, 0);
    open_side(gemm, 1);
    if (how->blocks) {
        work->scale_a = (struct wsim_layout){.format = how->factor, .cols = how->blocks};
        work->scale_b = (struct wsim_layout){.format = how->factor, .rows = how->blocks};
        gemm->scale = how->factor;
        gemm->block_k = (size_t)how->k / how->blocks;
    }
    return WSIM_OK;
}

/* --- C and D --- */

void tensor_gather(const struct wsim_gemm *gemm, const struct tile_view *view, uint32_t *words) {
    const size_t rows = least(gemm->tile_m, view->rows),
                 columns = least(gemm->tile_n, view->columns);
    memset(words, 0, gemm->work.words_d * sizeof *words);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            words[row * gemm->tile_n + column] = (uint32_t)map_get(
                view->at + row * view->row + column * view->column, gemm->element_d, 0);
}

void tensor_scatter(const struct wsim_gemm *gemm, const uint32_t *words,
                    const struct tile_view *view) {
    const size_t rows = least(gemm->tile_m, view->rows),
                 columns = least(gemm->tile_n, view->columns);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            map_put((uint8_t *)view->at + row * view->row + column * view->column, gemm->element_d,
                    0, words[row * gemm->tile_n + column]);
}

/* The first word of a part of a row of D: `columns` words follow. */
static size_t place_of(const struct wsim_gemm *gemm, unsigned row, unsigned part) {
    const struct wsim_code_tensor *how = &work_of(gemm->code)->tensor;
    return (size_t)(row / how->rows) * TENSOR_BYTES +
           umma_byte(umma_row_lane(how, row % how->rows, part), D_AT);
}

void tensor_begin(const struct wsim_gemm *gemm, const uint32_t *d, void *own) {
    const struct wsim_code_tensor *how = &work_of(gemm->code)->tensor;
    for (unsigned row = 0; row < gemm->tile_m; row++)
        for (unsigned part = 0; part < how->parts; part++, d += how->part_cols)
            memory_write_words((uint8_t *)own + place_of(gemm, row, part), d, how->part_cols);
}

void tensor_end(const struct wsim_gemm *gemm, uint32_t *d, const void *own) {
    const struct wsim_code_tensor *how = &work_of(gemm->code)->tensor;
    for (unsigned row = 0; row < gemm->tile_m; row++)
        for (unsigned part = 0; part < how->parts; part++, d += how->part_cols)
            memory_read_words(d, (const uint8_t *)own + place_of(gemm, row, part), how->part_cols);
}

/* --- an instruction --- */

size_t tensor_own(const struct wsim_gemm *gemm) {
    return work_of(gemm->code)->tensor.blocks *
           (TENSOR_BYTES + side_of(gemm, 0).bytes + side_of(gemm, 1).bytes);
}

/* Words of `count` lines, as each lane of a quarter has them: that of line n in lane n % 32. */
static void spread_factors(const uint32_t *words, size_t count, unsigned quarter, unsigned column,
                           uint8_t *tensor) {
    enum { MOST = UMMA_COLUMNS / 2 / QUARTER };
    for (unsigned lane = 0; lane < QUARTER; lane++) {
        uint32_t line[MOST];
        unsigned n = 0;
        for (size_t at = lane; at < count; at += QUARTER)
            line[n++] = words[at];
        memory_write_words(tensor + umma_byte(QUARTER * quarter + lane, column), line, n);
    }
}

/* The factors of a block: each quarter of the lanes has those of its part. */
static void load_factors(const struct wsim_gemm *gemm, const uint32_t *a, const uint32_t *b,
                         unsigned block, uint8_t *tensor) {
    const struct wsim_code_tensor *how = &work_of(gemm->code)->tensor;
    for (unsigned quarter = 0; quarter < QUARTERS; quarter++) {
        const unsigned part = quarter * how->parts / QUARTERS;
        spread_factors(a + (size_t)block * how->rows, how->rows, quarter, SFA_AT, tensor);
        spread_factors(b + (size_t)part * how->part_cols, how->part_cols, quarter, SFB_AT, tensor);
    }
}

enum wsim_status tensor_step(const struct wsim_gemm *gemm, const uint32_t *a, const uint32_t *b,
                             void *own, struct wsim_diag *diag) {
    const unsigned blocks = work_of(gemm->code)->tensor.blocks;
    struct side side[] = {side_of(gemm, 0), side_of(gemm, 1)};
    const size_t bytes = side[0].bytes + side[1].bytes;
    uint8_t *memory = (uint8_t *)own + (size_t)blocks * TENSOR_BYTES;
    struct wsim_memory tensor[2], shared[2];
    struct wsim_io io = {.shared = &shared[0],
                         .umma = {.tensor = &tensor[0],
                                  .odd_shared = &shared[1],
                                  .odd_tensor = &tensor[1],
                                  .d = D_AT,
                                  .sfa = SFA_AT,
                                  .sfb = SFB_AT,
                                  .adds = 1}};
    for (unsigned i = 0; i < blocks; i++, memory += bytes) {
        uint8_t *words = (uint8_t *)own + (size_t)i * TENSOR_BYTES;
        tensor[i] = wsim_memory_over(WSIM_TENSOR, words, TENSOR_BYTES, 0);
        shared[i] = wsim_memory_over(WSIM_SHARED, memory, bytes, 0);
        memcpy(memory, (const uint8_t *)a + i * side[0].bytes, side[0].bytes);
        memcpy(memory + side[0].bytes, (const uint8_t *)b + i * side[1].bytes, side[1].bytes);
        if (gemm->scale)
            load_factors(gemm, a + blocks * side[0].bytes / 4, b + blocks * side[1].bytes / 4, i,
                         words);
    }
    side[1].descriptor.start = (uint32_t)side[0].bytes;
    wsim_umma_matrix_encode(&side[0].descriptor, &io.umma.desc_a, NULL);
    wsim_umma_matrix_encode(&side[1].descriptor, &io.umma.desc_b, NULL);
    return wsim_run(gemm->code, &io, diag);
}
