/* wsim layout of operands of wgmma in shared memory. */
#include "layout.h"

#include <inttypes.h>
#include <string.h>

int layout_shared_find(const struct instruction *in, enum wsim_operand operand,
                       struct layout_shared *shared) {
    memset(shared, 0, sizeof *shared);
    shared->operand = operand;
    if ((operand == WSIM_A ? in->atom.a_in != WSIM_ATOM_SHARED : operand != WSIM_B) ||
        instruction_tile(in, operand, &shared->at.tile, NULL))
        return 0;
    shared->at.descriptor = instruction_plain(&shared->at.tile, 0);
    shared->at.row = shared->at.k = -1;
    return 1;
}

void layout_shared_cute(struct doc *doc, const struct layout_shared *s) {
    const unsigned rows = s->at.tile.rows, k = s->at.tile.k;
    doc_line(doc, "%s: (%d,(%u,%u)):(0,(1,%u))", wsim_operand_name(s->operand), WSIM_GROUP_THREADS,
             rows, k, rows);
}

static void state(struct doc *doc, const struct layout_shared *s, const char *spelling) {
    const struct wsim_tile *tile = &s->at.tile;
    const char *operand = wsim_operand_name(s->operand);
    struct wsim_picture picture;
    uint64_t bits = 0;
    char hex[24];
    wsim_descriptor_encode(&s->at.descriptor, &bits, NULL);
    snprintf(hex, sizeof hex, "%016" PRIx64, bits);
    doc_pack(doc, "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i}", "schema", "wsim.layout.shared",
             "spelling", spelling, "operand", operand, "major", tile->mn_major ? "mn" : "k",
             "format", tile->format->name, "descriptor", hex, "rows", tile->rows, "k", tile->k);
    wsim_picture_descriptor(&s->at, &picture);
    if (s->at.row >= 0) {
        const unsigned row = (unsigned)s->at.row, k = (unsigned)s->at.k;
        const unsigned at = wsim_descriptor_address(&s->at.descriptor, tile, row, k);
        doc_pack(doc, "{s:i, s:i, s:I}", "row", row, "at_k", k, "address", (json_int_t)at);
        doc_only(doc, TOOL_TEXT);
        doc_line(doc, "%s  %s %u  k %u  at 0x%05x  bank %u  (descriptor %s)", operand,
                 s->operand == WSIM_A ? "m" : "n", row, k, at, at / 4 % WSIM_BANKS, hex);
        doc_only(doc, DOC_PAGES | TOOL_CSV);
    }
    doc_picture(doc, &picture);
}

int layout_shared_answer(struct doc *doc, struct layout_shared *s, const char *spelling,
                         int32_t row, int32_t col) {
    const struct wsim_tile *tile = &s->at.tile;
    int32_t m = s->operand == WSIM_A ? row : col, k = s->operand == WSIM_A ? col : row;
    if ((row < 0) != (col < 0))
        tool_fail("%s is in shared memory: give both --row and --col",
                  wsim_operand_name(s->operand));
    if (m >= tile->rows || k >= tile->k)
        tool_fail("%s has %u %s of %u k", wsim_operand_name(s->operand), tile->rows,
                  s->operand == WSIM_A ? "m" : "n", tile->k);
    s->at.row = m;
    s->at.k = k;
    snprintf(s->title, sizeof s->title,
             "%s of %s: %u %s of %u k, %s, %s-major, in shared memory from 0 on, without swizzle "
             "(wsim desc encode --tile has others)",
             wsim_operand_name(s->operand), spelling, tile->rows, s->operand == WSIM_A ? "m" : "n",
             tile->k, tile->format->name, tile->mn_major ? "MN" : "K");
    s->at.title = s->title;
    if (doc_is(doc, TOOL_CUTE))
        layout_shared_cute(doc, s);
    else
        state(doc, s, spelling);
    return TOOL_FINE;
}
