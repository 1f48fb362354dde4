/* test_tensor_moves.c - random tcgen05.ld and tcgen05.st against the formulas of the PTX ISA. All
 * words of tensor memory are different. Every shape, number, packing and base comes.
 * WSIM_TENSOR_MOVES=N: the number of loads and of stores (deep). */
#include "launched.h"

#include <stdarg.h>

enum { COLUMNS = 512, WARPS = 4, MOST_REGISTERS = 128, SHOWN = WORDS / 32, MOVES = 24 };

static struct launched launched;

struct move {
    const char *shape;
    unsigned number, registers, warp; /* the warp that moves                                      */
    unsigned lane, column;            /* of its address, the lane relative to its quarter         */
    unsigned split_lane, split_column;
    unsigned packs;
};

struct place {
    unsigned lane, column; /* the lane relative to the quarter */
};

/* Register `r` of thread `t`, without packing. */
static struct place place_of(const struct move *move, unsigned t, unsigned r) {
    struct place at = {t, r};
    if (!strcmp(move->shape, "16x64b"))
        at = (struct place){8 * (t & 1) + (t >> 2), (t >> 1 & 1) + 2 * r};
    else if (!strcmp(move->shape, "16x128b"))
        at = (struct place){(t >> 2) + 8 * (r & 1), (t & 3) + 4 * (r >> 1)};
    else if (!strcmp(move->shape, "16x256b"))
        at = (struct place){(t >> 2) + 8 * (r >> 1 & 1), 2 * (t & 3) + (r & 1) + 8 * (r >> 2)};
    else if (!strcmp(move->shape, "16x32bx2"))
        at.lane = t & 15;
    at.column = move->column + (at.column << move->packs);
    at.lane += move->lane;
    if (!strcmp(move->shape, "16x32bx2") && t > 15) {
        at.column += move->split_column;
        at.lane += move->split_lane;
    }
    return at;
}

/* Tensor memory is full of these words. */
static uint32_t word_of(unsigned lane, unsigned column) {
    return (lane * 1009 + column * 77777 + 12345) * UINT32_C(2654435761);
}

/* A thread stores these words from its registers. */
static uint32_t stored(unsigned thread, unsigned r) {
    return thread * 131071 + r * 7919 + 5;
}

/* A random move within tensor memory, whose halves lie side by side in columns or in lanes. */
static struct move random_move(uint64_t *state) {
    static const struct {
        const char *shape;
        unsigned registers, most, lanes;
    } shapes[] = {{"32x32b", 1, 128, 32},
                  {"16x64b", 1, 128, 16},
                  {"16x128b", 2, 64, 16},
                  {"16x256b", 4, 32, 16},
                  {"16x32bx2", 1, 128, 16}};
    struct move move = {0};
    unsigned which = draw(state) % 5, width;
    move.shape = shapes[which].shape;
    move.number = 1u << draw(state) % 8;
    if (move.number > shapes[which].most)
        move.number = shapes[which].most;
    move.registers = move.number * shapes[which].registers;
    move.warp = draw(state) % WARPS;
    move.packs = draw(state) % 2;
    move.lane = shapes[which].lanes == 16 ? 16 * (draw(state) % 2) : 0;
    width = place_of(&move, 31, move.registers - 1).column + 1 + move.packs;
    if (which == 4 && move.lane == 0 && draw(state) % 2)
        move.split_lane = 16;
    else if (which == 4)
        move.split_column = width;
    move.column = draw(state) % (COLUMNS - width - move.split_column + 1);
    return move;
}

/* --- a kernel --- */

#define FILL                                                                                       \
    ".reg .b32 %v<130>, %tm, %mine;\nmov.u32 %r8, box;\nshr.u32 %r9, %r0, 5;\n"                    \
    "setp.ne.u32 %p0, %r9, 0;\n@%p0 bra OWNED;\n"                                                  \
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r8], 512;\nOWNED:\n"                \
    "tcgen05.fence::before_thread_sync;\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"         \
    "ld.shared.b32 %tm, [%r8];\nshl.b32 %mine, %r9, 21;\nadd.u32 %mine, %mine, %tm;\n"             \
    "mul.lo.u32 %r10, %r0, 1009;\nadd.u32 %r10, %r10, 12345;\nmov.u32 %r11, 0;\n"                  \
    "mov.u32 %r12, %mine;\nFILL:\nmul.lo.u32 %r13, %r10, 2654435761;\n"                            \
    "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r12], {%r13};\nadd.u32 %r12, %r12, 1;\n"              \
    "add.u32 %r10, %r10, 77777;\nadd.u32 %r11, %r11, 1;\nsetp.lt.u32 %p1, %r11, 512;\n"            \
    "@%p1 bra FILL;\ntcgen05.wait::st.sync.aligned;\nand.b32 %r20, %r0, 31;\n"
#define FREE                                                                                       \
    "END:\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n@%p0 bra GONE;\n"                      \
    "tcgen05.fence::after_thread_sync;\n"                                                          \
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 512;\nGONE:\nret;\n}\n"

struct text {
    char bytes[32768];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text->n += (size_t)vsnprintf(text->bytes + text->n, sizeof text->bytes - text->n, format, list);
    va_end(list);
    ck_assert_uint_lt(text->n, sizeof text->bytes);
}

static void add_registers(struct text *text, unsigned n) {
    for (unsigned r = 0; r < n; r++)
        add(text, "%s%%v%u", r ? ", " : "{", r);
    add(text, "}");
}

static void begin(struct text *text, const struct move *move) {
    text->n = 0;
    add(text,
        "%s"
        "setp.ne.u32 %%p2, %%r9, %u;\n@%%p2 bra END;\nadd.u32 %%r14, %%mine, %u;\n",
        HEAD_OF("sm_100a") FILL, move->warp, move->lane << 16 | move->column);
}

static void add_split(struct text *text, const struct move *move) {
    if (!strcmp(move->shape, "16x32bx2"))
        add(text, ", %u", move->split_lane << 16 | move->split_column);
}

static void run(const struct text *text, unsigned late) {
    launched = (struct launched){.grid = 1,
                                 .block = 32 * WARPS,
                                 .arch = "sm_100a",
                                 .checks = WSIM_CHECK_ALL,
                                 .async = late ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER};
    launch_good(&launched, text->bytes);
}

/* --- the tests --- */

static int rounds(void) {
    const char *number = getenv("WSIM_TENSOR_MOVES");
    return number ? atoi(number) : run_turns(MOVES);
}

START_TEST(loads) {
    static struct text text;
    uint64_t state = 20250722;
    for (int i = 0; i < rounds(); i++) {
        struct move move = random_move(&state);
        begin(&text, &move);
        add(&text, "tcgen05.ld.sync.aligned.%s.x%u%s.b32 ", move.shape, move.number,
            move.packs ? ".pack::16b" : "");
        add_registers(&text, move.registers);
        add(&text, ", [%%r14]");
        add_split(&text, &move);
        add(&text,
            ";\ntcgen05.wait::ld.sync.aligned;\n"
            "mul.wide.u32 %%d4, %%r20, %u;\nadd.u64 %%d4, %%d4, %%d1;\n",
            4 * move.registers);
        for (unsigned r = 0; r < move.registers; r++)
            add(&text, "st.global.b32 [%%d4+%u], %%v%u;\n", 4 * r, r);
        add(&text, "%s", FREE);
        run(&text, i % 2);
        for (unsigned t = 0; t < 32; t++)
            for (unsigned r = 0; r < move.registers; r++) {
                struct place at = place_of(&move, t, r);
                uint32_t want = word_of(32 * move.warp + at.lane, at.column);
                uint32_t got = launched.out[t * move.registers + r];
                if (move.packs)
                    want = (want & 0xffff) | word_of(32 * move.warp + at.lane, at.column + 1) << 16;
                ck_assert_msg(got == want,
                              "round %d, %s.x%u: thread %u, register %u: %08x, not %08x", i,
                              move.shape, move.number, t, r, got, want);
            }
    }
}
END_TEST

/* A window of columns after a store: words that it wrote, and all others as they were. The manual
 * leaves the upper halves of unpacked words open. */
START_TEST(stores) {
    static struct text text;
    static uint32_t want[32][COLUMNS], known[32][COLUMNS];
    uint64_t state = 4711;
    for (int i = 0; i < rounds(); i++) {
        struct move move = random_move(&state);
        unsigned first = move.column - move.column % SHOWN;
        first += SHOWN * (draw(&state) % ((COLUMNS - first) / SHOWN));
        begin(&text, &move);
        for (unsigned r = 0; r < move.registers; r++)
            add(&text, "mad.lo.u32 %%v%u, %%r0, 131071, %u;\n", r, stored(0, r));
        add(&text, "tcgen05.st.sync.aligned.%s.x%u%s.b32 [%%r14]", move.shape, move.number,
            move.packs ? ".unpack::16b" : "");
        add_split(&text, &move);
        add(&text, ", ");
        add_registers(&text, move.registers);
        add(&text,
            ";\ntcgen05.wait::st.sync.aligned;\nmul.wide.u32 %%d4, %%r20, %u;\n"
            "add.u64 %%d4, %%d4, %%d1;\nadd.u32 %%r12, %%mine, %u;\nmov.u32 %%r11, 0;\nSHOW:\n"
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r13}, [%%r12];\n"
            "tcgen05.wait::ld.sync.aligned;\nst.global.b32 [%%d4], %%r13;\n"
            "add.u64 %%d4, %%d4, 4;\nadd.u32 %%r12, %%r12, 1;\nadd.u32 %%r11, %%r11, 1;\n"
            "setp.lt.u32 %%p1, %%r11, %u;\n@%%p1 bra SHOW;\n%s",
            4 * SHOWN, first, SHOWN, FREE);
        run(&text, i % 2);
        for (unsigned l = 0; l < 32; l++)
            for (unsigned c = 0; c < COLUMNS; c++) {
                want[l][c] = word_of(32 * move.warp + l, c);
                known[l][c] = 0xffffffff;
            }
        for (unsigned t = 0; t < 32; t++)
            for (unsigned r = 0; r < move.registers; r++) {
                struct place at = place_of(&move, t, r);
                uint32_t value = stored(32 * move.warp + t, r);
                want[at.lane][at.column] = value;
                if (move.packs) {
                    want[at.lane][at.column + 1] = value >> 16;
                    known[at.lane][at.column] = known[at.lane][at.column + 1] = 0xffff;
                }
            }
        for (unsigned l = 0; l < 32; l++)
            for (unsigned c = 0; c < SHOWN; c++)
                ck_assert_msg(
                    !((launched.out[l * SHOWN + c] ^ want[l][first + c]) & known[l][first + c]),
                    "round %d, %s.x%u: lane %u, column %u: %08x, not %08x", i, move.shape,
                    move.number, l, first + c, launched.out[l * SHOWN + c], want[l][first + c]);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {loads, stores};
    return run_tests("tensor moves", tests, sizeof tests / sizeof tests[0]);
}
