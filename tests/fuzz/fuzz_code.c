/* Prepares, runs and counts any operation with any operands. Each register is its own
 * allocation, some are missing, and memories end anywhere. A refusal changes nothing and
 * names a rule. A run only changes results, and two runs give equal ones. Some operations are
 * invalid. The input bytes are the numbers that the test draws, in order. */
#include "draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS = 32, ROWS = 512 };

static struct wsim_op all[OPS];
static unsigned count;

static void find_all(void) {
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    while (count < OPS && wsim_op_next(&cursor, &op))
        all[count++] = op;
}

/* Any operation, or any operation of a random family, because most belong to two families. */
static struct wsim_op choose(struct bytes *in) {
    unsigned at = draw(in, count), family = draw(in, WSIM_MAP_REPLACE + 1);
    for (unsigned i = 0, any = draw(in, 4); any && i < count; i++)
        if ((unsigned)wsim_op_describe(&all[(at + i) % count]).family == family)
            return all[(at + i) % count];
    return all[at];
}

/* --- registers --- */

struct rows {
    uint32_t **row; /* NULL: the operand is not given */
    unsigned n;
};

static void *room(size_t bytes) {
    void *at = malloc(bytes ? bytes : 1);
    if (!at)
        exit(EXIT_FAILURE);
    return at;
}

static struct rows draw_rows(struct bytes *in, unsigned n) {
    struct rows rows = {NULL, n < ROWS ? n : ROWS};
    uint32_t seed = draw(in, 65536), mask = draw(in, 2) ? 0xBFFFBFFFu : ~0u;
    if (draw(in, 32) == 31)
        return rows;
    rows.row = room(rows.n * sizeof *rows.row);
    for (unsigned r = 0; r < rows.n; r++) {
        rows.row[r] = draw(in, 256) == 255 ? NULL : room(WORDS * sizeof **rows.row);
        for (unsigned l = 0; l < WORDS && rows.row[r]; l++)
            rows.row[r][l] = (seed = seed * 1664525u + 1013904223u) & mask;
    }
    return rows;
}

static unsigned registers(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    return wsim_op_layout(op, NULL, operand, &layout, NULL)
               ? 1
               : layout.regs * (unsigned)layout.lanes / 32;
}

static void free_rows(struct rows *rows) {
    for (unsigned r = 0; r < rows->n && rows->row; r++)
        free(rows->row[r]);
    free(rows->row);
}

static void keep(const struct rows *rows, uint32_t kept[ROWS][WORDS]) {
    for (unsigned r = 0; r < rows->n && rows->row; r++)
        if (rows->row[r])
            memcpy(kept[r], rows->row[r], sizeof kept[r]);
}

static int same(const struct rows *rows, uint32_t kept[ROWS][WORDS]) {
    for (unsigned r = 0; r < rows->n && rows->row; r++)
        if (rows->row[r] && memcmp(kept[r], rows->row[r], sizeof kept[r]) != 0)
            return 0;
    return 1;
}

/* --- an instruction --- */

enum { A, B, C, R, E, SFA, SFB, INPUTS };

struct given {
    struct rows d, input[INPUTS];
    struct watched shared, global;
    uint32_t addr[WORDS], high[WORDS], src[WORDS], size[WORDS];
    struct wsim_tensor_map map;
    struct wsim_io io;
};

static void draw_lanes(struct bytes *in, uint32_t to[WORDS], unsigned unit) {
    uint32_t base = (uint32_t)wild(in, MOST / 2), step = draw(in, 16) * unit, odd = draw(in, 512);
    for (unsigned l = 0; l < WORDS; l++)
        to[l] = base / unit * unit + l * step + (l == odd ? draw(in, 32) : 0);
}

static void draw_mma(struct bytes *in, struct wsim_io_mma *io) {
    io->selector = draw(in, 5);
    io->bid_a = draw(in, 5), io->tid_a = draw(in, 5);
    io->bid_b = draw(in, 5), io->tid_b = draw(in, 5);
}

static void draw_wgmma(struct bytes *in, struct wsim_io_wgmma *io) {
    io->selector = draw(in, 5);
    io->scale_d = draw(in, 3);
    io->negate_a = draw(in, 8) / 7, io->negate_b = draw(in, 8) / 7;
    io->trans_a = draw(in, 8) / 7, io->trans_b = draw(in, 8) / 7;
    io->desc_a = draw(in, 0x400) | (uint64_t)draw(in, 64) << 16 | (uint64_t)draw(in, 64) << 32 |
                 (uint64_t)draw(in, 4) << 62;
    io->desc_b = draw(in, 0x400) | (uint64_t)draw(in, 64) << 16 | (uint64_t)draw(in, 64) << 32 |
                 (uint64_t)draw(in, 32) << 59;
}

static uint32_t draw_mask(struct bytes *in) {
    return draw(in, 4) ? ~0u : draw(in, 65536) * 65537u;
}

static void draw_move(struct bytes *in, struct given *g, struct wsim_io_move *io) {
    io->addr = draw(in, 32) ? g->addr : NULL;
    io->addr_hi = draw(in, 4) ? NULL : g->high;
    io->mask = draw_mask(in);
    io->stride = (uint32_t)wild(in, 80);
}

static uint32_t draw_bytes(struct bytes *in) {
    return draw(in, 4) ? 4u << draw(in, 3) : (uint32_t)wild(in, MOST);
}

static void draw_copy(struct bytes *in, struct given *g, struct wsim_io_copy *io) {
    io->addr = draw(in, 32) ? g->addr : NULL;
    io->addr_hi = draw(in, 4) ? NULL : g->high;
    io->src = draw(in, 2) ? g->src : NULL;
    io->src_hi = draw(in, 4) ? NULL : g->high;
    io->src_size = draw(in, 3) ? NULL : g->size;
    io->mask = draw_mask(in);
    io->bytes = draw_bytes(in);
    io->warm = (uint8_t)draw(in, 2);
}

static void draw_bulk(struct bytes *in, struct given *g, struct wsim_io_bulk *io) {
    io->global_at = wild(in, MOST), io->shared_at = (uint32_t)wild(in, MOST);
    io->barrier_at = wild(in, MOST), io->has_barrier = (uint8_t)draw(in, 2);
    io->bytes = draw_bytes(in);
    io->byte_mask = (uint16_t)draw(in, 65536);
    io->map = draw(in, 4) ? NULL : &g->map;
}

static void draw_given(struct bytes *in, const struct wsim_op *op, struct given *g) {
    static const enum wsim_operand operands[INPUTS] = {WSIM_A, WSIM_B,   WSIM_C,  WSIM_R,
                                                       WSIM_E, WSIM_SFA, WSIM_SFB};
    enum wsim_view view = wsim_op_describe(op).view;
    struct wsim_io *io = &g->io;
    g->d = draw_rows(in, registers(op, WSIM_D));
    for (unsigned i = 0; i < INPUTS; i++)
        g->input[i] = draw_rows(in, registers(op, operands[i]));
    watched_start(&g->shared, in, WSIM_SHARED, 16);
    watched_start(&g->global, in, WSIM_GLOBAL, 16);
    draw_lanes(in, g->addr, draw(in, 8) ? 16 : 1);
    draw_lanes(in, g->src, draw(in, 8) ? 16 : 1);
    for (unsigned l = 0; l < WORDS; l++) {
        g->high[l] = draw(in, 64) == 63;
        g->size[l] = draw(in, 18);
    }
    memset(&g->map, 0, sizeof g->map);
    *io = (struct wsim_io){.shared = draw(in, 32) ? &g->shared.memory : NULL,
                           .global = draw(in, 3) ? &g->global.memory : NULL};
    wsim_io_put_result(io, view, g->d.row);
    for (unsigned i = 0; i < INPUTS; i++)
        wsim_io_put(io, view, operands[i], (const uint32_t *const *)g->input[i].row);
    switch (view) {
    case WSIM_VIEW_MMA: draw_mma(in, &io->mma); break;
    case WSIM_VIEW_WGMMA: draw_wgmma(in, &io->wgmma); break;
    case WSIM_VIEW_COPY: draw_copy(in, g, &io->copy); break;
    case WSIM_VIEW_BULK: draw_bulk(in, g, &io->bulk); break;
    default: draw_move(in, g, &io->move);
    }
    watched_listen(&g->shared);
    watched_listen(&g->global);
}

static void end_given(struct given *g) {
    free_rows(&g->d);
    for (unsigned i = 0; i < INPUTS; i++)
        free_rows(&g->input[i]);
    watched_end(&g->shared);
    watched_end(&g->global);
}

/* Plainly and quickly, at once and again, it costs the same. */
static void count_it(struct bytes *in, const struct wsim_code *code, const struct wsim_io *io) {
    struct wsim_cost_pattern last;
    enum wsim_counters counters = draw(in, 2) ? WSIM_HARDWARE_COUNTERS : WSIM_SOURCE_PAGE;
    size_t most = draw(in, 70);
    struct wsim_cost_group *groups = room(most * sizeof *groups);
    struct wsim_cost cost, other, before;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_code plain;
    enum wsim_status status;
    memset(&last, 0, sizeof last);
    memset(&cost, 0x5A, sizeof cost);
    other = before = cost;
    status = wsim_cost(code, io, counters, groups, most, &cost, &diag);
    if (status)
        need(diag.rule && memcmp(&cost, &before, sizeof cost) == 0);
    else
        need(cost.ideal <= cost.wavefronts && cost.conflicts <= cost.wavefronts);
    need(wsim_prepare(&code->op, code->arch, code->flags | WSIM_PLAIN, &plain, NULL) == WSIM_OK);
    for (unsigned turn = 0; turn < 3; turn++) {
        need((turn ? wsim_cost_again(code, io, counters, &last, &other, NULL)
                   : wsim_cost(&plain, io, counters, NULL, 0, &other, NULL)) == status);
        need(other.wavefronts == cost.wavefronts && other.conflicts == cost.conflicts &&
             other.groups == cost.groups && other.known == cost.known);
    }
    free(groups);
}

static uint32_t kept_d[ROWS][WORDS], kept[INPUTS][ROWS][WORDS], after[ROWS][WORDS];

static void run_it(const struct wsim_code *code, struct given *g) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    int wrote;
    keep(&g->d, kept_d);
    for (unsigned i = 0; i < INPUTS; i++)
        keep(&g->input[i], kept[i]);
    status = wsim_run(code, &g->io, &diag);
    if (status)
        need(diag.status == status && diag.rule && same(&g->d, kept_d));
    for (unsigned i = 0; i < INPUTS; i++)
        need(same(&g->input[i], kept[i]));
    wrote = watched_changed(&g->shared, status != WSIM_OK);
    wrote |= watched_changed(&g->global, status != WSIM_OK);
    if (status || wrote) /* the parts read may be another thing now */
        return;
    keep(&g->d, after);
    need(wsim_run(code, &g->io, NULL) == WSIM_OK && same(&g->d, after));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct given g;
    struct bytes in = {data, size};
    const struct wsim_arch *arch;
    struct wsim_code code, before;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_op op;
    if (!count)
        find_all();
    op = choose(&in);
    if (draw(&in, 64) == 63)
        op.q[draw(&in, WSIM_OP_PLACES)] = (uint8_t)draw(&in, 256);
    if (draw(&in, 64) == 63)
        op.form = (uint16_t)draw(&in, 65536);
    arch = draw(&in, 3) ? wsim_arch_find("sm_90a") : wsim_arch_at(draw(&in, 40));
    if (!draw(&in, 6))
        arch = wsim_arch_find("sm_120a");
    memset(&code, 0x5A, sizeof code);
    before = code;
    if (wsim_prepare(&op, arch, draw(&in, 16) == 15 ? draw(&in, 8) : 0, &code, &diag)) {
        need(diag.rule && memcmp(&code, &before, sizeof code) == 0);
        return 0;
    }
    draw_given(&in, &op, &g);
    before = code;
    count_it(&in, &code, &g.io);
    wsim_code_documented(&code, &g.io, NULL);
    run_it(&code, &g);
    need(memcmp(&code, &before, sizeof code) == 0);
    end_given(&g);
    return 0;
}
