/* test_registers.c - an operand has as many registers as the manual gives it, for every operation.
 * The table below was written from the manual, independently of layouts. */
#include "../every.h"

/* A row of the manual: the type group of A. */
enum group { F64, F16, TF32, FP8, NARROW, FP4, INT8, INT4, B1 };

/* Registers as the manual counts them: 64-bit ones for f64. `half`: of C or D in f16; 0: none. */
static const struct {
    const char *shape;
    enum group group;
    int sparse, a, b, cd, half;
} mma[] = {
    {"m8n8k4", F64, 0, 1, 1, 2, 0},    {"m16n8k4", F64, 0, 2, 1, 4, 0},
    {"m16n8k8", F64, 0, 4, 2, 4, 0},   {"m16n8k16", F64, 0, 8, 4, 4, 0},
    {"m8n8k4", F16, 0, 2, 2, 8, 4},    {"m16n8k8", F16, 0, 2, 1, 4, 2},
    {"m16n8k16", F16, 0, 4, 2, 4, 2},  {"m16n8k4", TF32, 0, 2, 1, 4, 0},
    {"m16n8k8", TF32, 0, 4, 2, 4, 0},  {"m16n8k16", FP8, 0, 2, 1, 4, 2},
    {"m16n8k32", FP8, 0, 4, 2, 4, 2},  {"m16n8k32", NARROW, 0, 4, 2, 4, 2},
    {"m16n8k64", FP4, 0, 4, 2, 4, 0},  {"m8n8k16", INT8, 0, 1, 1, 2, 0},
    {"m16n8k16", INT8, 0, 2, 1, 4, 0}, {"m16n8k32", INT8, 0, 4, 2, 4, 0},
    {"m8n8k32", INT4, 0, 1, 1, 2, 0},  {"m16n8k32", INT4, 0, 2, 1, 4, 0},
    {"m16n8k64", INT4, 0, 4, 2, 4, 0}, {"m8n8k128", B1, 0, 1, 1, 2, 0},
    {"m16n8k128", B1, 0, 2, 1, 4, 0},  {"m16n8k256", B1, 0, 4, 2, 4, 0},
    {"m16n8k16", F16, 1, 2, 2, 4, 2},  {"m16n8k32", F16, 1, 4, 4, 4, 2},
    {"m16n8k8", TF32, 1, 2, 2, 4, 0},  {"m16n8k16", TF32, 1, 4, 4, 4, 0},
    {"m16n8k32", INT8, 1, 2, 2, 4, 0}, {"m16n8k64", INT8, 1, 4, 4, 4, 0},
    {"m16n8k64", INT4, 1, 2, 2, 4, 0}, {"m16n8k128", INT4, 1, 4, 4, 4, 0},
    {"m16n8k64", FP8, 1, 4, 4, 4, 2},  {"m16n8k64", NARROW, 1, 4, 4, 4, 2},
    {"m16n8k128", FP4, 1, 4, 4, 4, 0},
};

static const struct {
    const char *start;
    int regs;
} moves[] = {
    {"ldmatrix.sync.aligned.m8n8.x1.", 1},   {"ldmatrix.sync.aligned.m8n8.x2.", 2},
    {"ldmatrix.sync.aligned.m8n8.x4.", 4},   {"ldmatrix.sync.aligned.m16n16.x1.", 2},
    {"ldmatrix.sync.aligned.m16n16.x2.", 4}, {"ldmatrix.sync.aligned.m8n16.x1.", 1},
    {"ldmatrix.sync.aligned.m8n16.x2.", 2},  {"ldmatrix.sync.aligned.m8n16.x4.", 4},
    {"stmatrix.sync.aligned.m8n8.x1.", 1},   {"stmatrix.sync.aligned.m8n8.x2.", 2},
    {"stmatrix.sync.aligned.m8n8.x4.", 4},   {"stmatrix.sync.aligned.m16n8.x1.", 1},
    {"stmatrix.sync.aligned.m16n8.x2.", 2},  {"stmatrix.sync.aligned.m16n8.x4.", 4},
    {"movmatrix.sync.aligned.m8n8.", 1},
};

static int has(const char *text, const char *word) {
    return strstr(text, word) != NULL;
}

/* By the spelling alone. The dot before a type tells s8 from kind::... */
static enum group group_of(const char *text) {
    if (has(text, ".b1."))
        return B1;
    if (has(text, "kind::mxf4"))
        return FP4;
    if (has(text, "kind::"))
        return NARROW;
    if (has(text, ".e4m3") || has(text, ".e5m2"))
        return FP8;
    if (has(text, ".s8") || has(text, ".u8"))
        return INT8;
    if (has(text, ".s4") || has(text, ".u4"))
        return INT4;
    if (has(text, ".f64"))
        return F64;
    return has(text, ".tf32") ? TF32 : F16;
}

/* Row of the table for a spelling; -1 if the manual has none. */
static int row_of(const char *text) {
    char shape[16];
    int i;
    for (i = 0; i < COUNT(mma); i++) {
        strcpy(shape, ".");
        strcat(strcat(shape, mma[i].shape), ".");
        if (has(text, shape) && group_of(text) == mma[i].group &&
            (strncmp(text, "mma.sp", 6) == 0) == mma[i].sparse)
            return i;
    }
    return -1;
}

static void expect_regs(const struct wsim_op *op, enum wsim_operand operand, int regs) {
    struct wsim_layout layout;
    char text[WSIM_SPELLING_MAX];
    wsim_op_spell(op, text);
    ck_assert_int_eq(wsim_op_layout(op, NULL, operand, &layout, NULL), WSIM_OK);
    expect(layout.regs == regs, "%s operand %d: %d registers, not %d", text, operand, layout.regs,
           regs);
    ck_assert_int_le(layout.regs, layout.lanes == WSIM_LANES ? WSIM_MAX_REGS : WSIM_GROUP_REGS);
}

static int is_half(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    wsim_op_layout(op, NULL, operand, &layout, NULL);
    return strcmp(layout.format->name, "f16") == 0;
}

static void expect_mma(const struct wsim_op *op, const char *text) {
    int i = row_of(text), words;
    expect(i >= 0, "%s is in no row of the manual", text);
    words = mma[i].group == F64 ? 2 : 1;
    expect_regs(op, WSIM_A, words * mma[i].a);
    expect_regs(op, WSIM_B, words * mma[i].b);
    expect_regs(op, WSIM_C, is_half(op, WSIM_C) ? mma[i].half : words * mma[i].cd);
    expect_regs(op, WSIM_D, is_half(op, WSIM_D) ? mma[i].half : words * mma[i].cd);
    if (mma[i].sparse)
        expect_regs(op, WSIM_E, 1);
    if (has(text, "block_scale")) {
        expect_regs(op, WSIM_SFA, 1);
        expect_regs(op, WSIM_SFB, 1);
    }
}

static int move_row(const char *text) {
    int i = 0;
    while (i < COUNT(moves) && strncmp(text, moves[i].start, strlen(moves[i].start)) != 0)
        i++;
    return i;
}

static void expect_move(const struct wsim_op *op, enum wsim_family family, const char *text) {
    int i = move_row(text);
    expect(i < COUNT(moves), "%s is in no row of the manual", text);
    expect_regs(op, family == WSIM_STMATRIX ? WSIM_R : WSIM_D, moves[i].regs);
    if (family == WSIM_MOVMATRIX)
        expect_regs(op, WSIM_A, 1);
}

/* wmma: registers of A, B, and C or D; f16 has halves of C or D. */
static const struct {
    const char *shape, *type;
    int a, b, cd, half;
} wmma[] = {
    {".m16n16k16.", "f16", 8, 8, 8, 4}, {".m8n32k16.", "f16", 8, 8, 8, 4},
    {".m32n8k16.", "f16", 8, 8, 8, 4},  {".m16n16k16.", "bf16", 4, 4, 8, 0},
    {".m8n32k16.", "bf16", 2, 8, 8, 0}, {".m32n8k16.", "bf16", 8, 2, 8, 0},
    {".m16n16k8.", "tf32", 4, 4, 8, 0}, {".m8n8k4.", "f64", 2, 2, 4, 0},
    {".m16n16k16.", "s8", 2, 2, 8, 0},  {".m8n32k16.", "s8", 1, 4, 8, 0},
    {".m32n8k16.", "s8", 4, 1, 8, 0},   {".m16n16k16.", "u8", 2, 2, 8, 0},
    {".m8n32k16.", "u8", 1, 4, 8, 0},   {".m32n8k16.", "u8", 4, 1, 8, 0},
    {".m8n8k32.", "s4", 1, 1, 2, 0},    {".m8n8k32.", "u4", 1, 1, 2, 0},
    {".m8n8k128.", "b1", 1, 1, 2, 0},
};

static const char *type_of(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    return wsim_op_layout(op, NULL, operand, &layout, NULL) ? "" : layout.format->name;
}

/* C and D are as many in each row of their shape. */
static int wmma_row(const char *text, const char *type) {
    int i;
    for (i = 0; i < COUNT(wmma); i++)
        if (has(text, wmma[i].shape) && (!type || strcmp(wmma[i].type, type) == 0))
            return i;
    ck_abort_msg("%s is in no row of the manual", text);
}

static int accumulators(const struct wsim_op *op, enum wsim_operand operand, int row) {
    return is_half(op, operand) ? wmma[row].half : wmma[row].cd;
}

static void expect_wmma(const struct wsim_op *op, enum wsim_family family, const char *text) {
    enum wsim_operand moved = family == WSIM_WMMA_STORE ? WSIM_R : WSIM_D;
    int factors = family != WSIM_WMMA_LOAD_C && family != WSIM_WMMA_STORE;
    int row = wmma_row(text, !factors ? NULL : type_of(op, family == WSIM_WMMA ? WSIM_A : WSIM_D));
    if (family == WSIM_WMMA_LOAD_A || family == WSIM_WMMA_LOAD_B) {
        expect_regs(op, WSIM_D, family == WSIM_WMMA_LOAD_A ? wmma[row].a : wmma[row].b);
    } else if (!factors) {
        expect_regs(op, moved, accumulators(op, moved, row));
    } else {
        expect_regs(op, WSIM_A, wmma[row].a);
        expect_regs(op, WSIM_B, wmma[row].b);
        expect_regs(op, WSIM_C, accumulators(op, WSIM_C, row));
        expect_regs(op, WSIM_D, accumulators(op, WSIM_D, row));
    }
}

/* Warpgroups: A always has four registers, D and C one for each 32-bit element of two columns. */
static void expect_group(const struct wsim_op *op, const struct wsim_op_info *info,
                         const char *text) {
    struct wsim_layout layout;
    expect_regs(op, WSIM_A, 4);
    expect_regs(op, WSIM_C, info->n / (has(text, ".f16.") && !has(text, ".f32.") ? 4 : 2));
    expect_regs(op, WSIM_D, info->n / (has(text, ".f16.") && !has(text, ".f32.") ? 4 : 2));
    if (info->sparse)
        expect_regs(op, WSIM_E, 1);
    ck_assert_int_eq(wsim_op_layout(op, NULL, WSIM_B, &layout, NULL), WSIM_ILLEGAL);
}

static void expect_no_operand(const struct wsim_op *op) {
    struct wsim_layout layout;
    int operand;
    for (operand = 0; operand < WSIM_OPERANDS; operand++)
        ck_assert_int_eq(wsim_op_layout(op, NULL, (enum wsim_operand)operand, &layout, NULL),
                         WSIM_ILLEGAL);
}

START_TEST(registers_are_those_of_the_manual) {
    struct wsim_op op;
    struct wsim_op_info info;
    char text[WSIM_SPELLING_MAX];
    every_op(_i, &op);
    info = wsim_op_describe(&op);
    wsim_op_spell(&op, text);
    if (!info.does || !info.operands)
        expect_no_operand(&op);
    else if (info.does & WSIM_DOES_WMMA)
        expect_wmma(&op, info.family, text);
    else if (!(info.does & WSIM_DOES_MULTIPLY))
        expect_move(&op, info.family, text);
    else if (info.threads == WSIM_GROUP_THREADS)
        expect_group(&op, &info, text);
    else
        expect_mma(&op, text);
}
END_TEST

START_TEST(every_row_of_the_manual_is_an_operation) {
    int seen[COUNT(mma)] = {0}, moved[COUNT(moves) + 1] = {0}, i;
    struct wsim_op op;
    char text[WSIM_SPELLING_MAX];
    for (i = 0; every_op(i, &op); i++) {
        wsim_op_spell(&op, text);
        if (wsim_op_describe(&op).family == WSIM_MMA)
            seen[row_of(text)]++;
        else
            moved[move_row(text)]++;
    }
    for (i = 0; i < COUNT(mma); i++)
        expect(seen[i], "%s, group %d, sparse %d: no operation", mma[i].shape, mma[i].group,
               mma[i].sparse);
    for (i = 0; i < COUNT(moves); i++)
        expect(moved[i], "%s: no operation", moves[i].start);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{registers_are_those_of_the_manual, 0, every_op_count()},
                                       {every_row_of_the_manual_is_an_operation, 0, 1}};
    return every_run("rows/registers", tests, COUNT(tests));
}
