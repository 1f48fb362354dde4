/* wsim swizzle: where a swizzle of shared memory puts what. */
#include "../common/doc.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

enum { PIECE = 16, LINE = 128, MOST_PITCH = 4096 };

static const char about[] =
    "Shows how a swizzle mode maps shared-memory addresses: the place of the 16-byte pieces of\n"
    "rows at a pitch of P bytes (default: the span of the mode, or 128), as row:piece. A\n"
    "swizzle is its own inverse, so the table reads both ways. MODE is NONE, 32B, 64B, 128B,\n"
    "128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B, with or without the prefix SWIZZLE_\n"
    "or CU_TENSOR_MAP_SWIZZLE_, or a CuTe name: Swizzle<3,4,3>, in bytes, or\n"
    "GMMA::Layout_K_SW128_Atom. A terminal emphasises the pieces that move. With addresses,\n"
    "prints the mapping of each bit by bit.\n";
static const char examples[] = "  wsim desc swizzle 64B --pitch 128 --format json\n"
                               "  wsim desc swizzle 128B 0x1a2\n";

static void find_mode(const char *text, enum wsim_swizzle *mode) {
    char names[160] = "";
    size_t i;
    *mode = name_swizzle(text);
    if (*mode < WSIM_SWIZZLES)
        return;
    for (i = 0; i < WSIM_SWIZZLES; i++) {
        strcat(names, " ");
        strcat(names, wsim_swizzle_name((enum wsim_swizzle)i));
    }
    tool_fail("unknown swizzle '%s': must be one of%s", text_cut(text).text, names);
}

/* --- addresses --- */

struct place {
    uint32_t from, to;
};

static unsigned bank(uint32_t address) {
    return address / 4 % WSIM_BANKS;
}

/* The bits of an address in groups of four. */
#define BITS_TEXT 48
static const char *bits_text(uint32_t address, unsigned bits, char out[BITS_TEXT]) {
    char *at = out;
    while (bits-- > 0) {
        *at++ = address >> bits & 1 ? '1' : '0';
        if (bits && bits % 4 == 0)
            *at++ = ' ';
    }
    *at = '\0';
    return out;
}

/* The bits to show: all that either address has, in fours, at least 12. */
static unsigned bits_of(const struct place *place) {
    unsigned bits = 12;
    while (bits < 32 && (place->from | place->to) >> bits)
        bits += 4;
    return bits;
}

static void word_place(struct doc *doc, enum wsim_swizzle mode, const struct place *place) {
    const unsigned bits = bits_of(place), from = place->from, to = place->to;
    char text[BITS_TEXT];
    doc_line(doc, "%s: byte 0x%05x lies at 0x%05x, byte 0x%05x at 0x%05x", wsim_swizzle_name(mode),
             from, to, to, from);
    doc_line(doc, "  from  %s  line %u, piece %u, bank %u", bits_text(from, bits, text),
             from / LINE, from % LINE / PIECE, bank(from));
    doc_line(doc, "  to    %s  line %u, piece %u, bank %u", bits_text(to, bits, text), to / LINE,
             to % LINE / PIECE, bank(to));
}

static void show_addresses(struct doc *doc, enum wsim_swizzle mode, const char **args) {
    static const struct doc_column columns[] = {{"address", NULL, 0},
                                                {"swizzled", NULL, 0},
                                                {"line", NULL, 0},
                                                {"piece", NULL, 0},
                                                {"piece_before", NULL, DOC_ALONE},
                                                {"bank", NULL, 0},
                                                {NULL, NULL, 0}};
    if (!doc_is(doc, TOOL_TEXT | TOOL_JSON | TOOL_CSV))
        tool_fail("the format of addresses must be text, json or csv");
    doc_set(doc, "schema", json_string("wsim.swizzle.addresses"));
    doc_table(doc, "addresses", columns);
    for (const char **arg = args; *arg; arg++) {
        struct place place = {0, 0};
        tool_number("address", *arg, UINT32_MAX, &place.from);
        place.to = wsim_swizzle_apply(mode, place.from);
        doc_row_of(doc, "uuuuuu", place.from, place.to, place.to / LINE, place.to % LINE / PIECE,
                   place.from % LINE / PIECE, bank(place.to));
        word_place(doc, mode, &place);
    }
    doc_leave(doc);
}

/* The tile as a picture, and the address of each of its pieces. */
static void show_tile(struct doc *doc, enum wsim_swizzle mode, const char *pitch,
                      struct wsim_swizzle_tile *tile) {
    struct wsim_picture picture;
    tile->mode = mode;
    tile->pitch = wsim_swizzle_span(mode) ? wsim_swizzle_span(mode) : LINE;
    tool_number("--pitch", pitch, MOST_PITCH, &tile->pitch);
    if (tile->pitch == 0 || tile->pitch % PIECE)
        tool_fail("--pitch %u: must be a multiple of 16 up to %d", (unsigned)tile->pitch,
                  MOST_PITCH);
    tile->rows = (wsim_swizzle_period(mode) + tile->pitch - 1) / tile->pitch;
    doc_pack(doc, "{s:I, s:I, s:I}", "span", (json_int_t)wsim_swizzle_span(mode), "period",
             (json_int_t)wsim_swizzle_period(mode), "pitch", (json_int_t)tile->pitch);
    doc_list(doc, "addresses");
    for (uint32_t row = 0; row < tile->rows; row++) {
        doc_list(doc, NULL);
        for (uint32_t at = row * tile->pitch; at < (row + 1) * tile->pitch; at += PIECE)
            doc_set(doc, NULL, json_integer(wsim_swizzle_apply(mode, at)));
        doc_leave(doc);
    }
    doc_leave(doc);
    wsim_picture_swizzle(tile, &picture);
    doc_picture(doc, &picture);
}

static int show(const char **args, const char *pitch, enum tool_format format) {
    struct doc *doc = doc_open(format, "wsim.swizzle");
    struct wsim_swizzle_tile tile = {WSIM_SWIZZLE_NONE, 0, 0, 0};
    char formula[WSIM_SWIZZLE_FORMULA];
    enum wsim_swizzle mode = WSIM_SWIZZLE_NONE;
    if (!args[0])
        tool_fail("no swizzle given, such as wsim desc swizzle 128B");
    find_mode(args[0], &mode);
    if (args[1] && pitch)
        tool_fail("--pitch does not apply to addresses");
    wsim_swizzle_formula(mode, formula);
    doc_pack(doc, "{s:s, s:s}", "mode", wsim_swizzle_name(mode), "formula", formula);
    if (args[1])
        show_addresses(doc, mode, args + 1);
    else
        show_tile(doc, mode, pitch, &tile);
    return doc_close(doc, TOOL_FINE);
}

struct options {
    char *pitch;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    return show(tool->args, o->pitch, tool->format);
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"pitch", 'p', TOOL_STRING, TOOL_AT(pitch), "Bytes from row to row", "NUMBER"},
    TOOL_OPTIONS_END};

const struct tool_command swizzle_command = {
    "MODE [ADDRESS...]", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
