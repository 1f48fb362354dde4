/* wsim tma show: a tile in shared memory, 16 bytes a cell and 128, all banks, a line. */
#include "../common/memory.h"
#include "tma_access.h"
#include "tma_command.h"
#include "tma_runs.h"

#include <inttypes.h>
#include <stdlib.h>

static void set_piece(struct doc *doc, const struct wsim_tile_piece *piece) {
    if (!piece->used) {
        doc_set(doc, NULL, NULL);
        return;
    }
    doc_object(doc, NULL, "{s:I, s:I, s:i, s:i}", "row", (json_int_t)piece->row, "piece",
               (json_int_t)piece->number, "bytes", (int)piece->used, "inside", (int)piece->inside);
}

static void set_lines(struct doc *doc, const struct wsim_tile_map *tile) {
    doc_list(doc, "lines");
    for (uint32_t i = 0; i < tile->lines && doc_is(doc, TOOL_JSON); i++) {
        doc_enter(doc, NULL);
        doc_set(doc, "address", json_integer((json_int_t)((tile->first + i) * TMA_LINE)));
        doc_list(doc, "pieces");
        for (uint32_t k = 0; k < TMA_LINE_PIECES; k++)
            set_piece(doc, &tile->piece[i * TMA_LINE_PIECES + k]);
        doc_leave(doc);
        doc_leave(doc);
    }
    doc_leave(doc);
}

/* The rows of an im2col tile are listed; those of a box follow from it. */
int tma_show(struct doc *doc, const struct tma_request *request, struct tma_copy *copy) {
    struct tma_runs runs = {copy, NULL, 0};
    struct wsim_tile_map *tile = memory_make(1, sizeof *tile);
    struct wsim_picture picture;
    char place[TMA_PLACE];
    int status;
    (void)request;
    wsim_tile_open(&copy->op, copy->arch, &copy->io, &copy->tile, tile);
    tile->piece = memory_make((size_t)tile->lines * TMA_LINE_PIECES, sizeof *tile->piece);
    wsim_tile_fill(tile, tile->piece, NULL); /* tma_copy_read has located the tile */
    tile->boxes = (uint8_t)doc_is(doc, DOC_PAGES);
    wsim_picture_tile(tile, &picture);
    tma_place(copy, place);
    doc_set(doc, "schema", json_string("wsim.tma.show"));
    doc_line(doc, "%s", place);
    doc_picture(doc, &picture);
    doc_pack(doc, "{s:s, s:I, s:I, s:I, s:I}", "arch", wsim_arch_name(copy->arch), "rows",
             (json_int_t)copy->tile.rows, "row_bytes", (json_int_t)copy->tile.inner,
             "barrier_bytes", (json_int_t)copy->tile.bytes, "outside", (json_int_t)tile->outside);
    set_lines(doc, tile);
    doc_line(doc, "barrier  %" PRIu64 " bytes, %" PRIu64 " of them outside", copy->tile.bytes,
             tile->outside);
    tma_accesses(doc, copy);
    if (copy->tensor.mode == WSIM_TENSOR_IM2COL) {
        tma_runs(copy, &runs);
        tma_state_runs(doc, &runs);
    }
    status = doc_close(doc, TOOL_FINE);
    free(tile->piece);
    free(tile);
    free(runs.run);
    return status;
}
