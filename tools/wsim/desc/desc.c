/* wsim desc: matrix descriptors of wgmma, from fields to bits, back, and what they reach. */
#include "desc.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/umma.h"

#include <inttypes.h>
#include <string.h>

static const char about[] =
    "encode: prints the 64 bits of a descriptor with the given fields, in bytes. decode: prints\n"
    "the fields of BITS.\n"
    "\n"
    "encode --tile 'b,64x128,f16' (operand, rows of A or columns of B x k, type) finds the\n"
    "fields: the layout by --major (k or mn), --swizzle and --at, and the descriptor of each\n"
    "step along k. encode also accepts words in any order: K-major B, 64x128 f16, 128B,\n"
    "at 0x400. Lines are as long as the swizzle (16 bytes without one) and follow each other;\n"
    "longer rows continue in another block of lines, as tensor copies write such boxes. With\n"
    "--map the box gives size, type and swizzle, and --tile only the operand. Each descriptor\n"
    "is verified before it is printed.\n"
    "\n"
    "check: prints the bytes that a descriptor reaches as A or B of a wgmma.mma_async, and\n"
    "warnings about likely mistakes (exit status 1). --row and --k locate one element: row m of\n"
    "A or column n of B, and k (of a sparse A the stored k). --map (a file of wsim tma) and\n"
    "--at compare each element of the box with the place where a load of that map writes it.\n"
    "tcgen05: encode and decode take a tcgen05.mma and its fields (M=128 N=64 A=f16 tB=1) or the\n"
    "32 bits of its instruction descriptor. Matrix descriptors of tcgen05 have other bits:\n"
    "encode needs --arch sm_100a (tiles are laid out as CuTe does, with atoms along the rows\n"
    "first; a box of --map as it is), decode and check see the version in bits 46 to 48.\n"
    "csv lists the place of every element. A leading offset that the mode ignores is 0; 16 (the\n"
    "1 that CUTLASS writes) is equivalent.\n";
static const char examples[] =
    "  wsim desc encode tcgen05.mma.cta_group::1.kind::f16 M=128 N=256 A=bf16 B=bf16\n"
    "  wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 0x4000004000000040\n";

/* --- encode, decode --- */

static void read_fields(const struct desc_options *o, struct wsim_descriptor *d) {
    uint32_t base = 0;
    tool_number("--start", o->start, UINT32_MAX, &d->start);
    tool_number("--leading", o->leading, UINT32_MAX, &d->leading);
    tool_number("--stride", o->stride, UINT32_MAX, &d->stride);
    tool_number("--base-offset", o->base, UINT8_MAX, &base);
    d->base_offset = (uint8_t)base;
    d->mode = o->swizzle ? name_swizzle(o->swizzle) : WSIM_SWIZZLE_NONE;
    if (d->mode == WSIM_SWIZZLES)
        tool_fail("unknown swizzle '%s': must be NONE, 32B, 64B or 128B",
                  text_cut(o->swizzle).text);
}

void desc_fields(struct doc *doc, const char *action, uint64_t bits,
                 const struct wsim_descriptor *d) {
    char hex[DESC_HEX];
    desc_hex(bits, hex);
    doc_set(doc, "action", json_string(action));
    doc_enter(doc, "descriptor");
    doc_set(doc, "bits", json_string(hex));
    doc_fact(doc, "start", json_integer(d->start), "  start        0x%05x", (unsigned)d->start);
    doc_fact(doc, "leading", json_integer(d->leading), "  leading      0x%05x (%u)",
             (unsigned)d->leading, (unsigned)d->leading);
    doc_fact(doc, "stride", json_integer(d->stride), "  stride       0x%05x (%u)",
             (unsigned)d->stride, (unsigned)d->stride);
    doc_fact(doc, "base_offset", json_integer(d->base_offset), "  base offset  %u", d->base_offset);
    doc_fact(doc, "swizzle", json_string(wsim_swizzle_name(d->mode)), "  swizzle      %s",
             wsim_swizzle_name(d->mode));
    doc_leave(doc);
}

void desc_hex(uint64_t bits, char out[DESC_HEX]) {
    snprintf(out, DESC_HEX, "%016" PRIx64, bits);
}

void desc_advice(struct doc *doc, const struct wsim_diag *advice, size_t count) {
    doc_list(doc, "advice");
    for (size_t i = 0; i < count; i++)
        doc_fact(doc, NULL, json_string(advice[i].text), "advice: %s", advice[i].text);
    doc_leave(doc);
    doc_list(doc, "rules");
    for (size_t i = 0; i < count; i++)
        doc_set(doc, NULL, advice[i].rule ? json_string(advice[i].rule) : NULL);
    doc_leave(doc);
}

int desc_is_for_umma(const struct desc_options *o) {
    const struct wsim_arch *arch = wsim_arch_find(o->arch ? o->arch : WSIM_ARCH_USUAL);
    return arch && tool_has_tcgen05(arch);
}

enum wsim_status desc_bits(const struct desc_options *o, const struct wsim_descriptor *d,
                           uint64_t *bits, struct wsim_diag *diag) {
    return desc_is_for_umma(o) ? wsim_umma_matrix_encode(d, bits, diag)
                               : wsim_descriptor_encode(d, bits, diag);
}

/* A stride of 0 may be right for an operand that is not known here: status 0. */
static void encode(struct doc *doc, const struct desc_options *o) {
    const struct wsim_diag no_stride = {
        .rule = "advice.offset.missing",
        .text = "the stride offset is 0: all groups of 8 rows (MN-major: k) overlap"};
    struct wsim_descriptor d = {0};
    struct wsim_diag diag;
    uint64_t bits;
    if (o->tile) {
        desc_tile(doc, o);
        return;
    }
    read_fields(o, &d);
    if (desc_bits(o, &d, &bits, &diag))
        tool_refuse(NULL, &diag);
    doc_line(doc, "%016" PRIx64, bits);
    desc_fields(doc, "encode", bits, &d);
    desc_advice(doc, &no_stride, d.stride == 0);
}

void desc_read(const char *text, int is_umma, uint64_t *bits, struct wsim_descriptor *d,
               struct wsim_diag *odd) {
    if (!text)
        tool_fail("no descriptor given");
    *bits = tool_descriptor("descriptor", text);
    odd->text[0] = '\0';
    if (is_umma && wsim_umma_matrix_decode(*bits, d, odd))
        tool_refuse(NULL, odd);
    if (!is_umma)
        wsim_descriptor_decode(*bits, d, odd);
}

static int decode(struct doc *doc, const char **args) {
    struct wsim_descriptor d;
    struct wsim_diag odd;
    uint64_t bits = 0;
    desc_read(args[0], 0, &bits, &d, &odd);
    if (desc_is_umma(bits))
        desc_read(args[0], 1, &bits, &d, &odd);
    doc_line(doc, "%016" PRIx64 "%s", bits, desc_is_umma(bits) ? " of tcgen05" : "");
    desc_fields(doc, "decode", bits, &d);
    desc_advice(doc, &odd, odd.text[0] != '\0');
    return odd.text[0] ? TOOL_FOUND : TOOL_FINE;
}

enum command { ENCODE, DECODE, CHECK, COMMANDS };

/* Refuses options that the action does not read. */
static void check_line(enum command command, const char **args, const struct desc_options *o) {
    static const unsigned words[COMMANDS] = {0, 1, 3}; /* those of encode have been read */
    unsigned n = 0;
    while (n < words[command] && args[n])
        n++;
    if (command != ENCODE && n == words[command] && args[n] && !umma_is(args[0]))
        tool_fail("unexpected argument '%s'", text_cut(args[n]).text);
    if (command != ENCODE && (o->start || o->leading || o->stride || o->base || o->swizzle))
        tool_fail(
            "--start, --leading, --stride, --base-offset and --swizzle apply to desc encode only");
    if (command != CHECK && (o->row || o->k || o->mn_major))
        tool_fail("--row, --k and --mn-major apply to desc check only");
    if (command != CHECK && !o->tile && (o->map || o->at || o->major))
        tool_fail("--map, --at and --major apply to desc check, or with --tile");
    if (command != ENCODE && (o->tile || o->major))
        tool_fail("--tile and --major apply to desc encode only");
    if (o->tile && (o->start || o->leading || o->stride || o->base))
        tool_fail("--start, --leading, --stride and --base-offset are results of --tile");
}

static int run(struct tool *tool) {
    struct desc_options *o = tool->options;
    const char **args = tool->args;
    static const char *const names[COMMANDS] = {"encode", "decode", "check"};
    struct desc_words words = {.operand = NULL};
    struct wsim_operand_tile tile;
    struct doc *doc;
    int i = 0;
    while (i < COMMANDS && (!args[0] || strcmp(args[0], names[i]) != 0))
        i++;
    if (i == COMMANDS)
        tool_fail("give an action: encode, decode or check");
    if (i != CHECK && umma_is(args[1])) {
        doc = doc_open(tool->format, "wsim.desc");
        desc_instruction(doc, names[i], args + 1);
        return doc_close(doc, TOOL_FINE);
    }
    if (o->arch)
        tool_target(o->arch);
    if (i == ENCODE)
        desc_words(args + 1, &words, o);
    check_line((enum command)i, args + 1, o);
    tool_allows(tool->format, TOOL_TEXT | TOOL_JSON | (i == CHECK || o->tile ? TOOL_PICTURES : 0));
    doc = doc_open(tool->format, "wsim.desc");
    if (i == ENCODE)
        encode(doc, o);
    return doc_close(doc, i == ENCODE   ? TOOL_FINE
                          : i == DECODE ? decode(doc, args + 1)
                                        : desc_check(doc, args + 1, o, &tile));
}

#define AT(member) offsetof(struct desc_options, member)
/* clang-format off */
static const struct tool_option rows[] = {
    {"start", 0, TOOL_STRING, AT(start), "Address in shared memory", "BYTES"},
    {"leading", 0, TOOL_STRING, AT(leading), "Leading dimension byte offset", "BYTES"},
    {"stride", 0, TOOL_STRING, AT(stride), "Stride dimension byte offset", "BYTES"},
    {"base-offset", 0, TOOL_STRING, AT(base), "Start line of the pattern, 0 to 7", "LINE"},
    {"swizzle", 0, TOOL_STRING, AT(swizzle), "Swizzle: NONE, 32B, 64B or 128B", "MODE"},
    {"tile", 0, TOOL_STRING, AT(tile), "Find the fields of a tile", "A|B,ROWSxK,TYPE"},
    {"major", 0, TOOL_STRING, AT(major), "Layout of the tile: k or mn (k)", "MAJOR"},
    {"mn-major", 0, TOOL_FLAG, AT(mn_major), "Set the transpose immediate to 1", NULL},
    {"row", 0, TOOL_STRING, AT(row), "Row of the element to locate", "ROW"},
    {"k", 0, TOOL_STRING, AT(k), "k of the element to locate", "K"},
    {"map", 0, TOOL_STRING, AT(map), "Tensor map that fills the tile", "FILE"},
    {"arch", 0, TOOL_STRING, AT(arch), "encode: target; sm_100a has other bits", "NAME"},
    {"at", 0, TOOL_STRING, AT(at), "Shared address of the tile (0)", "BYTES"},
    TOOL_OPTIONS_END};

const struct tool_command desc_command = {
    "encode [TILE] | decode BITS | check SPELLING a|b BITS", about, examples, rows, sizeof(struct desc_options), TOOL_PICTURES | TOOL_JSON, "text, json; tile, check: csv, md, svg, html", run};
/* clang-format on */
