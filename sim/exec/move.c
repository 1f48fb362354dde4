/* ldmatrix, stmatrix, movmatrix: elements between rows of 16 bytes and registers, through the
 * layout of the row of move.def. */
#include "banks.h"
#include "door.h"
#include "map.h"
#include "product.h"
#include "words.h"

#include <string.h>

enum { ROW_WORDS = ISA_ROW_BYTES / 4 };

/* Elements in memory: those of a packed source are narrower. */
enum wsim_status move_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    (void)diag;
    struct wsim_code_memory *memory = &work_to(code)->memory;
    enum wsim_operand operand = isa_op_has(&code->op, WSIM_R) ? WSIM_R : WSIM_D;
    struct wsim_layout layout;
    isa_op_layout(&code->op, code->arch, operand, &layout, NULL);
    map_compile(&work_to(code)->a, &layout, MAP_LINES, 0, 0, 0);
    memory->along = (uint16_t)(layout.rows * layout.batches);
    memory->across = layout.cols;
    memory->bits = code->op.q[PLACE_A] ? isa_op_type(&code->op, PLACE_A)->bits : layout.elem_bits;
    memory->addresses = (uint8_t)isa_address_lanes(code->arch, memory->along);
    words_prepare(code, &work_to(code)->a, MAP_LINE, memory->across, memory->along);
    banks_find(code); /* a move without a rule is executed and not counted */
    return WSIM_OK;
}

/* movmatrix: both sides as rows of a matrix. */
enum wsim_status exchange_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    (void)diag;
    struct wsim_layout from, to;
    isa_op_layout(&code->op, code->arch, WSIM_A, &from, NULL);
    isa_op_layout(&code->op, code->arch, WSIM_D, &to, NULL);
    map_compile(&work_to(code)->a, &from, MAP_ROWS, from.cols, 0, 0);
    map_compile(&work_to(code)->b, &to, MAP_ROWS, to.cols, 0, 0);
    words_prepare_exchange(code, to.cols, to.rows);
    return WSIM_OK;
}

/* Where lane l's address is; a register of the result may hold the addresses. */
struct rows {
    uint64_t address[WSIM_LANES];
};

static void copy_rows(const struct wsim_io *io, struct rows *rows) {
    for (unsigned l = 0; l < WSIM_LANES; l++)
        rows->address[l] = io->move.addr[l];
    for (unsigned l = 0; l < WSIM_LANES && io->move.addr_hi; l++)
        rows->address[l] |= (uint64_t)io->move.addr_hi[l] << 32;
}

/* Whether all rows are aligned and inside, tested at once. For a row outside, the distance from
 * the first place or to the last one is negative. Both ends of the window are below 2^33. */
static int are_inside(const struct wsim_code *code, const struct wsim_io *io,
                      const struct rows *rows, int written) {
    uint64_t first = io->shared->base, end = first + io->shared->size, last, any = 0, beyond = 0;
    if (end > work_of(code)->shared_end)
        end = work_of(code)->shared_end;
    if (end < first + ISA_ROW_BYTES || (written && io->shared->read_only))
        return 0;
    last = end - ISA_ROW_BYTES;
    for (unsigned l = 0; l < work_of(code)->memory.addresses; l++) {
        any |= rows->address[l];
        beyond |= (rows->address[l] - first) | (last - rows->address[l]);
    }
    return any % ISA_ROW_BYTES == 0 && beyond >> 63 == 0;
}

static enum wsim_status check_row(const struct wsim_code *code, const struct wsim_io *io,
                                  uint64_t at, unsigned lane, int written, struct wsim_diag *diag) {
    if (!memory_has(io->shared, at, ISA_ROW_BYTES))
        return base_refuse(diag, RULE_MEMORY_BOUNDS, 0,
                           "row address 0x%llx of lane %u: 16 bytes from there do not fit into "
                           "the shared window of 0x%llx bytes",
                           (unsigned long long)at, lane, (unsigned long long)io->shared->size);
    return exec_check_shared(code, io->shared, at, ISA_ROW_BYTES, written, diag);
}

static enum wsim_status check_rows(const struct wsim_code *code, const struct wsim_io *io,
                                   const struct rows *rows, int written, struct wsim_diag *diag) {
    unsigned lanes = work_of(code)->memory.addresses;
    enum wsim_status status = WSIM_OK;
    if (are_inside(code, io, rows, written))
        return WSIM_OK;
    for (unsigned l = 0; l < lanes; l++)
        if (rows->address[l] % ISA_ROW_BYTES)
            return base_refuse(
                diag, RULE_MATRIX_ROW_ALIGN, 0,
                "row address 0x%llx of lane %u is not a multiple of 16; nearest below "
                "is 0x%llx",
                (unsigned long long)rows->address[l], l,
                (unsigned long long)(rows->address[l] & ~UINT64_C(15)));
    for (unsigned l = 0; l < lanes && !status; l++)
        status = check_row(code, io, rows->address[l], l, written, diag);
    return status;
}

/* Checks the operands of a move between memory and registers, and reads its row addresses. */
static enum wsim_status start(const struct wsim_code *code, const struct wsim_io *io,
                              const void *regs, const char *name, int written, struct rows *rows,
                              struct wsim_diag *diag) {
    enum wsim_status status = exec_need_regs(regs, work_of(code)->a.regs, name, diag);
    if (!status)
        status = memory_need(io->shared, WSIM_SHARED, diag);
    if (!status)
        status = exec_need(io->move.addr, "addr", diag);
    if (status)
        return status;
    copy_rows(io, rows);
    return check_rows(code, io, rows, written, diag);
}

/* `width` (at most 16) bits of a row from bit `bit` upward. */
static uint32_t row_bits(const uint8_t *row, unsigned bit, unsigned width) {
    uint32_t bits = row[bit / 8];
    if (bit % 8 + width > 8)
        bits |= (uint32_t)row[bit / 8 + 1] << 8;
    return bits >> bit % 8 & ((1u << width) - 1);
}

static uint32_t half_at(const uint8_t *const *row, unsigned at) {
    const uint8_t *from = row[at >> MAP_LINE] + 2 * (at & ((1u << MAP_LINE) - 1));
    return from[0] | (uint32_t)from[1] << 8;
}

/* Register `reg` of all lanes, of 16-bit elements: nearly all that there is, so they are quick. */
static void load_halves(const struct wsim_code_map *map, const uint8_t *const *row, unsigned reg,
                        uint32_t *to) {
    unsigned low = map->elem[2 * reg], high = map->elem[2 * reg + 1];
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        unsigned at = map->lane[lane];
        to[lane] = half_at(row, at ^ low) | half_at(row, at ^ high) << 16;
    }
}

/* Like the function above, for elements of `width` bits in memory. */
static void load_register(const struct wsim_code_map *map, const uint8_t *const *row, unsigned reg,
                          unsigned width, uint32_t *to) {
    unsigned each = 32u / map->bits;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
        uint32_t word = 0;
        for (unsigned i = 0; i < each; i++) {
            unsigned at = map->lane[lane] ^ map->elem[reg * each + i];
            unsigned col = at & ((1u << MAP_LINE) - 1);
            word |= row_bits(row[at >> MAP_LINE], col * width, width) << i * map->bits;
        }
        to[lane] = word;
    }
}

static void tell(const struct wsim_code *code, const struct wsim_io *io, const struct rows *rows,
                 enum wsim_touch_kind kind) {
    for (unsigned row = 0; row < work_of(code)->memory.along && io->shared->watch; row++)
        exec_tell(io, io->shared, rows->address[row], ISA_ROW_BYTES, row, kind);
}

/* Element by element, through the map. */
static void load_elements(const struct wsim_code *code, const struct wsim_io *io,
                          const struct rows *rows) {
    const struct wsim_code_map *map = &work_of(code)->a;
    unsigned width = work_of(code)->memory.bits;
    const uint8_t *row[WSIM_LANES];
    for (unsigned r = 0; r < work_of(code)->memory.along; r++)
        row[r] = memory_at(io->shared, rows->address[r]);
    for (unsigned reg = 0; reg < map->regs; reg++)
        if (width == 16)
            load_halves(map, row, reg, io->move.d[reg]);
        else
            load_register(map, row, reg, width, io->move.d[reg]);
}

/* Spreads elements of `width` bits to bytes, four of a word: halves of them apart, then quarters.
 */
static void spread(uint32_t *words, unsigned count, unsigned width) {
    uint32_t four = (1u << 2 * width) - 1, two = ((1u << width) - 1) * 0x00010001;
    unsigned apart = 16 - 2 * width, further = 8 - width;
    for (unsigned i = 0; i < count; i++) {
        uint32_t pairs = (words[i] & four) | (words[i] & four << 2 * width) << apart;
        words[i] = (pairs & two) | (pairs & two << width) << further;
    }
}

/* Rows as registers have their elements: those of a packed row are narrower in memory, and four of
 * them begin with a whole byte. */
static void read_rows(const struct wsim_code *code, const struct wsim_io *io,
                      const struct rows *rows, uint32_t *lines) {
    unsigned width = work_of(code)->memory.bits, count = work_of(code)->memory.along;
    int packed = width != work_of(code)->a.bits;
    for (unsigned r = 0; r < count; r++) {
        const uint8_t *row = memory_at(io->shared, rows->address[r]);
        if (!packed)
            memory_read_words(lines + r * ROW_WORDS, row, ROW_WORDS);
        for (unsigned i = 0; i < ROW_WORDS && packed; i++)
            memory_read_words(lines + r * ROW_WORDS + i, row + i * width / 2, 1);
    }
    if (packed)
        spread(lines, count * ROW_WORDS, width);
}

static void load_words(const struct wsim_code *code, const struct wsim_io *io,
                       const struct rows *rows) {
    uint32_t lines[WSIM_LANES * ROW_WORDS];
    read_rows(code, io, rows, lines);
    words_load(code, lines, work_of(code)->a.regs, io->move.d);
}

enum wsim_status exec_ldmatrix(const struct wsim_code *code, const struct wsim_io *io,
                               struct wsim_diag *diag) {
    struct rows rows;
    enum wsim_status status = start(code, io, io->move.d, "d", 0, &rows, diag);
    if (status)
        return status;
    tell(code, io, &rows, WSIM_TOUCH_READ);
    if (work_of(code)->memory.way)
        load_words(code, io, &rows);
    else
        load_elements(code, io, &rows);
    return WSIM_OK;
}

/* Whether all rows are distinct; they are aligned and in shared memory. Each of 32 numbers is
 * compared with the 16 that follow it in a circle. Lanes without a row get the numbers of rows
 * that cannot exist (isa/limits.c). */
static int are_different(const uint32_t *addr, unsigned count) {
    uint16_t number[2 * WSIM_LANES], same[WSIM_LANES] = {0}, any = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        number[l] = (uint16_t)(addr[l] / ISA_ROW_BYTES);
    for (unsigned l = count; l < WSIM_LANES; l++)
        number[l] = (uint16_t)(UINT16_MAX - l);
    memcpy(number + WSIM_LANES, number, sizeof number / 2);
    for (unsigned ahead = 1; ahead <= WSIM_LANES / 2; ahead++)
        for (unsigned l = 0; l < WSIM_LANES; l++)
            same[l] += number[l] == number[l + ahead];
    for (unsigned l = 0; l < WSIM_LANES; l++)
        any |= same[l];
    return !any;
}

void exec_stored_rows(const struct wsim_code *code, const uint32_t *const *r,
                      uint8_t rows[WSIM_LANES][ISA_ROW_BYTES]) {
    const struct wsim_code_map *map = &work_of(code)->a;
    const unsigned bytes = map->bits / 8u;
    uint32_t lines[WSIM_LANES * ROW_WORDS];
    if (work_of(code)->memory.way) {
        words_store(code, r, map->regs, lines);
        memory_write_words(rows[0], lines, work_of(code)->memory.along * ROW_WORDS);
        return;
    }
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned elem = 0; elem < map->elems; elem++) {
            const unsigned at = map->lane[lane] ^ map->elem[elem], bit = elem * map->bits;
            const unsigned col = at & ((1u << MAP_LINE) - 1);
            for (unsigned b = 0; b < bytes; b++)
                rows[at >> MAP_LINE][col * bytes + b] =
                    (uint8_t)(r[bit / 32][lane] >> (bit % 32 + 8 * b));
        }
}

/* Which of two stores to one place wins is not defined, so they are refused, unless they store
 * equal rows. */
static enum wsim_status check_disjoint(const struct wsim_code *code, const struct wsim_io *io,
                                       const struct rows *rows, struct wsim_diag *diag) {
    const unsigned count = work_of(code)->memory.along;
    uint8_t stored[WSIM_LANES][ISA_ROW_BYTES];
    exec_stored_rows(code, io->move.r, stored);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (rows->address[i] == rows->address[j] &&
                memcmp(stored[i], stored[j], ISA_ROW_BYTES) != 0)
                return base_refuse(diag, RULE_MATRIX_ROW_TWICE, 0,
                                   "lanes %u and %u store different rows to the same address "
                                   "0x%llx: the result is undefined",
                                   j, i, (unsigned long long)rows->address[i]);
    return WSIM_OK;
}

static void store_elements(const struct wsim_code *code, const struct wsim_io *io,
                           const struct rows *rows) {
    const struct wsim_code_map *map = &work_of(code)->a;
    unsigned bytes = map->bits / 8u;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned elem = 0; elem < map->elems; elem++) {
            unsigned at = map->lane[lane] ^ map->elem[elem], bit = elem * map->bits;
            unsigned col = at & ((1u << MAP_LINE) - 1);
            memory_put(io->shared, rows->address[at >> MAP_LINE] + col * bytes, bytes,
                       io->move.r[bit / 32][lane] >> bit % 32);
        }
}

/* The window and the count are copied, as the compiler has to take bytes of memory for anything. */
static void store_words(const struct wsim_code *code, const struct wsim_io *io,
                        const struct rows *rows) {
    const struct wsim_memory shared = *io->shared;
    unsigned count = work_of(code)->memory.along;
    uint32_t lines[WSIM_LANES * ROW_WORDS];
    words_store(code, io->move.r, work_of(code)->a.regs, lines);
    for (unsigned r = 0; r < count; r++)
        memory_write_words(memory_at(&shared, rows->address[r]), lines + r * ROW_WORDS, ROW_WORDS);
}

enum wsim_status exec_stmatrix(const struct wsim_code *code, const struct wsim_io *io,
                               struct wsim_diag *diag) {
    struct rows rows;
    enum wsim_status status = start(code, io, io->move.r, "r", 1, &rows, diag);
    int quick = !status && work_of(code)->memory.way;
    if (!status && !(quick && are_different(io->move.addr, work_of(code)->memory.along)))
        status = check_disjoint(code, io, &rows, diag);
    if (status)
        return status;
    tell(code, io, &rows, WSIM_TOUCH_WRITE);
    if (quick)
        store_words(code, io, &rows);
    else
        store_elements(code, io, &rows);
    return WSIM_OK;
}

enum wsim_status exec_movmatrix(const struct wsim_code *code, const struct wsim_io *io,
                                struct wsim_diag *diag) {
    const struct wsim_code_map *to = &work_of(code)->b;
    uint16_t matrix[8 * 8];
    uint32_t lines[WSIM_LANES]; /* the same: a register has whole words of its rows */
    enum wsim_status status = exec_need_regs(io->move.a, work_of(code)->a.regs, "a", diag);
    if (!status)
        status = exec_need_regs(io->move.d, to->regs, "d", diag);
    if (status)
        return status;
    if (work_of(code)->memory.way) {
        memcpy(lines, io->move.a[0], sizeof lines);
        words_load(code, lines, to->regs, io->move.d);
        return WSIM_OK;
    }
    map_gather(&work_of(code)->a, io->move.a, 1, matrix, 0);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        io->move.d[0][lane] = matrix[to->lane[lane] ^ to->elem[0]] |
                              (uint32_t)matrix[to->lane[lane] ^ to->elem[1]] << 16;
    return WSIM_OK;
}
