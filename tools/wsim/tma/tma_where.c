/* wsim tma show --row --col, --byte: where one element of the tile lies, and which one lies there.
 */
#include "tma_command.h"

#include <inttypes.h>

struct where {
    const struct tma_copy *copy;
    uint64_t row;
    uint32_t col, byte; /* of the row: the element, and its first byte, or the one asked for */
    struct wsim_bulk_place place;
};

static unsigned element_bits(const struct tma_copy *copy) {
    return copy->tile.element_bits;
}

static void locate(struct where *w) {
    struct wsim_diag diag;
    const struct tma_copy *copy = w->copy;
    if (wsim_bulk_locate(&copy->op, copy->arch, &copy->io, w->row, w->byte, &w->place, &diag))
        tool_refuse(NULL, &diag);
}

static void read_element(const struct tma_request *request, struct where *w) {
    uint32_t row = 0, bits = element_bits(w->copy);
    uint32_t elements = w->copy->tile.inner * 8 / bits;
    if (!request->row || !request->col)
        tool_fail("give both --row and --col of the element");
    tool_number("--row", request->row, (uint32_t)(w->copy->tile.rows - 1), &row);
    tool_number("--col", request->col, elements - 1, &w->col);
    w->row = row;
    w->byte = w->col * bits / 8;
    locate(w);
}

/* Whether an element of the tile is there. A tile that is shown has at most 2^20 bytes. */
static int find_byte(const char *text, struct where *w) {
    uint32_t address = 0;
    tool_number("--byte", text, UINT32_MAX, &address);
    for (w->row = 0; w->row < w->copy->tile.rows; w->row++)
        for (w->byte = 0; w->byte < w->copy->tile.inner; w->byte++) {
            locate(w);
            if (w->place.shared == address) {
                w->col = w->byte * 8 / element_bits(w->copy);
                return 1;
            }
        }
    tool_error("no element of the tile at 0x%05x", (unsigned)address);
    return 0;
}

static const char *where_word(const struct where *w) {
    return w->place.where == WSIM_BULK_INSIDE    ? "inside"
           : w->place.where == WSIM_BULK_PADDING ? "padding"
                                                 : "outside";
}

/* Where it would lie without the swizzle. */
static uint32_t plain(const struct where *w) {
    return wsim_swizzle_apply((enum wsim_swizzle)w->copy->tensor.swizzle, w->place.shared);
}

static void state(struct doc *doc, const struct where *w) {
    const struct wsim_bulk_place *place = &w->place;
    const unsigned shared = place->shared, bank = shared / 4 % WSIM_BANKS;
    char coord[256] = "", global[32] = "";
    size_t used = 0;
    doc_set(doc, "schema", json_string("wsim.tma.where"));
    doc_line(doc, "row %" PRIu64 ", column %u of the tile, byte %u of its row", w->row,
             (unsigned)w->col, (unsigned)w->byte);
    doc_pack(doc, "{s:I, s:I, s:I}", "row", (json_int_t)w->row, "col", (json_int_t)w->col, "byte",
             (json_int_t)w->byte);
    doc_list(doc, "coord");
    for (unsigned i = 0; i < w->copy->tensor.rank; i++) {
        doc_set(doc, NULL, json_integer(place->coord[i]));
        used += (size_t)snprintf(coord + used, sizeof coord - used, "%s%" PRId64, i ? ", " : "",
                                 place->coord[i]);
    }
    doc_leave(doc);
    if (place->where != WSIM_BULK_OUTSIDE)
        snprintf(global, sizeof global, ", global 0x%" PRIx64, place->global);
    doc_fact(doc, "where", json_string(where_word(w)), "  tensor    (%s) %s%s", coord,
             where_word(w), global);
    doc_fact(doc, "shared", json_integer(shared),
             "  shared    0x%05x, bank %u, 16-byte piece %u of line 0x%05x", shared, bank,
             shared % TMA_LINE / TMA_PIECE, shared / TMA_LINE * TMA_LINE);
    doc_fact(doc, "unswizzled", json_integer(plain(w)), "  unswizzled 0x%05x, %s",
             (unsigned)plain(w),
             wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, w->copy->tensor.swizzle));
    doc_set(doc, "bank", json_integer(bank));
    if (place->where != WSIM_BULK_OUTSIDE)
        doc_set(doc, "global", json_integer((json_int_t)place->global));
}

int tma_where(struct doc *doc, const struct tma_request *request, struct tma_copy *copy) {
    struct where w = {.copy = copy};
    if (request->byte && (request->row || request->col))
        tool_fail("give either --byte, or --row and --col");
    if (request->byte && !find_byte(request->byte, &w))
        return doc_close(doc, TOOL_FOUND);
    if (!request->byte)
        read_element(request, &w);
    state(doc, &w);
    return doc_close(doc, TOOL_FINE);
}
