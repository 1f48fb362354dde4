/* wsim swizzle: where a swizzle of shared memory puts what. */
#include "../common/names.h"
#include "../common/table.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

enum { PIECE = 16, LINE = 128, MOST_PITCH = 4096, FORMULA = 96 };

static const struct tool_help help = {
    "wsim swizzle", "MODE",
    "Says what the mode does to an address in shared memory, and where it puts the 16-byte pieces\n"
    "of rows that follow each other every P bytes (the span of the mode, or 128), as row:piece.\n"
    "A swizzle is its own inverse: the table says where a piece lies, and which piece lies there.\n"
    "MODE is NONE, 32B, 64B, 128B, 128B_ATOM_32B, 128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B, with or\n"
    "without SWIZZLE_ or CU_TENSOR_MAP_SWIZZLE_ in front. On a terminal pieces that move are\n"
    "emphasised.\n",
    "  wsim swizzle 128B\n"
    "  wsim swizzle 64B --pitch 128 --format json\n"};

struct shown {
    enum wsim_swizzle mode;
    uint32_t pitch, rows;
};

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

/* The bits that address bits `distance` above them are XORed into. */
static unsigned bits_moved(enum wsim_swizzle mode, unsigned distance) {
    unsigned bits = 0, b;
    for (b = 0; b < 16; b++) {
        uint32_t from = UINT32_C(1) << (b + distance);
        if ((wsim_swizzle_apply(mode, from) ^ from) & UINT32_C(1) << b)
            bits |= 1u << b;
    }
    return bits;
}

static void formula(enum wsim_swizzle mode, char out[FORMULA]) {
    unsigned distance;
    int n = snprintf(out, FORMULA, "a");
    for (distance = 1; distance < 10; distance++)
        if (bits_moved(mode, distance))
            n += snprintf(out + n, FORMULA - (size_t)n, " ^ (a >> %u & 0x%02x)", distance,
                          bits_moved(mode, distance));
}

/* Where piece `piece` of row `row` lies. A flip moves halves of a piece too: so its first byte. */
static uint32_t piece_at(const struct shown *shown, uint32_t row, uint32_t piece) {
    return wsim_swizzle_apply(shown->mode, row * shown->pitch + piece * PIECE);
}

static void print_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct shown *shown = about;
    uint32_t at = piece_at(shown, row, col);
    snprintf(out, TABLE_CELL, "%u:%u%s", (unsigned)(at / shown->pitch),
             (unsigned)(at % shown->pitch / PIECE), at % PIECE ? "+8" : "");
}

static void print_row(const void *about, unsigned row, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u", row);
}

static void print_column(const void *about, unsigned col, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "piece %u", col);
}

/* Pieces that lie somewhere else. */
static int is_moved(const void *about, unsigned row, unsigned col) {
    const struct shown *shown = about;
    return piece_at(shown, row, col) != row * shown->pitch + col * PIECE;
}

static void print_text(const struct shown *shown) {
    struct table table = {.rows = shown->rows,
                          .cols = shown->pitch / PIECE,
                          .corner = "row",
                          .about = shown,
                          .cell = print_cell,
                          .row_head = print_row,
                          .col_head = print_column,
                          .marked = is_moved};
    char text[FORMULA];
    formula(shown->mode, text);
    printf("%s: address a lies at %s\n", wsim_swizzle_name(shown->mode), text);
    if (wsim_swizzle_span(shown->mode))
        printf("rows of %u bytes, repeats every %u\n", wsim_swizzle_span(shown->mode),
               wsim_swizzle_period(shown->mode));
    printf("\nrow:piece, %u bytes from row to row\n", (unsigned)shown->pitch);
    table_print(&table);
}

static void print_csv(const struct shown *shown) {
    uint32_t r, p;
    puts("row,piece,address");
    for (r = 0; r < shown->rows; r++)
        for (p = 0; p < shown->pitch / PIECE; p++)
            printf("%u,%u,%u\n", (unsigned)r, (unsigned)p, (unsigned)piece_at(shown, r, p));
}

static void print_json(const struct shown *shown) {
    char text[FORMULA];
    json_t *rows = json_array();
    uint32_t r, p;
    formula(shown->mode, text);
    for (r = 0; r < shown->rows; r++) {
        json_t *row = json_array();
        for (p = 0; p < shown->pitch / PIECE; p++)
            json_array_append_new(row, json_integer(piece_at(shown, r, p)));
        json_array_append_new(rows, row);
    }
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:o}", "schema", "wsim.swizzle",
                              "version", 1, "mode", wsim_swizzle_name(shown->mode), "formula", text,
                              "span", (json_int_t)wsim_swizzle_span(shown->mode), "period",
                              (json_int_t)wsim_swizzle_period(shown->mode), "pitch",
                              (json_int_t)shown->pitch, "addresses", rows));
}

static int show(const char **args, const char *pitch, enum tool_format format) {
    struct shown shown = {WSIM_SWIZZLE_NONE, 0, 0};
    unsigned period;
    int status;
    if (!args[0])
        return tool_error("no swizzle given, such as wsim swizzle 128B");
    if (args[1])
        return tool_error("one swizzle at a time: '%s' is one too many", text_cut(args[1]).text);
    status = find_mode(args[0], &shown.mode);
    if (status != TOOL_GO)
        return status;
    shown.pitch = wsim_swizzle_span(shown.mode) ? wsim_swizzle_span(shown.mode) : LINE;
    status = tool_number("--pitch", pitch, MOST_PITCH, &shown.pitch);
    if (status != TOOL_GO)
        return status;
    if (shown.pitch == 0 || shown.pitch % PIECE)
        return tool_error("--pitch %u: rows begin every 16, 32 ... %d bytes", (unsigned)shown.pitch,
                          MOST_PITCH);
    period = wsim_swizzle_period(shown.mode);
    shown.rows = (period + shown.pitch - 1) / shown.pitch;
    if (format == TOOL_JSON)
        print_json(&shown);
    else if (format == TOOL_CSV)
        print_csv(&shown);
    else
        print_text(&shown);
    return TOOL_FINE;
}

int swizzle_main(int argc, const char **argv) {
    char *pitch = NULL, *format_name = NULL;
    const struct poptOption table[] = {
        {"pitch", 'p', POPT_ARG_STRING, &pitch, 0, "Bytes from row to row", "NUMBER"},
        {"format", 0, POPT_ARG_STRING, &format_name, 0, "text, json or csv", "FORMAT"},
        TOOL_OPTIONS_END};
    enum tool_format format;
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = tool_format(format_name, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status == TOOL_GO)
        status = show(tool.args, pitch, format);
    tool_close(&tool);
    return status;
}
