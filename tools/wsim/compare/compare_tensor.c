/* The tcgen05.mma that multiplies the matrices of a wgmma.mma_async. */
#include "compare.h"

#include <string.h>

static const char *kind_of(const struct wsim_format *a) {
    static const char *const kinds[][2] = {{"f16", "f16"},     {"bf16", "f16"},    {"tf32", "tf32"},
                                           {"e4m3", "f8f6f4"}, {"e5m2", "f8f6f4"}, {"s8", "i8"},
                                           {"u8", "i8"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i][0], a->name) == 0)
            return kinds[i][1];
    return NULL;
}

int compare_tensor(const struct wsim_op *op, const struct exec_group_options *group,
                   struct compare_words *words) {
    const struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_tile a, b;
    struct wsim_layout d;
    char spelling[WSIM_SPELLING_MAX];
    const struct {
        int is;
        const char *word;
    } flags[] = {{group->trans_a, "tA=1"},
                 {group->trans_b, "tB=1"},
                 {group->negate_a, "negA=1"},
                 {group->negate_b, "negB=1"},
                 {0, "sat=1"}};
    unsigned n = 0;
    wsim_op_spell(op, spelling);
    if (info.family != WSIM_WGMMA || info.sparse || wsim_wgmma_tile(op, WSIM_A, 0, &a, NULL) ||
        wsim_wgmma_tile(op, WSIM_B, 0, &b, NULL) || wsim_op_layout(op, NULL, WSIM_D, &d, NULL) ||
        !kind_of(a.format))
        return 0;
#define PUT(...) snprintf(words->text[n], sizeof words->text[n], __VA_ARGS__), n++
    PUT("tcgen05.mma.cta_group::1.kind::%s", kind_of(a.format));
    PUT("M=%u", info.m);
    PUT("N=%u", info.n);
    PUT("A=%s", a.format->name);
    PUT("B=%s", b.format->name);
    PUT("D=%s", d.format->name);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].is || (strcmp(flags[i].word, "sat=1") == 0 && strstr(spelling, ".satfinite")))
            PUT("%s", flags[i].word);
#undef PUT
    for (unsigned i = 0; i < n; i++)
        words->args[i] = words->text[i];
    words->args[n] = NULL;
    return 1;
}
