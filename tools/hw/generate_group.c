/* generate_group.c - prints a kernel for every wgmma and every selector: a thread block for each
 * case, its operands from the block of the case. Immediates of an instruction
 * (transposes, signs, the place of A) are selected at run time among all choices of the plan.
 *
 * It is PTX, not CUDA: thousands of instructions with 128 registers each take a C++ compiler
 * minutes. Parameters are those of the other kernels and the number of registers of a block. The
 * last register is the window, of any size. */
#include "generate_group.h"
#include "generate_text.h"

#include <errno.h>
#include <wsim/harness/harness.h>

enum { MOST_PARTS = 64 };

static FILE *out; /* one of them */
static FILE *parts[MOST_PARTS];
static unsigned nparts;
static unsigned one_in; /* kernels of these, by their numbers */

enum { ROW = 4 * WSIM_LANES, REGISTER = 4 * WSIM_GROUP_THREADS, CHOICES = WSIM_CHOICE_SCALE_D };

static void put_list(const char *prefix, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "%s%s%u", i ? ", " : "{", prefix, i);
    fputs("}", out);
}

static void put_loads(const struct wsim_plan *plan, enum wsim_input which, const char *prefix) {
    const struct wsim_plan_input *o = &plan->input[which];
    for (unsigned i = 0; i < o->rows * ROW / REGISTER; i++)
        fprintf(out, "ld.global.b32 %s%u, [in+%u];\n", prefix, i, o->first * ROW + i * REGISTER);
}

static void put_stores(const struct wsim_plan *plan) {
    for (unsigned i = 0; i < plan->out_rows * ROW / REGISTER; i++)
        fprintf(out, "st.global.b32 [out+%u], d%u;\n", i * REGISTER, i);
}

/* The block of the case, and what was chosen for it. */
static void put_start(const struct wsim_plan *plan) {
    unsigned how = plan->input[WSIM_IN_HOW].first * ROW;
    fprintf(out,
            "ld.param.b64 in, [from];\nld.param.b64 out, [to];\nld.param.b32 rows, [size];\n"
            "cvta.to.global.u64 in, in;\ncvta.to.global.u64 out, out;\n"
            "mov.u32 tid, %%tid.x;\nmov.u32 case, %%ctaid.x;\nshl.b32 rows, rows, 7;\n"
            "mul.wide.u32 at, case, rows;\nadd.u64 in, in, at;\n"
            "mul.wide.u32 at, case, %u;\nadd.u64 out, out, at;\n"
            "ld.global.b64 desca, [in+%u];\nld.global.b64 descb, [in+%u];\n"
            "ld.global.b32 how, [in+%u];\n",
            (unsigned)plan->out_rows * ROW, how, how + 8, how + 4 * WSIM_CHOICE_WORD);
}

/* 16 bytes a thread at a time; descriptors count from the window on. */
static void put_window(const struct wsim_plan *plan) {
    unsigned first = plan->input[WSIM_IN_MATRIX_A].first * ROW;
    fprintf(out,
            "mov.u32 there, window;\nshr.u32 i, there, 4;\ncvt.u64.u32 at, i;\n"
            "add.u64 desca, desca, at;\nadd.u64 descb, descb, at;\n"
            "sub.u32 rows, rows, %u;\nshl.b32 i, tid, 4;\n"
            "COPY:\nsetp.ge.u32 p, i, rows;\n@p bra COPIED;\n"
            "cvt.u64.u32 at, i;\nadd.u64 at, at, in;\n"
            "ld.global.v4.b32 {v0, v1, v2, v3}, [at+%u];\nadd.u32 lane, there, i;\n"
            "st.shared.v4.b32 [lane], {v0, v1, v2, v3};\nadd.u32 i, i, %u;\nbra COPY;\nCOPIED:\n"
            "fence.proxy.async;\nbar.sync 0;\n",
            first, first, 16 * WSIM_GROUP_THREADS);
}

static void put_operands(const struct wsim_plan *plan, const struct wsim_layout *d, unsigned how,
                         int signs, int majors) {
    int in_registers = how & WSIM_CHOICE_REGISTERS;
    put_list("d", d->regs);
    fputs(", ", out);
    if (in_registers)
        put_list("a", plan->input[WSIM_IN_A].rows * ROW / REGISTER);
    else
        fputs("desca", out);
    fputs(", descb", out);
    if (plan->sparse)
        fprintf(out, ", e0, %u", plan->selector);
    fputs(", p", out);
    if (signs)
        fprintf(out, ", %d, %d", how & WSIM_CHOICE_NEGATE_A ? -1 : 1,
                how & WSIM_CHOICE_NEGATE_B ? -1 : 1);
    if (majors && !in_registers)
        fprintf(out, ", %d", (how & WSIM_CHOICE_TRANS_A) != 0);
    if (majors)
        fprintf(out, ", %d", (how & WSIM_CHOICE_TRANS_B) != 0);
}

/* Where each choice of immediates is; one that there is no code for writes nothing. */
static void put_targets(const struct wsim_plan *plan) {
    fputs("THERE: .branchtargets ", out);
    for (unsigned how = 0; how < CHOICES; how++) {
        unsigned v = 0;
        while (v < plan->variants && plan->variant[v] != how)
            v++;
        if (v < plan->variants)
            fprintf(out, "%sV%u", how ? ", " : "", how);
        else
            fprintf(out, "%sEND", how ? ", " : "");
    }
    fprintf(
        out,
        ";\nand.b32 i, how, %d;\nsetp.ne.u32 p, i, 0;\nand.b32 i, how, %d;\nbrx.idx i, THERE;\n",
        WSIM_CHOICE_SCALE_D, CHOICES - 1);
}

static void put_instructions(const struct wsim_op *op, const struct wsim_plan *plan,
                             const struct wsim_layout *d) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_tile tile;
    int signs = d->format->kind == WSIM_BINARY;
    int majors = wsim_wgmma_tile(op, WSIM_B, 1, &tile, NULL) == WSIM_OK;
    wsim_op_spell(op, spelling);
    for (unsigned v = 0; v < plan->variants; v++) {
        fprintf(out, "V%u:\nwgmma.fence.sync.aligned;\n%s ", plan->variant[v], spelling);
        put_operands(plan, d, plan->variant[v], signs, majors);
        fputs(";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
              "bra DONE;\n",
              out);
    }
}

static void print_kernel(const struct wsim_op *op, unsigned selector, unsigned number) {
    struct wsim_layout d;
    struct wsim_plan plan;
    const char *type;
    wsim_plan_make(op, selector, &plan, NULL);
    if (!plan.variants || number % one_in)
        return;
    out = parts[number / one_in % nparts];
    wsim_op_layout(op, NULL, WSIM_D, &d, NULL);
    type = d.format->kind == WSIM_BINARY && d.elem_bits == 32 ? "f32" : "b32";
    fprintf(out,
            ".visible .entry k%u(.param .u64 from, .param .u64 to, .param .u32 cases,\n"
            ".param .u32 size) .maxntid %d {\n"
            ".reg .b64 in, out, at, desca, descb;\n.reg .pred p;\n"
            ".reg .b32 tid, case, rows, how, there, lane, i, v<4>, a<4>, e<1>;\n.reg .%s d<%u>;\n",
            number, WSIM_GROUP_THREADS, type, d.regs);
    put_start(&plan);
    put_window(&plan);
    fprintf(out, "mul.wide.u32 at, tid, 4;\nadd.u64 in, in, at;\nadd.u64 out, out, at;\n");
    put_loads(&plan, WSIM_IN_C, "d");
    put_loads(&plan, WSIM_IN_A, "a");
    put_loads(&plan, WSIM_IN_E, "e");
    put_targets(&plan);
    put_instructions(op, &plan, &d);
    fputs("DONE:\n", out);
    put_stores(&plan);
    fputs("END:\nret;\n}\n", out);
}

/* The architectures and the version of PTX that all of them need. */
static unsigned long long targets = ~0ull;
static unsigned version;

static void note_needs(const struct wsim_op *op, unsigned selector, unsigned number) {
    struct wsim_op_info info = wsim_op_describe(op);
    (void)selector, (void)number;
    if (!(info.does & WSIM_DOES_MULTIPLY) || info.threads != WSIM_GROUP_THREADS)
        return;
    targets &= generate_targets(op);
    version = info.ptx > version ? info.ptx : version;
}

static void print_head(void) {
    unsigned i = 0;
    const char *name;
    while (!(targets >> i & 1) && wsim_arch_at(i))
        i++;
    name = wsim_arch_name(wsim_arch_at(i));
    fprintf(out,
            "// %s\n.version %u.%u\n.target %s\n.address_size 64\n"
            ".extern .shared .align 1024 .b8 window[];\n",
            name, version / 10, version % 10, name);
}

static int refuse(unsigned part, const char *why) {
    fprintf(stderr, "generate: part %u: %s\n", part, why);
    return 2;
}

int generate_groups(const char *prefix, unsigned count, unsigned every) {
    int status = 0;
    one_in = every;
    if (count > MOST_PARTS)
        return refuse(count, "too many");
    generate_each(note_needs);
    for (nparts = 0; nparts < count; nparts++) {
        char path[4096];
        snprintf(path, sizeof path, "%s%u.ptx", prefix, nparts);
        out = parts[nparts] = fopen(path, "w");
        if (!out)
            return refuse(nparts, strerror(errno));
        print_head();
    }
    generate_each(print_kernel);
    for (unsigned i = 0; i < count; i++)
        if (ferror(parts[i]) | fclose(parts[i]))
            status = refuse(i, "cannot be written");
    return status;
}
