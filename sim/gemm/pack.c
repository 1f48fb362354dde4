/* Packs A and B in the order of the instructions. A is packed as strips of tiles, along k in a
 * strip. B is packed as panels of several columns of tiles: along k, and for each k all its tiles.
 */
#include "tile.h"

static enum wsim_status check_part(size_t part, size_t parts, const char *what,
                                   struct wsim_diag *diag) {
    if (part < parts)
        return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_PART_RANGE, 0, "%s %llu: there are %llu, from 0 on", what,
                       (unsigned long long)part, (unsigned long long)parts);
}

static struct tile_view view_of(const struct wsim_gemm_from *from, unsigned bytes, size_t rows,
                                size_t columns) {
    return (struct tile_view){from->elements, from->row * bytes, from->column * bytes, rows,
                              columns};
}

enum wsim_status wsim_gemm_pack_a(const struct wsim_gemm *gemm, const struct wsim_gemm_from *from,
                                  size_t part, void *packed, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &gemm->work;
    struct tile_view all = view_of(from, gemm->element_a, gemm->size.m, gemm->size.k);
    enum wsim_status status = check_part(part, gemm->parts_a, "part of A", diag);
    struct tile_map map;
    if (status)
        return status;
    tile_compile(&map, &work->a, gemm->element_a, 1);
    for (size_t step = 0; step < work->steps; step++) {
        struct tile_view tile = tile_part(&all, part * gemm->tile_m, step * gemm->tile_k);
        tile_gather(&map, &tile, (uint32_t *)packed + (part * work->steps + step) * work->words_a);
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
    struct tile_map map;
    if (status)
        return status;
    last = last < work->columns ? last : work->columns;
    to += first * work->steps * work->words_b;
    if (work->b.regs)
        tile_compile(&map, &work->b, gemm->element_b, 0);
    for (size_t step = 0; step < work->steps; step++)
        for (size_t column = first; column < last; column++, to += work->words_b) {
            struct tile_view tile = tile_part(&all, step * gemm->tile_k, column * gemm->tile_n);
            if (work->b.regs)
                tile_gather(&map, &tile, to);
            else
                tile_share(gemm, &tile, (uint8_t *)to);
        }
    return WSIM_OK;
}
