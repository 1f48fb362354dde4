/* A product of matrices for tests; see product.h. */
#include "product.h"

enum { FILL = 0xA5, GAP = 3, DENSE = 128 * 256, SHARED = 256 * 32 };

static uint64_t load(const uint8_t *at, unsigned bytes) {
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (bytes) {
    case 1: return *at;
    case 2: memcpy(&half, at, 2); return half;
    case 4: memcpy(&word, at, 4); return word;
    default: memcpy(&wide, at, 8); return wide;
    }
}

static void store(uint8_t *at, unsigned bytes, uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    uint16_t half = (uint16_t)bits;
    switch (bytes) {
    case 1: *at = (uint8_t)bits; break;
    case 2: memcpy(at, &half, 2); break;
    case 4: memcpy(at, &word, 4); break;
    default: memcpy(at, &bits, 8); break;
    }
}

static void *room_for(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    expect(memory != NULL, "out of memory");
    return memory;
}

static size_t place(const struct product_matrix *m, size_t row, size_t column) {
    return row * m->row + column * m->column;
}

static void open_matrix(struct product_matrix *m, size_t rows, size_t columns, unsigned bytes,
                        int by_columns) {
    m->rows = rows;
    m->columns = columns;
    m->bytes = bytes;
    m->raw = room_for(rows * columns, sizeof *m->raw);
    m->row = by_columns ? 1 : columns + GAP;
    m->column = by_columns ? rows + GAP : 1;
    m->room = by_columns ? (rows + GAP) * (columns + 1) : (columns + GAP) * (rows + 1);
    m->memory = room_for(m->room, bytes);
    memset(m->memory, FILL, m->room * bytes);
}

/* Elements of stream.h; what a container of less than a byte ignores is noise. */
static void draw(struct product_matrix *m, const struct wsim_plan_input *o, int which,
                 const struct wsim_case *c) {
    for (size_t row = 0; row < m->rows; row++)
        for (size_t column = 0; column < m->columns; column++) {
            uint32_t at = (uint32_t)row | (uint32_t)column << 12;
            uint64_t bits = wsim_stream_element(o, c, 0, which, at), noise = bits;
            if (o->elem_bits < 8)
                noise |= wsim_hash_mix(at) << o->elem_bits;
            m->raw[row * m->columns + column] = bits;
            store(m->memory + place(m, row, column) * m->bytes, m->bytes, noise);
        }
}

/* Factors near 1, of which few are 0 or NaN. */
static void draw_scales(struct product_matrix *m, size_t rows, size_t columns, int by_columns,
                        const struct wsim_format *format) {
    open_matrix(m, rows, columns, 1, by_columns);
    for (size_t i = 0; i < rows * columns; i++) {
        const uint64_t hash = wsim_hash_mix(i + rows);
        const uint64_t near = (uint64_t)format->bias << format->frac_bits;
        uint64_t bits = near + hash % 8;
        if (hash >> 8 % 64 == 0)
            bits = hash >> 20 & 1 ? 0 : format->nan;
        m->raw[i] = bits;
        m->memory[place(m, i / columns, i % columns)] = (uint8_t)bits;
    }
}

void product_open(struct product *p, const char *spelling, const char *arch, uint32_t flags,
                  struct wsim_gemm_size size, unsigned dist, unsigned order) {
    struct wsim_plan plan;
    struct wsim_case c;
    struct wsim_diag diag = {0};
    int in_memory;
    p->op = every_parse(spelling);
    p->arch = wsim_arch_find(arch);
    expect(!wsim_prepare(&p->op, p->arch, WSIM_PLAIN, &p->plain, &diag), "%s: %s", spelling,
           diag.text);
    expect(!wsim_prepare(&p->op, p->arch, flags, &p->code, &diag), "%s: %s", spelling, diag.text);
    expect(!wsim_gemm_prepare(&p->code, &size, &p->gemm, &diag), "%s: %s", spelling, diag.text);
    expect(!wsim_plan_make(&p->op, 0, &plan, &diag), "%s: %s", spelling, diag.text);
    in_memory = !(wsim_op_describe(&p->op).operands >> WSIM_B & 1);
    c = wsim_case_at(&plan, 7, 0, dist);
    open_matrix(&p->a, size.m, size.k, p->gemm.element_a, order & 1);
    open_matrix(&p->b, size.k, size.n, p->gemm.element_b, order >> 1 & 1);
    open_matrix(&p->c, size.m, size.n, p->gemm.element_d, order >> 2 & 1);
    open_matrix(&p->d, size.m, size.n, p->gemm.element_d, order >> 3 & 1);
    draw(&p->a, &plan.input[WSIM_IN_A], WSIM_IN_A, &c);
    draw(&p->b, &plan.input[in_memory ? WSIM_IN_MATRIX_B : WSIM_IN_B], WSIM_IN_B, &c);
    draw(&p->c, &plan.input[WSIM_IN_C], WSIM_IN_C, &c);
    p->scale_a = p->scale_b = (struct product_matrix){0};
    if (p->gemm.scale) {
        const size_t blocks = (size.k + p->gemm.block_k - 1) / p->gemm.block_k;
        draw_scales(&p->scale_a, size.m, blocks, order & 1, p->gemm.scale);
        draw_scales(&p->scale_b, blocks, size.n, order >> 1 & 1, p->gemm.scale);
    }
}

static void close_matrix(struct product_matrix *m) {
    free(m->raw);
    free(m->memory);
}

void product_close(struct product *p) {
    close_matrix(&p->a);
    close_matrix(&p->b);
    close_matrix(&p->c);
    close_matrix(&p->d);
    close_matrix(&p->scale_a);
    close_matrix(&p->scale_b);
}

static struct wsim_gemm_from from(const struct product_matrix *m,
                                  const struct product_matrix *scales) {
    struct wsim_gemm_from made = {.elements = m->memory, .row = m->row, .column = m->column};
    if (scales) {
        made.scales = scales->memory;
        made.scale_row = scales->row;
        made.scale_column = scales->column;
    }
    return made;
}

static size_t turn(size_t i, size_t count, int backwards) {
    return backwards ? count - 1 - i : i;
}

void product_run(struct product *p, int with_c, int backwards) {
    const struct wsim_gemm *g = &p->gemm;
    struct wsim_gemm_from a = from(&p->a, &p->scale_a), b = from(&p->b, &p->scale_b),
                          c = from(&p->c, NULL);
    struct wsim_gemm_to d = {p->d.memory, p->d.row, p->d.column};
    uint8_t *packed_a = room_for(g->bytes_a, 1), *packed_b = room_for(g->bytes_b, 1);
    uint8_t *own = room_for(g->bytes_own, 1);
    struct wsim_diag diag = {0};
    memset(packed_a, FILL, g->bytes_a);
    memset(packed_b, FILL, g->bytes_b);
    for (size_t i = 0; i < g->parts_a; i++)
        expect(!wsim_gemm_pack_a(g, &a, turn(i, g->parts_a, backwards), packed_a, &diag), "%s",
               diag.text);
    for (size_t i = 0; i < g->parts_b; i++)
        expect(!wsim_gemm_pack_b(g, &b, turn(i, g->parts_b, backwards), packed_b, &diag), "%s",
               diag.text);
    for (size_t i = 0; i < g->blocks; i++)
        expect(!wsim_gemm_run(g, packed_a, packed_b, with_c ? &c : NULL, &d,
                              turn(i, g->blocks, backwards), own, &diag),
               "%s", diag.text);
    free(packed_a);
    free(packed_b);
    free(own);
}

/* --- by hand --- */

/* A tile from a matrix, zeros beyond its end, as wsim_words_pack wants it. */
static void cut(const struct product_matrix *m, size_t row, size_t column,
                const struct wsim_layout *layout, int stacked, uint64_t *dense) {
    for (unsigned b = 0; b < layout->batches; b++)
        for (unsigned r = 0; r < layout->rows; r++)
            for (unsigned c = 0; c < layout->cols; c++) {
                size_t y = row + r + (stacked ? b * layout->rows : 0), x = column + c;
                dense[(b * layout->rows + r) * layout->cols + c] =
                    y < m->rows && x < m->columns ? m->raw[y * m->columns + x] : 0;
            }
}

/* B of a warpgroup, in blocks that lie otherwise than gemm.h has them. */
static uint64_t share(const struct product *p, size_t step, size_t column, uint8_t *shared) {
    struct wsim_descriptor descriptor = {.stride = 128, .mode = WSIM_SWIZZLE_NONE};
    struct wsim_tile tile;
    uint64_t bits;
    wsim_wgmma_tile(&p->op, WSIM_B, 0, &tile, NULL);
    descriptor.leading = 16u * tile.rows;
    memset(shared, 0, SHARED);
    for (unsigned n = 0; n < tile.rows; n++)
        for (unsigned k = 0; k < tile.k; k++) {
            size_t y = step * tile.k + k, x = column + n;
            uint64_t value = y < p->b.rows && x < p->b.columns ? p->b.raw[y * p->b.columns + x] : 0;
            uint32_t at = wsim_descriptor_address(&descriptor, &tile, n, k);
            if (tile.bits == 1)
                shared[at] |= (uint8_t)(value << k % 8);
            for (unsigned i = 0; i < tile.bits / 8u; i++)
                shared[at + i] = (uint8_t)(value >> 8 * i);
        }
    wsim_descriptor_encode(&descriptor, &bits, NULL);
    return bits;
}

static void point(uint32_t **at, uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        at[i] = words + i * WSIM_LANES;
}

static size_t pack(const struct wsim_layout *layout, const uint64_t *dense, uint32_t *words) {
    wsim_words_pack(layout, dense, words);
    return (size_t)layout->regs * layout->lanes / WSIM_LANES;
}

/* One instruction; accumulators are rows of 32 words. */
static void execute(const struct product *p, size_t row, size_t step, size_t column,
                    uint64_t *dense, uint32_t *acc, size_t count) {
    enum { ROWS = 64 };
    static uint32_t a[ROWS * WSIM_LANES], b[ROWS * WSIM_LANES], scales[2][WSIM_LANES];
    const uint32_t *at_scales[2] = {scales[0], scales[1]};
    static uint8_t shared[SHARED];
    uint32_t *at_a[ROWS], *at_b[ROWS], *at_d[WSIM_GROUP_REGS * 4];
    struct wsim_memory memory = wsim_memory_over(WSIM_SHARED, shared, SHARED, 0);
    struct wsim_io io = {.shared = &memory};
    struct wsim_layout layout;
    struct wsim_diag diag = {0};
    wsim_op_layout(&p->op, p->arch, WSIM_A, &layout, NULL);
    cut(&p->a, row, step * p->gemm.tile_k, &layout, 1, dense);
    point(at_a, a, pack(&layout, dense, a));
    point(at_d, acc, count);
    if (wsim_op_layout(&p->op, p->arch, WSIM_B, &layout, NULL) == WSIM_OK) {
        cut(&p->b, step * p->gemm.tile_k, column, &layout, 0, dense);
        point(at_b, b, pack(&layout, dense, b));
        io.mma = (struct wsim_io_mma){.d = at_d,
                                      .a = (const uint32_t *const *)at_a,
                                      .b = (const uint32_t *const *)at_b,
                                      .c = (const uint32_t *const *)at_d};
        if (p->gemm.scale) {
            wsim_op_layout(&p->op, p->arch, WSIM_SFA, &layout, NULL);
            cut(&p->scale_a, row, step * layout.cols, &layout, 0, dense);
            pack(&layout, dense, scales[0]);
            wsim_op_layout(&p->op, p->arch, WSIM_SFB, &layout, NULL);
            cut(&p->scale_b, step * layout.rows, column, &layout, 0, dense);
            pack(&layout, dense, scales[1]);
            io.mma.sfa = &at_scales[0];
            io.mma.sfb = &at_scales[1];
        }
    } else {
        io.wgmma = (struct wsim_io_wgmma){.d = at_d,
                                          .a = (const uint32_t *const *)at_a,
                                          .c = (const uint32_t *const *)at_d,
                                          .desc_b = share(p, step, column, shared),
                                          .scale_d = 1};
    }
    expect(!wsim_run(&p->plain, &io, &diag), "%s", diag.text);
}

/* add.f32; its one NaN is written out, because machines have others. */
static uint32_t add(uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return x == x ? a : UINT32_C(0x7FFFFFFF);
}

/* The sum before a slice, in the type of D; an f64 is a pair of words, 32 words apart. */
static void add_slice(const struct wsim_format *d, uint32_t *all, const uint32_t *slice,
                      size_t words) {
    for (size_t i = 0; i < words; i++)
        if (strcmp(d->name, "f32") == 0) {
            all[i] = add(all[i], slice[i]);
        } else if (strcmp(d->name, "s32") == 0) {
            all[i] += slice[i];
        } else if (i / WSIM_LANES % 2 == 0) {
            uint64_t a = all[i] | (uint64_t)all[i + 32] << 32;
            uint64_t b = slice[i] | (uint64_t)slice[i + 32] << 32;
            double x, y;
            memcpy(&x, &a, sizeof x);
            memcpy(&y, &b, sizeof y);
            if (x != x || y != y) { /* of the addend first, made quiet */
                a = (y != y ? b : a) | UINT64_C(1) << 51;
            } else {
                x += y;
                memcpy(&a, &x, sizeof a);
                a = x == x ? a : UINT64_C(0xFFF8000000000000);
            }
            all[i] = (uint32_t)a;
            all[i + 32] = (uint32_t)(a >> 32);
        }
}

uint64_t *product_expect(const struct product *p, int with_c) {
    const struct wsim_gemm_size *size = &p->gemm.size;
    uint64_t *expected = room_for(size->m * size->n, sizeof *expected);
    uint64_t *dense = room_for(DENSE, sizeof *dense);
    static uint32_t acc[WSIM_GROUP_REGS * WSIM_GROUP_THREADS], sum[COUNT(acc)], all[COUNT(acc)];
    uint32_t *slice = size->promote ? sum : acc, *last = size->split > 1 ? all : slice;
    struct wsim_layout d;
    wsim_op_layout(&p->op, p->arch, WSIM_D, &d, NULL);
    for (size_t row = 0; row < size->m; row += p->gemm.tile_m)
        for (size_t column = 0; column < size->n; column += p->gemm.tile_n) {
            size_t words = (size_t)d.regs * d.lanes, steps = size->k / p->gemm.tile_k;
            memset(acc, 0, sizeof acc);
            memset(sum, 0, sizeof sum);
            memset(all, 0, sizeof all);
            cut(&p->c, row, column, &d, 1, dense);
            if (with_c)
                wsim_words_pack(&d, dense, last);
            steps += size->k % p->gemm.tile_k != 0;
            for (size_t step = 0, first = 0; step < steps; step++) {
                size_t each = size->split > 1 ? (steps + size->split - 1) / size->split : steps;
                int ends = step + 1 == steps || step + 1 == first + each;
                execute(p, row, step, column, dense, acc, words / WSIM_LANES);
                if (size->promote &&
                    (ends || (step + 1 - first) * p->gemm.tile_k % size->promote == 0)) {
                    for (size_t i = 0; i < words; i++)
                        sum[i] = add(sum[i], acc[i]);
                    memset(acc, 0, sizeof acc);
                }
                if (!ends || size->split <= 1)
                    continue;
                add_slice(d.format, all, slice, words);
                memset(slice, 0, sizeof acc);
                first = step + 1;
            }
            wsim_words_unpack(&d, last, dense);
            for (size_t r = 0; r < p->gemm.tile_m && row + r < size->m; r++)
                for (size_t c = 0; c < p->gemm.tile_n && column + c < size->n; c++)
                    expected[(row + r) * size->n + column + c] = dense[r * d.cols + c];
        }
    free(dense);
    return expected;
}

uint64_t product_result(const struct product *p, size_t row, size_t column) {
    return load(p->d.memory + place(&p->d, row, column) * p->d.bytes, p->d.bytes);
}

int product_is_tidy(const struct product *p) {
    uint8_t *expected = room_for(p->d.room, p->d.bytes);
    int tidy;
    memset(expected, FILL, p->d.room * p->d.bytes);
    for (size_t row = 0; row < p->d.rows; row++)
        for (size_t column = 0; column < p->d.columns; column++)
            store(expected + place(&p->d, row, column) * p->d.bytes, p->d.bytes,
                  product_result(p, row, column));
    tidy = memcmp(expected, p->d.memory, p->d.room * p->d.bytes) == 0;
    free(expected);
    return tidy;
}

void product_check(const struct product *p, int with_c, const char *what) {
    uint64_t *expected = product_expect(p, with_c);
    for (size_t row = 0; row < p->d.rows; row++)
        for (size_t column = 0; column < p->d.columns; column++) {
            uint64_t is = product_result(p, row, column);
            uint64_t should = expected[row * p->d.columns + column];
            expect(is == should, "%s: D[%zu][%zu] is %llx, by hand %llx", what, row, column,
                   (unsigned long long)is, (unsigned long long)should);
        }
    expect(product_is_tidy(p), "%s: memory beside D was written", what);
    free(expected);
}
