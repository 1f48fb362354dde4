/* wsim desc check: what a descriptor reaches for A or B of a wgmma, and what is probably not meant.
 */
#include "desc.h"
#include "../common/page.h"
#include "../common/screen.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct subject {
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    uint64_t bits;
    struct wsim_descriptor d;
    struct wsim_diag odd; /* bits that mean nothing; no text: none                             */
    struct wsim_tile tile;
    uint32_t lowest, highest; /* bytes that are read                                          */
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

static int read_operand(const char **args, const struct desc_options *o, struct subject *s) {
    const char *one[] = {args[0], NULL};
    struct wsim_atom atom;
    struct wsim_diag diag;
    int status = args[0] ? tool_op_atom(one, &s->op, &atom) : tool_error("no spelling given");
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(&s->op, s->spelling);
    if (!args[1] || (strcasecmp(args[1], "a") != 0 && strcasecmp(args[1], "b") != 0))
        return tool_error("after the spelling comes the operand: a or b");
    s->operand = strcasecmp(args[1], "a") == 0 ? WSIM_A : WSIM_B;
    if (s->operand == WSIM_A && atom.a_in == WSIM_ATOM_REGISTERS)
        return tool_error("this atom has A in registers, without a descriptor");
    if (wsim_wgmma_tile(&s->op, s->operand,
                        o->mn_major || (s->operand == WSIM_A ? atom.trans_a : atom.trans_b),
                        &s->tile, &diag))
        return tool_refused(NULL, &diag);
    s->asks = o->row || o->k;
    status = tool_number("--row", o->row, s->tile.rows - 1u, &s->row);
    if (status == TOOL_GO)
        status = tool_number("--k", o->k, s->tile.k - 1u, &s->k);
    return status == TOOL_GO ? desc_read(args[2], &s->bits, &s->d, &s->odd) : status;
}

static int read_map(const struct desc_options *o, struct subject *s) {
    char *option[TMA_PARAMETERS] = {NULL};
    struct tma_request request = {.at = o->at, .file = o->map};
    struct tma_copy load;
    int status;
    if (o->at && !o->map)
        return tool_error("--at is where the copy of a --map puts its tile");
    if (!o->map)
        return TOOL_GO;
    status = tma_copy_read(&request, option, TOOL_ARCH, &load);
    s->has_map = 1;
    if (status == TOOL_GO && wsim_descriptor_compare(&s->d, &s->tile, &load.op, load.arch, &load.io,
                                                     &s->match, &s->elsewhere))
        return tool_refused(NULL, &s->elsewhere);
    return status;
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
    if (!wsim_descriptor_advice(&s->d, &s->tile, wsim_arch_find(TOOL_ARCH), &of_library, advice))
        return 0;
    *cursor = of_library + 2;
    return 1;
}

/* The sentences, and the rule of each. */
static void put_advice(json_t *root, const struct subject *s) {
    json_t *list = json_array(), *rules = json_array();
    struct wsim_diag advice;
    uint32_t cursor = 0;
    while (next_advice(s, &cursor, &advice)) {
        json_array_append_new(list, json_string(advice.text));
        json_array_append_new(rules, advice.rule ? json_string(advice.rule) : json_null());
    }
    json_object_set_new(root, "advice", list);
    json_object_set_new(root, "rules", rules);
}

/* --- printing --- */

static void print_json(const struct subject *s) {
    json_t *root = desc_json("check", s->bits, &s->d);
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
    if (s->has_map)
        json_object_set_new(root, "map",
                            json_pack("{s:i, s:i, s:b}", "elements", (int)s->match.elements,
                                      "inside", (int)s->match.inside, "equal", !s->match.differs));
    put_advice(root, s);
    tool_print_json(root);
}

/* The tile as a picture; as CSV all elements, or the one that was asked for. */
static int print_picture(const struct subject *s, enum tool_format format) {
    char title[WSIM_CAPTION];
    const struct wsim_operand_tile tile = {.title = title,
                                           .descriptor = s->d,
                                           .tile = s->tile,
                                           .row = s->asks ? (int32_t)s->row : -1,
                                           .k = s->asks ? (int32_t)s->k : -1};
    struct wsim_picture picture;
    struct wsim_diag advice;
    struct page page;
    uint32_t cursor = 0;
    snprintf(title, sizeof title, "%s of %s: %u rows of %u k, %s-major, by descriptor %016" PRIx64,
             wsim_operand_name(s->operand), s->spelling, s->tile.rows, s->tile.k,
             s->tile.mn_major ? "MN" : "K", s->bits);
    wsim_picture_descriptor(&tile, &picture);
    if (format == TOOL_CSV)
        return picture_print(&picture, format);
    page_open(&page, title);
    page_line(&page, WSIM_LINES_ABOVE,
              "start 0x%05x, leading 0x%05x, stride 0x%05x, base offset %u, swizzle %s",
              (unsigned)s->d.start, (unsigned)s->d.leading, (unsigned)s->d.stride, s->d.base_offset,
              wsim_swizzle_name(s->d.mode));
    page_picture(&page, &picture);
    while (next_advice(s, &cursor, &advice))
        page_line(&page, WSIM_LINES_BELOW, "advice: %s", advice.text);
    return page_print(&page, format);
}

static void print_text(const struct subject *s) {
    struct wsim_diag advice;
    uint32_t cursor = 0;
    desc_print(s->bits, &s->d);
    screen_fold(2, "%s of %s: %u rows of %u k, %s-major", wsim_operand_name(s->operand),
                s->spelling, s->tile.rows, s->tile.k, s->tile.mn_major ? "MN" : "K");
    printf("bytes 0x%05x to 0x%05x\n", (unsigned)s->lowest, (unsigned)s->highest);
    if (s->asks)
        printf("row %u, k %u at 0x%05x\n", (unsigned)s->row, (unsigned)s->k,
               (unsigned)wsim_descriptor_address(&s->d, &s->tile, s->row, s->k));
    if (s->has_map && !s->match.differs)
        screen_fold(2, "map: %u of %u elements are in the box, each where the copy puts it",
                    s->match.inside, s->match.elements);
    while (next_advice(s, &cursor, &advice))
        screen_fold(2, "advice: %s", advice.text);
}

int desc_check(const char **args, const struct desc_options *options, enum tool_format format) {
    struct subject s = {.asks = 0};
    struct wsim_diag advice;
    uint32_t cursor = 0;
    int status = read_operand(args, options, &s);
    if (status == TOOL_GO)
        status = read_map(options, &s);
    if (status != TOOL_GO)
        return status;
    find_range(&s);
    if (format == TOOL_JSON)
        print_json(&s);
    else if (format == TOOL_TEXT)
        print_text(&s);
    else if ((status = print_picture(&s, format)) != TOOL_FINE)
        return status;
    return next_advice(&s, &cursor, &advice) ? TOOL_FOUND : TOOL_FINE;
}
