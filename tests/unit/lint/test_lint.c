/* Lint of a text in memory: each rule found once, at its place, with its suggestion; nothing found
 * in correct code; any bytes; no memory. */
#include "../../run.h"
#include "../launch/heap.h"

#include <check.h>
#include <string.h>
#include <wsim/harness/suppress.h>
#include <wsim/scalar.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static struct wsim_lint *lint_text(const char *text, const char *arch, const char *name) {
    const struct wsim_lint_options options = {.arch = arch ? wsim_arch_find(arch) : NULL,
                                              .name = name};
    struct wsim_diag diag;
    struct wsim_lint *lint = NULL;
    ck_assert_msg(wsim_lint_text(text, strlen(text), &options, &lint, &diag) == WSIM_OK, "%s",
                  diag.text);
    return lint;
}

/* Statements in a function of one line, each with one finding: the rule, the word at its place, and
 * the suggestion. */
static const struct {
    const char *text, *rule, *word, *suggestion;
} wrong[] = {
    {"asm(\"mov.b32 %0, %1;\" : \"=r\"(x) : \"i\"(1));", "asm.constraint.letter", "i", NULL},
    {"asm(\"mov.b32 %[to], 1;\" : [to] \"=r\"(x));", "asm.constraint.name", "[to]", "%0"},
    {"asm(\"add.u32 %0, %1, %2;\" : \"=r\"(x) : \"r\"(y));", "asm.operand.missing", "2", NULL},
    {"asm volatile(\"mov.u32 %0, 1;\" :: \"r\"(x));", "asm.operand.input", "%0", "\"+r\""},
    {"asm(\"add.u32 %0, %0, 1;\" : \"=r\"(x));", "asm.operand.unset", "%0", "\"+r\""},
    {"asm(\"{ .reg .pred p; setp.ne.b32 p, %1, 0; @p mov.b32 %0, 1; }\" : \"=r\"(x) : \"r\"(y));",
     "asm.operand.sometimes", "%0", "\"+r\""},
    {"asm volatile(\"{ .reg .u32 t; mov.u32 t, %%laneid; }\");", "asm.percent.double", "%", "%"},
    {"asm(\"mov.u32 %0, %laneid;\" : \"=r\"(x));", "asm.percent.single", "%laneid", "%%"},
    {"asm(\"mov.b32 %0, %r1;\" : \"=r\"(x));", "asm.percent.modifier", "%r1", "%%"},
    {"asm(\".reg .b32 t; mov.b32 t, %1; mov.b32 %0, t;\" : \"=r\"(x) : \"r\"(y));",
     "asm.scope.register", ".reg", NULL},
    {"asm volatile(\"AGAIN: bar.sync 0; bra AGAIN;\" ::: \"memory\");", "asm.scope.label", "AGAIN",
     NULL},
    {"asm(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(x) : \"r\"(y));",
     "asm.volatile", "asm", "volatile"},
    {"asm volatile(\"bar.sync 0;\");", "asm.memory", "asm", "\"memory\""},
    {"asm volatile(\"ld.shared.b32 %0, [%1];\" : \"=r\"(x) : \"l\"(p) : \"memory\");",
     "asm.pointer", "p", "__cvta_generic_to_shared"},
    {"asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16; cp.async.wait_group 0;\" :: "
     "\"r\"(x), "
     "\"l\"(g) : \"memory\");",
     "order.commit", "cp", "cp.async.commit_group"},
    {"asm volatile(\"cp.async.ca.shared.global [%1], [%2], 4; cp.async.commit_group; "
     "ld.shared.b32 %0, [%1];\" : \"=r\"(x) : \"r\"(y), \"l\"(g) : \"memory\");",
     "order.wait", "ld", "cp.async.wait_group 0"},
    {"asm volatile(\"st.shared.b32 [%1], %2; cp.async.bulk.global.shared::cta.bulk_group [%0], "
     "[%1], "
     "16;\" :: \"l\"(g), \"r\"(x), \"r\"(y) : \"memory\");",
     "order.proxy", "cp", "fence.proxy.async.shared::cta"},
    {"asm volatile(\"mbarrier.init.shared::cta.b64 [%1], 1; cp.async.bulk.shared::cluster.global."
     "mbarrier::complete_tx::bytes [%0], [%2], 16, [%1];\" :: \"r\"(x), \"r\"(y), \"l\"(g) : "
     "\"memory\");",
     "order.init", "cp", "fence.mbarrier_init.release.cluster"},
    {"asm volatile(\"mov.f32 %0, 0f00000000; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
     "{%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\" : \"+f\"(a), \"+f\"(b), \"+f\"(c), \"+f\"(d) : "
     "\"l\"(g), "
     "\"l\"(g));",
     "order.wgmma", "wgmma", "wgmma.fence.sync.aligned"},
    {"asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; }\" :: "
     "\"r\"(x) : \"memory\");",
     "order.tested", "mbarrier", NULL},
    {"asm volatile(\"ld.shared.u32 %0, [16];\" : \"=r\"(x) :: \"memory\");", "operand.address",
     "ld", NULL},
    {"asm(\"bfe.u32 %0, %1, 28, 8;\" : \"=r\"(x) : \"r\"(y));", "operand.field", "bfe", NULL},
    {"asm(\"{ .reg .pred p, q; setp.lt.u32 p, %1, 9; setp.eq.u32 q, %1, %1; @p testp.normal.f32 q, "
     "%2; selp.u32 %0, "
     "1, 0, q; }\" : \"=r\"(x) : \"r\"(y), \"f\"(a));",
     "operand.guard", "testp", NULL},
    {"asm(\"{ .reg .pred p; setp.lt.u32 p, %1, 9; @!p set.lt.and.ftz.f32.f32 %0, %2, %3, p; }\" : "
     "\"+f\"(b) : "
     "\"r\"(y), \"f\"(a), \"f\"(c));",
     "operand.guard", "set", NULL},
    {"asm(\"{ .reg .pred p; setp.lt.u32 p, %1, 9; @p set.gt.u32.f16 %0, %2, %3; }\" : "
     "\"+r\"(x) : \"r\"(y), \"h\"(s), \"h\"(s));",
     "operand.guard", "set", NULL},
    {"asm(\"{ .reg .pred p; setp.lt.u32 p, %1, 9; @p set.gt.bf16.s32 %0, %1, %2; }\" : "
     "\"+h\"(s) : \"r\"(y), \"r\"(x));",
     "operand.guard", "set", NULL},
    {"// wsim-lint: stop", "lint.comment", "wsim", NULL},
    /* rules of the library */
    {"asm volatile(\"ldmatrix.sync.alinged.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(x) : \"r\"(y) "
     ": "
     "\"memory\");",
     "spelling.qualifier.unknown", "alinged", "ldmatrix.sync.aligned.m8n8.x1.shared.b16"},
    {"asm volatile(\"cp.async.wait_group %0;\" :: \"r\"(1) : \"memory\");", "ptx.operand.kind",
     "%0", NULL},
};

static const char function[] = "__device__ void f(float *p) { ";

/* The only finding in `text`. */
static struct wsim_lint_finding only_finding(const struct wsim_lint *lint) {
    struct wsim_lint_finding finding, second;
    ck_assert(wsim_lint_at(lint, 0, &finding));
    ck_assert_msg(!wsim_lint_at(lint, 1, &second), "%s: %s; %s: %s", finding.rule, finding.text,
                  second.rule, second.text);
    return finding;
}

START_TEST(rules) {
    char text[700];
    snprintf(text, sizeof text, "// a\n%s%s }\n", function, wrong[_i].text);
    struct wsim_lint *lint = lint_text(text, "sm_90a", "a.cu");
    struct wsim_lint_counts counts;
    const struct wsim_lint_finding found = only_finding(lint);
    ck_assert_str_eq(found.rule, wrong[_i].rule);
    ck_assert_uint_eq(found.line, 2);
    const char *at = strchr(text, '\n') + found.col;
    ck_assert_msg(strncmp(at, wrong[_i].word, strlen(wrong[_i].word)) == 0, "at %.12s", at);
    ck_assert_uint_eq(found.end_col - found.col, strlen(wrong[_i].word));
    if (wrong[_i].suggestion)
        ck_assert_str_eq(found.suggestion, wrong[_i].suggestion);
    else
        ck_assert_ptr_null(found.suggestion);
    ck_assert(*found.text);
    wsim_lint_count(lint, &counts);
    ck_assert_uint_eq(counts.statements, strcmp(found.rule, "lint.comment") != 0);
    ck_assert_uint_eq(counts.findings[found.severity], 1);
    ck_assert_uint_eq(counts.hidden + counts.unmodelled + counts.ignored + counts.known, 0);
    wsim_lint_free(lint);
}
END_TEST

/* Each rule of the table is in the list above, with its severity, or in file_version. Rules of
 * calls are for the runtime. */
START_TEST(table) {
    uint32_t cursor = 0, n = 0;
    struct wsim_lint_rule rule;
    for (; wsim_lint_rule_next(&cursor, &rule); n++) {
        int seen = strcmp(rule.name, "op.version.from") == 0 || strncmp(rule.name, "api.", 4) == 0;
        struct wsim_rule other;
        for (int i = 0; i < COUNT(wrong); i++)
            seen |= strcmp(wrong[i].rule, rule.name) == 0;
        ck_assert_msg(seen, "%s", rule.name);
        ck_assert_msg(*rule.meaning && *rule.source && *rule.help, "%s", rule.name);
        ck_assert_msg(!wsim_rule_find(rule.name, &other), "%s is a rule of the library too",
                      rule.name);
        ck_assert_str_ne(wsim_lint_severity_name(rule.severity), "unknown");
    }
    ck_assert_uint_eq(n, 30);
    ck_assert_str_eq(wsim_lint_severity_name((enum wsim_lint_severity)3), "unknown");
}
END_TEST

static const char *const right[] = {
    "",
    "int main(void) { return 0; }",
    "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x));",
    "asm volatile(\"bar.sync 0;\" ::: \"memory\");",
    "void f(int *to); \n#define STORE \\\n asm volatile(\"st.shared.b32 [%0], 1;\" :: \"r\"(to) : "
    "\"memory\")\n",
    "const char *s = \"\\\"// wsim-lint: stop\";",
    "asm(\".reg .b32 t%=; mov.b32 t%=, %1; mov.b32 %0, t%=;\" : \"=r\"(x) : \"r\"(y));",
    "asm(\"cvta.to.shared.u64 %0, %1;\" : \"=l\"(p) : \"l\"(q)); void f(int *p) { "
    "asm volatile(\"ld.shared.b32 %0, [%1];\" : \"=r\"(x) : \"l\"(p) : \"memory\"); }",
    "asm volatile(\"cp.async.ca.shared.global [%1], [%2], 4; cp.async.commit_group; "
    "cp.async.wait_group 0; "
    "ld.shared.f32 %0, [%1];\" : \"=f\"(d) : \"r\"(at), \"l\"(a) : \"memory\");",
    "asm volatile(\"{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p "
    "bra D; "
    "bra W; D: }\" :: \"r\"(at), \"r\"(0) : \"memory\");",
    "// asm(\"no.such;\")\nconst char *s = \"asm(\\\"no.such;\\\");\";",
    ".version 9.0\n.target sm_90a\n.address_size 64\n.entry k() { wgmma.fence.sync.aligned; ret; }",
};

START_TEST(nothing) {
    struct wsim_lint_finding finding;
    struct wsim_lint *lint = lint_text(right[_i], "sm_90a", "a.cu");
    ck_assert_msg(!wsim_lint_at(lint, 0, &finding), "%s: %s", finding.rule, finding.text);
    wsim_lint_free(lint);
}
END_TEST

/* Assembly of x86, ARM, RISC-V, POWER, MIPS and LoongArch, and directives of their assemblers. */
static const char *const foreign[] = {
    "asm(\".byte 0x0f, 0xc7, 0xf0\" ::: \"memory\");",
    "asm(\".symver foo, foo@V1\");",
    "asm(\".p2align 4\\n\\tpause\");",
    "asm(\"xchg.l %0, %1\" : \"+r\"(x), \"+m\"(*p));",
    "asm(\"rep; nop\");",
    "int f(void) asm(\"llvm.amdgcn.raw.buffer.load.i32\");",
    "asm(\"1: lwarx 9, 0, 3\\n addic. 9, 9, -1\\n stwcx. 9, 0, 3\\n bne- 1b\");",
    "asm(\"mul.d %0, %1, %2\" : \"=r\"(x) : \"r\"(y), \"I\"(1));",
};
static const char *const foreign_words[] = {
    "asm(\"fence.i\" ::: \"memory\");",
    "asm(\"and. %0, %0, %1\" : \"+r\"(x) : \"r\"(1));",
    "asm(\"vadd.f32 q0, q0, q1\\n\\tvmul.f32 q1, q1, q2\");",
    "asm(\"abs.s $f0, $f1; sub.d $f2,$f4,$f6; cvt.d.s $f0,$f2\");",
};

START_TEST(assemblers) {
    for (int k = 0; k < COUNT(foreign) + COUNT(foreign_words); k++)
        for (int cuda = 0; cuda < (k < COUNT(foreign) ? 2 : 1); cuda++) {
            struct wsim_lint_finding finding;
            struct wsim_lint *lint =
                lint_text(k < COUNT(foreign) ? foreign[k] : foreign_words[k - COUNT(foreign)], NULL,
                          cuda ? "a.cu" : "a.h");
            ck_assert_msg(!wsim_lint_at(lint, 0, &finding), "%d: %s", k, finding.text);
            wsim_lint_free(lint);
        }
}
END_TEST

/* A file that is not CUDA can hold assembly of the host. */
START_TEST(host) {
    static const char text[] = "asm(\"movl %0, %1;\" : \"=r\"(x) : \"r\"(y)); asm(\"no.such;\");";
    struct wsim_lint_counts counts;
    struct wsim_lint *lint = lint_text(text, NULL, NULL);
    wsim_lint_count(lint, &counts);
    ck_assert_uint_eq(counts.statements, 0);
    wsim_lint_free(lint);
    lint = lint_text(text, NULL, "a.cuh");
    wsim_lint_count(lint, &counts);
    ck_assert_uint_eq(counts.statements, 1);
    ck_assert_uint_eq(counts.findings[WSIM_LINT_NOTE], 1);
    wsim_lint_free(lint);
}
END_TEST

/* Spellings that the tables lack, and whether a newer PTX explains them: 0, or a slip: 1. */
static const struct {
    const char *spelling;
    int slip;
} unknown[] = {
    {"ldmatrx.sync.aligned.m8n8.x1.shared.b16", 1},
    {"ldmatrix.sync.algined.m8n8.x1.shared.b16", 1},
    {"ldmatrix.sync.aligned.m8n8.x1.shraed.b16", 1},
    {"cp.async.wait_groups", 1},
    {"cp.async.comit_group", 1},
    {"setctarank.shared::cluster.u32", 0}, /* get and set are two words */
    {"mvo.b32", 1},
    {"cvt.rn.staurate.f32.f64", 0}, /* two exchanges, and another word */
    {"add..u32", 1},                /* no word is empty */
    {"griddepcontrol.wiat", 1},     /* without rows */
    /* PTX 9.1 to 9.4, as in the headers of CUDA 13.5 */
    {"cvt.rn.satfinite.ue5m3x2.f32", 0},
    {"add.u8x4", 0},
    {"mbarrier.try_wait.phase_type::primary.acquire.cta.shared::cta.b64", 0},
    {"ld.mmio.relaxed.sys.b128", 0},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b",
     0},
    {"cvt.rz.satfinite.e4m3x2.f16x2", 0},
    /* counts and types, which grow by one character */
    {"ldmatrix.sync.aligned.m8n8.x3.shared.b16", 0},
    {"add.u33", 0},
    {"mma.sync.aligned.m16n8k61.row.col.f32.f16.f16.f32", 0},
    {"frobnicate.b32", 0},
};

/* Such a spelling is a note and not judged, whose operands are not judged either. Where the version
 * of PTX is known it is an error. */
START_TEST(newer) {
    char text[300];
    static const char *const orders[] = {"order", NULL};
    static const unsigned versions[] = {0, 91, 90};
    snprintf(text, sizeof text, "asm volatile(\"%s {%%0}, %%0, 5:6;\" : \"+r\"(x) :: \"memory\");",
             unknown[_i].spelling);
    for (int k = 0; k < COUNT(versions); k++) {
        const struct wsim_lint_options options = {
            .name = "a.cu", .ptx = versions[k], .ignore = orders};
        const int wrong_here = unknown[_i].slip || versions[k] == 90;
        struct wsim_lint_counts counts;
        struct wsim_lint *lint;
        ck_assert_int_eq(wsim_lint_text(text, strlen(text), &options, &lint, NULL), WSIM_OK);
        const struct wsim_lint_finding found = only_finding(lint);
        ck_assert_int_eq(found.severity, wrong_here ? WSIM_LINT_ERROR : WSIM_LINT_NOTE);
        ck_assert_msg(strncmp(found.rule, "spelling.", 9) == 0, "%s", found.rule);
        ck_assert_int_eq(strncmp(found.text, "not in PTX 9.0: ", 16) == 0, !wrong_here);
        wsim_lint_count(lint, &counts);
        ck_assert_uint_eq(counts.judged, wrong_here);
        ck_assert_uint_eq(counts.unmodelled, !wrong_here);
        wsim_lint_free(lint);
    }
}
END_TEST

/* A file of PTX has a version: unknown spellings of an old one are errors. */
START_TEST(versions) {
    static const char *const versions[] = {"8.0", "9.0", "9.1"};
    for (int i = 0; i < COUNT(versions); i++) {
        char text[200];
        snprintf(text, sizeof text,
                 ".version %s\n.target sm_90a\n.address_size 64\n.entry k() { .reg .b32 r; "
                 "add.u8x4 r, r, r:2;"
                 " bfe.u32 r, r, 40, 1; ret; }",
                 versions[i]);
        struct wsim_lint *lint = lint_text(text, NULL, NULL);
        struct wsim_lint_finding finding;
        struct wsim_lint_counts counts;
        ck_assert(wsim_lint_at(lint, 0, &finding));
        ck_assert_str_eq(finding.rule, "spelling.qualifier.unknown");
        ck_assert_int_eq(finding.severity, i < 2 ? WSIM_LINT_ERROR : WSIM_LINT_NOTE);
        ck_assert(wsim_lint_at(lint, 1, &finding));
        ck_assert_str_eq(finding.rule, "operand.field");
        ck_assert(!wsim_lint_at(lint, 2, &finding));
        wsim_lint_count(lint, &counts);
        ck_assert_uint_eq(counts.unmodelled, i == 2);
        wsim_lint_free(lint);
    }
}
END_TEST

/* Without a target, code for some targets is checked for any; a retired spelling may be for an old
 * one. Other macros can choose another PTX. */
START_TEST(conditions) {
    static const struct {
        const char *condition, *arch, *spelling, *rule;
    } cases[] = {
        {"#if __CUDA_ARCH__ >= 900", NULL, "ldmatrx.sync.aligned.m8n8.x1.shared.b16",
         "spelling.family.unknown"},
        {"#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 900 || !(__CUDA_ARCH__ < 1000))", NULL,
         "ldmatrx.sync.aligned.m8n8.x1.shared.b16", "spelling.family.unknown"},
        {"#if __CUDA_ARCH__ >= 900 && defined(NEW)", NULL,
         "ldmatrx.sync.aligned.m8n8.x1.shared.b16", NULL},
        {"#if __CUDA_ARCH__ >= 900 || NEW", NULL, "ldmatrx.sync.aligned.m8n8.x1.shared.b16", NULL},
        {"#ifdef NEW\n#elif __CUDA_ARCH__ >= 900", NULL, "ldmatrx.sync.aligned.m8n8.x1.shared.b16",
         NULL},
        {"#if __CUDA_ARCH__ >= 900\n#else", NULL, "ldmatrx.sync.aligned.m8n8.x1.shared.b16",
         "spelling.family.unknown"},
        {"#if __CUDA_ARCH__ >= 900\n#else", "sm_90a", "ldmatrx.sync.aligned.m8n8.x1.shared.b16",
         NULL},
        {"#if __CUDA_ARCH__ < 700", NULL, "shfl.up.b32", NULL},
        {"#if 1", NULL, "shfl.up.b32", "op.version.until"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char text[400];
        struct wsim_lint_finding finding;
        snprintf(text, sizeof text,
                 "%s\nasm volatile(\"%s %s;\" : \"=r\"(x) : \"r\"(y) : \"memory\");\n#endif",
                 cases[i].condition, cases[i].spelling,
                 *cases[i].spelling == 's' ? "%0, %1, 1, 0" : "{%0}, [%1]");
        struct wsim_lint *lint = lint_text(text, cases[i].arch, "a.cu");
        const int found = wsim_lint_at(lint, 0, &finding);
        ck_assert_msg(found == (cases[i].rule != NULL), "%d: %s", i,
                      found ? finding.rule : "nothing");
        if (found)
            ck_assert_str_eq(finding.rule, cases[i].rule);
        wsim_lint_free(lint);
    }
}
END_TEST

/* A scope that one statement opens and another closes is no mistake; one that nothing closes is. */
START_TEST(scopes) {
    static const struct {
        const char *text, *rule;
    } files[] = {
        {"asm(\"{ .reg .b64 q;\"); asm(\".reg .b32 r; mov.b32 r, 1;\"); asm(\"}\");", NULL},
        {"asm(\"{ .reg .b64 q;\"); asm(\"mov.b64 q, 1; \" END);", NULL},
        {"asm(\"{ // {\\n .reg .b64 q; /* { */ }\");", NULL},
        {"asm(\"{ .reg .b64 q;\");", "ptx.text.missing"},
        {"asm(\"bar.sync 0; }\" ::: \"memory\");", "ptx.text.unexpected"},
        {"void f() { asm(\"{ .reg .b64 q;\"); } void g() { asm(\".reg .b32 r;\"); asm(\"}\"); }",
         "asm.scope.register"},
    };
    for (int i = 0; i < COUNT(files); i++) {
        struct wsim_lint *lint = lint_text(files[i].text, NULL, "a.cu");
        struct wsim_lint_finding finding;
        if (files[i].rule)
            ck_assert_str_eq(only_finding(lint).rule, files[i].rule);
        else
            ck_assert_msg(!wsim_lint_at(lint, 0, &finding), "%d: %s", i, finding.text);
        wsim_lint_free(lint);
    }
}
END_TEST

/* Rules and areas of rules are ignored; others are refused. */
START_TEST(ignored) {
    static const char text[] = "asm volatile(\"bar.sync 0;\"); asm(\"ldmatrx.a;\");";
    static const struct {
        const char *rule[3];
        unsigned left;
    } cases[] = {{{NULL}, 2},
                 {{"asm.memory", NULL}, 1},
                 {{"asm", NULL}, 1},
                 {{"order", "spelling.family", NULL}, 1},
                 {{"asm", "spelling", NULL}, 0}};
    static const char *const bad[] = {"as", "asm.", "asm.memory.x", "", "asm.memori"};
    struct wsim_lint *lint;
    struct wsim_diag diag;
    struct wsim_lint_finding finding;
    const char *reason;
    for (int i = 0; i < COUNT(cases); i++) {
        const struct wsim_lint_options options = {.name = "a.cu", .ignore = cases[i].rule};
        struct wsim_lint_counts counts;
        ck_assert_int_eq(wsim_lint_text(text, strlen(text), &options, &lint, &diag), WSIM_OK);
        wsim_lint_count(lint, &counts);
        ck_assert_uint_eq(counts.findings[0] + counts.findings[1] + counts.findings[2],
                          cases[i].left);
        ck_assert_uint_eq(counts.ignored, 2 - cases[i].left);
        size_t left_out = 0;
        for (; wsim_lint_suppressed(lint, left_out, &finding, &reason); left_out++)
            ck_assert(strncmp(finding.rule, reason, strlen(reason)) == 0 && *reason);
        ck_assert_uint_eq(left_out, 2 - cases[i].left);
        for (size_t n = 0; n < cases[i].left; n++)
            ck_assert(wsim_lint_at(lint, n, &finding));
        ck_assert(!wsim_lint_at(lint, cases[i].left, &finding));
        wsim_lint_free(lint);
    }
    for (int i = 0; i < COUNT(bad); i++) {
        const char *const rules[] = {bad[i], NULL};
        const struct wsim_lint_options options = {.ignore = rules};
        ck_assert_int_eq(wsim_lint_text(text, strlen(text), &options, &lint, &diag), WSIM_OPERAND);
        ck_assert_str_eq(diag.rule, "lint.rule.unknown");
        ck_assert_ptr_null(lint);
    }
}
END_TEST

/* Findings of a baseline are not reported again, wherever their statements move. An entry covers
 * one finding of one file. */
START_TEST(baseline) {
    static const char text[] = "asm volatile(\"bar.sync 0;\");\n",
                      moved[] =
                          "\n\n  asm volatile( \"bar.sync 0;\"\n);\nasm volatile(\"bar.sync 0;\");"
                          "asm volatile(\"bar.sync 1;\");";
    struct wsim_lint_baseline *known;
    struct wsim_lint_options options = {.name = "src/a.cu"};
    struct wsim_lint *lint = lint_text(text, NULL, "src/a.cu");
    struct wsim_lint_counts counts;
    struct wsim_diag diag;
    char lines[200] = "# a comment\r\n\n";
    const struct wsim_lint_finding finding = only_finding(lint);
    const size_t n = strlen(lines);
    ck_assert_int_eq(wsim_lint_baseline_put("./src/a.cu", &finding, lines + n, sizeof lines - n),
                     (int)strlen(lines + n));
    ck_assert_int_eq(wsim_lint_baseline_put("src/a.cu", &finding, NULL, 0), (int)strlen(lines + n));
    ck_assert_int_eq(wsim_lint_baseline_put("a\nb", &finding, lines + n + 60, 1), 0);
    wsim_lint_free(lint);
    ck_assert_int_eq(wsim_lint_baseline_read(lines, strlen(lines), &known, &diag), WSIM_OK);
    ck_assert_uint_eq(wsim_lint_baseline_size(known, NULL), 1);
    ck_assert_uint_eq(wsim_lint_baseline_size(known, "./src/a.cu"), 1);
    ck_assert_uint_eq(wsim_lint_baseline_size(known, "a.cu"), 0);
    options.baseline = known;
    ck_assert_int_eq(wsim_lint_text(moved, strlen(moved), &options, &lint, NULL), WSIM_OK);
    wsim_lint_count(lint, &counts);
    ck_assert_uint_eq(counts.known, 1);
    ck_assert_uint_eq(counts.findings[WSIM_LINT_NOTE], 2);
    wsim_lint_free(lint);
    options.name = "src/b.cu";
    ck_assert_int_eq(wsim_lint_text(text, strlen(text), &options, &lint, NULL), WSIM_OK);
    ck_assert_str_eq(only_finding(lint).rule, "asm.memory");
    wsim_lint_free(lint);
    wsim_lint_baseline_free(known);
    wsim_lint_baseline_free(NULL);
}
END_TEST

START_TEST(baseline_refused) {
    static const char *const wrong_lines[] = {"asm.memory",
                                              "asm.memory 12 a.cu",
                                              "asm.memory 0123456789abcdef",
                                              "asm.memory 0123456789abcdef ",
                                              "asm.memory 0123456789abcdefa.cu",
                                              " 0123456789abcdef a.cu",
                                              "asm.memory -123456789abcdef a.cu"};
    struct wsim_lint_baseline *known = (struct wsim_lint_baseline *)&known;
    struct wsim_diag diag;
    char text[100];
    snprintf(text, sizeof text, "# one\n%s\n", wrong_lines[_i]);
    ck_assert_int_eq(wsim_lint_baseline_read(text, strlen(text), &known, &diag), WSIM_SYNTAX);
    ck_assert_str_eq(diag.rule, "lint.baseline.syntax");
    ck_assert_ptr_nonnull(strstr(diag.text, "line 2 "));
    ck_assert_ptr_null(known);
    ck_assert_int_eq(wsim_lint_baseline_read("", 0, &known, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_lint_baseline_size(known, NULL), 0);
    wsim_lint_baseline_free(known);
}
END_TEST

/* Code that a macro hides, and instructions without a model, are counted and never judged. */
START_TEST(skipped) {
    struct wsim_lint_counts counts;
    struct wsim_lint *lint =
        lint_text("asm volatile(\"mma.sync.\" SHAPE \" %0;\" : \"+f\"(x));\n"
                  "asm volatile(\"multimem.red.sync.aligned;\" ::: \"memory\");",
                  NULL, "a.cu");
    wsim_lint_count(lint, &counts);
    ck_assert_uint_eq(counts.statements, 2);
    ck_assert_uint_eq(counts.hidden, 1);
    ck_assert_uint_eq(counts.unmodelled, 1);
    ck_assert_uint_eq(counts.findings[0] + counts.findings[1] + counts.findings[2], 0);
    wsim_lint_free(lint);
}
END_TEST

/* The target decides; PTX has its own. */
START_TEST(targets) {
    static const char statement[] = "asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");";
    static const char ptx[] = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k() {\n"
                              "wgmma.fence.sync.aligned;\nret; }";
    struct wsim_lint_finding finding;
    struct wsim_lint *lint = lint_text(statement, "sm_80", "a.cu");
    ck_assert_str_eq(only_finding(lint).rule, "arch.feature.missing");
    wsim_lint_free(lint);
    lint = lint_text(statement, NULL, "a.cu");
    ck_assert(!wsim_lint_at(lint, 0, &finding));
    wsim_lint_free(lint);
    lint = lint_text(ptx, NULL, NULL);
    finding = only_finding(lint);
    ck_assert_str_eq(finding.rule, "arch.feature.missing");
    ck_assert_uint_eq(finding.line, 5);
    ck_assert_uint_eq(finding.col, 1);
    wsim_lint_free(lint);
    lint = lint_text(ptx, "sm_90a", NULL);
    ck_assert(!wsim_lint_at(lint, 0, &finding));
    wsim_lint_free(lint);
}
END_TEST

/* The .version of a file of PTX decides which instructions it may have. */
START_TEST(file_version) {
    static const struct {
        const char *text;
        unsigned findings;
    } files[] = {
        {".version 7.7\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>;\n"
         "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2; ret; }",
         1},
        {".version 7.8\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>;\n"
         "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2; ret; }",
         0},
        {".version 7.3\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>; .reg .b64 "
         "%rd;\nld.global.L1::no_allocate.b32 %r1, [%rd]; ret; }",
         1},
        {".version 7.4\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %r<3>; .reg .b64 "
         "%rd;\nld.global.L1::no_allocate.b32 %r1, [%rd]; ret; }",
         0},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct wsim_lint *lint;
        struct wsim_lint_finding finding;
        struct wsim_diag diag;
        ck_assert_int_eq(wsim_lint_text(files[i].text, strlen(files[i].text), NULL, &lint, &diag),
                         WSIM_OK);
        const int found = wsim_lint_at(lint, 0, &finding);
        ck_assert_int_eq(found, (int)files[i].findings);
        if (found) {
            ck_assert_str_eq(finding.rule, "op.version.from");
            ck_assert_uint_eq(finding.line, 5);
        }
        wsim_lint_free(lint);
    }
}
END_TEST

/* An instruction at the end of a text without ';' keeps its operands and its place. */
START_TEST(unended) {
    static const char ptx[] = ".version 9.0\n.target sm_80\n.address_size 64\n.entry k() {\n"
                              "wgmma.fence.sync.aligned";
    struct wsim_lint_finding finding;
    struct wsim_lint *lint = lint_text("asm(\"add.u32 %0, %0, 1\" : \"=r\"(x));", NULL, "a.cu");
    int unset = 0;
    for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
        unset |= strcmp(finding.rule, "asm.operand.unset") == 0;
    ck_assert(unset);
    wsim_lint_free(lint);
    lint = lint_text(ptx, NULL, NULL);
    unset = 0;
    for (size_t i = 0; wsim_lint_at(lint, i, &finding); i++)
        unset |= strcmp(finding.rule, "arch.feature.missing") == 0 && finding.line == 5 &&
                 finding.col == 1;
    ck_assert(unset);
    wsim_lint_free(lint);
}
END_TEST

/* Columns count characters, as SARIF says. */
START_TEST(characters) {
    struct wsim_lint *lint =
        lint_text("/* \303\244\342\202\254 */ asm volatile(\"bar.sync 0;\");", NULL, "a.cu");
    const struct wsim_lint_finding finding = only_finding(lint);
    ck_assert_uint_eq(finding.col, 10);
    ck_assert_uint_eq(finding.end_col, 13);
    wsim_lint_free(lint);
}
END_TEST

/* Any bytes, also of 0; no options, no diag. */
START_TEST(bytes) {
    char text[256];
    struct wsim_lint *lint;
    for (int i = 0; i < 256; i++)
        text[i] = (char)i;
    ck_assert_int_eq(wsim_lint_text(text, sizeof text, NULL, &lint, NULL), WSIM_OK);
    wsim_lint_free(lint);
    ck_assert_int_eq(wsim_lint_text(NULL, 0, NULL, &lint, NULL), WSIM_OK);
    wsim_lint_free(lint);
    wsim_lint_free(NULL);
}
END_TEST

/* A text that no heap holds. */
START_TEST(no_memory) {
    struct wsim_diag diag;
    struct wsim_lint *lint = (struct wsim_lint *)&diag;
    if (!HEAP_ENDS)
        return; /* a sanitizer ends the program */
    ck_assert_int_eq(wsim_lint_text("", SIZE_MAX - 1, NULL, &lint, &diag), WSIM_NO_MEMORY);
    ck_assert_int_eq(diag.status, WSIM_NO_MEMORY);
    ck_assert_str_eq(diag.rule, "memory.heap.full");
    ck_assert_ptr_null(lint);
}
END_TEST

/* Every allocation that fails gives WSIM_NO_MEMORY and leaves no block. */
START_TEST(heap) {
    static const char *const texts[] = {
        "#if X /* a */\n#endif\nasm(\"{ .reg .b32 t; add.u32 t, %1, %[other]; @p mov.b32 %0, %r1; "
        "}\" : "
        "\"=r\"(a) : \"r\"(b));\nasm(\"wgmma.fance; cp.async.wait_group %0; ld.shared.f32 %1, "
        "[%2];\" :: \"n\"(SIZE), "
        "\"f\"(x), \"l\"(&p));",
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { wgmma.fence.sync.aligned; "
        "no.such; ret; }"};
    const struct wsim_lint_options options = {.name = "a.cu"};
    enum wsim_status status = WSIM_NO_MEMORY;
    long calls = 0;
    for (; HEAP_ENDS && status; calls++) {
        struct wsim_lint *lint;
        struct wsim_lint_finding finding;
        const long before = heap_blocks();
        heap_end_after(calls);
        status = wsim_lint_text(texts[_i], strlen(texts[_i]), &options, &lint, NULL);
        heap_end_after(-1);
        const int good =
            status == WSIM_OK ? wsim_lint_at(lint, 1, &finding) : status == WSIM_NO_MEMORY && !lint;
        wsim_lint_free(lint);
        const long after = heap_blocks();
        ck_assert(good);
        ck_assert_msg(after == before, "call %ld leaves %ld blocks", calls, after - before);
    }
    ck_assert(!HEAP_ENDS || calls > 10);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lint");
    TCase *tcase = tcase_create("lint");
    tcase_add_loop_test(tcase, rules, 0, COUNT(wrong));
    tcase_add_test(tcase, table);
    tcase_add_loop_test(tcase, nothing, 0, COUNT(right));
    tcase_add_test(tcase, host);
    tcase_add_test(tcase, assemblers);
    tcase_add_loop_test(tcase, newer, 0, COUNT(unknown));
    tcase_add_test(tcase, versions);
    tcase_add_test(tcase, conditions);
    tcase_add_test(tcase, scopes);
    tcase_add_test(tcase, ignored);
    tcase_add_test(tcase, baseline);
    tcase_add_loop_test(tcase, baseline_refused, 0, 7);
    tcase_add_test(tcase, skipped);
    tcase_add_test(tcase, targets);
    tcase_add_test(tcase, file_version);
    tcase_add_test(tcase, unended);
    tcase_add_test(tcase, characters);
    tcase_add_test(tcase, bytes);
    tcase_add_test(tcase, no_memory);
    tcase_add_loop_test(tcase, heap, 0, 2);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
