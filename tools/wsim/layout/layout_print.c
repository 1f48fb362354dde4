/* What wsim layout prints: the elements that were asked for, or the tables of all. */
#include "layout_print.h"
#include "layout_table.h"
#include "../common/screen.h"
#include "../common/tool.h"

#include <string.h>

static int is_table(const struct layout_query *q) {
    return q->lane < 0 && q->reg < 0 && q->row < 0 && q->col < 0;
}

static void print_list(const char *operand, const struct wsim_layout *layout,
                       const struct layout_query *query) {
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

/* Whether an operand of the answer is held like this on `arch`. */
static int holds_on(const struct layout_subject *s, const struct wsim_arch *arch) {
    struct wsim_layout layout;
    int same = 1;
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i])
            same = same &&
                   wsim_op_layout(s->op, arch, (enum wsim_operand)i, &layout, NULL) == WSIM_OK &&
                   memcmp(layout.lane, s->layout[i].lane, sizeof layout.lane) == 0 &&
                   memcmp(layout.elem, s->layout[i].elem, sizeof layout.elem) == 0;
    return same;
}

/* Says where the answer does not hold, if no architecture was named. */
static void print_head(const struct layout_subject *s) {
    char names[256] = "";
    const struct wsim_arch *arch;
    size_t n = 0;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL && n < sizeof names; i++)
        if (wsim_op_check(s->op, arch, NULL) == WSIM_OK && !holds_on(s, arch))
            n += (size_t)snprintf(names + n, sizeof names - n, " %s", wsim_arch_name(arch));
    if (s->arch)
        screen_fold(2, "%s on %s", s->spelling, wsim_arch_name(s->arch));
    else
        puts(s->spelling);
    if (!s->arch && n)
        printf("not so on%s (--arch)\n", names);
}

void layout_print_text(const struct layout_subject *s, const struct layout_query *query) {
    int i;
    if (is_table(query))
        print_head(s);
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i] && is_table(query)) {
            putchar('\n');
            layout_print_tables(wsim_operand_name((enum wsim_operand)i), &s->layout[i], query);
        } else if (s->has[i]) {
            print_list(wsim_operand_name((enum wsim_operand)i), &s->layout[i], query);
        }
}

void layout_print_csv(const struct layout_subject *s, const struct layout_query *query) {
    int i;
    puts("operand,lane,reg,bit,bits,element,batch,row,col");
    for (i = 0; i < WSIM_OPERANDS; i++) {
        struct layout_entry e;
        unsigned cursor = 0;
        while (s->has[i] && layout_next(&s->layout[i], query, &cursor, &e))
            printf("%s,%u,%u,%u,%u,%u,%u,%u,%u\n", wsim_operand_name((enum wsim_operand)i),
                   e.place.lane, e.place.reg, e.place.lsb, s->layout[i].elem_bits, e.place.elem,
                   e.coord.batch, e.coord.row, e.coord.col);
    }
}

static json_t *operand_json(const char *operand, const struct wsim_layout *layout,
                            const struct layout_query *query) {
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

void layout_print_json(const struct layout_subject *s, const struct layout_query *query) {
    json_t *operands = json_array();
    int i;
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i])
            json_array_append_new(operands, operand_json(wsim_operand_name((enum wsim_operand)i),
                                                         &s->layout[i], query));
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s?, s:o}", "schema", "wsim.layout", "version", 1,
                              "spelling", s->spelling, "arch",
                              s->arch ? wsim_arch_name(s->arch) : NULL, "operands", operands));
}
