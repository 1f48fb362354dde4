/* What wsim layout prints beside pictures: the elements that were asked for, and JSON. */
#include "layout_print.h"
#include "../common/tool.h"

int layout_is_list(const struct wsim_fragment_query *q) {
    return q->lane >= 0 || q->reg >= 0 || q->row >= 0 || q->col >= 0;
}

static void print_list(const char *operand, const struct wsim_layout *layout,
                       const struct wsim_fragment_query *query) {
    struct layout_entry e;
    unsigned cursor = 0;
    while (layout_next(layout, query, &cursor, &e)) {
        printf("%-3s %s %2u  reg %u", operand, layout_holder(layout), e.place.lane, e.place.reg);
        if (layout->elem_bits == 64)
            printf("-%u", e.place.reg + 1u);
        else if (layout->elem_bits < 32)
            printf("  bits %2u..%-2u", e.place.lsb, e.place.lsb + layout->elem_bits - 1u);
        printf("  element %2u  row %2u  col %2u", e.place.elem, e.coord.row, e.coord.col);
        if (layout->batches > 1)
            printf("  #%u", e.coord.batch);
        putchar('\n');
    }
}

void layout_print_list(const struct wsim_fragments *f) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (f->has >> i & 1)
            print_list(wsim_operand_name((enum wsim_operand)i), &f->layout[i], &f->only);
}

static json_t *operand_json(const char *operand, const struct wsim_layout *layout,
                            const struct wsim_fragment_query *query) {
    json_t *places = json_array();
    struct layout_entry e;
    unsigned cursor = 0;
    while (layout_next(layout, query, &cursor, &e))
        json_array_append_new(
            places, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "lane", e.place.lane, "reg",
                              e.place.reg, "bit", e.place.lsb, "element", e.place.elem, "batch",
                              e.coord.batch, "row", e.coord.row, "col", e.coord.col));
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o}", "operand", operand, "layout",
                     layout->name, "format", layout->format->name, "element_bits",
                     layout->elem_bits, "registers", layout->regs, "batches", layout->batches,
                     "rows", layout->rows, "cols", layout->cols, "places", places);
}

void layout_print_json(const struct wsim_fragments *f) {
    json_t *operands = json_array();
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (f->has >> i & 1)
            json_array_append_new(operands, operand_json(wsim_operand_name((enum wsim_operand)i),
                                                         &f->layout[i], &f->only));
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s?, s:o}", "schema", "wsim.layout", "version", 1,
                              "spelling", f->spelling, "arch",
                              f->arch ? wsim_arch_name(f->arch) : NULL, "operands", operands));
}
