/* wsim desc encode --tile: from a tile in shared memory to descriptors, one for each step along k.
 */
#include "desc.h"
#include "../common/memory.h"
#include "../common/names.h"
#include "../common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wsim/harness/suggest.h>

enum { STEP_BYTES = 32, CORE = 16, MOST_EXTENT = 4096 };

struct tile {
    enum wsim_operand operand;
    const struct wsim_format *format;
    unsigned bits; /* of an element in memory                     */
    uint32_t rows, k, at;
    int mn_major;
    enum wsim_swizzle mode;
    unsigned each; /* k of one instruction                        */
    unsigned steps;
    int has_map;
    struct tma_copy load;
};

/* --- the tile --- */

static void read_operand(const char *text, size_t n, struct tile *t) {
    if (n != 1 || !strchr("abAB", *text))
        tool_fail("--tile '%s': must begin with the operand, a or b: b,64x64,bf16",
                  text_cut(text).text);
    t->operand = (*text | 0x20) == 'a' ? WSIM_A : WSIM_B;
}

/* The types of a tile; 0 bits: those of the format. e2m1x2: two in a byte, as mxf4 and mxf4nvf4
 * read them. Others of 4 and 6 bits have a byte each (wsim_umma_tile). */
static const struct tile_type {
    const char *name, *format;
    uint8_t bits, is_new; /* wgmma has none */
} tile_types[] = {{"f16", "f16", 0, 0},   {"bf16", "bf16", 0, 0}, {"tf32", "tf32", 0, 0},
                  {"e4m3", "e4m3", 0, 0}, {"e5m2", "e5m2", 0, 0}, {"s8", "s8", 0, 0},
                  {"u8", "u8", 0, 0},     {"b1", "b1", 0, 0},     {"e2m3", "e2m3", 8, 1},
                  {"e3m2", "e3m2", 8, 1}, {"e2m1", "e2m1", 8, 1}, {"e2m1x2", "e2m1", 4, 1}};

static const struct tile_type *find_type(const char *text) {
    char name[16] = "";
    struct named_types meant;
    for (size_t i = 0; text[i] && i + 1 < sizeof name; i++)
        name[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 'a' - 'A' : text[i]);
    meant = named_types(name);
    for (size_t i = 0; meant.type[0] && i < sizeof tile_types / sizeof tile_types[0]; i++)
        if (strcmp(meant.type[0], tile_types[i].name) == 0 && strlen(text) < sizeof name)
            return &tile_types[i];
    return NULL;
}

static void set_type(const char *text, int is_umma, struct tile *t) {
    const struct tile_type *type = find_type(text);
    if (!type || (type->is_new && !is_umma))
        tool_fail("--tile: type '%s': factors of wgmma are f16, bf16, tf32, e4m3, e5m2, s8, u8 and "
                  "b1; with --arch sm_100a also e2m3, e3m2, e2m1 and e2m1x2 (two in a byte)",
                  text_cut(text).text);
    t->format = wsim_format_find(type->format);
    t->bits = type->bits ? type->bits : (unsigned)t->format->bits + t->format->pad;
}

static void read_tile(const char *text, int is_umma, struct tile *t) {
    const char *comma = strchr(text, ','), *times, *end;
    read_operand(text, comma ? (size_t)(comma - text) : strlen(text), t);
    if (t->has_map && !comma)
        return;
    if (t->has_map)
        tool_fail("--tile '%s': with --map give only the operand", text_cut(text).text);
    times = comma ? strpbrk(comma + 1, "xX") : NULL;
    end = times ? strchr(times, ',') : NULL;
    if (!end || !tool_is_number(comma + 1, (size_t)(times - comma - 1), MOST_EXTENT, &t->rows) ||
        !tool_is_number(times + 1, (size_t)(end - times - 1), MOST_EXTENT, &t->k))
        tool_fail("--tile '%s': expected an operand, rows x k of at most %d, and a type, "
                  "such as b,64x128,f16",
                  text_cut(text).text, MOST_EXTENT);
    set_type(end + 1, is_umma, t);
}

/* The first dimension of a box lies along lines, the second counts lines, a third blocks of lines.
 */
static void read_map(const struct desc_options *o, struct tile *t) {
    char *option[TMA_PARAMETERS] = {NULL};
    struct tma_request request = {.at = o->at, .file = o->map};
    const struct wsim_tensor *tensor = &t->load.tensor;
    static const char *const types[] = {
        [WSIM_TENSOR_UINT8] = "u8",           [WSIM_TENSOR_FLOAT16] = "f16",
        [WSIM_TENSOR_BFLOAT16] = "bf16",      [WSIM_TENSOR_FLOAT32] = "tf32",
        [WSIM_TENSOR_FLOAT32_FTZ] = "tf32",   [WSIM_TENSOR_TFLOAT32] = "tf32",
        [WSIM_TENSOR_TFLOAT32_FTZ] = "tf32",  [WSIM_TENSOR_16U4_ALIGN8B] = "e2m1x2",
        [WSIM_TENSOR_16U4_ALIGN16B] = "e2m1", [WSIM_TENSOR_16U6_ALIGN16B] = "e3m2"};
    uint32_t along, lines, blocks, span;
    tma_copy_read(&request, option, o->arch ? o->arch : WSIM_ARCH_USUAL, &t->load);
    if (o->swizzle)
        tool_fail("--swizzle: already given by the map");
    if (tensor->mode != WSIM_TENSOR_TILED || tensor->rank < 2 || tensor->rank > 3 ||
        (unsigned)tensor->dtype >= sizeof types / sizeof types[0] || !types[tensor->dtype])
        tool_fail("--map: the tile of a descriptor is a box of 2 or 3 dimensions of a tiled "
                  "map, of elements of at most 32 bits");
    set_type(types[tensor->dtype], desc_is_for_umma(o), t);
    t->mode = (enum wsim_swizzle)tensor->swizzle;
    span = wsim_swizzle_span(t->mode) ? wsim_swizzle_span(t->mode) : CORE;
    along = tensor->box[0];
    lines = tensor->box[1];
    blocks = tensor->rank > 2 ? tensor->box[2] : 1;
    t->rows = t->mn_major ? along * blocks : lines;
    t->k = t->mn_major ? lines : along * blocks;
    t->at = t->load.io.shared_at;
    if (along * t->bits / 8 != span)
        tool_fail("--map: lines of its box have %u bytes, and %s of a descriptor %u",
                  (unsigned)(along * t->bits / 8), wsim_swizzle_name(t->mode), (unsigned)span);
}

static void read_major(const char *text, struct tile *t) {
    t->mn_major = text && strcasecmp(text, "mn") == 0;
    if (!text || t->mn_major || strcasecmp(text, "k") == 0)
        return;
    tool_fail("--major '%s': must be k or mn", text_cut(text).text);
}

static void read_swizzle(const char *text, struct tile *t) {
    t->mode = text ? name_swizzle(text) : WSIM_SWIZZLE_NONE;
    if (t->mode < WSIM_SWIZZLES)
        return;
    tool_fail("unknown swizzle '%s': must be NONE, 32B, 64B or 128B", text_cut(text).text);
}

/* --- the answer --- */

struct step {
    struct wsim_descriptor d;
    uint64_t bits;
};

static void state(struct doc *doc, const struct tile *t, const struct step *steps) {
    static const struct doc_column columns[] = {
        {"k", "k", 0},       {"bits", "descriptor", 0}, {"start", "start", 0}, {"leading", NULL, 0},
        {"stride", NULL, 0}, {"base_offset", NULL, 0},  {"swizzle", NULL, 0},  {NULL, NULL, 0}};
    doc_line(doc, "%016" PRIx64, steps[0].bits);
    desc_fields(doc, "encode", steps[0].bits, &steps[0].d);
    doc_line(doc, "%s of %u rows of %u k, %s, %s-major, %s, at 0x%05x: %u bytes",
             wsim_operand_name(t->operand), (unsigned)t->rows, (unsigned)t->k, t->format->name,
             t->mn_major ? "MN" : "K", wsim_swizzle_name(t->mode), (unsigned)t->at,
             (unsigned)(t->rows * t->k * t->bits / 8));
    doc_line(doc, "%u step%s of %u k", t->steps, t->steps == 1 ? "" : "s", t->each);
    doc_pack(doc, "{s:s, s:i, s:i, s:s, s:s}", "operand", wsim_operand_name(t->operand), "rows",
             (int)t->rows, "k", (int)t->k, "format", t->format->name, "major",
             t->mn_major ? "mn" : "k");
    doc_table(doc, "steps", columns);
    for (unsigned i = 0; i < t->steps; i++) {
        const struct wsim_descriptor *d = &steps[i].d;
        char hex[DESC_HEX];
        desc_hex(steps[i].bits, hex);
        doc_row_of(doc, "us", i * t->each, hex);
        doc_cell(doc, json_integer(d->start), "0x%05x", (unsigned)d->start);
        doc_number(doc, d->leading);
        doc_number(doc, d->stride);
        doc_number(doc, 0);
        doc_word(doc, wsim_swizzle_name(t->mode));
    }
    doc_leave(doc);
}

static void find_steps(const struct desc_options *o, const struct tile *t, struct step *steps) {
    const struct wsim_tile whole = {(uint16_t)t->rows, (uint16_t)t->k, (uint8_t)t->bits,
                                    (uint8_t)t->mn_major, t->format};
    struct wsim_tile one = whole;
    struct wsim_diag diag;
    one.k = (uint16_t)t->each;
    for (unsigned i = 0; i < t->steps; i++) {
        struct wsim_descriptor_match match = {.differs = 0};
        const int cute = desc_is_for_umma(o) && !t->has_map;
        if ((cute ? wsim_suggest_umma(&whole, t->at, t->mode, i, &steps[i].d, &steps[i].bits, &diag)
                  : wsim_suggest_descriptor(&whole, t->at, t->mode, i, &steps[i].d, &steps[i].bits,
                                            &diag)) ||
            desc_bits(o, &steps[i].d, &steps[i].bits, &diag))
            tool_refuse("--tile", &diag);
        if (t->has_map && (wsim_descriptor_compare(&steps[i].d, &one, &t->load.op, t->load.arch,
                                                   &t->load.io, &match, &diag) ||
                           match.differs))
            tool_fail("%s", diag.text);
    }
}

void desc_tile(struct doc *doc, const struct desc_options *o) {
    struct tile t = {.has_map = o->map != NULL};
    struct step *steps;
    read_tile(o->tile, desc_is_for_umma(o), &t);
    read_major(o->major, &t);
    if (t.has_map) {
        read_map(o, &t);
    } else {
        read_swizzle(o->swizzle, &t);
        tool_number("--at", o->at, UINT32_MAX, &t.at);
    }
    if (t.rows > UINT16_MAX)
        tool_fail("--tile: %u rows: at most %u", (unsigned)t.rows, UINT16_MAX);
    t.each = STEP_BYTES * 8 / t.bits;
    t.steps = t.k / t.each ? t.k / t.each : 1;
    steps = memory_make(t.steps, sizeof *steps);
    find_steps(o, &t, steps);
    state(doc, &t, steps);
    free(steps);
}
