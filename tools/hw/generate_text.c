/* generate_text.c - texts of the generator; see generate_text.h. */
#include "generate_text.h"

const char *generate_comma(const char *part) {
    return *part ? ", " : "";
}

unsigned long long generate_targets(const struct wsim_op *op) {
    unsigned long long targets = 0;
    for (size_t i = 0; wsim_arch_at(i); i++)
        if (wsim_op_check(op, wsim_arch_at(i), NULL) == WSIM_OK)
            targets |= 1ull << i;
    return targets;
}

void generate_row(const struct wsim_op *op, unsigned selector, const char *symbol) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    printf("    {\"%s\", %u, 0x%llxull, (const void *)%s},\n", spelling, selector,
           generate_targets(op), symbol);
}
