/* test_words.c - moves by whole words give the results of moves by elements (WSIM_PLAIN): equal
 * registers, bytes, refusals and reports to watchers. */
#include "../../../sim/exec/work.h"
#include "../../every.h"

enum { WINDOW = 4096, BASE = 1024, REGS = 16, MOST = 2048, ROUNDS = 40 };

struct seen {
    int n;
    struct wsim_touch touch[MOST];
};

static void look(void *context, const struct wsim_memory *memory, const struct wsim_touch *touch) {
    struct seen *seen = context;
    expect(seen->n < MOST && memory->space <= WSIM_GLOBAL, "too many");
    seen->touch[seen->n++] = *touch;
}

/* Registers and memory before and after; addresses may be registers. */
struct block {
    uint32_t words[REGS][WSIM_LANES];
    uint8_t bytes[WINDOW];
    struct seen seen;
    struct wsim_diag diag;
    enum wsim_status status;
};

/* How one round differs from the next. */
struct round {
    unsigned addr, high;  /* registers that hold them; REGS: none            */
    unsigned first, step; /* registers of the operand: first, first + step   */
    int watched, read_only, global;
    uint32_t stride;
};

static unsigned below(uint64_t *state, unsigned most) {
    return (unsigned)(every_random(state) >> 33) % most;
}

/* Rows mostly have different addresses inside; a fragment has one for all lanes. */
static void choose_addresses(const struct wsim_op *op, uint32_t *addr, uint64_t *state) {
    unsigned kind = below(state, 8), swap = below(state, 32), step = 1 + 2 * below(state, 16);
    int rows = wsim_op_describe(op).counting == WSIM_COUNT_ROWS;
    uint32_t one = BASE + 64 * below(state, 8);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = rows ? BASE + 16 * ((l * step ^ swap) % (WINDOW / 16)) : one;
    if (kind == 0) /* anywhere */
        addr[below(state, WSIM_LANES)] = (uint32_t)every_random(state);
    if (kind == 1) /* twice, or not aligned */
        addr[below(state, WSIM_LANES)] = addr[below(state, WSIM_LANES)] + (below(state, 4) == 0);
    if (kind == 2) /* at an end, in or out */
        addr[below(state, WSIM_LANES)] =
            (below(state, 2) ? BASE + WINDOW : BASE) - 16 * below(state, 2);
    for (unsigned l = 0; l < WSIM_LANES && kind == 3 && rows; l++) /* in any order */
        addr[l] = BASE + 16 * below(state, WINDOW / 16);
}

/* Whether lanes hold what they do since Turing; not all other fragments are moved by words. */
static int is_usual(const struct wsim_op *op, const struct wsim_arch *arch) {
    enum wsim_operand operand = wsim_op_describe(op).operands >> WSIM_R & 1 ? WSIM_R : WSIM_D;
    struct wsim_layout usual, there;
    return wsim_op_layout(op, NULL, operand, &usual, NULL) == WSIM_OK &&
           wsim_op_layout(op, arch, operand, &there, NULL) == WSIM_OK &&
           memcmp(usual.lane, there.lane, sizeof usual.lane) == 0 &&
           memcmp(usual.elem, there.elem, sizeof usual.elem) == 0;
}

static void run(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                const struct round *round, struct block *b) {
    uint32_t *d[REGS];
    const uint32_t *in[REGS];
    struct wsim_watch watch = {look, &b->seen};
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, b->bytes, WINDOW, BASE);
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, b->bytes, WINDOW, BASE);
    struct wsim_io io = {
        .shared = &shared, .where = 7, .warp = 5, .move = {.d = d, .a = in, .r = in}};
    struct wsim_code code;
    for (unsigned i = 0; i < REGS; i++)
        in[i] = d[i] = b->words[(round->first + i * round->step) % REGS];
    shared.read_only = global.read_only = (uint8_t)round->read_only;
    shared.watch = global.watch = round->watched ? &watch : NULL;
    io.global = round->global ? &global : NULL;
    io.move.addr = b->words[round->addr];
    io.move.addr_hi = round->high < REGS ? b->words[round->high] : NULL;
    io.move.stride = round->stride;
    b->seen.n = 0;
    b->diag.text[0] = '\0';
    b->diag.rule = NULL;
    ck_assert_int_eq(wsim_prepare(op, arch, flags, &code, &b->diag), WSIM_OK);
    expect(!!work_of(&code)->memory.way == !(flags & WSIM_PLAIN) || !is_usual(op, arch),
           "no path by words");
    b->status = wsim_run(&code, &io, &b->diag);
}

static void are_equal(const char *name, const struct block *fast, const struct block *plain) {
    expect(fast->status == plain->status && strcmp(fast->diag.text, plain->diag.text) == 0,
           "%s: '%s', plain: '%s'", name, fast->diag.text, plain->diag.text);
    expect(memcmp(fast->words, plain->words, sizeof fast->words) == 0, "%s: registers", name);
    expect(memcmp(fast->bytes, plain->bytes, sizeof fast->bytes) == 0, "%s: bytes", name);
    expect(fast->seen.n == plain->seen.n, "%s: told %d times", name, fast->seen.n);
    for (int i = 0; i < fast->seen.n; i++) {
        const struct wsim_touch *a = &fast->seen.touch[i], *b = &plain->seen.touch[i];
        expect(a->address == b->address && a->bytes == b->bytes && a->lane == b->lane &&
                   a->kind == b->kind && a->where == b->where && a->warp == b->warp,
               "%s: touch %d", name, i);
    }
}

/* Rounds of which most are not refused. */
static int compare(const struct wsim_op *op, const struct wsim_arch *arch, uint64_t *state) {
    static struct block fast, plain;
    char name[WSIM_SPELLING_MAX];
    struct round round = {.addr = below(state, REGS), .high = REGS, .step = 1};
    every_fill(fast.words, sizeof fast.words, state);
    every_fill(fast.bytes, sizeof fast.bytes, state);
    round.first = below(state, REGS);
    round.step = below(state, 2) ? 1 : 3;
    round.watched = below(state, 4) == 0;
    round.read_only = below(state, 8) == 0;
    round.global = below(state, 2);
    round.stride = below(state, 2) ? 0 : 64 + 32 * below(state, 3);
    choose_addresses(op, fast.words[round.addr], state);
    if (below(state, 4) == 0) {
        round.high = (round.addr + 1) % REGS;
        memset(fast.words[round.high], 0, sizeof fast.words[round.high]);
        if (below(state, 4) == 0)
            fast.words[round.high][below(state, WSIM_LANES)] = below(state, 3);
    }
    plain = fast;
    run(op, arch, 0, &round, &fast);
    run(op, arch, WSIM_PLAIN, &round, &plain);
    wsim_op_spell(op, name);
    are_equal(name, &fast, &plain);
    return fast.status == WSIM_OK;
}

static int moves_words(const struct wsim_op *op) {
    return (wsim_op_describe(op).does & (WSIM_DOES_LOAD | WSIM_DOES_STORE | WSIM_DOES_EXCHANGE)) !=
           0;
}

START_TEST(words_are_elements) {
    int ops = 0, rounds = 0, done = 0;
    uint64_t state = 2026;
    for (int i = 0; i < every_op_count(); i++) {
        const struct wsim_op *op = &every_ops()->op[i];
        const struct wsim_arch *arch = moves_words(op) ? every_first_model(op) : NULL;
        if (!arch)
            continue;
        ops++;
        for (int n = 0; n < ROUNDS; n++, rounds++)
            done += compare(op, arch, &state);
        for (int n = 0; n < ROUNDS && !is_usual(op, arch); n++, rounds++)
            done += compare(op, wsim_arch_find("sm_75"), &state);
    }
    expect(ops > 250 && rounds > 10000 && done > rounds / 3, "%d operations, %d of %d rounds", ops,
           done, rounds);
}
END_TEST

/* Whichever two lanes have one address for two rows, both are named; equal rows are stored. Row 4
 * of each register but the first is equal. */
START_TEST(any_two_rows_alike) {
    static struct block fast, plain;
    struct wsim_op op = every_parse("stmatrix.sync.aligned.m8n8.x4.shared.b16");
    struct round round = {.high = REGS, .step = 1};
    for (unsigned i = 0; i < WSIM_LANES; i++)
        for (unsigned j = 0; j <= i; j++) {
            const int alike = i == j || (i > 8 && j > 8 && i % 8 == 4 && j % 8 == 4);
            for (unsigned l = 0; l < WSIM_LANES; l++) {
                fast.words[0][l] = BASE + 16 * (l * 5 % WSIM_LANES);
                for (unsigned r = 1; r < 4; r++)
                    fast.words[r][l] = l / 4 == 4 ? l : 0x10001 * (100 * r + l);
            }
            fast.words[0][i] = fast.words[0][j];
            plain = fast;
            run(&op, wsim_arch_find("sm_90"), 0, &round, &fast);
            run(&op, wsim_arch_find("sm_90"), WSIM_PLAIN, &round, &plain);
            are_equal("stmatrix", &fast, &plain);
            expect((fast.status == WSIM_OK) == alike, "lanes %u and %u", i, j);
        }
}
END_TEST

int main(void) {
    struct every_test tests[] = {{words_are_elements, 0, 1}, {any_two_rows_alike, 0, 1}};
    return every_run("unit/exec/words", tests, COUNT(tests));
}
