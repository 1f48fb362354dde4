/* generate_access.c - prints a kernel for every access of shared memory that the bank model counts:
 * the instruction alone, everything it needs in registers. */
#include "generate_access.h"
#include "access_line.h"
#include "generate_text.h"

#include <stdlib.h>

/* An operand: `count` values of `bits` each. The assembler has no constraint for 128 bits: such a
 * value is put together from two registers before the access, and taken apart after it. */
struct operand {
    unsigned bits, count;
    unsigned value; /* which word of the values it starts with */
    int is_result;
};

struct text {
    char before[256], after[256], operands[256];
    char declare[512], results[512], outputs[512], inputs[1024];
    unsigned used, variables;
};

/* A register, as a place in the text of the statement. */
static unsigned put_register(struct text *t, const struct operand *o, unsigned word) {
    const char *wide = o->bits > 32 ? "64" : "";
    char constraint = o->bits > 32 ? 'l' : 'r';
    if (o->is_result) {
        PUT(t->declare, "    uint%s_t d%u = HW_VALUE%s(%u);\n", *wide ? wide : "32", t->variables,
            wide, word);
        PUT(t->outputs, "%s\"+%c\"(d%u)", generate_comma(t->outputs), constraint, t->variables);
        PUT(t->results, "    HW_RESULT%s(%u, d%u);\n", wide, word, t->variables++);
    } else {
        PUT(t->inputs, "%s\"%c\"(HW_VALUE%s(%u))", generate_comma(t->inputs), constraint, wide,
            word);
    }
    return t->used++;
}

static void put_value(struct text *t, const struct operand *o, unsigned word) {
    unsigned first = put_register(t, o, word), second;
    if (o->bits <= 64) {
        PUT(t->operands, "%%%u", first);
        return;
    }
    second = put_register(t, o, word + 2);
    PUT(t->before, ".reg .b128 w%u; mov.b128 w%u, {%%%u, %%%u}; ", first, first, first, second);
    if (o->is_result)
        PUT(t->after, "mov.b128 {%%%u, %%%u}, w%u; ", first, second, first);
    PUT(t->operands, "w%u", first);
}

static void put_operand(struct text *t, const struct operand *o, int braces) {
    unsigned words = o->bits > 32 ? o->bits / 32 : 1;
    PUT(t->operands, "%s%s", generate_comma(t->operands), braces ? "{" : "");
    for (unsigned i = 0; i < o->count; i++) {
        PUT(t->operands, "%s", i ? ", " : "");
        put_value(t, o, o->value + i * words);
    }
    PUT(t->operands, "%s", braces ? "}" : "");
}

static void put_address(struct text *t, const char *spelling) {
    int shared = strstr(spelling, ".shared") != NULL;
    PUT(t->operands, "%s[%%%u]", generate_comma(t->operands), t->used++);
    PUT(t->inputs, "%s\"%c\"(HW_%s(HW_ROW_ADDRESS))", generate_comma(t->inputs), shared ? 'r' : 'l',
        shared ? "SHARED" : "GENERIC");
}

static void put_predicate(struct text *t) {
    PUT(t->before, ".reg .pred p; setp.ne.u32 p, %%%u, 0; @p ", t->used++);
    PUT(t->inputs, "%s\"r\"(HW_IN(HW_ROW_PREDICATE))", generate_comma(t->inputs));
}

static void put_copy(struct text *t, unsigned size) {
    PUT(t->operands, ", [%%%u], %u", t->used++, size);
    PUT(t->inputs, ", \"l\"(HW_SOURCE)");
}

/* Whether the whole warp has to execute it. */
static int is_move(const struct wsim_op *op) {
    return wsim_op_describe(op).matrices > 0 || hw_access_is_fragment(op);
}

/* The registers of a fragment: 64-bit ones for f64. */
static struct operand fragment_of(const struct wsim_op *op) {
    struct wsim_layout layout;
    if (wsim_op_layout(op, NULL, WSIM_D, &layout, NULL))
        wsim_op_layout(op, NULL, WSIM_R, &layout, NULL);
    return layout.elem_bits == 64 ? (struct operand){64, layout.regs / 2u, 0, 0}
                                  : (struct operand){32, layout.regs, 0, 0};
}

static void put_stride(struct text *t) {
    PUT(t->operands, ", %%%u", t->used++);
    PUT(t->inputs, ", \"r\"(HW_IN(HW_ROW_STRIDE))");
}

/* The operand that it reads or writes: the registers of a move; for others, bytes divided by the
 * type. */
static struct operand operand_of(const struct wsim_op *op, const char *spelling) {
    struct wsim_op_info info = wsim_op_describe(op);
    const char *type = strrchr(spelling, '.') + 1;
    struct operand o = {32, info.matrices, 0, 0};
    if (hw_access_is_fragment(op))
        return fragment_of(op);
    if (is_move(op))
        return o;
    o.bits = (unsigned)strtoul(type + strcspn(type, "0123456789"), NULL, 10);
    o.count = info.bytes * 8u / o.bits;
    return o;
}

static void put_values(struct text *t, const struct wsim_op *op, const char *spelling) {
    struct operand o = operand_of(op, spelling), result = o, second = o;
    unsigned registers = wsim_op_describe(op).operands;
    int braces = is_move(op) || o.count > 1;
    result.is_result = 1;
    second.value = 4;
    if (registers >> WSIM_D & 1)
        put_operand(t, &result, braces);
    put_address(t, spelling);
    if (registers >> WSIM_R & 1)
        put_operand(t, &o, braces);
    if (hw_access_is_fragment(op))
        put_stride(t);
    if (strstr(spelling, ".cas."))
        put_operand(t, &second, braces);
}

static void put_operands(struct text *t, const struct wsim_op *op, const char *spelling,
                         unsigned size) {
    if (size) {
        put_address(t, spelling);
        put_copy(t, size);
    } else {
        put_values(t, op, spelling);
    }
    if (!is_move(op))
        put_predicate(t);
}

static void print_kernel(const struct hw_access *access, const char *symbol) {
    const struct wsim_op *op = &access->op;
    const unsigned size = access->size;
    char spelling[WSIM_SPELLING_MAX];
    struct text t = {"", "", "", "", "", "", "", 0, 0};
    wsim_op_spell(op, spelling);
    put_operands(&t, op, spelling, size);
    printf("\nHW_ACCESS(%s) { /* one %s */\n#if HW_ON(0x%llxull)\n    HW_ACCESS_BEGIN;\n", symbol,
           spelling, generate_targets(op));
    if (size)
        printf("    HW_WARM(%u);\n", size / 4);
    printf("%s%s    asm volatile(\"{ %s%s %s; %s}\"\n                 : %s\n                 : %s\n"
           "                 : \"memory\");\n%s%s#endif\n}\n",
           t.declare, is_move(op) || size ? "" : "    HW_TURNS\n", t.before, spelling, t.operands,
           t.after, t.outputs, t.inputs, t.results, size ? "    HW_COPIED;\n" : "");
}

static void print_row(const struct hw_access *access, const char *symbol) {
    generate_row(&access->op, access->size, symbol, 0);
}

/* Calls `print` for every access; returns how many there are. */
static unsigned each(void (*print)(const struct hw_access *access, const char *symbol)) {
    char spelling[WSIM_SPELLING_MAX], symbol[WSIM_SPELLING_MAX];
    struct hw_access access;
    unsigned number = 0;
    memset(&access, 0, sizeof access);
    for (; hw_access_next(&access); number++) {
        wsim_op_spell(&access.op, spelling);
        hw_access_symbol(spelling, access.size, symbol);
        print(&access, symbol);
    }
    return number;
}

void generate_accesses(void) {
    unsigned count;
    printf("\n#include \"access_kernel.h\"\n");
    each(print_kernel);
    printf("\nextern \"C\" {\nextern const struct hw_kernel hw_accesses[] = {\n");
    count = each(print_row);
    printf("};\nextern const size_t hw_access_count = %u;\n}\n", count);
}
