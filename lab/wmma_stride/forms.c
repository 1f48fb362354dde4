/* Prints CUDA for kernels.cu: one function for each wmma.load and wmma.store of the tables that
 * sm_90a has, and a table of these functions. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

static void print_list(const char *constraint, unsigned first, unsigned regs) {
    for (unsigned i = 0; i < regs; i++)
        printf("%s\"%s\"(x[%u])", i ? ", " : "", constraint, first + i);
}

static void print_form(const char *spelling, const struct wsim_layout *layout, unsigned number,
                       int stores) {
    unsigned wide = layout->elem_bits == 64, regs = layout->regs / (wide ? 2u : 1u);
    const char *word = wide ? "uint64_t" : "uint32_t", *letter = wide ? "l" : "r";
    char from[8], store_letter[4], load_letter[4];
    snprintf(store_letter, sizeof store_letter, "%s", letter);
    snprintf(load_letter, sizeof load_letter, "=%s", letter);
    printf("static __device__ void form_%u(const void *at, uint32_t *regs, unsigned stride) {\n"
           "    %s *x = (%s *)regs;\n    asm volatile(\"%s ",
           number, word, word, spelling);
    snprintf(from, sizeof from, "[%%%u]", stores ? 0 : regs);
    if (stores)
        printf("%s, ", from);
    for (unsigned i = 0; i < regs; i++)
        printf("%s%%%u", i ? "," : "{", i + (stores ? 2 : 0));
    printf(stores ? "}, %%1;\"\n        : : " : "}, %s, %%%u;\"\n        : ", from, regs + 1);
    if (!stores) {
        print_list(load_letter, 0, regs);
        printf(" : ");
    }
    printf(strstr(spelling, ".shared")   ? "\"r\"((unsigned)__cvta_generic_to_shared(at))"
           : strstr(spelling, ".global") ? "\"l\"(__cvta_generic_to_global(at))"
                                         : "\"l\"(at)");
    printf(", \"r\"(stride)");
    if (stores) {
        printf(", ");
        print_list(store_letter, 0, regs);
    }
    printf(" : \"memory\");\n}\n");
}

/* Whether lines of memory are rows of the matrix. */
static int by_rows(const char *spelling) {
    return strstr(spelling, ".row.") != NULL;
}

static int wanted(const struct wsim_op *op, struct wsim_layout *layout, int *stores) {
    enum wsim_family family = wsim_op_describe(op).family;
    *stores = family == WSIM_WMMA_STORE;
    if (family != WSIM_WMMA_LOAD_A && family != WSIM_WMMA_LOAD_B && family != WSIM_WMMA_LOAD_C &&
        !*stores)
        return 0;
    return !wsim_op_check(op, wsim_arch_find("sm_90a"), NULL) &&
           !wsim_op_layout(op, NULL, *stores ? WSIM_R : WSIM_D, layout, NULL);
}

int main(void) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_layout layout;
    int stores;
    for (int table = 0; table < 2; table++) {
        struct wsim_op op = {0};
        uint32_t cursor = 0;
        unsigned number = 0;
        if (table)
            printf("#define FORMS \\\n");
        while (wsim_op_next(&cursor, &op)) {
            if (!wanted(&op, &layout, &stores))
                continue;
            wsim_op_spell(&op, spelling);
            if (table)
                printf("    FORM(%u, \"%s\", %d, %u, %u, %u, %u) \\\n", number, spelling, stores,
                       layout.regs, layout.elem_bits, by_rows(spelling) ? layout.cols : layout.rows,
                       by_rows(spelling) ? layout.rows : layout.cols);
            else
                print_form(spelling, &layout, number, stores);
            number++;
        }
    }
    printf("\n");
    return 0;
}
