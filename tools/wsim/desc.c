/* wsim desc: matrix descriptors of wgmma, from fields to bits, back, and what they reach. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

static const struct tool_help help = {
    "wsim desc", "encode | decode DESCRIPTOR | check SPELLING a|b DESCRIPTOR",
    "encode makes the 64 bits of the fields that options give, in bytes; decode shows the fields.\n"
    "check says what the descriptor is for A or B of a wgmma.mma_async: the bytes that it "
    "reaches,\n"
    "and what is probably not meant; then the exit status is 1. With --row and --k it says where\n"
    "that element lies: row m of A or column n of B, and k (of a sparse A the k that are "
    "stored).\n",
    "  wsim desc encode --start 0x400 --stride 1024 --swizzle 128B\n"
    "  wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0x4000004000000040\n"};

struct options {
    char *start, *leading, *stride, *base, *swizzle, *row, *k, *format;
    int mn_major;
};

static json_t *hex_json(uint64_t bits) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, bits);
    return json_string(text);
}

static json_t *fields_json(uint64_t bits, const struct wsim_descriptor *d) {
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:s}", "bits", hex_json(bits), "start",
                     (int)d->start, "leading", (int)d->leading, "stride", (int)d->stride,
                     "base_offset", d->base_offset, "swizzle", wsim_swizzle_name(d->mode));
}

static json_t *root_json(const char *action, uint64_t bits, const struct wsim_descriptor *d) {
    return json_pack("{s:s, s:i, s:s, s:o}", "schema", "wsim.desc", "version", 1, "action", action,
                     "descriptor", fields_json(bits, d));
}

static void print_fields(uint64_t bits, const struct wsim_descriptor *d) {
    printf("%016" PRIx64 "\n  start        0x%05x\n  leading      0x%05x (%u)\n"
           "  stride       0x%05x (%u)\n  base offset  %u\n  swizzle      %s\n",
           bits, (unsigned)d->start, (unsigned)d->leading, (unsigned)d->leading,
           (unsigned)d->stride, (unsigned)d->stride, d->base_offset, wsim_swizzle_name(d->mode));
}

static int show(const char *action, uint64_t bits, const struct wsim_descriptor *d,
                enum tool_format format) {
    if (format == TOOL_JSON)
        tool_print_json(root_json(action, bits, d));
    else
        print_fields(bits, d);
    return TOOL_FINE;
}

/* --- encode, decode --- */

static int read_fields(const struct options *o, struct wsim_descriptor *d) {
    uint32_t base = 0;
    int status = tool_number("--start", o->start, UINT32_MAX, &d->start);
    if (status == TOOL_GO)
        status = tool_number("--leading", o->leading, UINT32_MAX, &d->leading);
    if (status == TOOL_GO)
        status = tool_number("--stride", o->stride, UINT32_MAX, &d->stride);
    if (status == TOOL_GO)
        status = tool_number("--base-offset", o->base, UINT8_MAX, &base);
    d->base_offset = (uint8_t)base;
    d->mode = o->swizzle ? wsim_swizzle_find(o->swizzle) : WSIM_SWIZZLE_NONE;
    if (status == TOOL_GO && d->mode == WSIM_SWIZZLES)
        return tool_error("unknown swizzle '%s': it can be NONE, 32B, 64B or 128B", o->swizzle);
    return status;
}

static int encode(const struct options *o, enum tool_format format) {
    struct wsim_descriptor d = {0};
    struct wsim_diag diag;
    uint64_t bits;
    int status = read_fields(o, &d);
    if (status != TOOL_GO)
        return status;
    if (wsim_descriptor_encode(&d, &bits, &diag))
        return tool_refused(NULL, &diag);
    return show("encode", bits, &d, format);
}

static int read_descriptor(const char *text, uint64_t *bits, struct wsim_descriptor *d) {
    struct wsim_diag diag;
    int status =
        text ? tool_descriptor("descriptor", text, bits) : tool_error("no descriptor given");
    if (status == TOOL_GO && wsim_descriptor_decode(*bits, d, &diag))
        return tool_refused(NULL, &diag);
    return status;
}

static int decode(const char **args, enum tool_format format) {
    struct wsim_descriptor d;
    uint64_t bits = 0;
    int status = read_descriptor(args[0], &bits, &d);
    return status == TOOL_GO ? show("decode", bits, &d, format) : status;
}

/* --- check --- */

struct subject {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    uint64_t bits;
    struct wsim_descriptor d;
    struct wsim_tile tile;
    uint32_t lowest, highest; /* bytes that are read                                          */
    int asks;                 /* for an element                                               */
    uint32_t row, k;
};

static void find_range(struct subject *s) {
    unsigned row, k, bytes = s->tile.bits < 8 ? 1 : s->tile.bits / 8u;
    s->lowest = UINT32_MAX;
    for (row = 0; row < s->tile.rows; row++)
        for (k = 0; k < s->tile.k; k++) {
            uint32_t at = wsim_descriptor_address(&s->d, &s->tile, row, k);
            s->lowest = at < s->lowest ? at : s->lowest;
            s->highest = at + bytes - 1 > s->highest ? at + bytes - 1 : s->highest;
        }
}

static int read_subject(const char **args, const struct options *o, struct subject *s) {
    const char *one[] = {args[0], NULL};
    struct wsim_diag diag;
    int status = args[0] ? tool_op(one, &s->op) : tool_error("no spelling given");
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(&s->op, s->spelling);
    if (!args[1] || (strcmp(args[1], "a") != 0 && strcmp(args[1], "b") != 0))
        return tool_error("after the spelling comes the operand: a or b");
    s->operand = *args[1] == 'a' ? WSIM_A : WSIM_B;
    if (wsim_wgmma_tile(&s->op, s->operand, o->mn_major, &s->tile, &diag))
        return tool_refused(NULL, &diag);
    s->asks = o->row || o->k;
    status = tool_number("--row", o->row, s->tile.rows - 1u, &s->row);
    if (status == TOOL_GO)
        status = tool_number("--k", o->k, s->tile.k - 1u, &s->k);
    return status == TOOL_GO ? read_descriptor(args[2], &s->bits, &s->d) : status;
}

static json_t *advice_json(const struct subject *s) {
    json_t *list = json_array();
    struct wsim_diag advice;
    uint32_t cursor = 0;
    while (wsim_descriptor_advice(&s->d, &s->tile, &cursor, &advice))
        json_array_append_new(list, json_string(advice.text));
    return list;
}

static void print_check_json(const struct subject *s) {
    json_t *root = root_json("check", s->bits, &s->d);
    json_object_set_new(root, "spelling", json_string(s->spelling));
    json_object_set_new(root, "operand", json_string(wsim_operand_name(s->operand)));
    json_object_set_new(root, "rows", json_integer(s->tile.rows));
    json_object_set_new(root, "k", json_integer(s->tile.k));
    json_object_set_new(root, "major", json_string(s->tile.mn_major ? "mn" : "k"));
    json_object_set_new(root, "lowest", json_integer(s->lowest));
    json_object_set_new(root, "highest", json_integer(s->highest));
    if (s->asks)
        json_object_set_new(root, "element",
                            json_pack("{s:i, s:i, s:i}", "row", (int)s->row, "k", (int)s->k,
                                      "address",
                                      (int)wsim_descriptor_address(&s->d, &s->tile, s->row, s->k)));
    json_object_set_new(root, "advice", advice_json(s));
    tool_print_json(root);
}

static void print_check_text(const struct subject *s) {
    struct wsim_diag advice;
    uint32_t cursor = 0;
    print_fields(s->bits, &s->d);
    printf("%s of %s: %u rows of %u k, %s-major\n", wsim_operand_name(s->operand), s->spelling,
           s->tile.rows, s->tile.k, s->tile.mn_major ? "MN" : "K");
    printf("bytes 0x%05x to 0x%05x\n", (unsigned)s->lowest, (unsigned)s->highest);
    if (s->asks)
        printf("row %u, k %u at 0x%05x\n", (unsigned)s->row, (unsigned)s->k,
               (unsigned)wsim_descriptor_address(&s->d, &s->tile, s->row, s->k));
    while (wsim_descriptor_advice(&s->d, &s->tile, &cursor, &advice))
        printf("advice: %s\n", advice.text);
}

static int check(const char **args, const struct options *o, enum tool_format format) {
    struct subject s = {.asks = 0};
    struct wsim_diag advice;
    uint32_t cursor = 0;
    int status = read_subject(args, o, &s);
    if (status != TOOL_GO)
        return status;
    find_range(&s);
    (format == TOOL_JSON ? print_check_json : print_check_text)(&s);
    return wsim_descriptor_advice(&s.d, &s.tile, &cursor, &advice) ? TOOL_FOUND : TOOL_FINE;
}

static int run(const char **args, const struct options *o) {
    enum tool_format format;
    int status = tool_format(o->format, TOOL_TEXT | TOOL_JSON, &format);
    if (status != TOOL_GO)
        return status;
    if (args[0] && strcmp(args[0], "encode") == 0)
        return encode(o, format);
    if (args[0] && strcmp(args[0], "decode") == 0)
        return decode(args + 1, format);
    if (args[0] && strcmp(args[0], "check") == 0)
        return check(args + 1, o, format);
    return tool_error("say what to do: encode, decode or check");
}

int desc_main(int argc, const char **argv) {
    struct options o = {.start = NULL};
    const struct poptOption table[] = {
        {"start", 0, POPT_ARG_STRING, &o.start, 0, "Address in shared memory", "BYTES"},
        {"leading", 0, POPT_ARG_STRING, &o.leading, 0, "Leading dimension byte offset", "BYTES"},
        {"stride", 0, POPT_ARG_STRING, &o.stride, 0, "Stride dimension byte offset", "BYTES"},
        {"base-offset", 0, POPT_ARG_STRING, &o.base, 0, "Where the pattern starts, 0 to 7", "LINE"},
        {"swizzle", 0, POPT_ARG_STRING, &o.swizzle, 0, "NONE, 32B, 64B or 128B", "MODE"},
        {"mn-major", 0, POPT_ARG_NONE, &o.mn_major, 0, "The transpose immediate is 1", NULL},
        {"row", 0, POPT_ARG_STRING, &o.row, 0, "Where this row lies", "ROW"},
        {"k", 0, POPT_ARG_STRING, &o.k, 0, "... at this k", "K"},
        {"format", 0, POPT_ARG_STRING, &o.format, 0, "text or json", "FORMAT"},
        TOOL_OPTIONS_END};
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = run(tool.args, &o);
    tool_close(&tool);
    return status;
}
