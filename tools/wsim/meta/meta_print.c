/* What wsim meta prints. */
#include "meta.h"
#include "../common/grid.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../common/screen.h"
#include "../common/table.h"

#include <stdlib.h>
#include <string.h>

static void print_head(const struct meta *meta) {
    const struct wsim_meta_pattern *p = &meta->pattern;
    screen_fold(2, "%s: %s%s, selector %u", meta->spelling, p->name,
                p->ordered ? " with ordered metadata" : "", (unsigned)meta->selector);
}

/* --- matrices --- */

struct shown {
    const struct wsim_layout *layout;
    const uint64_t *matrix;
};

static void matrix_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct shown *s = about;
    number_text(s->layout, s->matrix[(size_t)row * s->layout->cols + col], out);
}

static void number_head(const void *about, unsigned at, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u", at);
}

static void print_matrix(const char *title, const struct wsim_layout *layout,
                         const uint64_t *matrix) {
    struct shown shown = {layout, matrix};
    struct table table = {.rows = layout->rows,
                          .cols = layout->cols,
                          .corner = "row\\col",
                          .about = &shown,
                          .cell = matrix_cell,
                          .row_head = number_head,
                          .col_head = number_head};
    printf("\n%s, %u x %u %s\n", title, layout->rows, layout->cols, layout->format->name);
    table_print(&table);
}

static json_t *matrix_json(const struct wsim_layout *layout, const uint64_t *matrix) {
    json_t *rows = json_array();
    for (unsigned row = 0; row < layout->rows; row++) {
        json_t *list = json_array();
        for (unsigned col = 0; col < layout->cols; col++)
            json_array_append_new(list,
                                  number_json(layout, matrix[(size_t)row * layout->cols + col]));
        json_array_append_new(rows, list);
    }
    return rows;
}

static json_t *hex_json(const struct wsim_layout *layout, const uint32_t *words) {
    char *hex = operand_hex(layout, words);
    json_t *string = json_string(hex);
    free(hex);
    return string;
}

static json_t *head_json(const struct meta *meta, const char *action) {
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:b, s:i}", "schema", "wsim.meta", "version", 1,
                     "action", action, "spelling", meta->spelling, "pattern", meta->pattern.name,
                     "ordered", meta->pattern.ordered, "selector", (int)meta->selector);
}

/* --- lanes --- */

/* The rows and groups of which lane `lane` holds metadata under a selector: the first and the last
 * of each; 0: none. */
struct held {
    unsigned nibbles, row[2], group[2], nibble[2];
};

static struct held held_by(const struct meta *meta, unsigned lane, unsigned selector) {
    struct held held = {0, {UINT32_MAX, 0}, {UINT32_MAX, 0}, {UINT32_MAX, 0}};
    for (unsigned n = 0; n < meta->e.elems; n++) {
        struct wsim_coord at = wsim_layout_coord(&meta->e, lane, n);
        const unsigned number[] = {at.row, at.col, n};
        unsigned *const range[] = {held.row, held.group, held.nibble};
        if (at.batch != selector)
            continue;
        held.nibbles++;
        for (int i = 0; i < 3; i++) {
            if (number[i] < range[i][0])
                range[i][0] = number[i];
            if (number[i] > range[i][1])
                range[i][1] = number[i];
        }
    }
    return held;
}

static void put_held(struct grid *grid, const struct held *held) {
    if (!held->nibbles)
        grid_cell(grid, ".");
    else if (held->row[0] == held->row[1])
        grid_cell(grid, "row %u groups %u-%u, bits %u-%u", held->row[0], held->group[0],
                  held->group[1], 4 * held->nibble[0], 4 * held->nibble[1] + 3);
    else
        grid_cell(grid, "rows %u,%u groups %u-%u, bits %u-%u", held->row[0], held->row[1],
                  held->group[0], held->group[1], 4 * held->nibble[0], 4 * held->nibble[1] + 3);
}

static json_t *held_json(const struct meta *meta, unsigned lane, unsigned selector) {
    json_t *list = json_array();
    for (unsigned n = 0; n < meta->e.elems; n++) {
        struct wsim_coord at = wsim_layout_coord(&meta->e, lane, n);
        if (at.batch == selector)
            json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:i, s:i}", "selector", selector,
                                                  "lane", lane, "bit", 4 * n, "row", at.row,
                                                  "group", at.col));
    }
    return list;
}

int meta_print_lanes(const struct meta *meta, enum tool_format format) {
    static const char *const heads[] = {"selector 0", "selector 1", "selector 2", "selector 3",
                                        NULL};
    struct grid grid = grid_open(meta->e.lanes > WSIM_LANES ? "thread" : "lane", heads);
    if (format == TOOL_JSON) {
        json_t *root = head_json(meta, "lanes"), *list = json_array();
        json_object_del(root, "selector");
        for (unsigned s = 0; s < meta->pattern.selectors; s++)
            for (unsigned lane = 0; lane < meta->e.lanes; lane++) {
                json_t *some = held_json(meta, lane, s);
                json_array_extend(list, some);
                json_decref(some);
            }
        json_object_set_new(root, "nibbles", list);
        tool_print_json(root);
        return TOOL_FINE;
    }
    for (unsigned lane = 0; lane < meta->e.lanes; lane++) {
        grid_row(&grid, "%u", lane);
        for (unsigned s = 0; s < meta->pattern.selectors; s++) {
            struct held held = held_by(meta, lane, s);
            put_held(&grid, &held);
        }
    }
    screen_fold(2, "%s: %s, groups of %u columns; lanes that supply the metadata, by selector",
                meta->spelling, meta->pattern.name, meta->pattern.columns);
    grid_print(&grid);
    grid_free(&grid);
    return TOOL_FINE;
}

/* --- compressed --- */

static void print_metadata(const struct meta *meta) {
    static const char *const heads[] = {"e", "holds", NULL};
    struct grid grid = grid_open(meta->e.lanes > WSIM_LANES ? "thread" : "lane", heads);
    for (unsigned lane = 0; lane < meta->e.lanes; lane++) {
        struct held held = held_by(meta, lane, meta->selector);
        if (!held.nibbles)
            continue;
        grid_row(&grid, "%u", lane);
        grid_cell(&grid, "%08lx", (unsigned long)meta->words_e.words[lane]);
        put_held(&grid, &held);
    }
    puts("\ne, the metadata; the other lanes hold 0");
    grid_print(&grid);
    grid_free(&grid);
}

static void register_cell(const void *about, unsigned lane, unsigned reg, char out[TABLE_CELL]) {
    const struct meta *meta = about;
    snprintf(out, TABLE_CELL, "%08lx",
             (unsigned long)meta->words_a.words[reg * meta->a.lanes + lane]);
}

static void register_head(const void *about, unsigned reg, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "a%u", reg);
}

static void print_registers(const struct meta *meta) {
    struct table table = {.rows = meta->a.lanes,
                          .cols = meta->a.regs,
                          .corner = meta->a.lanes > WSIM_LANES ? "thread" : "lane",
                          .about = meta,
                          .cell = register_cell,
                          .row_head = number_head,
                          .col_head = register_head};
    puts("\na in registers (--format json has them as wsim exec reads them)");
    table_print(&table);
}

int meta_print_compressed(const struct meta *meta, enum tool_format format) {
    uint64_t *a = memory_make((size_t)meta->a.rows * meta->a.cols, sizeof *a);
    wsim_words_unpack(&meta->a, meta->words_a.words, a);
    if (format == TOOL_JSON) {
        json_t *root = head_json(meta, "compress");
        json_object_update_new(root, json_pack("{s:{s:s, s:o, s:o}, s:{s:o}}", "a", "format",
                                               meta->a.format->name, "hex",
                                               hex_json(&meta->a, meta->words_a.words), "matrix",
                                               matrix_json(&meta->a, a), "e", "hex",
                                               hex_json(&meta->e, meta->words_e.words)));
        tool_print_json(root);
    } else {
        print_head(meta);
        print_matrix("a, compressed", &meta->a, a);
        print_registers(meta);
        print_metadata(meta);
    }
    free(a);
    return TOOL_FINE;
}

/* As --dense reads it. */
static void print_csv(const struct wsim_layout *layout, const uint64_t *matrix) {
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned col = 0; col < layout->cols; col++) {
            char number[NUMBER_TEXT];
            number_text(layout, matrix[(size_t)row * layout->cols + col], number);
            printf("%s%s", number, col + 1u < layout->cols ? "," : "\n");
        }
}

int meta_print_expanded(const struct meta *meta, enum tool_format format) {
    if (format == TOOL_JSON) {
        json_t *root = head_json(meta, "expand");
        json_object_set_new(root, "matrix", matrix_json(&meta->dense, meta->matrix));
        tool_print_json(root);
        return TOOL_FINE;
    }
    if (format == TOOL_CSV) {
        print_csv(&meta->dense, meta->matrix);
        return TOOL_FINE;
    }
    print_head(meta);
    print_matrix("a, dense", &meta->dense, meta->matrix);
    return TOOL_FINE;
}

/* --- findings --- */

static json_t *finding_json(const struct meta *meta, int matrix, const struct meta_finding *f) {
    unsigned first = f->group * meta->pattern.columns;
    json_t *root = json_pack("{s:i, s:i, s:i, s:i, s:s}", "row", f->row, "group", f->group, "first",
                             first, "last", first + meta->pattern.columns - 1u, "text", f->text);
    if (matrix)
        json_object_set_new(root, "nonzeros", json_integer(f->nonzeros));
    else
        json_object_update_new(root, json_pack("{s:i, s:i, s:i}", "lane", f->read.place.lane, "bit",
                                               f->read.place.lsb, "nibble", f->read.nibble));
    return root;
}

static void print_finding(const struct meta *meta, int matrix, const struct meta_finding *f) {
    unsigned first = f->group * meta->pattern.columns, last = first + meta->pattern.columns - 1u;
    char where[80] = "";
    if (!matrix)
        snprintf(where, sizeof where, " (lane %u, bits %u to %u: 0x%x)", f->read.place.lane,
                 f->read.place.lsb, f->read.place.lsb + 3u, f->read.nibble);
    screen_fold(4, "  row %u, group %u, columns %u to %u%s: %s", f->row, f->group, first, last,
                where, f->text);
}

/* The rule that all findings are of. */
static struct wsim_rule rule_of(int matrix) {
    struct wsim_rule rule = {.name = ""};
    wsim_rule_find(matrix ? "mma.pattern.exceeded" : "mma.metadata.undefined", &rule);
    return rule;
}

int meta_print_findings(const struct meta *meta, int matrix, enum tool_format format) {
    unsigned cursor = 0, found = 0;
    struct wsim_rule rule = rule_of(matrix);
    json_t *list = format == TOOL_JSON ? json_array() : NULL;
    struct meta_finding finding;
    if (!list)
        print_head(meta);
    for (; meta_next_finding(meta, matrix, &cursor, &finding); found++)
        if (list)
            json_array_append_new(list, finding_json(meta, matrix, &finding));
        else
            print_finding(meta, matrix, &finding);
    if (list) {
        json_t *root = head_json(meta, "check");
        json_object_update_new(root, json_pack("{s:s, s:o}", "rule", rule.name, "findings", list));
        tool_print_json(root);
    } else if (found) {
        screen_fold(2, "%u of %u groups break rule %s: %s [%s]", found,
                    (unsigned)meta->pattern.rows * meta->pattern.groups, rule.name, rule.meaning,
                    rule.source);
    } else {
        printf("all %u groups are defined\n", (unsigned)meta->pattern.rows * meta->pattern.groups);
    }
    return found ? TOOL_FOUND : TOOL_FINE;
}
