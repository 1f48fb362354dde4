/* generate_text.c - texts of the generator; see generate_text.h. */
#include "generate_text.h"
#include <wsim/harness/harness.h>

const char *generate_comma(const char *part) {
    return *part ? ", " : "";
}

enum { COMMON_PTX = 90 }; /* that every compiler reads which builds this */

unsigned long long generate_targets(const struct wsim_op *op) {
    unsigned long long targets = 0;
    for (size_t i = 0; wsim_arch_at(i); i++)
        if (wsim_op_check(op, wsim_arch_at(i), NULL) == WSIM_OK)
            targets |= 1ull << i;
    return targets;
}

unsigned generate_each(void (*print)(const struct wsim_op *op, unsigned selector,
                                     unsigned number)) {
    struct wsim_op op;
    uint32_t cursor = 0;
    unsigned number = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        struct wsim_plan plan;
        for (unsigned s = 0; wsim_plan_make(&op, s, &plan, NULL) == WSIM_OK; s++)
            print(&op, s, number++);
    }
    return number;
}

void generate_row(const struct wsim_op *op, unsigned selector, const char *symbol, int by_name) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    if (wsim_op_describe(op).ptx > COMMON_PTX) /* a compiler may not have made code of it */
        printf("    {\"%s\", %u, HW_KNOWN(%u) ? 0x%llxull : 0, ", spelling, selector,
               (unsigned)wsim_op_describe(op).ptx, generate_targets(op));
    else
        printf("    {\"%s\", %u, 0x%llxull, ", spelling, selector, generate_targets(op));
    if (by_name)
        printf("0, \"%s\"},\n", symbol);
    else
        printf("(const void *)%s, 0},\n", symbol);
}
