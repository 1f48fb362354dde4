/* The generated kernels are complete. Each operation with cases has one kernel for every selector,
 * a warpgroup's (PTX) with every choice of immediates. Each access that the bank model counts has a
 * kernel too. All have code for exactly the architectures where they are legal, and a row in the
 * list. Nothing else is generated.
 */
#include "../../tools/hw/access_line.h"
#include "../every.h"
#include <wsim/harness/harness.h>

static char *text; /* of kernels.cu */

static char *read_file(const char *path, size_t room) {
    FILE *file = fopen(path, "rb");
    char *read = calloc(1, room);
    size_t length;
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(read);
    length = fread(read, 1, room - 1, file);
    ck_assert_uint_lt(length, room - 1);
    fclose(file);
    return read;
}

static void read_generated(void) {
    text = read_file(GENERATED, 4 << 20);
}

static unsigned long long legal_targets(const struct wsim_op *op) {
    unsigned long long targets = 0;
    for (int i = 0; i < every_arch_count(); i++)
        if (wsim_op_check(op, wsim_arch_at((size_t)i), NULL) == WSIM_OK)
            targets |= 1ull << i;
    return targets;
}

/* How often `what` comes, and where last. */
static int count_of(const char *what, const char **last) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++, count++)
        *last = at;
    return count;
}

static void check_kernel(const struct wsim_op *op, unsigned selector) {
    char spelling[WSIM_SPELLING_MAX], what[2 * WSIM_SPELLING_MAX], selected[32] = "", known[64];
    unsigned long long targets = legal_targets(op), guard = 0;
    unsigned ptx = 0;
    const char *at = text;
    wsim_op_spell(op, spelling);
    if (wsim_op_describe(op).sparse)
        snprintf(selected, sizeof selected, ", selector %u", selector);
    snprintf(what, sizeof what, "{ /* %s%s */\n", spelling, selected);
    expect(count_of(what, &at) == 1, "not one kernel: %s%s", spelling, selected);
    ck_assert_int_eq(
        sscanf(at + strlen(what), "#if HW_ON(0x%llxull) && HW_KNOWN(%u)", &guard, &ptx), 2);
    expect(ptx == wsim_op_describe(op).ptx, "%s: PTX %u", spelling, ptx);
    expect(guard == targets, "%s: guard 0x%llx, legal 0x%llx", spelling, guard, targets);
    snprintf(what, sizeof what, "asm volatile(\"%s ", spelling);
    expect(strstr(at, what) && strstr(at, what) < strstr(at, "#endif"), "%s: no code", spelling);
    if (ptx > 90)
        snprintf(known, sizeof known, "HW_KNOWN(%u) ? 0x%llxull : 0", ptx, targets);
    else
        snprintf(known, sizeof known, "0x%llxull", targets);
    snprintf(what, sizeof what, "    {\"%s\", %u, %s, (const void *)k", spelling, selector, known);
    expect(count_of(what, &at) == 1, "not one row: %s%s", spelling, selected);
}

/* The instruction once, under its predicate unless the whole warp has to execute it. */
static void check_access(const struct wsim_op *op, unsigned size) {
    char spelling[WSIM_SPELLING_MAX], symbol[WSIM_SPELLING_MAX], what[3 * WSIM_SPELLING_MAX];
    unsigned long long targets = legal_targets(op), guard = 0;
    const char *at = text, *in, *end;
    wsim_op_spell(op, spelling);
    hw_access_symbol(spelling, size, symbol);
    snprintf(what, sizeof what, "\nHW_ACCESS(%s) { /* one %s */\n", symbol, spelling);
    expect(count_of(what, &at) == 1, "not one kernel: %s", spelling);
    ck_assert_int_eq(sscanf(at + strlen(what), "#if HW_ON(0x%llxull)", &guard), 1);
    expect(guard == targets, "%s: guard 0x%llx, legal 0x%llx", spelling, guard, targets);
    end = strstr(at, "#endif");
    int whole = wsim_op_describe(op).matrices || hw_access_is_fragment(op);
    snprintf(what, sizeof what, "%s%s ", whole ? "asm volatile(\"{ " : "; @p ", spelling);
    in = strstr(at, what);
    expect(in && in < end, "%s: no code", spelling);
    in = strstr(in + 1, what);
    expect(!in || in > end, "%s: twice", spelling);
    snprintf(what, sizeof what, "    {\"%s\", %u, 0x%llxull, (const void *)%s, 0},\n", spelling,
             size, targets, symbol);
    expect(count_of(what, &at) == 1, "not one row: %s", spelling);
}

START_TEST(test_every_operation) {
    struct wsim_op op;
    uint32_t cursor = 0;
    const char *at;
    int kernels = 0;
    read_generated();
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_op_info info = wsim_op_describe(&op);
        struct wsim_plan plan;
        if (info.threads > WSIM_LANES || wsim_plan_make(&op, 0, &plan, NULL))
            continue;
        ck_assert(info.documented);
        for (unsigned s = 0; s < (info.selectors ? info.selectors : 1u); s++, kernels++)
            check_kernel(&op, s);
    }
    ck_assert_int_gt(kernels, 900);
    ck_assert_int_eq(count_of("\nHW_KERNEL(", &at), kernels);
    free(text);
}
END_TEST

static unsigned count_in(const char *from, const char *what) {
    unsigned count = 0;
    for (; (from = strstr(from, what)); from++)
        count++;
    return count;
}

/* The kernel at *at, that of the row in the list, has the instruction once for each choice of
 * immediates, and all choices differ. */
static void check_group(const struct wsim_op *op, unsigned selector, char **at) {
    char spelling[WSIM_SPELLING_MAX], what[2 * WSIM_SPELLING_MAX];
    struct wsim_plan plan;
    const char *row = text;
    char *entry = strstr(*at, ".visible .entry k"), *end;
    unsigned number;
    wsim_op_spell(op, spelling);
    wsim_plan_make(op, selector, &plan, NULL);
    expect(entry && sscanf(entry, ".visible .entry k%u(", &number) == 1, "%s: none", spelling);
    end = strstr(entry, "\n}\n");
    *end = '\0'; /* to look at this kernel alone */
    snprintf(what, sizeof what, "    {\"%s\", %u, 0x%llxull, 0, \"k%u\"},\n", spelling, selector,
             legal_targets(op), number);
    expect(count_of(what, &row) == 1, "not one row: %s", what);
    snprintf(what, sizeof what, "\n%s {d0", spelling);
    expect(count_in(entry, what) == plan.variants, "%s: not %u times", spelling, plan.variants);
    for (unsigned v = 0; v < plan.variants; v++) {
        snprintf(what, sizeof what, "\nV%u:\n", plan.variant[v]);
        expect(count_in(entry, what) == 1, "%s: choice %u", spelling, plan.variant[v]);
    }
    *at = end + 1;
}

START_TEST(test_every_group) {
    struct wsim_op op;
    uint32_t cursor = 0;
    char *groups = read_file(GROUPS, 32 << 20);
    char *at = groups;
    unsigned kernels = 0;
    read_generated();
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        if (wsim_op_describe(&op).family != WSIM_WGMMA)
            continue;
        for (unsigned s = 0; wsim_plan_make(&op, s, &plan, NULL) == WSIM_OK; s++, kernels++)
            check_group(&op, s, &at);
    }
    ck_assert_uint_gt(kernels, 1000);
    ck_assert_ptr_null(strstr(at, ".entry"));
    ck_assert_ptr_nonnull(strstr(groups, "\n.target sm_90a\n"));
    free(groups);
    free(text);
}
END_TEST

START_TEST(test_every_access) {
    struct wsim_op op;
    uint32_t cursor = 0;
    const char *at;
    int kernels = 0;
    read_generated();
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op))
        for (unsigned size = 1, sizes = hw_access_sizes(&op); size <= sizes; size *= 2)
            if (sizes & size) {
                check_access(&op, size > 1 ? size : 0);
                kernels++;
            }
    ck_assert_int_gt(kernels, 100);
    ck_assert_int_eq(count_of("\nHW_ACCESS(", &at), kernels);
    free(text);
}
END_TEST

/* Each architecture has its own condition. */
START_TEST(test_every_architecture) {
    char what[64];
    const char *at;
    read_generated();
    for (int i = 0; i < every_arch_count(); i++) {
        snprintf(what, sizeof what, "#define HW_TARGET %d /* %s */", i,
                 wsim_arch_name(wsim_arch_at((size_t)i)));
        expect(count_of(what, &at) == 1, "not once: %s", what);
    }
    free(text);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{test_every_operation, 0, 1},
                                       {test_every_group, 0, 1},
                                       {test_every_access, 0, 1},
                                       {test_every_architecture, 0, 1}};
    return every_run("hw/generated", tests, COUNT(tests));
}
