/* moves.c - the demonstrations as data, and the two ways to run one: load and store. */
#include "moves.h"

#include <string.h>

static uint32_t pair(uint32_t low, uint32_t high) {
    return high << 16 | low;
}

/* The addresses of rows: consecutive matrices of 8 rows, or tiles of 16 rows. */
static uint32_t row_of_matrix(unsigned lane) {
    return lane % 8 * 16 + lane / 8 * 128;
}
static uint32_t row_of_word_tile(unsigned lane) {
    return (lane % 16 * 8 + lane / 16 * 4) * 4;
}
static uint32_t row_of_half_tile(unsigned lane) {
    return (lane % 16 * 16 + lane / 16 * 8) * 2;
}
static uint32_t row_of_16x8(unsigned lane) {
    return lane * 8 * 2;
}

/* The published registers. */
static uint32_t elements_in_order(unsigned lane, unsigned reg) {
    return pair(2 * lane + 64 * reg, 2 * lane + 1 + 64 * reg);
}
static uint32_t words_of_lane_1(unsigned lane, unsigned reg) {
    static const uint32_t words[4] = {1, 65, 5, 69};
    (void)lane;
    return words[reg];
}
static uint32_t halves_of_lane_1(unsigned lane, unsigned reg) {
    static const uint32_t low[4] = {2, 130, 10, 138}, high[4] = {3, 131, 11, 139};
    (void)lane;
    return pair(low[reg], high[reg]);
}
static uint32_t halves_of_lane_4(unsigned lane, unsigned reg) {
    static const uint32_t low[2] = {1, 65}, high[2] = {9, 73};
    (void)lane;
    return pair(low[reg], high[reg]);
}

#define IN_ORDER(spelling)                                                                         \
    { spelling, "lane%8*16 + lane/8*128 bytes", row_of_matrix, 2, 0, 31, elements_in_order }

const struct move moves_ldmatrix[MOVES_EACH] = {
    IN_ORDER("ldmatrix.sync.aligned.m8n8.x1.shared.b16"),
    IN_ORDER("ldmatrix.sync.aligned.m8n8.x2.shared.b16"),
    IN_ORDER("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
};

const struct move moves_stmatrix[MOVES_EACH] = {
    IN_ORDER("stmatrix.sync.aligned.m8n8.x1.shared.b16"),
    IN_ORDER("stmatrix.sync.aligned.m8n8.x2.shared.b16"),
    IN_ORDER("stmatrix.sync.aligned.m8n8.x4.shared.b16"),
};

const struct move moves_tiles[MOVES_EACH] = {
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "lane%16*8 + lane/16*4 words", row_of_word_tile, 4,
     1, 1, words_of_lane_1},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "lane%16*16 + lane/16*8 halves", row_of_half_tile,
     2, 1, 1, halves_of_lane_1},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "lane*8 halves", row_of_16x8, 2, 4, 4,
     halves_of_lane_4},
};

struct wsim_layout move_layout(const struct move *move) {
    struct wsim_op op = must_parse(move->spelling);
    int stores = wsim_op_describe(&op).family == WSIM_STMATRIX;
    struct wsim_layout layout = must_layout(&op, stores ? WSIM_R : WSIM_D);
    if (move->bytes == 4) { /* the hardware moves 16-bit elements; read two of them as one */
        layout.elems /= 2;
        layout.elem_bits = 32;
        layout.format = wsim_format_find("u32");
    }
    return layout;
}

struct wsim_regs move_published(const struct move *move) {
    struct wsim_regs regs = {{{0}}};
    unsigned lane, reg, count = move_layout(move).regs;
    for (lane = move->first_lane; lane <= move->last_lane; lane++)
        for (reg = 0; reg < count; reg++)
            regs.r[reg][lane] = move->published(lane, reg);
    return regs;
}

/* Elements 0, 1, 2, ... of `width` bytes, low byte first. */
static void count_up(uint8_t bytes[MOVES_BYTES], unsigned width) {
    unsigned i;
    for (i = 0; i < MOVES_BYTES; i++)
        bytes[i] = (uint8_t)(i / width >> 8 * (i % width));
}

static void run(const struct move *move, uint8_t bytes[MOVES_BYTES], struct wsim_regs *regs) {
    struct wsim_op op = must_parse(move->spelling);
    struct wsim_memory smem = wsim_memory_over(WSIM_SHARED, bytes, MOVES_BYTES, 0);
    uint32_t addr[WSIM_LANES];
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = move->row(lane);
    must_exec(&op, must_find(MOVES_ARCH),
              &(struct wsim_operands){.d = regs, .r = regs, .smem = &smem, .addr = addr});
}

struct wsim_regs move_load(const struct move *move, struct facts *facts) {
    uint8_t bytes[MOVES_BYTES];
    struct wsim_layout layout = move_layout(move);
    struct wsim_regs published = move_published(move), ours = {{{0}}};
    unsigned lane;
    count_up(bytes, move->bytes);
    run(move, bytes, &ours);
    for (lane = move->first_lane; lane <= move->last_lane; lane++) {
        char told[LANE_TEXT], got[LANE_TEXT];
        lane_text(&layout, &published, lane, told);
        lane_text(&layout, &ours, lane, got);
        fact(facts, strcmp(told, got) == 0, "lane %u holds %s, published %s", lane, got, told);
    }
    return ours;
}

unsigned move_store(const struct move *move, uint16_t memory[MOVES_BYTES / 2],
                    struct facts *facts) {
    uint8_t bytes[MOVES_BYTES];
    struct wsim_regs source = move_published(move);
    unsigned i, written = 64u * move_layout(move).regs;
    memset(bytes, 0xff, sizeof bytes);
    run(move, bytes, &source);
    for (i = 0; i < MOVES_BYTES / 2; i++)
        memory[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    for (i = 0; i < written; i++)
        fact(facts, memory[i] == i, "element %u of memory is %u, published %u", i, memory[i], i);
    return written;
}
