/* wsim layout: which lane and register holds which element, asked from either side. */
#include "layout.h"
#include "tool.h"

#include <limits.h>
#include <string.h>

static const struct tool_help help = {
    "wsim layout", "SPELLING",
    "Prints who holds what: for each operand a table of lanes and registers, and one of rows and\n"
    "columns. With --lane, --reg, --row or --col (any of them) it lists the elements that these\n"
    "numbers leave, in order of lane and element. Rows and columns as in the manual: A is m x k,\n"
    "B is k x n; sparse A is the compressed matrix, metadata has one index pair a chunk of k;\n"
    "ldmatrix, stmatrix: rows of memory.\n"
    "A register is 32 bits; f64 elements take two. --batch is the matrix of a move or of m8n8k4,\n"
    "or the selector of metadata and scale factors.\n",
    "  wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --lane 5 --reg 1\n"
    "  wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --row 3 --col 5 --format csv\n"};

static int wants(int question, unsigned answer) {
    return question < 0 || (unsigned)question == answer;
}

static int matches(const struct wsim_layout *layout, const struct layout_query *q,
                   const struct layout_entry *e) {
    int second = layout->elem_bits == 64 && q->reg == e->place.reg + 1;
    return wants(q->lane, e->place.lane) && (second || wants(q->reg, e->place.reg)) &&
           wants(q->row, e->coord.row) && wants(q->col, e->coord.col) &&
           wants(q->batch, e->coord.batch);
}

int layout_next(const struct wsim_layout *layout, const struct layout_query *query,
                unsigned *cursor, struct layout_entry *entry) {
    while (*cursor >> layout->elem_log2 < WSIM_LANES) {
        unsigned lane = *cursor >> layout->elem_log2;
        unsigned elem = *cursor & ((1u << layout->elem_log2) - 1);
        ++*cursor;
        entry->place = wsim_layout_place(layout, lane, elem);
        entry->coord = wsim_layout_coord(layout, lane, elem);
        if (matches(layout, query, entry))
            return 1;
    }
    return 0;
}

/* --- the answers --- */

struct subject {
    const char *spelling;
    struct wsim_layout layout[WSIM_OPERANDS];
    int has[WSIM_OPERANDS];
};

static int is_table(const struct layout_query *q) {
    return q->lane < 0 && q->reg < 0 && q->row < 0 && q->col < 0;
}

static void print_list(const char *operand, const struct wsim_layout *layout,
                       const struct layout_query *query) {
    struct layout_entry e;
    unsigned cursor = 0;
    while (layout_next(layout, query, &cursor, &e)) {
        printf("%-3s lane %2u  reg %u", operand, e.place.lane, e.place.reg);
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

static void print_text(const struct subject *s, const struct layout_query *query) {
    const char *gap = "\n";
    int i;
    if (is_table(query))
        puts(s->spelling);
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i] && is_table(query)) {
            printf("%s", gap);
            layout_print_tables(tool_operands[i], &s->layout[i], query);
        } else if (s->has[i]) {
            print_list(tool_operands[i], &s->layout[i], query);
        }
}

static void print_csv(const struct subject *s, const struct layout_query *query) {
    int i;
    puts("operand,lane,reg,bit,bits,element,batch,row,col");
    for (i = 0; i < WSIM_OPERANDS; i++) {
        struct layout_entry e;
        unsigned cursor = 0;
        while (s->has[i] && layout_next(&s->layout[i], query, &cursor, &e))
            printf("%s,%u,%u,%u,%u,%u,%u,%u,%u\n", tool_operands[i], e.place.lane, e.place.reg,
                   e.place.lsb, s->layout[i].elem_bits, e.place.elem, e.coord.batch, e.coord.row,
                   e.coord.col);
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

static void print_json(const struct subject *s, const struct layout_query *query) {
    json_t *operands = json_array();
    int i;
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (s->has[i])
            json_array_append_new(operands, operand_json(tool_operands[i], &s->layout[i], query));
    tool_print_json(json_pack("{s:s, s:i, s:s, s:o}", "schema", "wsim.layout", "version", 1,
                              "spelling", s->spelling, "operands", operands));
}

/* --- the question --- */

static int out_of_range(const char *operand, const char *what, int value, unsigned count) {
    if (value < 0 || (unsigned)value < count)
        return TOOL_GO;
    return tool_error("--%s %d: operand %s has %s 0 to %u", what, value, operand, what, count - 1);
}

/* The first number that the operand does not have is told. */
static int say_range(const char *operand, const struct wsim_layout *layout,
                     const struct layout_query *q) {
    int status = out_of_range(operand, "lane", q->lane, WSIM_LANES);
    if (status == TOOL_GO)
        status = out_of_range(operand, "reg", q->reg, layout->regs);
    if (status == TOOL_GO)
        status = out_of_range(operand, "row", q->row, layout->rows);
    if (status == TOOL_GO)
        status = out_of_range(operand, "col", q->col, layout->cols);
    if (status == TOOL_GO)
        status = out_of_range(operand, "batch", q->batch, layout->batches);
    return status;
}

static int is_operand(const char *name, int operand) {
    return !name || strcmp(name, tool_operands[operand]) == 0;
}

static int in_range(const struct wsim_layout *layout, const struct layout_query *q) {
    return q->lane < WSIM_LANES && q->reg < layout->regs && q->row < layout->rows &&
           q->col < layout->cols && q->batch < layout->batches;
}

/* Fills the operands the question is about. A number may be too large for some operands, but not
 * for the one that was named, nor for all. */
static int select_operands(const struct wsim_op *op, const char *name,
                           const struct layout_query *query, struct subject *s) {
    struct wsim_diag diag = {0};
    int i, known = 0, found = 0, without = -1;
    for (i = 0; i < WSIM_OPERANDS; i++) {
        s->has[i] = is_operand(name, i) && ++known &&
                    wsim_op_layout(op, (enum wsim_operand)i, &s->layout[i], &diag) == WSIM_OK;
        if (s->has[i] && !in_range(&s->layout[i], query)) {
            s->has[i] = 0;
            without = without < 0 ? i : without;
        }
        found += s->has[i];
    }
    if (!known)
        return tool_error("unknown operand '%s': it can be a, b, c, d, e, sfa, sfb or r", name);
    if (!found && without >= 0)
        return say_range(tool_operands[without], &s->layout[without], query);
    if (!found && name)
        return tool_refused(NULL, &diag);
    if (!found)
        return tool_error("%s has no matrix operand; wsim banks shows what it accesses",
                          s->spelling);
    return TOOL_GO;
}

enum { NOT_GIVEN = INT_MIN };

static int refused(int number) {
    return number < 0 && number != NOT_GIVEN;
}

static int check_numbers(const struct layout_query *q) {
    if (refused(q->lane) || refused(q->reg) || refused(q->row) || refused(q->col) ||
        refused(q->batch))
        return tool_error("--lane, --reg, --row, --col and --batch count from 0");
    return TOOL_GO;
}

static int run(const char **args, const char *operand, const struct layout_query *query,
               enum tool_format format) {
    char spelling[WSIM_SPELLING_MAX];
    struct subject subject = {.spelling = spelling};
    struct wsim_op op;
    int status = tool_op(args, &op);
    if (status == TOOL_GO)
        status = check_numbers(query);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(&op, spelling);
    status = select_operands(&op, operand, query, &subject);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_TEXT)
        print_text(&subject, query);
    else if (format == TOOL_CSV)
        print_csv(&subject, query);
    else
        print_json(&subject, query);
    return TOOL_FINE;
}

int layout_main(int argc, const char **argv) {
    char *operand = NULL, *format_name = NULL;
    struct layout_query q = {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN};
    const struct poptOption table[] = {
        {"operand", 0, POPT_ARG_STRING, &operand, 0, "Only this: a b c d e sfa sfb r", "NAME"},
        {"lane", 0, POPT_ARG_INT, &q.lane, 0, "What this lane holds", "LANE"},
        {"reg", 0, POPT_ARG_INT, &q.reg, 0, "What this register holds", "REG"},
        {"row", 0, POPT_ARG_INT, &q.row, 0, "Who holds this row", "ROW"},
        {"col", 0, POPT_ARG_INT, &q.col, 0, "Who holds this column", "COL"},
        {"batch", 0, POPT_ARG_INT, &q.batch, 0, "Only this matrix or selector", "NUMBER"},
        {"format", 0, POPT_ARG_STRING, &format_name, 0, "text, json or csv", "FORMAT"},
        TOOL_OPTIONS_END};
    enum tool_format format;
    struct tool tool;
    int status = tool_open(&tool, argc, argv, table, &help);
    if (status == TOOL_GO)
        status = tool_format(format_name, TOOL_TEXT | TOOL_JSON | TOOL_CSV, &format);
    if (status == TOOL_GO)
        status = run(tool.args, operand, &q, format);
    tool_close(&tool);
    return status;
}
