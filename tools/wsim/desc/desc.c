/* wsim desc: matrix descriptors of wgmma, from fields to bits, back, and what they reach. */
#include "desc.h"
#include "../common/picture.h"
#include "../common/names.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <string.h>

static const struct tool_help help = {
    "wsim desc", "encode [TILE] | decode BITS | check SPELLING a|b BITS",
    "encode: prints the 64 bits of a descriptor with the given fields, in bytes. decode: prints\n"
    "the fields of BITS.\n"
    "\n"
    "encode --tile 'b,64x128,f16' (operand, rows of A or columns of B x k, type) finds the\n"
    "fields: the layout by --major (k or mn), --swizzle and --at, and the descriptor of each\n"
    "step along k. Words after encode say the same in any order: K-major B, 64x128 f16, 128B,\n"
    "at 0x400. Lines are as long as the swizzle (16 bytes without one) and follow each other;\n"
    "longer rows continue in another block of lines, as tensor copies write such boxes. With\n"
    "--map the box gives size, type and swizzle, and --tile the operand alone. Each descriptor\n"
    "is verified before it is printed.\n"
    "\n"
    "check: prints the bytes that a descriptor reaches as A or B of a wgmma.mma_async, and\n"
    "warnings about likely mistakes (exit status 1). --row and --k locate one element: row m of\n"
    "A or column n of B, and k (of a sparse A the stored k). --map (a file of wsim tma) and\n"
    "--at compare each element of the box with the place where a load of that map writes it.\n"
    "csv lists the place of every element. A leading offset that the mode ignores is 0; 16 (the\n"
    "1 that CUTLASS writes) is equivalent.\n",
    "  wsim desc encode 'K-major B, 64x128 f16, 128B, at 0x400'\n"
    "  wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0x4000004000000040\n"};

static int show(const char *action, uint64_t bits, const struct wsim_descriptor *d,
                enum tool_format format) {
    if (format == TOOL_JSON)
        tool_print_json(desc_json(action, bits, d));
    else if (format == TOOL_CSV)
        desc_csv(bits, d);
    else
        desc_print(bits, d);
    return TOOL_FINE;
}

/* --- encode, decode --- */

static int read_fields(const struct desc_options *o, struct wsim_descriptor *d) {
    uint32_t base = 0;
    int status = tool_number("--start", o->start, UINT32_MAX, &d->start);
    if (status == TOOL_GO)
        status = tool_number("--leading", o->leading, UINT32_MAX, &d->leading);
    if (status == TOOL_GO)
        status = tool_number("--stride", o->stride, UINT32_MAX, &d->stride);
    if (status == TOOL_GO)
        status = tool_number("--base-offset", o->base, UINT8_MAX, &base);
    d->base_offset = (uint8_t)base;
    d->mode = o->swizzle ? name_swizzle(o->swizzle) : WSIM_SWIZZLE_NONE;
    if (status == TOOL_GO && d->mode == WSIM_SWIZZLES)
        return tool_error("unknown swizzle '%s': it can be NONE, 32B, 64B or 128B",
                          text_cut(o->swizzle).text);
    return status;
}

static void print_advised_json(const char *action, uint64_t bits, const struct wsim_descriptor *d,
                               const char *advice, const char *rule) {
    json_t *root = desc_json(action, bits, d), *list = json_array(), *rules = json_array();
    if (advice && *advice) {
        json_array_append_new(list, json_string(advice));
        json_array_append_new(rules, json_string(rule));
    }
    json_object_set_new(root, "advice", list);
    json_object_set_new(root, "rules", rules);
    tool_print_json(root);
}

/* Which operand it is for is not known here, so that this may be right: status 0. */
static const char *missing(const struct wsim_descriptor *d) {
    if (d->stride)
        return NULL;
    return "the stride offset is 0: every 8 rows (MN-major: k) after the first 8 lie over these";
}

static int encode(const struct desc_options *o, enum tool_format format) {
    struct wsim_descriptor d = {0};
    struct wsim_diag diag;
    uint64_t bits;
    int status;
    if (o->tile)
        return desc_tile(o, format);
    status = read_fields(o, &d);
    if (status != TOOL_GO)
        return status;
    if (wsim_descriptor_encode(&d, &bits, &diag))
        return tool_refused(NULL, &diag);
    if (format == TOOL_JSON)
        print_advised_json("encode", bits, &d, missing(&d), "advice.offset.missing");
    else
        show("encode", bits, &d, format);
    if (format == TOOL_TEXT && missing(&d))
        screen_fold(2, "advice: %s", missing(&d));
    return TOOL_FINE;
}

static int decode(const char **args, enum tool_format format) {
    struct wsim_descriptor d;
    struct wsim_diag odd;
    uint64_t bits = 0;
    int status = desc_read(args[0], &bits, &d, &odd);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_JSON)
        print_advised_json("decode", bits, &d, odd.text, odd.rule);
    else
        show("decode", bits, &d, format);
    if (format == TOOL_TEXT && odd.text[0])
        screen_fold(2, "advice: %s", odd.text);
    return odd.text[0] ? TOOL_FOUND : TOOL_FINE;
}

enum command { ENCODE, DECODE, CHECK, COMMANDS };

/* What the command would overlook is a slip of the user. */
static int check_line(enum command command, const char **args, const struct desc_options *o) {
    static const unsigned words[COMMANDS] = {0, 1, 3}; /* those of encode have been read */
    unsigned n = 0;
    while (n < words[command] && args[n])
        n++;
    if (command != ENCODE && n == words[command] && args[n])
        return tool_error("'%s' is one word too many", text_cut(args[n]).text);
    if (command != ENCODE && (o->start || o->leading || o->stride || o->base || o->swizzle))
        return tool_error(
            "--start, --leading, --stride, --base-offset and --swizzle apply to desc encode only");
    if (command != CHECK && (o->row || o->k || o->mn_major))
        return tool_error("--row, --k and --mn-major apply to desc check only");
    if (command != CHECK && !o->tile && (o->map || o->at || o->major))
        return tool_error("--map, --at and --major apply to desc check, or with --tile");
    if (command != ENCODE && (o->tile || o->major))
        return tool_error("--tile and --major apply to desc encode only");
    if (o->tile && (o->start || o->leading || o->stride || o->base))
        return tool_error("--start, --leading, --stride and --base-offset are what a --tile has "
                          "found");
    return TOOL_GO;
}

static int run(const char **args, struct desc_options *o) {
    static const char *const names[COMMANDS] = {"encode", "decode", "check"};
    struct desc_words words = {.operand = NULL};
    enum tool_format format;
    int status = tool_format(o->format, TOOL_PICTURES | TOOL_JSON, &format), i = 0;
    while (i < COMMANDS && (!args[0] || strcmp(args[0], names[i]) != 0))
        i++;
    if (status == TOOL_GO && i == COMMANDS)
        return tool_error("give an action: encode, decode or check");
    if (status == TOOL_GO && i == ENCODE)
        status = desc_words(args + 1, &words, o);
    if (status == TOOL_GO)
        status = check_line((enum command)i, args + 1, o);
    if (status != TOOL_GO)
        return status;
    if (i != CHECK && format != TOOL_TEXT && format != TOOL_JSON && format != TOOL_CSV)
        return tool_error("desc %s is a number: its format can be text, json or csv; desc check "
                          "draws what it reaches",
                          args[0]);
    return i == ENCODE   ? encode(o, format)
           : i == DECODE ? decode(args + 1, format)
                         : desc_check(args + 1, o, format);
}

int desc_main(int argc, const char **argv) {
    struct desc_options o = {.start = NULL};
    const struct poptOption table[] = {
        {"start", 0, POPT_ARG_STRING, &o.start, 0, "Address in shared memory", "BYTES"},
        {"leading", 0, POPT_ARG_STRING, &o.leading, 0, "Leading dimension byte offset", "BYTES"},
        {"stride", 0, POPT_ARG_STRING, &o.stride, 0, "Stride dimension byte offset", "BYTES"},
        {"base-offset", 0, POPT_ARG_STRING, &o.base, 0, "Start line of the pattern, 0 to 7",
         "LINE"},
        {"swizzle", 0, POPT_ARG_STRING, &o.swizzle, 0, "Swizzle: NONE, 32B, 64B or 128B", "MODE"},
        {"tile", 0, POPT_ARG_STRING, &o.tile, 0, "Find the fields of a tile", "A|B,ROWSxK,TYPE"},
        {"major", 0, POPT_ARG_STRING, &o.major, 0, "Layout of the tile: k or mn (k)", "MAJOR"},
        {"mn-major", 0, POPT_ARG_NONE, &o.mn_major, 0, "Set the transpose immediate to 1", NULL},
        {"row", 0, POPT_ARG_STRING, &o.row, 0, "Row of the element to locate", "ROW"},
        {"k", 0, POPT_ARG_STRING, &o.k, 0, "k of the element to locate", "K"},
        {"map", 0, POPT_ARG_STRING, &o.map, 0, "Tensor map that fills the tile", "FILE"},
        {"at", 0, POPT_ARG_STRING, &o.at, 0, "Shared address of the tile (0)", "BYTES"},
        TOOL_FORMAT_OPTION(&o.format, "text, json, csv; check: md, svg, html"),
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run(tool.args, &o);
    tool_close(&tool);
    return status;
}
