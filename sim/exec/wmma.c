/* wmma: fragments between memory and registers. Their product is that of mma (mma.c): larger
 * matrices through other layouts, in the steps that the row says. */
#include "wmma.h"

#include "door.h"
#include "map.h"
#include "words.h"

uint64_t wmma_bit(const struct wsim_code *code, const struct wmma_matrix *m, unsigned index) {
    unsigned line = index >> MAP_LINE, in_line = index & ((1u << MAP_LINE) - 1);
    return line * m->stride + (uint64_t)in_line * work_of(code)->a.bits;
}

int wmma_by_rows(const struct wsim_op *op) {
    return op->q[PLACE_ALAYOUT] == Q_AROW || op->q[PLACE_BLAYOUT] == Q_BROW ||
           op->q[PLACE_CLAYOUT] == Q_CROW;
}

/* --- prepared --- */

/* Whether the first two elements of a lane are neighbours in a line. */
static int lies_along(const struct wsim_layout *layout, int by_rows) {
    struct wsim_coord first = wsim_layout_coord(layout, 0, 0);
    struct wsim_coord next = wsim_layout_coord(layout, 0, layout->elems > 1);
    return by_rows ? next.row == first.row && next.col == first.col + 1
                   : next.col == first.col && next.row == first.row + 1;
}

static const struct isa_fragments *rule_of(const struct wsim_op *op,
                                           const struct wsim_layout *layout) {
    return isa_fragments(op, layout->elem_bits, lies_along(layout, wmma_by_rows(op)));
}

unsigned wmma_line_align(const struct wsim_op *op, const struct wsim_layout *layout) {
    const struct isa_fragments *rule = rule_of(op, layout);
    unsigned rows = rule && rule->unit == ACCESS_ROWS ? ISA_ROW_BYTES : 0;
    unsigned fragment = layout->regs * 4u;
    return fragment > rows ? fragment : rows;
}

/* The ISA requires the alignment of a lane's fragment, hardware that of one access. */
enum wsim_status wmma_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    struct wsim_code_memory *memory = &work_to(code)->memory;
    const struct isa_fragments *rule = NULL;
    struct wsim_layout layout;
    enum wsim_status status = isa_op_layout(
        &code->op, code->arch, isa_op_has(&code->op, WSIM_R) ? WSIM_R : WSIM_D, &layout, diag);
    if (status)
        return status;
    memory->by_rows = wmma_by_rows(&code->op) != 0;
    memory->across = memory->by_rows ? layout.cols : layout.rows;
    memory->along = memory->by_rows ? layout.rows : layout.cols;
    memory->bits = layout.elem_bits;
    memory->fragment = (uint8_t)(layout.regs * 4u);
    work_to(code)->along = lies_along(&layout, memory->by_rows) != 0;
    memory->align = memory->fragment;
    if (isa_fragments_counted(code->arch)) {
        unsigned align = isa_fragment_align(&code->op, layout.elem_bits, work_to(code)->along);
        memory->align = (uint8_t)(align ? align : memory->align);
        rule = rule_of(&code->op, &layout);
    }
    map_compile(&work_to(code)->a, &layout, MAP_LINES, 0, 0, !memory->by_rows);
    words_prepare(code, &work_to(code)->a, MAP_LINE,
                  memory->across * memory->bits / work_to(code)->a.bits, memory->along);
    if (rule)
        work_to(code)->fragments = (uint8_t)(1 + (rule - isa_fragment_rules));
    return WSIM_OK;
}

/* --- checks --- */

static uint64_t address_of(const struct wsim_io *io, unsigned lane) {
    return (uint64_t)(io->move.addr_hi ? io->move.addr_hi[lane] : 0) << 32 | io->move.addr[lane];
}

static enum wsim_status check_address(const struct wsim_io *io, struct wsim_diag *diag) {
    for (unsigned lane = 1; lane < WSIM_LANES; lane++)
        if (address_of(io, lane) != address_of(io, 0))
            return base_refuse(diag, RULE_WMMA_ADDRESS_DIFFERS, 0,
                               "address 0x%llx of lane %u differs from 0x%llx of lane 0: all lanes "
                               "must give the same",
                               (unsigned long long)address_of(io, lane), lane,
                               (unsigned long long)address_of(io, 0));
    return WSIM_OK;
}

/* Refuses what traps, or moves something else. */
static enum wsim_status check_aligned(const struct wsim_code *code, const struct wmma_matrix *m,
                                      struct wsim_diag *diag) {
    const struct wsim_code_memory *memory = &work_of(code)->memory;
    unsigned align = memory->align, bits = memory->bits;
    unsigned stride = (unsigned)(m->stride / bits);
    int is_off = m->start % align || m->stride % (8 * align);
    if (is_off && work_of(code)->fragments &&
        isa_fragment_rules[work_of(code)->fragments - 1].unit == ACCESS_ROWS)
        return base_refuse(
            diag, RULE_WMMA_ROW_ALIGN, 0,
            "address 0x%llx, stride %u: rows of 16 bytes of shared memory are loaded at once, so "
            "the address must be a multiple of 16, the stride of %u",
            (unsigned long long)m->start, stride, 8 * align / bits);
    if (m->start % align)
        return base_refuse(diag, RULE_WMMA_ADDRESS_ALIGN, 0,
                           "address 0x%llx is not a multiple of the %u bytes that a lane moves at "
                           "once; nearest below is 0x%llx",
                           (unsigned long long)m->start, align,
                           (unsigned long long)(m->start - m->start % align));
    if (is_off)
        return base_refuse(diag, RULE_WMMA_STRIDE_ALIGN, 0,
                           "stride %u: a lane moves %u bytes at once, so a %s must start at a "
                           "multiple of that, and the stride must be a multiple of %u",
                           stride, align, memory->by_rows ? "row" : "column", 8 * align / bits);
    return WSIM_OK;
}

enum wsim_status wmma_open(const struct wsim_code *code, const struct wsim_io *io,
                           struct wmma_matrix *m, struct wsim_diag *diag) {
    const struct wsim_code_memory *memory = &work_of(code)->memory;
    enum wsim_status status = check_address(io, diag);
    m->start = address_of(io, 0);
    m->stride = (uint64_t)(io->move.stride ? io->move.stride : memory->across) * memory->bits;
    if (!status && io->move.stride && io->move.stride < memory->across)
        status = base_refuse(diag, RULE_WMMA_STRIDE_SHORT, 0,
                             "stride %u is less than the %u elements of a %s", io->move.stride,
                             memory->across, memory->by_rows ? "row" : "column");
    return status ? status : check_aligned(code, m, diag);
}

int wsim_code_documented(const struct wsim_code *code, const struct wsim_io *io,
                         struct wsim_diag *diag) {
    const struct wsim_code_memory *memory = &work_of(code)->memory;
    struct wmma_matrix m;
    if (!memory->fragment || !io->move.addr || wmma_open(code, io, &m, NULL))
        return 1;
    if (m.start % memory->fragment == 0 && m.stride % (8u * memory->fragment) == 0)
        return 1;
    base_refuse(diag, RULE_ADVICE_WMMA_ALIGN, 0,
                "address 0x%llx, stride %u: the ISA asks for multiples of the %u bytes of the "
                "fragment of a lane, a stride of %u; an H200 accepts %u bytes",
                (unsigned long long)m.start, (unsigned)(m.stride / memory->bits), memory->fragment,
                8u * memory->fragment / memory->bits, memory->align);
    return 0;
}

/* The space of the matrix in memory. A generic address is in global memory if that is given. */
static enum wsim_space space_of(const struct wsim_code *code, const struct wsim_io *io) {
    unsigned space = code->op.q[PLACE_SPACE];
    return space == Q_GLOBAL || (!space && io->global) ? WSIM_GLOBAL : WSIM_SHARED;
}

static const struct wsim_memory *window_of(const struct wsim_code *code, const struct wsim_io *io) {
    return space_of(code, io) == WSIM_GLOBAL ? io->global : io->shared;
}

static enum wsim_status check_window(const struct wsim_code *code, const struct wsim_io *io,
                                     const struct wmma_matrix *m, int written,
                                     struct wsim_diag *diag) {
    const struct wsim_code_memory *memory = &work_of(code)->memory;
    const struct wsim_memory *window = window_of(code, io);
    uint64_t bits = (memory->along - 1u) * m->stride + (uint64_t)memory->across * memory->bits;
    uint64_t bytes = (bits + 7) / 8;
    if (!memory_has(window, m->start, bytes))
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                           "address 0x%llx: the matrix ends at 0x%llx, beyond the 0x%llx bytes of "
                           "memory given",
                           (unsigned long long)m->start, (unsigned long long)(m->start + bytes),
                           (unsigned long long)window->size);
    if (window->space == WSIM_SHARED)
        return exec_check_shared(code, window, m->start, bytes, written, diag);
    return memory_check(window, m->start, bytes, written, diag);
}

static enum wsim_status start(const struct wsim_code *code, const struct wsim_io *io,
                              const void *regs, const char *name, int written,
                              struct wmma_matrix *m, struct wsim_diag *diag) {
    const struct wsim_memory *window = window_of(code, io);
    enum wsim_status status = exec_need_regs(regs, work_of(code)->a.regs, name, diag);
    if (!status)
        status = memory_need(window, space_of(code, io), diag);
    if (!status)
        status = exec_need(io->move.addr, "addr", diag);
    if (!status)
        status = wmma_open(code, io, m, diag);
    return status ? status : check_window(code, io, m, written, diag);
}

/* --- moves --- */

/* Tells of the elements of each lane, those that are neighbours at once. */
static void tell(const struct wsim_code *code, const struct wsim_io *io,
                 const struct wmma_matrix *m, enum wsim_touch_kind kind) {
    const struct wsim_code_map *map = &work_of(code)->a;
    const struct wsim_memory *window = window_of(code, io);
    for (unsigned lane = 0; lane < WSIM_LANES && window->watch; lane++) {
        uint64_t first = 0, end = 0;
        for (unsigned elem = 0; elem < map->elems; elem++) {
            uint64_t at = m->start + wmma_bit(code, m, map->lane[lane] ^ map->elem[elem]) / 8;
            if (at > end || at < first || end == first) {
                if (end > first)
                    exec_tell(io, window, first, (unsigned)(end - first), lane, kind);
                first = end = at;
            }
            if (at + map_bytes(map->bits) > end)
                end = at + map_bytes(map->bits);
        }
        exec_tell(io, window, first, (unsigned)(end - first), lane, kind);
    }
}

/* Where a line of whole words begins. */
static uint8_t *line_at(const struct wsim_code *code, const struct wsim_memory *window,
                        const struct wmma_matrix *m, unsigned line) {
    return memory_at(window, m->start + wmma_bit(code, m, line << MAP_LINE) / 8);
}

static unsigned line_words(const struct wsim_code *code) {
    const struct wsim_code_memory *memory = &work_of(code)->memory;
    return memory->across * memory->bits / MAP_WORD;
}

static void load_words(const struct wsim_code *code, const struct wsim_memory *window,
                       const struct wmma_matrix *m, uint32_t *const *d) {
    unsigned words = line_words(code);
    uint32_t lines[WORDS_MOST];
    for (unsigned line = 0; line < work_of(code)->memory.along; line++)
        memory_read_words(lines + line * words, line_at(code, window, m, line), words);
    words_load(code, lines, work_of(code)->a.regs, d);
}

static void load_elements(const struct wsim_code *code, const struct wsim_memory *window,
                          const struct wmma_matrix *m, uint32_t *const *d) {
    const struct wsim_code_map *map = &work_of(code)->a;
    unsigned bytes = map_bytes(map->bits), each = map->bits < 32 ? 32u / map->bits : 1;
    uint64_t mask = map->bits < 32 ? (UINT64_C(1) << map->bits) - 1 : UINT64_MAX;
    for (unsigned elem = 0; elem < map->copies; elem += each)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            uint64_t word = 0;
            for (unsigned i = 0; i < each; i++) {
                uint64_t bit = wmma_bit(code, m, map->lane[lane] ^ map->elem[elem + i]);
                uint64_t raw = memory_get(window, m->start + bit / 8, bytes) >> bit % 8;
                word |= (raw & mask) << i * map->bits;
            }
            d[elem * map->bits / 32][lane] = (uint32_t)word;
            if (map->bits == 64)
                d[elem * 2 + 1][lane] = (uint32_t)(word >> 32);
        }
}

enum wsim_status exec_wmma_load(const struct wsim_code *code, const struct wsim_io *io,
                                struct wsim_diag *diag) {
    struct wmma_matrix m;
    enum wsim_status status = start(code, io, io->move.d, "d", 0, &m, diag);
    if (status)
        return status;
    tell(code, io, &m, WSIM_TOUCH_READ);
    if (work_of(code)->memory.way)
        load_words(code, window_of(code, io), &m, io->move.d);
    else
        load_elements(code, window_of(code, io), &m, io->move.d);
    return WSIM_OK;
}

/* A stored fragment has no copies, so that its registers are all words of all lines. */
static void store_words(const struct wsim_code *code, const struct wsim_memory *window,
                        const struct wmma_matrix *m, const uint32_t *const *r) {
    unsigned words = line_words(code);
    uint32_t lines[WORDS_MOST];
    words_store(code, r, work_of(code)->a.regs, lines);
    for (unsigned line = 0; line < work_of(code)->memory.along; line++)
        memory_write_words(line_at(code, window, m, line), lines + line * words, words);
}

/* Results have 16 bits or more, so that no byte is shared by two elements. */
static void store_elements(const struct wsim_code *code, const struct wsim_memory *window,
                           const struct wmma_matrix *m, const uint32_t *const *r) {
    const struct wsim_code_map *map = &work_of(code)->a;
    unsigned bytes = map_bytes(map->bits);
    for (unsigned elem = 0; elem < map->elems; elem++)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            unsigned reg = elem * map->bits / 32;
            uint64_t raw = r[reg][lane] >> elem * map->bits % 32;
            if (map->bits == 64)
                raw |= (uint64_t)r[reg + 1][lane] << 32;
            memory_put(window, m->start + wmma_bit(code, m, map->lane[lane] ^ map->elem[elem]) / 8,
                       bytes, raw);
        }
}

enum wsim_status exec_wmma_store(const struct wsim_code *code, const struct wsim_io *io,
                                 struct wsim_diag *diag) {
    struct wmma_matrix m;
    enum wsim_status status = start(code, io, io->move.r, "r", 1, &m, diag);
    if (status)
        return status;
    tell(code, io, &m, WSIM_TOUCH_WRITE);
    if (work_of(code)->memory.way)
        store_words(code, window_of(code, io), &m, io->move.r);
    else
        store_elements(code, window_of(code, io), &m, io->move.r);
    return WSIM_OK;
}
