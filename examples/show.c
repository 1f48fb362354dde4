/* show.c - counting, refusing and printing for the examples; floating point is for display only. */
#include "show.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fact(struct facts *facts, int agrees, const char *text, ...) {
    va_list arguments;
    if (agrees) {
        facts->agree++;
        return;
    }
    facts->differ++;
    printf("  DIFFERS: ");
    va_start(arguments, text);
    vprintf(text, arguments);
    va_end(arguments);
    printf("\n");
}

int facts_end(const struct facts *facts) {
    if (facts->differ)
        printf("\n%u of %u facts differ\n", facts->differ, facts->agree + facts->differ);
    else
        printf("\nall %u facts agree\n", facts->agree);
    return facts->differ ? 1 : 0;
}

void must(enum wsim_status status, const struct wsim_diag *diag) {
    if (status == WSIM_OK)
        return;
    fprintf(stderr, "%s: %s\n", wsim_status_name(status), diag->text);
    exit(2);
}

struct wsim_op must_parse(const char *spelling) {
    struct wsim_op op;
    struct wsim_diag diag;
    must(wsim_op_parse(spelling, &op, &diag), &diag);
    return op;
}

const struct wsim_arch *must_find(const char *name) {
    const struct wsim_arch *arch = wsim_arch_find(name);
    if (!arch) {
        fprintf(stderr, "no architecture is called %s\n", name);
        exit(2);
    }
    return arch;
}

struct wsim_layout must_layout(const struct wsim_op *op, enum wsim_operand operand) {
    struct wsim_layout layout;
    struct wsim_diag diag;
    must(wsim_op_layout(op, NULL, operand, &layout, &diag), &diag);
    return layout;
}

void must_exec(const struct wsim_op *op, const struct wsim_arch *arch,
               const struct wsim_operands *io) {
    struct wsim_diag diag;
    must(wsim_exec(op, arch, io, &diag), &diag);
}

uint64_t bits_of(const struct wsim_format *format, int value) {
    struct wsim_value number = {
        .cls = value ? WSIM_FINITE : WSIM_ZERO, .negative = value < 0, .sig = (uint64_t)abs(value)};
    return wsim_format_encode(format, number, WSIM_RN) << format->pad;
}

double number_of(const struct wsim_format *format, uint64_t bits) {
    struct wsim_value value = wsim_format_decode(format, bits >> format->pad);
    double size = value.cls == WSIM_NAN   ? NAN
                  : value.cls == WSIM_INF ? INFINITY
                                          : ldexp((double)value.sig, value.exp);
    return value.negative ? -size : size;
}

/* The numbers of one register: "7" or "(2,3)". */
static int register_text(const struct wsim_layout *layout, const struct wsim_regs *regs,
                         unsigned lane, unsigned reg, char *text, size_t size) {
    unsigned each = (unsigned)layout->elems / layout->regs, s;
    int length = snprintf(text, size, each > 1 ? "(" : "");
    for (s = 0; s < each; s++) {
        struct wsim_place place = wsim_layout_place(layout, lane, reg * each + s);
        double number = number_of(layout->format, wsim_regs_get(layout, regs, place));
        length += snprintf(text + length, size - (size_t)length, "%s%g", s ? "," : "", number);
    }
    return length + snprintf(text + length, size - (size_t)length, each > 1 ? ")" : "");
}

void lane_text(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned lane,
               char text[LANE_TEXT]) {
    unsigned reg;
    int length = 0;
    for (reg = 0; reg < layout->regs; reg++) {
        if (reg)
            text[length++] = ' ';
        length += register_text(layout, regs, lane, reg, text + length, LANE_TEXT - (size_t)length);
    }
}

void show_lanes(const struct wsim_layout *layout, const struct wsim_regs *regs, unsigned first,
                unsigned last) {
    char text[LANE_TEXT];
    unsigned lane, reg;
    for (lane = first; lane <= last; lane++) {
        printf("  lane %2u  ", lane);
        for (reg = 0; reg < layout->regs; reg++) {
            register_text(layout, regs, lane, reg, text, sizeof text);
            printf(reg + 1u < layout->regs ? "%-11s" : "%s\n", text);
        }
    }
}

void show_matrix(const struct wsim_format *format, const uint64_t *matrix, unsigned rows,
                 unsigned cols) {
    unsigned row, col;
    for (row = 0; row < rows; row++) {
        for (col = 0; col < cols; col++)
            printf("%5g", number_of(format, matrix[row * cols + col]));
        printf("\n");
    }
}

unsigned next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u; /* the low bits repeat soon, the high ones do not */
    return *state >> 16;
}

int next_int(uint32_t *state, unsigned range) {
    int value = (int)(next_random(state) % (2 * range)) - (int)range;
    return value < 0 ? value : value + 1;
}

void exact_product(unsigned m, unsigned n, unsigned k, const int *a, const int *b, int *product) {
    unsigned row, col, i;
    for (row = 0; row < m; row++)
        for (col = 0; col < n; col++) {
            int sum = 0;
            for (i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + col];
            product[row * n + col] = sum;
        }
}
