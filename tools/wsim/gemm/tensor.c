/* Whole matrices through tcgen05.mma. */
#include "gemm.h"
#include "../common/memory.h"
#include "../compare/compare.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 24 };

int tensor_read(const char **args, struct umma *umma, const char **files) {
    const char *words[WORDS + 1] = {args[0], "N=128"};
    size_t n = 2, f = 0;
    for (size_t i = 1; args[i]; i++)
        if (strchr(args[i], '=') && n < WORDS)
            words[n++] = args[i];
        else if (f < 2)
            files[f++] = args[i];
        else
            return tool_error("two files are needed, A.npy and B.npy");
    words[n] = files[f] = NULL;
    return umma_from_words(words, umma);
}

int tensor_like(const struct wsim_op *op, struct umma *umma) {
    const struct exec_group_options none = {.scale_d = NULL};
    struct compare_words words;
    const char *args[16];
    size_t n = 0;
    if (!compare_tensor(op, &none, &words))
        return 0;
    for (; words.args[n]; n++)
        args[n] = words.args[n];
    args[n++] = "M=128";
    args[n++] = "N=128";
    args[n] = NULL;
    return umma_from_words(args, umma) == TOOL_GO;
}

/* The spelling of an operation in registers with the types of a product: it says how random
 * matrices are drawn. */
int tensor_drawn_like(const struct umma *umma, struct wsim_op *op) {
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

void tensor_evidence(struct gemm_result *result) {
    result->evidence = wsim_umma_evidence(&result->umma.form, &result->umma.shape, result->arch,
                                          &result->evidence_source, &result->caveat);
}
