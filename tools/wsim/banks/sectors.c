/* wsim banks for accesses of global memory: sectors and lines. */
#include "banks.h"
#include "../common/input.h"
#include "../common/text.h"

/* Refuses options of shared memory. */
static void check_options(const struct banks_options *options) {
    if (options->size || options->src || options->src_size || options->lines)
        tool_fail("--size, --src, --src-size and --lines apply to cp.async only");
    if (options->suggest || options->with || options->pitch || options->fail)
        tool_fail("--suggest, --with, --pitch and --fail-on-conflicts apply to shared "
                  "memory only: global memory has no banks");
    if (!options->addr)
        tool_fail("no addresses given, such as --addr 'lane * 4'");
}

static json_t *line_json(const struct wsim_sector_line *line) {
    json_t *sectors = json_array();
    for (unsigned s = 0; s < WSIM_SECTOR_LINE / WSIM_SECTOR; s++)
        if (line->turns[s])
            json_array_append_new(sectors,
                                  json_pack("{s:i, s:o, s:i}", "sector", (int)s, "lanes",
                                            doc_bits(line->lanes[s]), "counts", line->turns[s]));
    return json_pack("{s:I, s:o}", "line", (json_int_t)line->address, "sectors", sectors);
}

void sectors_state(struct doc *doc, const struct wsim_sectors *count) {
    doc_pack(doc, "{s:I, s:I, s:o}", "sectors", (json_int_t)count->sectors, "sectors_ideal",
             (json_int_t)count->ideal, "lines",
             count->lines_known ? json_integer(count->lines) : json_null());
    doc_list(doc, "touched");
    for (unsigned i = 0; i < count->nlines; i++)
        doc_set(doc, NULL, line_json(&count->line[i]));
    doc_leave(doc);
}

int sectors_answer(struct doc *doc, const struct wsim_instruction *access,
                   const struct banks_options *options, const struct wsim_address_sweep *let) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_sector_card card = {.spelling = spelling, .arch = tool_target(options->arch)};
    struct wsim_picture picture;
    struct wsim_diag diag;
    uint32_t offset[WSIM_LANES], mask = UINT32_MAX;
    uint64_t addr[WSIM_LANES];
    check_options(options);
    if (let->steps > 1)
        tool_fail("--let: give each name one value: sectors are counted for one access");
    tool_number("--mask", options->mask, UINT32_MAX, &mask);
    input_addresses_in(options->scope, "--addr", options->addr, offset);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        addr[lane] = offset[lane];
    if (wsim_sectors_count(access, card.arch, addr, mask, &card.count, &diag))
        tool_refuse(NULL, &diag);
    wsim_scalar_spell(&access->scalar, spelling, sizeof spelling);
    doc_pack(doc, "{s:s, s:s, s:I}", "spelling", spelling, "arch", wsim_arch_name(card.arch),
             "mask", (json_int_t)mask);
    doc_set(doc, "addresses", doc_numbers(offset, WSIM_LANES));
    sectors_state(doc, &card.count);
    wsim_picture_sectors(&card, &picture);
    doc_picture(doc, &picture);
    return doc_close(doc, TOOL_FINE);
}
