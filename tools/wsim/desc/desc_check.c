/* wsim desc check: what a descriptor reaches for A or B of a wgmma, and what is probably not meant.
 */
#include "desc.h"
#include "../common/memory.h"
#include "../common/instruction.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct subject {
    char spelling[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    uint64_t bits;
    struct wsim_descriptor d;
    struct wsim_diag odd; /* bits that mean nothing; no text: none                             */
    struct wsim_tile tile;
    uint32_t lowest, highest; /* bytes that are read                                          */
    int is_umma;              /* of tcgen05                                                   */
    int asks;                 /* for an element                                               */
    uint32_t row, k;
    int has_map;
    struct wsim_descriptor_match match;
    struct wsim_diag elsewhere; /* what the map says, where they differ                       */
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

static void choose_operand(const char *text, struct subject *s) {
    if (!text || (strcasecmp(text, "a") != 0 && strcasecmp(text, "b") != 0))
        tool_fail("the operand is missing after the spelling: a or b");
    s->operand = strcasecmp(text, "a") == 0 ? WSIM_A : WSIM_B;
}

static void read_element(const struct desc_options *o, struct subject *s) {
    s->asks = o->row || o->k;
    tool_number("--row", o->row, s->tile.rows - 1u, &s->row);
    tool_number("--k", o->k, s->tile.k - 1u, &s->k);
}

/* SPELLING a|b BITS, and of tcgen05 fields after them. */
static void read_operand(const char **args, const struct desc_options *o, struct subject *s) {
    const char *words[32] = {args[0]};
    struct instruction in;
    struct wsim_diag diag;
    if (!args[0])
        tool_fail("no spelling given");
    for (size_t i = 3; umma_is(args[0]) && args[1] && args[2] && args[i] && i < 32; i++)
        words[i - 2] = args[i];
    instruction_read(words, &in);
    choose_operand(args[1], s);
    if (o->mn_major && in.is_umma)
        tool_fail("--mn-major: tcgen05 has it in its instruction descriptor: write tA=1 or "
                  "tB=1");
    if (s->operand == WSIM_A && in.atom.a_in == WSIM_ATOM_REGISTERS)
        tool_fail("this atom has A in registers, without a descriptor");
    in.atom.trans_a |= (uint8_t)o->mn_major;
    in.atom.trans_b |= (uint8_t)o->mn_major;
    if (instruction_tile(&in, s->operand, &s->tile, &diag))
        tool_refuse(NULL, &diag);
    memcpy(s->spelling, in.spelling, sizeof s->spelling);
    s->is_umma = in.is_umma;
    read_element(o, s);
    desc_read(args[2], s->is_umma, &s->bits, &s->d, &s->odd);
}

static void read_map(const struct desc_options *o, struct subject *s) {
    char *option[TMA_PARAMETERS] = {NULL};
    struct tma_request request = {.at = o->at, .file = o->map};
    struct tma_copy load;
    if (o->at && !o->map)
        tool_fail("--at needs --map: it is the address of the copied tile");
    if (!o->map)
        return;
    tma_copy_read(&request, option, WSIM_ARCH_USUAL, &load);
    s->has_map = 1;
    if (wsim_descriptor_compare(&s->d, &s->tile, &load.op, load.arch, &load.io, &s->match,
                                &s->elsewhere))
        tool_refuse(NULL, &s->elsewhere);
}

/* --- advice: of bits, of the map, of the library --- */

static int next_advice(const struct subject *s, uint32_t *cursor, struct wsim_diag *advice) {
    uint32_t of_library = *cursor < 2 ? 0 : *cursor - 2;
    if (*cursor == 0 && ++*cursor && s->odd.text[0]) {
        *advice = s->odd;
        return 1;
    }
    if (*cursor == 1 && ++*cursor && s->match.differs) {
        *advice = s->elsewhere;
        return 1;
    }
    if (!wsim_descriptor_advice(&s->d, &s->tile,
                                wsim_arch_find(s->is_umma ? UMMA_ARCH : WSIM_ARCH_USUAL),
                                &of_library, advice))
        return 0;
    *cursor = of_library + 2;
    return 1;
}

/* --- the answer --- */

enum { ADVICE = 32 };

/* States advice; how much there is. */
static size_t state_advice(struct doc *doc, const struct subject *s) {
    struct wsim_diag *advice = memory_make(ADVICE, sizeof *advice);
    uint32_t cursor = 0;
    size_t count = 0;
    while (count < ADVICE && next_advice(s, &cursor, &advice[count]))
        count++;
    desc_advice(doc, advice, count);
    free(advice);
    return count;
}

static void state_element(struct doc *doc, const struct subject *s) {
    const unsigned row = s->row, k = s->k;
    const unsigned at = wsim_descriptor_address(&s->d, &s->tile, row, k);
    doc_line(doc, "row %u, k %u at 0x%05x", row, k, at);
    doc_object(doc, "element", "{s:i, s:i, s:i}", "row", row, "k", k, "address", at);
}

static void state_map(struct doc *doc, const struct subject *s) {
    if (!s->match.differs)
        doc_line(doc, "map: %u of %u elements are in the box, each where the copy puts it",
                 s->match.inside, s->match.elements);
    doc_object(doc, "map", "{s:i, s:i, s:b}", "elements", (int)s->match.elements, "inside",
               (int)s->match.inside, "equal", !s->match.differs);
}

/* Pages show the tile, CSV all elements or the one that --row and --k name. */
static void draw(struct doc *doc, const struct subject *s, struct wsim_operand_tile *tile) {
    struct wsim_picture picture;
    *tile = (struct wsim_operand_tile){.title = "",
                                       .descriptor = s->d,
                                       .tile = s->tile,
                                       .row = s->asks ? (int32_t)s->row : -1,
                                       .k = s->asks ? (int32_t)s->k : -1};
    wsim_picture_descriptor(tile, &picture);
    doc_only(doc, DOC_PAGES | TOOL_CSV);
    doc_picture(doc, &picture);
    doc_only(doc, 0);
}

static int state(struct doc *doc, const struct subject *s, struct wsim_operand_tile *tile) {
    const char *operand = wsim_operand_name(s->operand);
    doc_line(doc, "%s of %s: %u rows of %u k, %s-major, by descriptor %016" PRIx64, operand,
             s->spelling, s->tile.rows, s->tile.k, s->tile.mn_major ? "MN" : "K", s->bits);
    desc_fields(doc, "check", s->bits, &s->d);
    doc_pack(doc, "{s:s, s:s, s:i, s:i, s:s, s:i, s:i}", "spelling", s->spelling, "operand",
             operand, "rows", s->tile.rows, "k", s->tile.k, "major", s->tile.mn_major ? "mn" : "k",
             "lowest", (int)s->lowest, "highest", (int)s->highest);
    doc_line(doc, "bytes 0x%05x to 0x%05x", (unsigned)s->lowest, (unsigned)s->highest);
    if (s->asks)
        state_element(doc, s);
    if (s->has_map)
        state_map(doc, s);
    draw(doc, s, tile);
    return state_advice(doc, s) ? TOOL_FOUND : TOOL_FINE;
}

int desc_check(struct doc *doc, const char **args, const struct desc_options *options,
               struct wsim_operand_tile *tile) {
    struct subject s = {.asks = 0};
    read_operand(args, options, &s);
    read_map(options, &s);
    find_range(&s);
    return state(doc, &s, tile);
}
