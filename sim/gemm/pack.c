/* Packs A and B in the order of the instructions. A is packed as strips of tiles, along k in a
 * strip. B is packed as panels of several columns of tiles: along k, and for each k all its tiles.
 */
#include "tensor.h"

static enum wsim_status check_part(size_t part, size_t parts, const char *what,
                                   struct wsim_diag *diag) {
    if (part < parts)
        return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_PART_RANGE, 0, "%s %llu: there are %llu, from 0 on", what,
                       (unsigned long long)part, (unsigned long long)parts);
}

static enum wsim_status check_scales(const struct wsim_gemm *gemm,
                                     const struct wsim_gemm_from *from, const char *what,
                                     struct wsim_diag *diag) {
    if (!gemm->scale || from->scales)
        return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_SCALES_MISSING, 0,
                       "%s has no scale factors: the instruction takes a %s for each %llu elements "
                       "along k",
                       what, gemm->scale->name, (unsigned long long)gemm->block_k);
}

static struct tile_view view_of(const struct wsim_gemm_from *from, unsigned bytes, size_t rows,
                                size_t columns) {
    return (struct tile_view){from->elements, from->row * bytes, from->column * bytes, rows,
                              columns};
}

/* Factors of a matrix, where `rows` and `columns` count blocks along k. */
static struct tile_view scales_of(const struct wsim_gemm_from *from, size_t rows, size_t columns) {
    return (struct tile_view){from->scales, from->scale_row, from->scale_column, rows, columns};
}

static size_t blocks_of(const struct wsim_gemm *gemm) {
    return gemm->size.k / gemm->block_k + (gemm->size.k % gemm->block_k != 0);
}

enum wsim_status wsim_gemm_pack_a(const struct wsim_gemm *gemm, const struct wsim_gemm_from *from,
                                  size_t part, void *packed, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &gemm->work;
    struct tile_view all = view_of(from, gemm->element_a, gemm->size.m, gemm->size.k);
    enum wsim_status status = check_part(part, gemm->parts_a, "part of A", diag);
    struct tile_map map, scale_map;
    struct tile_view scales;
    if (!status)
        status = check_scales(gemm, from, "A", diag);
    if (status)
        return status;
    tile_compile(&map, &work->a, gemm->element_a, 1);
    if (gemm->scale) {
        tile_compile(&scale_map, &work->scale_a, 1, 0);
        scales = scales_of(from, gemm->size.m, blocks_of(gemm));
    }
    for (size_t step = 0; step < work->steps; step++) {
        struct tile_view tile = tile_part(&all, part * gemm->tile_m, step * gemm->tile_k), factors;
        uint32_t *to = (uint32_t *)packed + (part * work->steps + step) * work->words_a;
        if (gemm->scale)
            factors = tile_part(&scales, part * gemm->tile_m, step * work->scale_a.cols);
        if (tensor_is(gemm->code)) {
            tensor_pack(gemm, 0, &tile, &factors, to);
            continue;
        }
        tile_gather(&map, &tile, to);
        if (gemm->scale)
            tile_gather(&scale_map, &factors, to + (size_t)work->a.regs * work->a.lanes);
    }
    return WSIM_OK;
}

enum wsim_status wsim_gemm_pack_b(const struct wsim_gemm *gemm, const struct wsim_gemm_from *from,
                                  size_t part, void *packed, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &gemm->work;
    struct tile_view all = view_of(from, gemm->element_b, gemm->size.k, gemm->size.n);
    enum wsim_status status = check_part(part, gemm->parts_b, "part of B", diag);
    size_t first = part * work->panel, last = first + work->panel;
    uint32_t *to = packed;
    struct tile_map map, scale_map;
    struct tile_view scales;
    if (!status)
        status = check_scales(gemm, from, "B", diag);
    if (status)
        return status;
    last = last < work->columns ? last : work->columns;
    to += first * work->steps * work->words_b;
    if (work->b.regs)
        tile_compile(&map, &work->b, gemm->element_b, 0);
    if (gemm->scale) {
        tile_compile(&scale_map, &work->scale_b, 1, 0);
        scales = scales_of(from, blocks_of(gemm), gemm->size.n);
    }
    for (size_t step = 0; step < work->steps; step++)
        for (size_t column = first; column < last; column++, to += work->words_b) {
            struct tile_view tile = tile_part(&all, step * gemm->tile_k, column * gemm->tile_n);
            struct tile_view factors;
            if (gemm->scale)
                factors = tile_part(&scales, step * work->scale_b.rows, column * gemm->tile_n);
            if (tensor_is(gemm->code)) {
                tensor_pack(gemm, 1, &tile, &factors, to);
                continue;
            }
            if (work->b.regs)
                tile_gather(&map, &tile, to);
            else
                tile_share(gemm, &tile, (uint8_t *)to);
            if (gemm->scale)
                tile_gather(&scale_map, &factors, to + (size_t)work->b.regs * work->b.lanes);
        }
    return WSIM_OK;
}
