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

static int locate(struct where *w) {
    struct wsim_diag diag;
    const struct tma_copy *copy = w->copy;
    return wsim_bulk_locate(&copy->op, copy->arch, &copy->io, w->row, w->byte, &w->place, &diag)
               ? tool_refused(NULL, &diag)
               : TOOL_GO;
}

static int read_element(const struct tma_request *request, struct where *w) {
    uint32_t row = 0, bits = element_bits(w->copy);
    uint32_t elements = w->copy->tile.inner * 8 / bits;
    int status;
    if (!request->row || !request->col)
        return tool_error("an element has a --row of the tile and a --col in it");
    status = tool_number("--row", request->row, (uint32_t)(w->copy->tile.rows - 1), &row);
    if (status == TOOL_GO)
        status = tool_number("--col", request->col, elements - 1, &w->col);
    w->row = row;
    w->byte = w->col * bits / 8;
    return status == TOOL_GO ? locate(w) : status;
}

/* A tile that is shown has at most 2^20 bytes. */
static int find_byte(const char *text, struct where *w) {
    uint32_t address = 0;
    int status = tool_number("--byte", text, UINT32_MAX, &address);
    if (status != TOOL_GO)
        return status;
    for (w->row = 0; w->row < w->copy->tile.rows; w->row++)
        for (w->byte = 0; w->byte < w->copy->tile.inner; w->byte++) {
            if (locate(w) != TOOL_GO)
                return TOOL_USAGE;
            if (w->place.shared == address) {
                w->col = w->byte * 8 / element_bits(w->copy);
                return TOOL_GO;
            }
        }
    tool_error("no element of the tile at 0x%05x", (unsigned)address);
    return TOOL_FOUND;
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

static void print_text(const struct where *w) {
    printf("row %" PRIu64 ", column %u of the tile, byte %u of its row\n", w->row, (unsigned)w->col,
           (unsigned)w->byte);
    printf("  tensor    ");
    for (unsigned i = 0; i < w->copy->tensor.rank; i++)
        printf("%s%" PRId64, i ? ", " : "(", w->place.coord[i]);
    printf(") %s", where_word(w));
    if (w->place.where != WSIM_BULK_OUTSIDE)
        printf(", global 0x%" PRIx64, w->place.global);
    printf("\n  shared    0x%05x, bank %u, 16-byte piece %u of line 0x%05x\n",
           (unsigned)w->place.shared, (unsigned)(w->place.shared / 4 % WSIM_BANKS),
           (unsigned)(w->place.shared % TMA_LINE / TMA_PIECE),
           (unsigned)(w->place.shared / TMA_LINE * TMA_LINE));
    printf("  unswizzled 0x%05x, %s\n", (unsigned)plain(w),
           wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, w->copy->tensor.swizzle));
}

static void print_csv(const struct where *w) {
    puts("row,col,byte,shared,unswizzled,bank,where");
    printf("%" PRIu64 ",%u,%u,%u,%u,%u,%s\n", w->row, (unsigned)w->col, (unsigned)w->byte,
           (unsigned)w->place.shared, (unsigned)plain(w),
           (unsigned)(w->place.shared / 4 % WSIM_BANKS), where_word(w));
}

static void print_json(const struct where *w) {
    json_t *coord = json_array();
    json_t *root;
    for (unsigned i = 0; i < w->copy->tensor.rank; i++)
        json_array_append_new(coord, json_integer((json_int_t)w->place.coord[i]));
    root = json_pack("{s:s, s:i, s:I, s:I, s:I, s:o, s:s, s:I, s:I, s:i}", "schema",
                     "wsim.tma.where", "version", 1, "row", (json_int_t)w->row, "col",
                     (json_int_t)w->col, "byte", (json_int_t)w->byte, "coord", coord, "where",
                     where_word(w), "shared", (json_int_t)w->place.shared, "unswizzled",
                     (json_int_t)plain(w), "bank", (int)(w->place.shared / 4 % WSIM_BANKS));
    if (w->place.where != WSIM_BULK_OUTSIDE)
        json_object_set_new(root, "global", json_integer((json_int_t)w->place.global));
    tool_print_json(root);
}

int tma_where(const struct tma_request *request, const struct tma_copy *copy) {
    struct where w = {.copy = copy};
    int status;
    if (request->byte && (request->row || request->col))
        return tool_error("give either --byte, or --row and --col");
    if (!(request->format & (TOOL_TEXT | TOOL_JSON | TOOL_CSV)))
        return tool_error("one element can be text, json or csv");
    status = request->byte ? find_byte(request->byte, &w) : read_element(request, &w);
    if (status != TOOL_GO)
        return status;
    (request->format == TOOL_JSON  ? print_json
     : request->format == TOOL_CSV ? print_csv
                                   : print_text)(&w);
    return TOOL_FINE;
}
