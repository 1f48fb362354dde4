/* wsim swizzle: where a swizzle of shared memory puts what. */
#include "../common/names.h"
#include "../common/picture.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

enum { PIECE = 16, LINE = 128, MOST_PITCH = 4096 };

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

static int show(const char **args, const char *pitch, enum tool_format format) {
    struct wsim_swizzle_tile shown = {WSIM_SWIZZLE_NONE, 0, 0, 0};
    struct wsim_picture picture;
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
