/* wsim swizzle: where a swizzle of shared memory puts what. */
#include "../common/names.h"
#include "../common/picture.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

enum { PIECE = 16, LINE = 128, MOST_PITCH = 4096 };

static const struct tool_help help = {
    "wsim swizzle", "MODE [ADDRESS...]",
    "Shows how a swizzle mode maps shared-memory addresses: the place of the 16-byte pieces of\n"
    "rows at a pitch of P bytes (default: the span of the mode, or 128), as row:piece. A\n"
    "swizzle is its own inverse, so the table reads both ways. MODE is NONE, 32B, 64B, 128B,\n"
    "128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B, with or without the prefix SWIZZLE_\n"
    "or CU_TENSOR_MAP_SWIZZLE_, or a CuTe name: Swizzle<3,4,3>, in bytes, or\n"
    "GMMA::Layout_K_SW128_Atom. A terminal emphasises the pieces that move. With addresses,\n"
    "prints the mapping of each bit by bit.\n",
    "  wsim swizzle 64B --pitch 128 --format json\n"
    "  wsim swizzle 128B 0x1a2\n"};

static int find_mode(const char *text, enum wsim_swizzle *mode) {
    char names[160] = "";
    size_t i;
    *mode = name_swizzle(text);
    if (*mode < WSIM_SWIZZLES)
        return TOOL_GO;
    for (i = 0; i < WSIM_SWIZZLES; i++) {
        strcat(names, " ");
        strcat(names, wsim_swizzle_name((enum wsim_swizzle)i));
    }
    return tool_error("unknown swizzle '%s': there are%s", text_cut(text).text, names);
}

static void print_json(const struct wsim_swizzle_tile *shown) {
    char text[WSIM_SWIZZLE_FORMULA];
    json_t *rows = json_array();
    uint32_t r, p;
    wsim_swizzle_formula(shown->mode, text);
    for (r = 0; r < shown->rows; r++) {
        json_t *row = json_array();
        for (p = 0; p < shown->pitch / PIECE; p++)
            json_array_append_new(row, json_integer(wsim_swizzle_apply(
                                           shown->mode, shown->at + r * shown->pitch + p * PIECE)));
        json_array_append_new(rows, row);
    }
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:o}", "schema", "wsim.swizzle",
                              "version", 1, "mode", wsim_swizzle_name(shown->mode), "formula", text,
                              "span", (json_int_t)wsim_swizzle_span(shown->mode), "period",
                              (json_int_t)wsim_swizzle_period(shown->mode), "pitch",
                              (json_int_t)shown->pitch, "addresses", rows));
}

/* --- addresses --- */

struct place {
    uint32_t from, to;
};

static unsigned bank(uint32_t address) {
    return address / 4 % WSIM_BANKS;
}

/* As many bits as either has, in fours. */
static void put_bits(uint32_t address, unsigned bits) {
    while (bits-- > 0) {
        putchar(address >> bits & 1 ? '1' : '0');
        if (bits && bits % 4 == 0)
            putchar(' ');
    }
}

static unsigned bits_of(const struct place *place) {
    unsigned bits = 12;
    while (bits < 32 && (place->from | place->to) >> bits)
        bits += 4;
    return bits;
}

static void print_place(enum wsim_swizzle mode, const struct place *place) {
    unsigned bits = bits_of(place);
    printf("%s: the byte of address 0x%05x lies at 0x%05x, and that of 0x%05x at 0x%05x\n",
           wsim_swizzle_name(mode), (unsigned)place->from, (unsigned)place->to, (unsigned)place->to,
           (unsigned)place->from);
    printf("  from  ");
    put_bits(place->from, bits);
    printf("  line %u, piece %u, bank %u\n  to    ", (unsigned)(place->from / LINE),
           (unsigned)(place->from % LINE / PIECE), bank(place->from));
    put_bits(place->to, bits);
    printf("  line %u, piece %u, bank %u\n", (unsigned)(place->to / LINE),
           (unsigned)(place->to % LINE / PIECE), bank(place->to));
}

static json_t *place_json(const struct place *place) {
    return json_pack("{s:I, s:I, s:i, s:i, s:i, s:i}", "address", (json_int_t)place->from,
                     "swizzled", (json_int_t)place->to, "line", (int)(place->to / LINE), "piece",
                     (int)(place->to % LINE / PIECE), "piece_before",
                     (int)(place->from % LINE / PIECE), "bank", (int)bank(place->to));
}

static int show_addresses(enum wsim_swizzle mode, const char **args, enum tool_format format) {
    char text[WSIM_SWIZZLE_FORMULA];
    json_t *list = json_array();
    int status = TOOL_GO;
    if (!(format & (TOOL_TEXT | TOOL_JSON | TOOL_CSV)))
        status = tool_error("addresses can be text, json or csv");
    for (const char **arg = args; status == TOOL_GO && *arg; arg++) {
        struct place place = {0, 0};
        status = tool_number("address", *arg, UINT32_MAX, &place.from);
        place.to = wsim_swizzle_apply(mode, place.from);
        if (status == TOOL_GO && format == TOOL_CSV && arg == args)
            puts("address,swizzled,line,piece,bank");
        if (status == TOOL_GO && format == TOOL_TEXT)
            print_place(mode, &place);
        else if (status == TOOL_GO && format == TOOL_CSV)
            printf("%u,%u,%u,%u,%u\n", (unsigned)place.from, (unsigned)place.to,
                   (unsigned)(place.to / LINE), (unsigned)(place.to % LINE / PIECE),
                   bank(place.to));
        else if (status == TOOL_GO)
            json_array_append_new(list, place_json(&place));
    }
    wsim_swizzle_formula(mode, text);
    if (status == TOOL_GO && format == TOOL_JSON)
        tool_print_json(json_pack("{s:s, s:i, s:s, s:s, s:O}", "schema", "wsim.swizzle.addresses",
                                  "version", 1, "mode", wsim_swizzle_name(mode), "formula", text,
                                  "addresses", list));
    json_decref(list);
    return status == TOOL_GO ? TOOL_FINE : status;
}

static int show(const char **args, const char *pitch, enum tool_format format) {
    struct wsim_swizzle_tile shown = {WSIM_SWIZZLE_NONE, 0, 0, 0};
    struct wsim_picture picture;
    unsigned period;
    int status;
    if (!args[0])
        return tool_error("no swizzle given, such as wsim swizzle 128B");
    status = find_mode(args[0], &shown.mode);
    if (status != TOOL_GO)
        return status;
    if (args[1] && pitch)
        return tool_error("--pitch: an address has none");
    if (args[1])
        return show_addresses(shown.mode, args + 1, format);
    shown.pitch = wsim_swizzle_span(shown.mode) ? wsim_swizzle_span(shown.mode) : LINE;
    status = tool_number("--pitch", pitch, MOST_PITCH, &shown.pitch);
    if (status != TOOL_GO)
        return status;
    if (shown.pitch == 0 || shown.pitch % PIECE)
        return tool_error("--pitch %u: rows begin every 16, 32 ... %d bytes", (unsigned)shown.pitch,
                          MOST_PITCH);
    period = wsim_swizzle_period(shown.mode);
    shown.rows = (period + shown.pitch - 1) / shown.pitch;
    wsim_picture_swizzle(&shown, &picture);
    if (format != TOOL_JSON)
        return picture_print(&picture, format);
    print_json(&shown);
    return TOOL_FINE;
}

int swizzle_main(int argc, const char **argv) {
    char *pitch = NULL, *format_name = NULL;
    const struct poptOption table[] = {
        {"pitch", 'p', POPT_ARG_STRING, &pitch, 0, "Bytes from row to row", "NUMBER"},
        TOOL_FORMAT_OPTION(&format_name, "text, json, csv, md, svg or html"),
        TOOL_OPTIONS_END};
    enum tool_format format;
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = tool_format(format_name, TOOL_PICTURES | TOOL_JSON, &format);
    if (status == TOOL_GO)
        status = show(tool.args, pitch, format);
    tool_close(&tool);
    return status;
}
