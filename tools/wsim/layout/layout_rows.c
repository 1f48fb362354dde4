/* Rows of memory of ldmatrix and stmatrix; see layout_rows.h. */
#include "layout_rows.h"
#include "../banks/lanes.h"
#include "../common/page.h"

/* A row: who gives its address, and who holds its elements. */
struct row {
    unsigned lane;
    struct wsim_coord at;
    uint32_t holders, regs; /* a bit each */
};

struct rows {
    const struct wsim_fragments *fragments;
    const struct wsim_layout *layout;
    const struct wsim_op *op;
};

static struct rows rows_of(const struct wsim_op *op, const struct wsim_fragments *fragments) {
    unsigned i = fragments->has >> WSIM_R & 1 ? WSIM_R : WSIM_D;
    return (struct rows){fragments, &fragments->layout[i], op};
}

enum { WORDS = 96 }; /* bytes of 32 numbers as ranges, at most 16 of them */

static void find_holders(const struct rows *rows, struct row *row) {
    row->holders = row->regs = 0;
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        for (unsigned e = 0; e < rows->layout->elems; e++) {
            struct wsim_coord at = wsim_layout_coord(rows->layout, lane, e);
            if (at.batch == row->at.batch && at.row == row->at.row) {
                row->holders |= UINT32_C(1) << lane;
                row->regs |= UINT32_C(1) << wsim_layout_place(rows->layout, lane, e).reg;
            }
        }
}

static int is_asked(int32_t question, unsigned answer) {
    return question < 0 || (unsigned)question == answer;
}

/* The next row that is asked for, from lane row->lane on; 0: there is none. */
static int next(const struct rows *rows, struct row *row) {
    const struct wsim_fragment_query *only = &rows->fragments->only;
    for (; wsim_move_row(rows->op, row->lane, &row->at, NULL) == WSIM_OK; row->lane++)
        if (is_asked(only->lane, row->lane) && is_asked(only->row, row->at.row) &&
            is_asked(only->batch, row->at.batch)) {
            find_holders(rows, row);
            return 1;
        }
    return 0;
}

/* "0-3,8". */
static void word_bits(uint32_t bits, char out[WORDS]) {
    const char *comma = "";
    size_t used = 0;
    unsigned first, last;
    for (first = 0; first < 32; first = last + 1) {
        for (last = first; last < 31 && (bits >> first & 1) && (bits >> (last + 1) & 1);)
            last++;
        if (bits >> first & 1)
            used += (size_t)snprintf(out + used, WORDS - used, "%s%u", comma, first);
        if (last > first)
            used += (size_t)snprintf(out + used, WORDS - used, "-%u", last);
        comma = bits >> first & 1 ? "," : comma;
    }
}

static void print_text(const struct rows *rows) {
    struct row row = {.lane = 0};
    char regs[WORDS], holders[WORDS];
    puts("lane gives  matrix  row  which is in registers of lanes");
    for (; next(rows, &row); row.lane++) {
        printf("%10u %7u %4u  ", row.lane, row.at.batch, row.at.row);
        word_bits(row.regs, regs);
        word_bits(row.holders, holders);
        printf("%s of %s\n", regs, holders);
    }
}

static int print_page(const struct rows *rows, enum tool_format format) {
    static const char *const heads[] = {"matrix", "row", "registers", "of lanes", NULL};
    struct grid grid = grid_open("lane", heads);
    struct row row = {.lane = 0};
    char regs[WORDS], holders[WORDS];
    struct page page;
    int status;
    for (; next(rows, &row); row.lane++) {
        word_bits(row.regs, regs);
        word_bits(row.holders, holders);
        grid_row(&grid, "%u", row.lane);
        grid_cell(&grid, "%u", row.at.batch);
        grid_cell(&grid, "%u", row.at.row);
        grid_cell(&grid, "%s", regs);
        grid_cell(&grid, "%s", holders);
    }
    page_open(&page, rows->fragments->spelling);
    page_grid(&page, "", "Which lane gives the address of which row, and who holds that row",
              &grid);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}

static void print_csv(const struct rows *rows) {
    struct row row = {.lane = 0};
    puts("lane,matrix,row,registers,holders");
    for (; next(rows, &row); row.lane++)
        printf("%u,%u,%u,0x%x,0x%08lx\n", row.lane, row.at.batch, row.at.row, (unsigned)row.regs,
               (unsigned long)row.holders);
}

static void print_json(const struct rows *rows) {
    struct row row = {.lane = 0};
    json_t *list = json_array();
    for (; next(rows, &row); row.lane++)
        json_array_append_new(list,
                              json_pack("{s:i, s:i, s:i, s:o, s:o}", "lane", (int)row.lane,
                                        "matrix", row.at.batch, "row", row.at.row, "registers",
                                        lanes_json(row.regs), "holders", lanes_json(row.holders)));
    tool_print_json(json_pack("{s:s, s:i, s:s, s:o}", "schema", "wsim.layout.addresses", "version",
                              1, "spelling", rows->fragments->spelling, "addresses", list));
}

int layout_rows(const struct wsim_op *op, const struct wsim_fragments *fragments,
                enum tool_format format) {
    struct rows rows = rows_of(op, fragments);
    const struct wsim_fragment_query *only = &fragments->only;
    struct row first = {.lane = 0};
    int there;
    if (!tool_moves_rows(op))
        return tool_error("--addresses: %s has no addresses of rows; ldmatrix and stmatrix do",
                          fragments->spelling);
    if (only->reg >= 0 || only->col >= 0)
        return tool_error("--addresses: rows are asked for by --lane, --row and --batch");
    if (format == TOOL_CUTE)
        return tool_error("--addresses: addresses can be text, json, csv, md, svg or html");
    there = next(&rows, &first);
    if (there && format & (TOOL_MARKDOWN | TOOL_SVG | TOOL_HTML))
        return print_page(&rows, format);
    if (format & (TOOL_TEXT | TOOL_JSON | TOOL_CSV))
        (format == TOOL_JSON ? print_json : format == TOOL_CSV ? print_csv : print_text)(&rows);
    if (there)
        return TOOL_FINE;
    tool_error("no lane of %s supplies the address of that row", fragments->spelling);
    return TOOL_FOUND;
}
