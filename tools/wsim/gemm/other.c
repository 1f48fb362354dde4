/* Finds the instruction of another architecture that multiplies equal matrices. */
#include "gemm.h"

#include <stdlib.h>
#include <string.h>

/* Matrices serve two instructions if these are equal. */
struct types {
    struct wsim_gemm gemm;
    unsigned bits_a;               /* of an element of A in a register         */
    char words[WSIM_SPELLING_MAX]; /* those that change the numbers */
};

/* The words of a spelling that change numbers beside the types, such as ".satfinite.and". */
static void keep_words(const char *spelling, char out[WSIM_SPELLING_MAX]) {
    static const char *const words[] = {"satfinite", "and", "xor", "rz", "rm", "rp"};
    size_t used = 0;
    out[0] = '\0';
    while (*spelling) {
        const size_t n = strcspn(spelling, ".");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i]) == n && memcmp(words[i], spelling, n) == 0)
                used += (size_t)snprintf(out + used, WSIM_SPELLING_MAX - used, ".%s", words[i]);
        spelling += n + (spelling[n] == '.');
    }
}

static int read_types(const struct instruction *in, const struct wsim_code *code,
                      struct types *types) {
    const struct wsim_gemm_size none = {0};
    struct wsim_layout a;
    if (wsim_gemm_prepare(code, &none, &types->gemm, NULL))
        return 0;
    types->bits_a = instruction_bits(in, WSIM_A);
    if (!in->is_umma && !wsim_op_layout(&in->op, code->arch, WSIM_A, &a, NULL))
        types->bits_a = a.elem_bits;
    keep_words(in->is_umma && in->umma.shape.saturate ? ".satfinite" : in->spelling, types->words);
    return 1;
}

static int are_equal(const struct types *a, const struct types *b) {
    const struct wsim_gemm *x = &a->gemm, *y = &b->gemm;
    return x->a == y->a && x->b == y->b && x->d == y->d && x->element_a == y->element_a &&
           x->element_b == y->element_b && x->scale == y->scale && x->block_k == y->block_k &&
           a->bits_a == b->bits_a;
}

static int is_called(const struct wsim_op *op, const char *name) {
    return strcmp(wsim_op_describe(op).family_name, name) == 0;
}

/* More is better: mma before wmma and wgmma, then a longer k, a larger tile, and .row.col. */
static uint64_t rank_of(const struct wsim_op *op) {
    const struct wsim_op_info info = wsim_op_describe(op);
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    return (uint64_t)is_called(op, "mma") << 48 | (uint64_t)info.k << 32 |
           (uint64_t)info.m * info.n << 1 | (strstr(spelling, ".row.col.") != NULL);
}

static int is_longer(const struct wsim_op *a, const struct wsim_op *b) {
    char text[2][WSIM_SPELLING_MAX];
    wsim_op_spell(a, text[0]);
    wsim_op_spell(b, text[1]);
    return strlen(text[0]) > strlen(text[1]);
}

int other_find(const struct instruction *in, const struct wsim_code *like,
               const struct wsim_arch *arch, struct wsim_op *found) {
    struct types wanted, types;
    struct instruction other;
    struct wsim_code code;
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    int count = 0;
    if (!read_types(in, like, &wanted))
        return 0;
    while (wsim_op_next(&cursor, &op)) {
        const struct wsim_op_info info = wsim_op_describe(&op);
        if (!(info.does & WSIM_DOES_MULTIPLY) || info.sparse || wsim_op_check(&op, arch, NULL) ||
            wsim_prepare(&op, arch, 0, &code, NULL))
            continue;
        other = instruction_of(&op);
        if (!read_types(&other, &code, &types) || !are_equal(&wanted, &types) ||
            strcmp(wanted.words, types.words) != 0)
            continue;
        if (!count++ || rank_of(&op) > rank_of(found) ||
            (rank_of(&op) == rank_of(found) && is_longer(found, &op)))
            *found = op;
    }
    return count > 0;
}

void other_check(const struct instruction *in, const struct wsim_code *like,
                 const struct gemm_result *result, const struct wsim_code *other) {
    const char *name = result->name;
    struct types wanted, types;
    struct wsim_diag diag;
    if (wsim_gemm_prepare(other, &(struct wsim_gemm_size){0}, &types.gemm, &diag))
        tool_refuse(name, &diag);
    if (!read_types(in, like, &wanted) || !read_types(&result->in, other, &types) ||
        are_equal(&wanted, &types))
        return;
    tool_fail("--compare: the instruction on %s multiplies %s by %s to %s%s; expected %s by "
              "%s to %s%s",
              name, types.gemm.a->name, types.gemm.b->name, types.gemm.d->name,
              types.gemm.scale ? " with scale factors" : "", wanted.gemm.a->name,
              wanted.gemm.b->name, wanted.gemm.d->name,
              wanted.gemm.scale ? " with scale factors" : "");
}

/* The spelling of an operation in registers with the types of a product: it says how random
 * matrices are drawn. */
int other_drawn(const struct umma *umma, struct wsim_op *op) {
    static const char *const forms[WSIM_UMMA_KINDS] = {
        [WSIM_UMMA_F16] = "mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32",
        [WSIM_UMMA_TF32] = "mma.sync.aligned.m16n8k8.row.col.f32.%s.%s.f32",
        [WSIM_UMMA_F8F6F4] = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.%s.%s.f32",
        [WSIM_UMMA_I8] = "mma.sync.aligned.m16n8k32.row.col.s32.%s.%s.s32",
        [WSIM_UMMA_MXF8F6F4] = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale."
                               "scale_vec::1X.f32.%s.%s.f32.ue8m0",
        [WSIM_UMMA_MXF4] = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale."
                           "scale_vec::2X.f32.%s.%s.f32.ue8m0",
        [WSIM_UMMA_MXF4NVF4] = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale."
                               "scale_vec::4X.f32.%s.%s.f32.ue4m3"};
    char spelling[WSIM_SPELLING_MAX];
    const char *at = strstr(forms[umma->form.kind], "%s");
    const char *rest = strstr(at + 2, "%s");
    snprintf(spelling, sizeof spelling, "%.*s%s%.*s%s%s", (int)(at - forms[umma->form.kind]),
             forms[umma->form.kind], umma->shape.a->name, (int)(rest - at - 2), at + 2,
             umma->shape.b->name, rest + 2);
    return wsim_op_parse(spelling, op, NULL) == WSIM_OK;
}
