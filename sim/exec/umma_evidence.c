/* The evidence of results of tcgen05.mma: rows of accum.def. */
#include "umma.h"

#include <string.h>

static int covers(const struct isa_accum *accum, const struct wsim_format *format) {
    return !format || accum->types >> (format - isa_formats) & 1;
}

/* Whether the GPU of the published results is one of `arch`. */
static int is_measured(const struct wsim_arch *arch) {
    const char *const *target = isa_umma_measured;
    while (*target && strcmp(*target, arch->name) != 0)
        target++;
    return *target != NULL;
}

const char *wsim_umma_evidence(const struct wsim_umma *umma, const struct wsim_umma_shape *shape,
                               const struct wsim_arch *arch, const char **source,
                               const char **caveat) {
    const struct isa_accum *accum = umma->kind < WSIM_UMMA_KINDS && arch
                                        ? umma_accum(isa_umma_kinds[umma->kind].products, arch)
                                        : NULL;
    if (!accum)
        return NULL;
    if (source)
        *source = accum->source;
    if (caveat)
        *caveat = NULL;
    for (size_t i = 0; caveat && i < isa_caveat_count; i++)
        if (isa_caveats[i].products == accum->products)
            *caveat = isa_caveats[i].text;
    return is_measured(arch) && covers(accum, shape->a) && covers(accum, shape->b) &&
                   covers(accum, shape->d) && covers(accum, shape->factor)
               ? "published"
               : "inferred";
}
