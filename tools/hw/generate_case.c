/* generate_case.c - prints a kernel for every mma, wmma, ldmatrix, stmatrix and movmatrix: its
 * operands from the block of a case, its result into another. Layouts give its registers,
 * the plan of its cases gives their places in a block. */
#include "generate_case.h"
#include "generate_text.h"
#include <wsim/harness/harness.h>

/* How the compiler passes an element of a register operand. */
struct passing {
    const char *type, *suffix;
    char constraint;
    unsigned words;
};

static struct passing passing_of(const struct wsim_layout *layout) {
    static const struct passing word = {"uint32_t", "", 'r', 1}, single = {"float", "_F32", 'f', 1},
                                twice = {"double", "_F64", 'd', 2};
    int is_float = layout->format->kind == WSIM_BINARY;
    if (layout->elem_bits == 64)
        return twice;
    return is_float && layout->format->bits == 32 ? single : word;
}

/* The text of an asm statement grows in three parts. */
struct statement {
    char text[512], outputs[512], inputs[2048];
    unsigned used; /* operands so far */
};

static void put_registers(struct statement *s, const struct wsim_layout *layout, int first) {
    struct passing p = passing_of(layout);
    PUT(s->text, "%s{", generate_comma(s->text));
    for (unsigned reg = 0; reg < layout->regs; reg += p.words) {
        PUT(s->text, "%s%%%u", reg ? ", " : "", s->used++);
        if (first < 0)
            PUT(s->outputs, "%s\"=%c\"(d%u)", generate_comma(s->outputs), p.constraint, reg);
        else
            PUT(s->inputs, "%s\"%c\"(HW_IN%s(%u))", generate_comma(s->inputs), p.constraint,
                p.suffix, (unsigned)first + reg);
    }
    PUT(s->text, "}");
}

static void put_fragment(struct statement *s, const struct wsim_op *op, enum wsim_operand operand,
                         int first) {
    struct wsim_layout layout;
    if (wsim_op_layout(op, NULL, operand, &layout, NULL) == WSIM_OK)
        put_registers(s, &layout, first);
}

static void put_word(struct statement *s, unsigned first) {
    PUT(s->text, "%s%%%u", generate_comma(s->text), s->used++);
    PUT(s->inputs, "%s\"r\"(HW_IN(%u))", generate_comma(s->inputs), first);
}

static void put_picked(struct statement *s, unsigned first, unsigned byte) {
    PUT(s->text, ", {%%%u, %%%u}", s->used, s->used + 1);
    s->used += 2;
    for (unsigned i = byte; i < byte + 2; i++)
        PUT(s->inputs, ", \"h\"(HW_PICKED(%u, %u))", first, i);
}

static void put_address(struct statement *s, const char *spelling, unsigned first) {
    int shared = strstr(spelling, ".shared") != NULL;
    PUT(s->text, "%s[%%%u]", generate_comma(s->text), s->used++);
    PUT(s->inputs, "%s\"%c\"(%s(%u))", generate_comma(s->inputs), shared ? 'r' : 'l',
        shared ? "HW_SHARED" : "HW_GENERIC", first);
}

static void put_mma(struct statement *s, const struct wsim_op *op, const struct wsim_plan *plan) {
    put_fragment(s, op, WSIM_D, -1);
    put_fragment(s, op, WSIM_A, plan->input[WSIM_IN_A].first);
    put_fragment(s, op, WSIM_B, plan->input[WSIM_IN_B].first);
    put_fragment(s, op, WSIM_C, plan->input[WSIM_IN_C].first);
    if (plan->sparse) {
        put_word(s, plan->input[WSIM_IN_E].first);
        PUT(s->text, ", %u", plan->selector);
    }
    if (plan->bytes_a) {
        put_word(s, plan->input[WSIM_IN_SFA].first);
        put_picked(s, plan->input[WSIM_IN_PICK].first, 0);
        put_word(s, plan->input[WSIM_IN_SFB].first);
        put_picked(s, plan->input[WSIM_IN_PICK].first, 2);
    }
}

/* wmma.load and wmma.store: the stride is always written. */
static void put_stride(struct statement *s, const struct wsim_plan *plan) {
    put_word(s, plan->input[WSIM_IN_HOW].first);
}

static void put_operands(struct statement *s, const struct wsim_op *op, const char *spelling,
                         const struct wsim_plan *plan) {
    struct wsim_op_info info = wsim_op_describe(op);
    if (info.does & WSIM_DOES_MULTIPLY) {
        put_mma(s, op, plan);
        return;
    }
    if (info.does & WSIM_DOES_EXCHANGE) {
        PUT(s->text, "%%0");
        PUT(s->outputs, "\"=r\"(d0)");
        s->used = 1;
        put_word(s, plan->input[WSIM_IN_A].first);
        return;
    }
    if (info.does & WSIM_DOES_LOAD)
        put_fragment(s, op, WSIM_D, -1);
    put_address(s, spelling, plan->input[WSIM_IN_ADDR].first);
    if (info.does & WSIM_DOES_STORE)
        put_fragment(s, op, WSIM_R, plan->input[WSIM_IN_R].first);
    if (info.does & WSIM_DOES_WMMA)
        put_stride(s, plan);
}

static void print_results(const struct wsim_op *op, int declare) {
    struct wsim_layout layout;
    struct passing p;
    if (wsim_op_layout(op, NULL, WSIM_D, &layout, NULL))
        return;
    p = passing_of(&layout);
    for (unsigned reg = 0; reg < layout.regs; reg += p.words)
        if (declare)
            printf("%s%s d%u", reg ? "; " : "    ", p.type, reg);
        else
            printf("    HW_OUT%s(%u, d%u);\n", p.suffix, reg, reg);
    if (declare)
        printf(";\n");
}

/* Memory before the instruction: shared, or global if that is written. */
static void print_window(const struct wsim_plan *plan, int global) {
    const struct wsim_plan_input *window = &plan->input[WSIM_IN_SMEM];
    if (!window->rows)
        return;
    if (!global)
        printf("    HW_WINDOW(%u, %u);\n", window->first, window->rows);
    else if (plan->store)
        printf("    HW_GLOBAL_COPY(%u, %u);\n", window->first, window->rows);
    else
        printf("    HW_GLOBAL_WINDOW(%u);\n", window->first);
}

static void print_kernel(const struct wsim_op *op, unsigned selector, unsigned number) {
    struct statement s = {"", "", "", 0};
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_plan plan;
    int global;
    wsim_plan_make(op, selector, &plan, NULL);
    if (plan.variants) /* generate_group.c has it */
        return;
    wsim_op_spell(op, spelling);
    put_operands(&s, op, spelling, &plan);
    printf("\nHW_KERNEL(k%u) { /* %s", number, spelling);
    if (plan.sparse)
        printf(", selector %u", selector);
    printf(" */\n#if HW_ON(0x%llxull) && HW_KNOWN(%u)\n    HW_BLOCK(%u, %u);\n",
           generate_targets(op), (unsigned)wsim_op_describe(op).ptx, (unsigned)plan.in_rows,
           (unsigned)plan.out_rows);
    global = strstr(spelling, ".global") != NULL;
    print_window(&plan, global);
    print_results(op, 1);
    printf("    asm volatile(\"%s %s;\"\n                 : %s\n                 : %s\n"
           "                 : \"memory\");\n",
           spelling, s.text, s.outputs, s.inputs);
    print_results(op, 0);
    if (plan.store && !global)
        printf("    HW_OUT_WINDOW(%u);\n", (unsigned)plan.out_rows);
    printf("#endif\n}\n");
}

static void print_row(const struct wsim_op *op, unsigned selector, unsigned number) {
    char symbol[16];
    struct wsim_plan plan;
    wsim_plan_make(op, selector, &plan, NULL);
    snprintf(symbol, sizeof symbol, "k%u", number);
    generate_row(op, selector, symbol, plan.variants != 0);
}

void generate_cases(void) {
    unsigned count;
    generate_each(print_kernel);
    printf("\nextern \"C\" {\nextern const struct hw_kernel hw_kernels[] = {\n");
    count = generate_each(print_row);
    printf("};\nextern const size_t hw_kernel_count = %u;\n}\n", count);
}
