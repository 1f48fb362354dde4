/* wsim compare: where architectures give other bits for the same operands, and why. */
#include "compare.h"
#include "../common/memory.h"
#include "../common/picture.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../why/why_words.h"

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
    "Exit status 1 if any differ.\n";
static const char examples[] =
    "  wsim compare mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch a100,h100,b200\n"
    "  wsim compare mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --random 1000000\n";

struct options {
    struct exec_options exec;
    char *archs, *random, *seed, *dist;
};

const char *compare_name(const struct compare *c, unsigned i) {
    return wsim_arch_name(c->arch[i].run->arch);
}

void compare_others(const struct compare *c, unsigned i, char out[16 * COMPARE_ARCHS]) {
    const size_t room = 16 * COMPARE_ARCHS;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned j = i + 1; j < c->n; j++)
        if (c->arch[j].same == i && used < room)
            used += (size_t)snprintf(out + used, room - used, " %s", compare_name(c, j));
}

void compare_print_arithmetic(const struct compare *c, unsigned i) {
    char others[16 * COMPARE_ARCHS];
    compare_others(c, i, others);
    screen_fold(2, "%s%s%s%s: %s", compare_name(c, i), *others ? " (the same by the tables:" : "",
                others, *others ? ")" : "", why_arithmetic(&c->arch[i].arithmetic).text);
    if (c->arch[i].run->evidence)
        screen_fold(4, "  evidence: %s (%s)", c->arch[i].run->evidence,
                    c->arch[i].run->evidence_source);
    if (c->arch[i].run->caveat)
        screen_fold(4, "  caveat: %s", c->arch[i].run->caveat);
}

json_t *compare_arch_json(const struct compare *c, unsigned i) {
    const struct compare_arch *arch = &c->arch[i];
    json_t *root =
        json_pack("{s:s, s:s, s:s?, s:s?, s:s*}", "name", compare_name(c, i), "arithmetic",
                  why_arithmetic(&arch->arithmetic).text, "evidence", arch->run->evidence, "source",
                  arch->run->evidence_source, "caveat", arch->run->caveat);
    if (arch->same != i)
        json_object_set_new(root, "same_as", json_string(compare_name(c, arch->same)));
    return root;
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

/* Adds an architecture that executes args[0]. */
static int add(struct compare *c, const struct exec_options *options, const char *arch,
               const char **args) {
    struct exec_options o = *options;
    struct compare_arch *to = &c->arch[c->n];
    struct wsim_diag diag;
    int status;
    if (c->n == COMPARE_ARCHS)
        return tool_error("--arch: at most %d architectures", COMPARE_ARCHS);
    o.arch = memory_text(arch, strlen(arch));
    to->run = memory_make(1, sizeof *to->run);
    status = exec_prepare(to->run, &o, args);
    free(o.arch);
    if (status == TOOL_GO && wsim_code_arithmetic(&to->run->code, &to->arithmetic, &diag))
        status = tool_refused(NULL, &diag);
    if (status == TOOL_GO && is_named(c, wsim_arch_name(to->run->arch)))
        status = tool_error("--arch: %s is there twice", wsim_arch_name(to->run->arch));
    if (status != TOOL_GO) {
        exec_close(to->run);
        return status;
    }
    to->same = first_same(c, &to->arithmetic);
    c->n++;
    return TOOL_GO;
}

static int add_named(struct compare *c, const struct exec_options *options, char *names,
                     const char **args) {
    int status = TOOL_GO;
    for (char *name = names; name && status == TOOL_GO;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        status = add(c, options, name, args);
        name = comma;
    }
    return status;
}

static int add_all(struct compare *c, const struct exec_options *options, const struct wsim_op *op,
                   const char **args) {
    const struct wsim_arch *arch;
    struct wsim_code code;
    int status = TOOL_GO;
    for (size_t i = 0; status == TOOL_GO && (arch = wsim_arch_at(i)) != NULL; i++)
        if (wsim_prepare(op, arch, 0, &code, NULL) == WSIM_OK)
            status = add(c, options, wsim_arch_name(arch), args);
    if (status == TOOL_GO && c->n == 0)
        return tool_error("no architecture executes it: wsim why says why");
    return status;
}

static void close_all(struct compare *c) {
    while (c->n) {
        struct compare_arch *arch = &c->arch[--c->n];
        free(arch->d);
        exec_close(arch->run);
    }
}

/* --- the whole --- */

static int read_random(const struct options *o, struct compare_random *how) {
    int dist, status;
    *how = (struct compare_random){.seed = 1, .dist = WSIM_DISTS};
    if (!o->random && (o->seed || o->dist))
        return tool_error("--%s is of --random", o->seed ? "seed" : "dist");
    status = tool_number("--random", o->random, 100000000, &how->cases);
    if (status == TOOL_GO)
        status = tool_number("--seed", o->seed, UINT32_MAX, &how->seed);
    if (status != TOOL_GO || !o->dist)
        return status;
    dist = wsim_dist_find(o->dist);
    if (dist < 0)
        return tool_error("--dist '%s': it can be all, raw, near-one ... (docs/trace-format.md)",
                          text_cut(o->dist).text);
    how->dist = (unsigned)dist;
    return TOOL_GO;
}

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct compare *c = memory_make(1, sizeof *c);
    char spelling[WSIM_SPELLING_MAX];
    const char *one[] = {spelling, NULL};
    struct compare_random how;
    struct wsim_op op;
    int status = read_random(o, &how);
    c->options = &o->exec;
    if (status == TOOL_GO)
        status = tool_op(tool->args, &op);
    if (status == TOOL_GO) {
        wsim_op_spell(&op, spelling);
        status = o->archs ? add_named(c, &o->exec, o->archs, one) : add_all(c, &o->exec, &op, one);
    }
    if (status == TOOL_GO)
        status = how.cases ? compare_random(c, &how, tool->format) : compare_case(c, tool->format);
    close_all(c);
    free(c);
    return status;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"arch", 0, TOOL_STRING, TOOL_AT(archs), "Targets, such as a100,h100,b200", "NAMES"},
    EXEC_OPERAND_ROWS,
    {"random", 0, TOOL_STRING, TOOL_AT(random), "Run N random cases", "N"},
    {"seed", 0, TOOL_STRING, TOOL_AT(seed), "Seed of the cases (1)", "NUMBER"},
    {"dist", 0, TOOL_STRING, TOOL_AT(dist), "Distribution of the operands", "NAME"},
    TOOL_OPTIONS_END};

const struct tool_command compare_command = {
    "SPELLING", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
