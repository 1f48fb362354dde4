/* wsim compare: where architectures give other bits for the same operands, and why. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../why/why.h"

#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Executes an mma, wgmma or wmma.mma on several architectures (default: all that have it).\n"
    "Prints which give different bits, the first element that differs, and the cause: the bits\n"
    "that one truncates or rounds and the other keeps. Also lists architectures with the same\n"
    "arithmetic. Operands are those of wsim exec. The formats md, svg and html draw the digits\n"
    "of both sums and mark the lost ones.\n"
    "--random N runs N random cases and prints a matrix: the number of cases in which two\n"
    "architectures differ. --dist selects the distribution of the operands, as in traces (raw,\n"
    "near-one ...); the default is all in turn. Architectures with the same arithmetic share a\n"
    "row.\n"
    "A wgmma.mma_async is compared with the tcgen05.mma of sm_100a that multiplies the same\n"
    "matrices, and back; a tcgen05.mma takes fields of its instruction descriptor (M=64 N=64 "
    "A=f16). With\n"
    "--random N, case 17 has there the matrices of --a random:17 --b random:17 --c random:17.\n"
    "Exit status 1 if any differ.\n";
static const char examples[] =
    "  wsim exec --compare wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 --arch h100,b200\n"
    "  wsim exec --compare mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --random 1000000\n";

struct options {
    struct exec_options exec;
    char *archs, *random, *seed, *dist;
};

const char *compare_name(const struct compare *c, unsigned i) {
    return wsim_arch_name(c->arch[i].run->arch);
}

/* --- parts of the answers --- */

/* " sm_86 sm_87 ...": the others with the arithmetic of arch[i]. */
static void list_others(const struct compare *c, unsigned i, char out[16 * COMPARE_ARCHS]) {
    const size_t room = 16 * COMPARE_ARCHS;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned j = i + 1; j < c->n; j++)
        if (c->arch[j].same == i && used < room)
            used += (size_t)snprintf(out + used, room - used, " %s", compare_name(c, j));
}

static void word_arch(struct doc *doc, const struct compare *c, unsigned i) {
    const struct exec_run *run = c->arch[i].run;
    char others[16 * COMPARE_ARCHS];
    list_others(c, i, others);
    doc_line(doc, "%s%s%s%s: %s", compare_name(c, i), *others ? " (the same by the tables:" : "",
             others, *others ? ")" : "", why_arithmetic(&c->arch[i].arithmetic).text);
    if (run->evidence.word)
        doc_line(doc, "  evidence: %s (%s)", run->evidence.word, run->evidence.source);
    if (run->evidence.caveat)
        doc_line(doc, "  caveat: %s", run->evidence.caveat);
    for (unsigned j = i; j < c->n; j++)
        if ((j == i || c->arch[j].same == i) && tool_has_tcgen05(c->arch[j].run->arch)) {
            if (c->arch[j].run->tensor)
                doc_line(doc, "  %s: %s", compare_name(c, j), c->arch[j].run->spelling);
            else
                doc_line(doc, "  %s: " TOOL_TCGEN05, compare_name(c, j));
            break;
        }
}

void compare_add_archs(struct doc *doc, const struct compare *c) {
    doc_list(doc, "archs");
    for (unsigned i = 0; i < c->n; i++) {
        const struct compare_arch *arch = &c->arch[i];
        doc_enter(doc, NULL);
        doc_pack(doc, "{s:s, s:s, s:s?, s:s?, s:s*}", "name", compare_name(c, i), "arithmetic",
                 why_arithmetic(&arch->arithmetic).text, "evidence", arch->run->evidence.word,
                 "source", arch->run->evidence.source, "caveat", arch->run->evidence.caveat);
        if (arch->same != i)
            doc_set(doc, "same_as", json_string(compare_name(c, arch->same)));
        doc_leave(doc);
        if (arch->same == i)
            word_arch(doc, c, i);
    }
    doc_leave(doc);
}

static void add_pair(struct doc *doc, const struct compare_matrix *m, unsigned i, unsigned j) {
    const uint32_t n = i > j ? m->differ[i][j] : m->differ[j][i];
    if (i == j) {
        doc_cell(doc, NULL, "-");
        doc_shade(doc, -1, WSIM_CELL_EMPTY);
        return;
    }
    if (n)
        doc_cell(doc, NULL, "%lu", (unsigned long)n);
    else
        doc_cell(doc, NULL, "equal");
    doc_shade(doc, n == 0 ? 1 : n < m->all / 10 ? 2 : 3, 0);
    doc_about(doc, "%s and %s differ in %lu of %lu %s", compare_name(m->c, i),
              compare_name(m->c, j), (unsigned long)n, (unsigned long)m->all, m->what);
}

void compare_add_matrix(struct doc *doc, const struct compare_matrix *m) {
    const struct compare *c = m->c;
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "%s", "");
    for (unsigned i = 0; i < c->n; i++)
        if (c->arch[i].same == i)
            doc_column(doc, 0, NULL, "%s", compare_name(c, i));
    doc_panel(doc)->hue = WSIM_HUE_TURN;
    doc_panel(doc)->values = 4;
    doc_heading(doc, "%s that differ, of %lu", m->what, (unsigned long)m->all);
    for (unsigned i = 0; i < c->n; i++) {
        if (c->arch[i].same != i)
            continue;
        doc_row(doc);
        doc_cell(doc, NULL, "%s", compare_name(c, i));
        for (unsigned j = 0; j < c->n; j++)
            if (c->arch[j].same == j)
                add_pair(doc, m, i, j);
    }
    doc_leave(doc);
}

/* --- architectures --- */

static unsigned first_same(const struct compare *c, const struct wsim_arithmetic *arithmetic) {
    unsigned i = 0;
    while (i < c->n && memcmp(&c->arch[i].arithmetic, arithmetic, sizeof *arithmetic) != 0)
        i++;
    return i;
}

static int is_named(const struct compare *c, const char *name) {
    for (unsigned i = 0; i < c->n; i++)
        if (strcmp(compare_name(c, i), name) == 0)
            return 1;
    return 0;
}

/* The instruction of an architecture: of a wgmma that it lacks, the tcgen05.mma with the same
 * matrices, and back. */
static void choose(const struct compare *c, const struct wsim_arch *arch, struct instruction *in) {
    const struct wsim_op_info info = wsim_op_describe(&c->in.op);
    if (!instruction_check(&c->in, arch, NULL) ||
        !(c->in.is_umma ? instruction_group(&c->in, in)
                        : instruction_tensor(&c->in, info.m, info.n, in)) ||
        instruction_check(in, arch, NULL))
        *in = c->in;
}

void compare_open(const struct compare *c, const struct exec_options *options, const char *name,
                  struct exec_run **run) {
    struct exec_options o = *options;
    struct instruction in = c->in;
    const struct wsim_arch *arch = wsim_arch_find(name);
    if (arch)
        choose(c, arch, &in);
    if (arch && in.is_umma && !tool_has_tcgen05(arch))
        tool_fail("%s has no tcgen05.mma, and no wgmma that multiplies these matrices (M=64, types "
                  "of wgmma, no signs); wsim gemm --compare has other instructions",
                  wsim_arch_name(arch));
    if (in.is_umma && !c->in.is_umma) {
        o.group = (struct exec_group_options){.scale_d = o.group.scale_d};
        o.smem = NULL;
    }
    o.arch = memory_text(name, strlen(name));
    *run = memory_make(1, sizeof **run);
    exec_prepare(*run, &o, &in);
    free(o.arch);
}

/* Adds an architecture that executes the instruction, or what has the same matrices there. */
static void add_arch(struct compare *c, const struct exec_options *options, const char *arch) {
    struct compare_arch *to = &c->arch[c->n];
    struct wsim_diag diag;
    if (c->n == COMPARE_ARCHS)
        tool_fail("--arch: at most %d architectures", COMPARE_ARCHS);
    compare_open(c, options, arch, &to->run);
    if (wsim_code_arithmetic(&to->run->code, &to->arithmetic, &diag))
        tool_refuse(NULL, &diag);
    if (is_named(c, wsim_arch_name(to->run->arch)))
        tool_fail("--arch: %s appears twice", wsim_arch_name(to->run->arch));
    to->same = first_same(c, &to->arithmetic);
    c->n++;
}

static void add_named(struct compare *c, const struct exec_options *options, char *names) {
    for (char *name = names; name;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        add_arch(c, options, name);
        name = comma;
    }
}

static void add_all(struct compare *c, const struct exec_options *options) {
    const struct wsim_arch *arch;
    struct instruction in;
    struct wsim_code code;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        choose(c, arch, &in);
        if (!instruction_prepare(&in, arch, 0, &code, NULL))
            add_arch(c, options, wsim_arch_name(arch));
    }
    if (c->n == 0)
        tool_fail("no architecture executes it (wsim why explains the refusal)");
}

static void close_all(struct compare *c) {
    while (c->n) {
        struct compare_arch *arch = &c->arch[--c->n];
        free(arch->d);
        exec_close(arch->run);
    }
}

/* --- the whole --- */

static void read_random(const struct options *o, struct compare_random *how) {
    int dist;
    *how = (struct compare_random){.seed = 1, .dist = WSIM_DISTS};
    if (!o->random && (o->seed || o->dist))
        tool_fail("--%s needs --random", o->seed ? "seed" : "dist");
    tool_number("--random", o->random, 100000000, &how->cases);
    tool_number("--seed", o->seed, UINT32_MAX, &how->seed);
    if (!o->dist)
        return;
    dist = wsim_dist_find(o->dist);
    if (dist < 0)
        tool_fail("--dist '%s': must be all, raw, near-one ... (docs/trace-format.md)",
                  text_cut(o->dist).text);
    how->dist = (unsigned)dist;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct compare *c = memory_make(1, sizeof *c);
    struct compare_random how;
    int status, is_tensor = 0;
    read_random(o, &how);
    c->options = &o->exec;
    instruction_read(tool->args, &c->in);
    if (!c->in.is_umma) {
        c->in = instruction_of(&c->in.op);
        exec_group_use(&o->exec.group, &c->in.atom);
    }
    if (o->archs)
        add_named(c, &o->exec, o->archs);
    else
        add_all(c, &o->exec);
    for (unsigned i = 0; i < c->n; i++)
        is_tensor |= c->arch[i].run->tensor != NULL;
    if (is_tensor && o->dist)
        tool_fail("--dist: matrices of tcgen05 are drawn as --a random:SEED has them");
    status = !how.cases  ? compare_case(c, tool->format)
             : is_tensor ? compare_matrices(c, &how, tool->format)
                         : compare_random(c, &how, tool->format);
    close_all(c);
    free(c);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    TOOL_GROUP("Input"),
    {"arch", 0, TOOL_STRING, TOOL_AT(archs), "Targets, such as a100,h100,b200", "NAMES"},
    EXEC_OPERAND_ROWS,
    TOOL_GROUP("Random cases"),
    {"random", 0, TOOL_STRING, TOOL_AT(random), "Run N random cases", "N"},
    {"seed", 0, TOOL_STRING, TOOL_AT(seed), "Seed of the cases (1)", "NUMBER"},
    {"dist", 0, TOOL_STRING, TOOL_AT(dist), "Distribution of the operands", "NAME"},
    TOOL_OPTIONS_END};

const struct tool_command compare_command = {
    "SPELLING", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
