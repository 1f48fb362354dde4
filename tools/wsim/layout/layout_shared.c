/* Operands of wgmma in shared memory; see layout_shared.h. */
#include "layout_shared.h"
#include "../common/picture.h"

#include <inttypes.h>
#include <string.h>

/* 8 lines of 16 bytes are together, and the next ones follow: what wgmma takes without a swizzle.
 */
static struct wsim_descriptor plain(const struct wsim_tile *tile) {
    enum { LINES = 8, BYTES = 16 };
    unsigned lines = tile->mn_major ? tile->k : tile->rows;
    unsigned pieces = (tile->mn_major ? tile->rows : tile->k) * tile->bits / 8u / BYTES;
    struct wsim_descriptor d = {.mode = WSIM_SWIZZLE_NONE, .leading = LINES * BYTES};
    d.stride = LINES * BYTES * (tile->mn_major ? lines / LINES : pieces);
    return d;
}

int layout_shared_find(const struct wsim_op *op, const struct wsim_atom *atom,
                       enum wsim_operand operand, struct layout_shared *shared) {
    int a = operand == WSIM_A;
    memset(shared, 0, sizeof *shared);
    shared->operand = operand;
    if ((a && atom->a_in != WSIM_ATOM_SHARED) || (!a && operand != WSIM_B) ||
        wsim_wgmma_tile(op, operand, a ? atom->trans_a : atom->trans_b, &shared->at.tile, NULL))
        return 0;
    shared->at.descriptor = plain(&shared->at.tile);
    shared->at.row = shared->at.k = -1;
    return 1;
}

void layout_shared_cute(const struct layout_shared *s) {
    unsigned rows = s->at.tile.rows, k = s->at.tile.k;
    printf("%s: (%d,(%u,%u)):(0,(1,%u))\n", wsim_operand_name(s->operand), WSIM_GROUP_THREADS, rows,
           k, rows);
}

static int is_asked(const struct layout_shared *s) {
    return s->at.row >= 0;
}

static void print_text(const struct layout_shared *s, uint64_t bits) {
    const struct wsim_tile *tile = &s->at.tile;
    struct wsim_picture picture;
    if (is_asked(s)) {
        uint32_t at = wsim_descriptor_address(&s->at.descriptor, tile, (unsigned)s->at.row,
                                              (unsigned)s->at.k);
        printf("%s  %s %d  k %d  at 0x%05x  bank %u  (descriptor %016" PRIx64 ")\n",
               wsim_operand_name(s->operand), s->operand == WSIM_A ? "m" : "n", (int)s->at.row,
               (int)s->at.k, (unsigned)at, (unsigned)(at / 4 % WSIM_BANKS), bits);
        return;
    }
    wsim_picture_descriptor(&s->at, &picture);
    picture_print(&picture, TOOL_TEXT);
}

static void print_json(const struct layout_shared *s, const char *spelling, uint64_t bits) {
    const struct wsim_tile *tile = &s->at.tile;
    char hex[24];
    json_t *root;
    snprintf(hex, sizeof hex, "%016" PRIx64, bits);
    root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:i}", "schema",
                     "wsim.layout.shared", "version", 1, "spelling", spelling, "operand",
                     wsim_operand_name(s->operand), "major", tile->mn_major ? "mn" : "k", "format",
                     tile->format->name, "descriptor", hex, "rows", tile->rows, "k", tile->k);
    if (is_asked(s))
        json_object_update_new(
            root,
            json_pack("{s:i, s:i, s:I}", "row", (int)s->at.row, "at_k", (int)s->at.k, "address",
                      (json_int_t)wsim_descriptor_address(&s->at.descriptor, tile,
                                                          (unsigned)s->at.row, (unsigned)s->at.k)));
    tool_print_json(root);
}

int layout_shared_answer(struct layout_shared *s, const char *spelling, int32_t row, int32_t col,
                         enum tool_format format) {
    const struct wsim_tile *tile = &s->at.tile;
    int32_t m = s->operand == WSIM_A ? row : col, k = s->operand == WSIM_A ? col : row;
    struct wsim_picture picture;
    uint64_t bits = 0;
    if ((row < 0) != (col < 0))
        return tool_error("%s is in shared memory: give both --row and --col",
                          wsim_operand_name(s->operand));
    if (m >= tile->rows || k >= tile->k)
        return tool_error("%s has %u %s of %u k", wsim_operand_name(s->operand), tile->rows,
                          s->operand == WSIM_A ? "m" : "n", tile->k);
    s->at.row = m;
    s->at.k = k;
    snprintf(s->title, sizeof s->title,
             "%s of %s: %u %s of %u k, %s, %s-major, in shared memory from 0 on, without swizzle "
             "(wsim desc encode --tile has others)",
             wsim_operand_name(s->operand), spelling, tile->rows, s->operand == WSIM_A ? "m" : "n",
             tile->k, tile->format->name, tile->mn_major ? "MN" : "K");
    s->at.title = s->title;
    wsim_descriptor_encode(&s->at.descriptor, &bits, NULL);
    if (format == TOOL_CUTE)
        layout_shared_cute(s);
    else if (format == TOOL_JSON)
        print_json(s, spelling, bits);
    else if (format == TOOL_TEXT)
        print_text(s, bits);
    else {
        wsim_picture_descriptor(&s->at, &picture);
        return picture_print(&picture, format);
    }
    return TOOL_FINE;
}
