/* test_code.c - one prepared instruction: registers in any place, d equal to an input, read-only
 * memory, copied code, and every operand missing in turn. */
#include "../../every.h"

enum { POOL = 96, WINDOW = 17408, STRIDE = 128, MOST = WSIM_MAX_REGS, SELECTED = 0x44444444 };

/* Registers of an instruction, all in one pool, in any order. */
struct file {
    uint32_t pool[POOL][WSIM_LANES];
    uint32_t *d[MOST];
    const uint32_t *a[MOST], *b[MOST], *c[MOST], *r[MOST], *e[1], *sfa[1], *sfb[1];
    uint32_t addr[WSIM_LANES];
    uint8_t bytes[WINDOW];
    struct wsim_memory shared, global;
    struct wsim_io io;
};

/* A register of the pool that was not given out yet. */
static uint32_t *next(struct file *f, unsigned *given) {
    return f->pool[(*given)++ * 37 % POOL];
}

static void lay_out(struct file *f) {
    unsigned given = 0;
    for (unsigned i = 0; i < MOST; i++) {
        f->d[i] = next(f, &given);
        f->a[i] = next(f, &given);
        f->b[i] = next(f, &given);
        f->c[i] = next(f, &given);
        f->r[i] = next(f, &given);
    }
    f->e[0] = next(f, &given);
    f->sfa[0] = next(f, &given);
    f->sfb[0] = next(f, &given);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        f->addr[l] = 0;
    f->shared = wsim_memory_over(WSIM_SHARED, f->bytes, WINDOW, 0);
    f->global = wsim_memory_over(WSIM_GLOBAL, f->bytes, WINDOW, 0);
    f->io = (struct wsim_io){.shared = &f->shared, .global = &f->global};
}

static uint32_t *writable(struct file *f, const uint32_t *reg) {
    for (unsigned i = 0; i < POOL; i++)
        if (f->pool[i] == reg)
            return f->pool[i];
    return NULL;
}

/* Random operands, with metadata that is defined for every pattern. */
static void fill(struct file *f, const struct wsim_op *op, uint64_t seed) {
    struct wsim_op_info info = wsim_op_describe(op);
    uint32_t *e;
    every_fill(f->pool, sizeof f->pool, &seed);
    every_fill(f->bytes, sizeof f->bytes, &seed);
    lay_out(f);
    if (info.view == WSIM_VIEW_MMA)
        f->io.mma = (struct wsim_io_mma){
            .d = f->d, .a = f->a, .b = f->b, .c = f->c, .e = f->e, .sfa = f->sfa, .sfb = f->sfb};
    else
        f->io.move = (struct wsim_io_move){
            .d = f->d, .a = f->a, .r = f->r, .addr = f->addr, .mask = UINT32_MAX, .stride = STRIDE};
    e = writable(f, f->e[0]);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        e[l] = SELECTED;
    if (info.counting == WSIM_COUNT_ROWS)
        for (unsigned l = 0; l < WSIM_LANES; l++)
            f->addr[l] = (l * 7 % WSIM_LANES) * 48;
    if (info.counting == WSIM_COUNT_FRAGMENT)
        for (unsigned l = 0; l < WSIM_LANES; l++)
            f->addr[l] = 64;
}

/* The number of registers of an operand; 0 if the operation lacks it. */
static unsigned regs_of(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    return wsim_op_layout(op, NULL, operand, &layout, NULL) ? 0 : layout.regs;
}

/* Operations that one warp executes. */
static int in_warp(const struct wsim_op *op) {
    struct wsim_op_info info = wsim_op_describe(op);
    return info.does && info.operands && info.threads == WSIM_LANES;
}

static void box(struct wsim_regs *to, const uint32_t *const *from, unsigned regs) {
    for (unsigned r = 0; r < regs; r++)
        memcpy(to->r[r], from[r], sizeof to->r[r]);
}

static enum wsim_space space_of(const struct wsim_op *op) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    return strstr(spelling, ".global.") ? WSIM_GLOBAL : WSIM_SHARED;
}

/* The same operands in boxes. */
static enum wsim_status run_boxed(const struct wsim_op *op, const struct wsim_arch *arch,
                                  const struct file *f, struct wsim_regs *d, uint8_t *bytes) {
    static struct wsim_regs a, b, c, r;
    struct wsim_memory smem = wsim_memory_over(space_of(op), bytes, WINDOW, 0);
    struct wsim_operands io = {.d = d,
                               .a = &a,
                               .b = &b,
                               .c = &c,
                               .r = &r,
                               .e = f->e[0],
                               .sfa = f->sfa[0],
                               .sfb = f->sfb[0],
                               .smem = &smem,
                               .addr = f->addr,
                               .stride = STRIDE};
    memcpy(bytes, f->bytes, WINDOW);
    box(&a, f->a, MOST);
    box(&b, f->b, MOST);
    box(&c, f->c, MOST);
    box(&r, f->r, MOST);
    return wsim_exec(op, arch, &io, NULL);
}

static struct wsim_code prepared(const struct wsim_op *op, const struct wsim_arch *arch) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_code code;
    expect(wsim_prepare(op, arch, 0, &code, &diag) == WSIM_OK, "%s", diag.text);
    return code;
}

static void spell(const struct wsim_op *op, char *to) {
    wsim_op_spell(op, to);
}

/* Every operation of a warp, on the first architecture that executes it: results come to registers
 * that lie anywhere, and only there. */
START_TEST(registers_lie_anywhere) {
    static struct file f, before;
    static struct wsim_regs d;
    static uint8_t bytes[WINDOW];
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_code code;
    unsigned regs;
    every_op(_i, &op);
    arch = every_first_model(&op);
    if (!arch || !in_warp(&op))
        return;
    spell(&op, spelling);
    code = prepared(&op, arch);
    fill(&f, &op, (uint64_t)_i);
    memcpy(before.pool, f.pool, sizeof f.pool);
    ck_assert_int_eq(run_boxed(&op, arch, &f, &d, bytes), WSIM_OK);
    ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
    regs = regs_of(&op, WSIM_D);
    for (unsigned r = 0; r < regs; r++) {
        expect(!memcmp(f.d[r], d.r[r], sizeof d.r[r]), "%s: d[%u] differs", spelling, r);
        memcpy(writable(&f, f.d[r]), before.pool[(uint32_t(*)[WSIM_LANES])f.d[r] - f.pool],
               sizeof d.r[r]);
    }
    expect(!memcmp(f.pool, before.pool, sizeof f.pool), "%s wrote elsewhere", spelling);
    expect(!memcmp(f.bytes, bytes, WINDOW), "%s: memory differs", spelling);
}
END_TEST

/* Makes register i of d one of the inputs, another one each time. */
static void alias(struct file *f, const struct wsim_op *op, unsigned turn) {
    const uint32_t *inputs[4 * MOST + 4];
    unsigned n = 0, regs = regs_of(op, WSIM_D);
    for (unsigned r = 0; r < regs_of(op, WSIM_A); r++)
        inputs[n++] = f->a[r];
    for (unsigned r = 0; r < regs_of(op, WSIM_B); r++)
        inputs[n++] = f->b[r];
    for (unsigned r = 0; r < regs_of(op, WSIM_C); r++)
        inputs[n++] = f->c[r];
    if (regs_of(op, WSIM_E))
        inputs[n++] = f->e[0];
    if (regs_of(op, WSIM_SFA)) {
        inputs[n++] = f->sfa[0];
        inputs[n++] = f->sfb[0];
    }
    if (!n)
        inputs[n++] = f->addr;
    for (unsigned r = 0; r < regs && r < n; r++)
        f->d[r] = inputs[(turn + r) % n] == f->addr ? f->addr : writable(f, inputs[(turn + r) % n]);
}

START_TEST(d_may_be_among_the_inputs) {
    static struct file f;
    static struct wsim_regs d;
    static uint8_t bytes[WINDOW];
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op;
    const struct wsim_arch *arch;
    struct wsim_code code;
    every_op(_i, &op);
    arch = every_first_model(&op);
    if (!arch || !in_warp(&op) || !regs_of(&op, WSIM_D))
        return;
    spell(&op, spelling);
    code = prepared(&op, arch);
    for (unsigned turn = 0; turn < 14; turn += 1 + (unsigned)_i % 5) {
        fill(&f, &op, (uint64_t)_i * 31 + turn);
        ck_assert_int_eq(run_boxed(&op, arch, &f, &d, bytes), WSIM_OK);
        alias(&f, &op, turn);
        ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
        for (unsigned r = 0; r < regs_of(&op, WSIM_D); r++)
            expect(!memcmp(f.d[r], d.r[r], sizeof d.r[r]), "%s: d[%u], turn %u", spelling, r, turn);
    }
}
END_TEST

/* A legal operation is prepared, or refused as not modelled with the code unchanged. */
START_TEST(everything_legal_is_prepared) {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    every_op(_i, &op);
    spell(&op, spelling);
    for (size_t i = 0; wsim_arch_at(i); i++) {
        struct wsim_code code, untouched;
        struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
        enum wsim_status legal = wsim_op_check(&op, wsim_arch_at(i), NULL), status;
        int claims = wsim_op_evidence(&op, wsim_arch_at(i), WSIM_RESULTS, NULL) != NULL;
        memset(&code, 0x5A, sizeof code);
        memset(&untouched, 0x5A, sizeof untouched);
        status = wsim_prepare(&op, wsim_arch_at(i), 0, &code, &diag);
        if (legal) {
            expect(status == legal, "%s: %d, not %d", spelling, (int)status, (int)legal);
        } else {
            expect(status == WSIM_OK || status == WSIM_UNMODELLED, "%s: %s", spelling, diag.text);
            expect(!claims || status == WSIM_OK, "%s: has results, but %s", spelling, diag.text);
        }
        expect(status == WSIM_OK || !memcmp(&code, &untouched, sizeof code), "%s", spelling);
        expect(status != WSIM_OK || code.arch == wsim_arch_at(i), "%s", spelling);
    }
}
END_TEST

static const char *const one_of_each[] = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "movmatrix.sync.aligned.m8n8.trans.b16",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
    "wmma.store.d.sync.aligned.col.m16n16k16.global.f32",
};

/* Neither a run nor a copy of the code changes it, and a copy does as well. */
START_TEST(code_is_plain_data) {
    static struct file f, g;
    struct wsim_op op = every_parse(one_of_each[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200")), copy, before;
    fill(&f, &op, 3);
    fill(&g, &op, 3);
    memcpy(&copy, &code, sizeof code);
    memcpy(&before, &code, sizeof code);
    ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
    ck_assert_int_eq(memcmp(&code, &before, sizeof code), 0);
    memset(&code, 0xEE, sizeof code);
    ck_assert_int_eq(wsim_run(&copy, &g.io, NULL), WSIM_OK);
    ck_assert_int_eq(memcmp(f.pool, g.pool, sizeof f.pool), 0);
    ck_assert_int_eq(memcmp(f.bytes, g.bytes, sizeof f.bytes), 0);
}
END_TEST

/* Refuses with that rule, and changes nothing. */
static void refused(const struct wsim_code *code, struct file *f, enum wsim_status status,
                    const char *rule, const char *words) {
    static struct file before;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    memcpy(&before, f, sizeof before);
    ck_assert_int_eq(wsim_run(code, &f->io, &diag), status);
    ck_assert_str_eq(diag.rule, rule);
    expect(strstr(diag.text, words) != NULL, "'%s' is not in: %s", words, diag.text);
    ck_assert_int_eq(memcmp(&before, f, sizeof before), 0);
}

/* Every register that an instruction has is asked for, and told by name. */
START_TEST(a_missing_register_is_named) {
    static struct file f;
    struct wsim_op op = every_parse(one_of_each[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    const enum wsim_operand which[] = {WSIM_A, WSIM_B, WSIM_C, WSIM_R};
    char words[64];
    fill(&f, &op, 4);
    for (unsigned r = 0; r < regs_of(&op, WSIM_D); r++) {
        uint32_t *kept = f.d[r];
        f.d[r] = NULL;
        snprintf(words, sizeof words, "register %u of operand d", r);
        refused(&code, &f, WSIM_OPERAND, "operand.missing", words);
        f.d[r] = kept;
    }
    for (int o = 0; o < COUNT(which); o++) {
        const uint32_t **regs = o == 0 ? f.a : o == 1 ? f.b : o == 2 ? f.c : f.r;
        for (unsigned r = 0; r < regs_of(&op, which[o]); r++) {
            const uint32_t *kept = regs[r];
            regs[r] = NULL;
            snprintf(words, sizeof words, "register %u of operand %s", r,
                     wsim_operand_name(which[o]));
            refused(&code, &f, WSIM_OPERAND, "operand.missing", words);
            regs[r] = kept;
        }
    }
    ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
}
END_TEST

START_TEST(only_what_is_stored_needs_writable_memory) {
    static struct file f;
    struct wsim_op op = every_parse(one_of_each[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    fill(&f, &op, 5);
    f.shared.read_only = f.global.read_only = 1;
    if (wsim_op_describe(&op).does & WSIM_DOES_STORE)
        refused(&code, &f, WSIM_OPERAND, "memory.read_only", "read-only");
    else
        ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
}
END_TEST

START_TEST(nothing_reaches_beyond_an_sm) {
    static const char *const spellings[] = {"ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                            "stmatrix.sync.aligned.m8n8.x1.shared.b16",
                                            "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32"};
    static struct file f;
    static uint8_t large[256 * 1024];
    struct wsim_op op = every_parse(spellings[_i]);
    struct wsim_code code = prepared(&op, wsim_arch_find("h200"));
    uint32_t bytes = _i == 2 ? 16 * 16 * 4 : 8 * 16;
    fill(&f, &op, 6);
    f.shared = wsim_memory_over(WSIM_SHARED, large, sizeof large, 0);
    f.io.move.stride = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++)
        f.addr[l] = 228 * 1024 - bytes + (_i == 2 ? 0 : l % 8 * 16);
    ck_assert_int_eq(wsim_run(&code, &f.io, NULL), WSIM_OK);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        f.addr[l] += 32;
    refused(&code, &f, WSIM_BOUNDS, "memory.end", "ends at 0x39000");
}
END_TEST

START_TEST(flags_are_those_that_there_are) {
    struct wsim_op op = every_parse(one_of_each[0]);
    struct wsim_diag diag;
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), WSIM_PLAIN, &code, &diag), WSIM_OK);
    ck_assert_uint_eq(code.flags, WSIM_PLAIN);
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), 4, &code, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "code.flags.unknown");
}
END_TEST

/* Operations that are only known, only counted, or executed elsewhere report it. */
START_TEST(no_door_is_not_modelled) {
    static const struct {
        const char *spelling, *words;
        int prepared;
    } list[] = {
        {"ld.shared.b32", "bank model only", 1},
        {"red.shared.add.u32", "bank model only", 1},
        {"atom.shared.add.f32", "no counted bank rule", 0},
        {"wgmma.fence.sync.aligned", "only orders other instructions", 0},
        {"tensormap.replace.tile.global_address.shared::cta.b1024.b64", "wsim_tensor_replace", 0},
    };
    static struct file f;
    struct wsim_op op = every_parse(list[_i].spelling);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_code code;
    enum wsim_status status = wsim_prepare(&op, wsim_arch_find("h200"), 0, &code, &diag);
    ck_assert_int_eq(status, list[_i].prepared ? WSIM_OK : WSIM_UNMODELLED);
    lay_out(&f);
    if (list[_i].prepared)
        ck_assert_int_eq(wsim_run(&code, &f.io, &diag), WSIM_UNMODELLED);
    expect(strstr(diag.text, list[_i].words) != NULL, "%s", diag.text);
}
END_TEST

int main(void) {
    const int all = every_op_count(), each = COUNT(one_of_each);
    const struct every_test tests[] = {
        {registers_lie_anywhere, 0, all},
        {d_may_be_among_the_inputs, 0, all},
        {everything_legal_is_prepared, 0, all},
        {code_is_plain_data, 0, each},
        {a_missing_register_is_named, 0, each},
        {only_what_is_stored_needs_writable_memory, 0, each},
        {nothing_reaches_beyond_an_sm, 0, 3},
        {flags_are_those_that_there_are, 0, 1},
        {no_door_is_not_modelled, 0, 5},
    };
    return every_run("unit/exec/code", tests, COUNT(tests));
}
