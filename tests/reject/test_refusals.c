/* test_refusals.c - every refusal of the tables in this folder has the listed status, rule,
 * column and words. Callers without a diag get the same status. All outputs stay
 * unchanged. The cases break every rule of the library. */
#include "case.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define MAX_CASES 1000

static struct reject_case cases[MAX_CASES];

/* Memory that a refused call must not change. */
struct outputs {
    struct reject_operands operands;
    struct wsim_layout layout;
    struct wsim_banks banks;
    struct wsim_copy_banks copied;
    uint64_t dense[16 * 128];
};

/* For an operation. */
static enum wsim_status ask(const struct reject_case *what, const struct wsim_op *op,
                            struct outputs *out, struct wsim_diag *diag) {
    const struct wsim_arch *arch = wsim_arch_find(what->arch);
    struct reject_operands *o = &out->operands;
    const char *action = what->action;
    expect(arch || !*what->arch, "%s:%d: no %s", what->file, what->line, what->arch);
    if (strcmp(action, "check") == 0)
        return wsim_op_check(op, arch, diag);
    if (strcmp(action, "exec") == 0)
        return wsim_exec(op, arch, &o->io, diag);
    if (strcmp(action, "banks") == 0)
        return wsim_banks_count(op, arch, o->addr, o->mask, &out->banks, diag);
    if (strcmp(action, "copy") == 0) {
        struct wsim_copy copy = o->copy;
        copy.mask = o->mask;
        return wsim_banks_copy(op, arch, &copy, &out->copied, diag);
    }
    if (strcmp(action, "layout") == 0)
        return wsim_op_layout(op, arch, (enum wsim_operand)o->operand, &out->layout, diag);
    if (strcmp(action, "compress") == 0)
        return wsim_sparse_compress(op, out->dense, o->io.selector, &o->a, o->e, diag);
    if (strcmp(action, "expand") == 0)
        return wsim_sparse_expand(op, &o->a, o->io.e, o->io.selector, out->dense, diag);
    ck_abort_msg("%s:%d: unknown action %s", what->file, what->line, action);
    return WSIM_OK;
}

/* Parts between "..." in order. */
static void expect_words(const struct reject_case *what, const char *text) {
    char words[CASE_LINE];
    const char *at = text;
    char *word = words, *next;
    strcpy(words, what->words);
    for (; word; word = next) {
        next = strstr(word, " ... ");
        if (next) {
            *next = 0;
            next += strlen(" ... ");
        }
        at = strstr(at, word);
        expect(at, "%s:%d: no \"%s\" in: %s", what->file, what->line, word, text);
        at += strlen(word);
    }
}

static void expect_refusal(const struct reject_case *what, enum wsim_status status,
                           const struct wsim_diag *diag) {
    expect(strcmp(wsim_status_name(status), what->status) == 0, "%s:%d: %s (%s)", what->file,
           what->line, wsim_status_name(status), diag->text);
    expect(status == WSIM_OK || diag->status == status, "%s:%d: the diag says %s", what->file,
           what->line, wsim_status_name(diag->status));
    expect(diag->rule && strcmp(diag->rule, what->rule) == 0, "%s:%d: rule %s (%s)", what->file,
           what->line, diag->rule ? diag->rule : "none", diag->text);
    expect(diag->col == what->col || (!what->col && reject_is_trace(what)), "%s:%d: column %u (%s)",
           what->file, what->line, (unsigned)diag->col, diag->text);
    expect(diag->line == what->at_line || reject_is_trace(what), "%s:%d: line %u", what->file,
           what->line, (unsigned)diag->line);
    expect_words(what, diag->text);
}

static void refuse_trace(const struct reject_case *what) {
    const struct wsim_arch *arch = wsim_arch_find(what->arch);
    struct wsim_diag diag;
    memset(&diag, 0, sizeof diag);
    expect(arch || !*what->arch, "%s:%d: no %s", what->file, what->line, what->arch);
    expect_refusal(what, reject_trace(what, arch, &diag), &diag);
    ck_assert_int_eq(reject_trace(what, arch, NULL), diag.status);
}

static void refuse_ptx(const struct reject_case *what) {
    struct wsim_diag diag;
    memset(&diag, 0, sizeof diag);
    expect_refusal(what, reject_ptx(what, &diag), &diag);
    ck_assert_int_eq(reject_ptx(what, NULL), diag.status);
}

static void refuse_launch(const struct reject_case *what) {
    struct wsim_diag diag;
    memset(&diag, 0, sizeof diag);
    expect_refusal(what, reject_launch(what, &diag), &diag);
    ck_assert_int_eq(reject_launch(what, NULL), diag.status);
}

static void refuse_spelling(const struct reject_case *what) {
    struct wsim_op op, quiet;
    struct wsim_diag diag;
    memset(&diag, 0, sizeof diag);
    expect_refusal(what, wsim_op_parse(what->spelling, &op, &diag), &diag);
    ck_assert_int_eq(wsim_op_parse(what->spelling, &quiet, NULL), diag.status);
    ck_assert_mem_eq(&op, &quiet, sizeof op);
}

START_TEST(refused_as_the_table_says) {
    static struct outputs out, before;
    const struct reject_case *what = &cases[_i];
    struct wsim_diag diag;
    struct wsim_op op;
    uint64_t seed = (uint64_t)_i;
    enum wsim_status status;
    int i;
    if (strcmp(what->action, "parse") == 0) {
        refuse_spelling(what);
        return;
    }
    if (reject_is_ptx(what)) {
        refuse_ptx(what);
        return;
    }
    if (reject_is_launch(what)) {
        refuse_launch(what);
        return;
    }
    if (reject_is_trace(what)) {
        refuse_trace(what);
        return;
    }
    op = every_parse(what->spelling);
    every_fill(&out, sizeof out, &seed);
    reject_change(what, &out.operands);
    for (i = 0; i < 16 * 128; i++)
        out.dense[i] = out.operands.full ? 0x40000001 : 0;
    before = out;
    memset(&diag, 0, sizeof diag);
    status = ask(what, &op, &out, &diag);
    expect_refusal(what, status, &diag);
    expect(memcmp(&out, &before, sizeof out) == 0, "%s:%d: something was written", what->file,
           what->line);
    ck_assert_int_eq(ask(what, &op, &out, NULL), status);
}
END_TEST

static int count;

static const struct {
    const struct reject_direct *list;
    const int *count;
} direct[] = {
    {reject_alone, &reject_alone_count},       {reject_copies, &reject_copies_count},
    {reject_devices, &reject_devices_count},   {reject_fatbins, &reject_fatbins_count},
    {reject_machines, &reject_machines_count}, {reject_ummas, &reject_ummas_count},
    {reject_launches, &reject_launches_count}, {reject_pictures, &reject_pictures_count},
    {reject_textures, &reject_textures_count}, {reject_gemms, &reject_gemms_count},
    {reject_maps, &reject_maps_count},         {reject_descriptors, &reject_descriptors_count}};

static const struct reject_direct *direct_at(int i) {
    int k = 0;
    for (; i >= *direct[k].count; k++)
        i -= *direct[k].count;
    return &direct[k].list[i];
}

static int direct_count(void) {
    int total = 0;
    for (int k = 0; k < COUNT(direct); k++)
        total += *direct[k].count;
    return total;
}

/* Advice has no status: ok. */
START_TEST(refused_without_text) {
    const struct reject_direct *what = direct_at(_i);
    struct wsim_diag diag = {WSIM_OK, 9, 9, NULL, ""};
    struct wsim_rule rule;
    enum wsim_status status = what->provoke(&diag);
    expect(wsim_rule_find(what->rule, &rule), "no rule %s", what->rule);
    expect(status == rule.status, "%s: %s", what->rule, wsim_status_name(status));
    expect(diag.status == status, "%s: %s", what->rule, diag.text);
    expect(diag.rule && strcmp(diag.rule, what->rule) == 0, "%s: rule %s (%s)", what->rule,
           diag.rule ? diag.rule : "none", diag.text);
    expect(*diag.text, "%s: no sentence", what->rule);
    ck_assert_int_eq(what->provoke(NULL), status);
}
END_TEST

static int is_provoked(const char *rule) {
    int i, seen = !REJECT_HEAP_ENDS && strcmp(rule, "memory.heap.full") == 0;
    for (i = 0; i < count; i++)
        seen += strcmp(cases[i].rule, rule) == 0;
    for (i = 0; i < direct_count(); i++)
        seen += strcmp(direct_at(i)->rule, rule) == 0;
    return seen;
}

/* The other tests compare the tables with the behaviour. */
START_TEST(every_rule_is_provoked) {
    char missing[4096] = "";
    struct wsim_rule rule;
    uint32_t cursor = 0;
    size_t n = 0;
    while (wsim_rule_next(&cursor, &rule))
        if (!is_provoked(rule.name) && n < sizeof missing)
            n += (size_t)snprintf(missing + n, sizeof missing - n, " %s", rule.name);
    expect(!n, "nobody provokes%s", missing);
}
END_TEST

/* The expected status must be the status of the rule. */
START_TEST(a_rule_has_one_status) {
    struct wsim_rule rule;
    expect(wsim_rule_find(cases[_i].rule, &rule), "%s:%d: no rule %s", cases[_i].file,
           cases[_i].line, cases[_i].rule);
    expect(strcmp(wsim_status_name(rule.status), cases[_i].status) == 0, "%s:%d: %s is %s",
           cases[_i].file, cases[_i].line, rule.name, wsim_status_name(rule.status));
}
END_TEST

START_TEST(no_refusal_stands_twice) {
    int i;
    for (i = 0; i < _i; i++)
        expect(strcmp(cases[i].text, cases[_i].text) != 0, "%s:%d and %d", cases[i].file,
               cases[i].line, cases[_i].line);
}
END_TEST

int main(void) {
#ifdef __GLIBC__
    /* Large blocks go back at once: those of one test are no memory for the next, which has none.
     */
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
    count = reject_read(WSIM_SOURCE_DIR "/tests/reject", cases, MAX_CASES);
    if (count <= 0 || count == MAX_CASES)
        return EXIT_FAILURE;
    {
        const struct every_test tests[] = {{refused_as_the_table_says, 0, count},
                                           {a_rule_has_one_status, 0, count},
                                           {refused_without_text, 0, direct_count()},
                                           {every_rule_is_provoked, 0, 1},
                                           {no_refusal_stands_twice, 0, count}};
        return every_run("reject/refusals", tests, COUNT(tests));
    }
}
