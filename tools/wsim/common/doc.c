/* An answer is collected; see doc.h. */
#include "doc_parts.h"
#include "memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *format, va_list args) {
    va_list again;
    char *text;
    int length;
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = memory_make((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

static char *copy(const char *text) {
    return text ? memory_text(text, strlen(text)) : NULL;
}

struct doc *doc_open(enum tool_format format, const char *schema) {
    struct doc *doc = memory_make(1, sizeof *doc);
    doc->format = format;
    doc->at[0] = json_object();
    doc_pack(doc, "{s:s, s:i}", "schema", schema, "version", 1);
    return doc;
}

static void free_part(struct doc_part *part) {
    for (unsigned i = 0; i < part->cols; i++) {
        free(part->head[i].key);
        free(part->head[i].text);
    }
    for (size_t i = 0; i < (size_t)part->rows * part->cols; i++) {
        json_decref(part->cell[i].value);
        free(part->cell[i].text);
        free(part->cell[i].about);
    }
    free(part->line);
    free(part->head);
    free(part->shown);
    free(part->cell);
    free(part);
}

int doc_close(struct doc *doc, int status) {
    if (status == TOOL_GO)
        status = TOOL_FINE;
    if (status == TOOL_FINE || status == TOOL_FOUND) {
        assert(doc->depth == 0);
        if (doc->format == TOOL_JSON)
            tool_print_json(json_incref(doc->at[0]));
        else if (doc_write(doc) != TOOL_FINE)
            status = TOOL_USAGE;
    }
    for (size_t i = 0; i < doc->parts; i++)
        free_part(doc->part[i]);
    json_decref(doc->at[0]);
    free(doc->part);
    free(doc->title);
    free(doc);
    return status;
}

int doc_is(const struct doc *doc, unsigned formats) {
    return (doc->format & formats) != 0;
}

void doc_only(struct doc *doc, unsigned formats) {
    doc->only = formats;
}

/* Whether lines, tables and pictures stated now are shown. */
static int is_shown(const struct doc *doc) {
    return doc->format != TOOL_JSON && (!doc->only || (doc->only & doc->format));
}

/* --- values of JSON --- */

/* Puts a value into the open object, or at the end of the open list. */
static void put(struct doc *doc, const char *key, json_t *value) {
    json_t *at = doc->at[doc->depth];
    if (doc->format != TOOL_JSON)
        json_decref(value);
    else if (json_is_array(at))
        json_array_append_new(at, value ? value : json_null());
    else
        json_object_set_new(at, key, value ? value : json_null());
}

void doc_set(struct doc *doc, const char *key, json_t *value) {
    put(doc, key, value);
}

static json_t *pack(const char *format, va_list args) {
    json_t *members = json_vpack_ex(NULL, 0, format, args);
    if (!members)
        exit(tool_error("the answer cannot be written as JSON"));
    return members;
}

void doc_object(struct doc *doc, const char *key, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put(doc, key, pack(format, args));
    va_end(args);
}

void doc_pack(struct doc *doc, const char *format, ...) {
    json_t *members;
    va_list args;
    va_start(args, format);
    members = pack(format, args);
    va_end(args);
    if (doc->format == TOOL_JSON)
        json_object_update(doc->at[doc->depth], members);
    json_decref(members);
}

static void enter(struct doc *doc, const char *key, json_t *value) {
    assert(doc->depth + 1 < DOC_DEPTH);
    put(doc, key, value);
    doc->at[++doc->depth] = doc->format == TOOL_JSON ? value : NULL; /* its parent owns it */
}

void doc_enter(struct doc *doc, const char *key) {
    enter(doc, key, json_object());
}

void doc_list(struct doc *doc, const char *key) {
    enter(doc, key, json_array());
}

void doc_leave(struct doc *doc) {
    if (doc->table && doc->depth <= doc->row_depth) {
        doc->depth = doc->table_depth;
        doc->table = NULL;
        return;
    }
    assert(doc->depth > 0);
    doc->depth--;
}

json_t *doc_numbers(const uint32_t *number, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

json_t *doc_bits(uint32_t bits) {
    json_t *list = json_array();
    for (int bit = 0; bit < 32; bit++)
        if (bits >> bit & 1)
            json_array_append_new(list, json_integer(bit));
    return list;
}

/* --- lines --- */

static struct doc_part *add_part(struct doc *doc, enum doc_kind kind) {
    struct doc_part *part = memory_make(1, sizeof *part);
    part->kind = kind;
    doc->part = memory_grow(doc->part, (doc->parts + 1) * sizeof *doc->part);
    return doc->part[doc->parts++] = part;
}

void doc_title(struct doc *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    free(doc->title);
    doc->title = text_of(format, args);
    va_end(args);
}

static void add_line(struct doc *doc, const char *format, va_list args) {
    if (is_shown(doc))
        add_part(doc, DOC_LINE)->line = text_of(format, args);
}

void doc_line(struct doc *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_line(doc, format, args);
    va_end(args);
}

void doc_raw(struct doc *doc, const char *bytes, size_t size) {
    struct doc_part *part;
    if (doc->format != TOOL_TEXT)
        return;
    part = add_part(doc, DOC_RAW);
    part->line = memory_make(size, 1);
    memcpy(part->line, bytes, size);
    part->size = size;
}

void doc_gap(struct doc *doc) {
    doc_line(doc, "%s", "");
}

void doc_fact(struct doc *doc, const char *key, json_t *value, const char *format, ...) {
    va_list args;
    put(doc, key, value);
    va_start(args, format);
    add_line(doc, format, args);
    va_end(args);
}

/* --- tables --- */

static void add_column(struct doc_part *table, unsigned flags, const char *key, char *head) {
    assert(table->rows == 0);
    table->head = memory_grow(table->head, (table->cols + 1) * sizeof *table->head);
    table->head[table->cols++] = (struct doc_head){copy(key), head, flags};
}

void doc_table(struct doc *doc, const char *key, const struct doc_column *columns) {
    assert(!doc->table);
    doc->table = add_part(doc, DOC_TABLE);
    doc->table->is_hidden = !is_shown(doc);
    doc->table_depth = doc->depth;
    doc->has_rows = key != NULL;
    if (key)
        doc_list(doc, key);
    doc->row_depth = doc->depth;
    for (; columns && (columns->key || columns->head); columns++)
        add_column(doc->table, columns->flags, columns->key, copy(columns->head));
}

void doc_column(struct doc *doc, unsigned flags, const char *key, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_column(doc->table, flags, key, text_of(format, args));
    va_end(args);
}

int doc_has_lists(const struct doc_part *table) {
    for (unsigned i = 0; i < table->cols; i++)
        if (table->head[i].key && !*table->head[i].key)
            return 1;
    return 0;
}

void doc_row(struct doc *doc) {
    struct doc_part *table = doc->table;
    size_t cells = (size_t)table->rows * table->cols;
    if (doc->has_rows) {
        doc->depth = doc->table_depth + 1;
        enter(doc, NULL, doc_has_lists(table) ? json_array() : json_object());
        doc->row_depth = doc->depth;
    }
    table->used = 0;
    if (table->is_hidden)
        return;
    table->cell = memory_add(table->cell, table->rows, table->cols * sizeof *table->cell);
    memset(table->cell + cells, 0, table->cols * sizeof *table->cell);
    for (unsigned i = 0; i < table->cols; i++)
        table->cell[cells + i].hue = -1;
    table->rows++;
}

/* The last cell; NULL: it is not kept. */
static struct doc_cell *last_cell(struct doc *doc) {
    struct doc_part *table = doc->table;
    return table->is_hidden
               ? NULL
               : &table->cell[(size_t)(table->rows - 1) * table->cols + table->used - 1];
}

/* Puts the value where it is needed; the cell that gets the text, NULL: none does. */
static struct doc_cell *begin_cell(struct doc *doc, json_t *value) {
    struct doc_part *table = doc->table;
    const char *key = table->head[table->used].key;
    struct doc_cell *cell;
    assert(table->used < table->cols);
    table->used++;
    cell = last_cell(doc);
    if (doc->has_rows && key)
        put(doc, key, json_incref(value));
    if (cell && key && doc->format == TOOL_CSV)
        cell->value = json_incref(value);
    json_decref(value);
    return cell;
}

void doc_cell(struct doc *doc, json_t *value, const char *format, ...) {
    struct doc_cell *cell = begin_cell(doc, value);
    va_list args;
    va_start(args, format);
    if (cell)
        cell->text = text_of(format, args);
    va_end(args);
}

void doc_number(struct doc *doc, long long value) {
    doc_cell(doc, json_integer(value), "%lld", value);
}

void doc_word(struct doc *doc, const char *text) {
    doc_cell(doc, text ? tool_json_text(text) : NULL, "%s", text ? text : "");
}

void doc_row_of(struct doc *doc, const char *types, ...) {
    va_list args;
    va_start(args, types);
    doc_row(doc);
    for (; *types; types++)
        switch (*types) {
        case 'u': doc_number(doc, va_arg(args, unsigned)); break;
        case 'd': doc_number(doc, va_arg(args, int)); break;
        case 'U': doc_number(doc, (long long)va_arg(args, uint64_t)); break;
        case 's': doc_word(doc, va_arg(args, const char *)); break;
        default: doc_word(doc, NULL);
        }
    va_end(args);
}

void doc_shade(struct doc *doc, int value, unsigned flags) {
    struct doc_cell *cell = last_cell(doc);
    if (!cell)
        return;
    cell->hue = value;
    cell->flags |= flags;
}

void doc_about(struct doc *doc, const char *format, ...) {
    struct doc_cell *cell = last_cell(doc);
    va_list args;
    va_start(args, format);
    if (cell)
        cell->about = text_of(format, args);
    va_end(args);
}

/* --- panels and pictures --- */

struct wsim_panel *doc_panel(struct doc *doc) {
    assert(doc->parts);
    return &doc->part[doc->parts - 1]->panel;
}

void doc_heading(struct doc *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(doc_panel(doc)->heading, WSIM_CAPTION, format, args);
    va_end(args);
}

void doc_caption(struct doc *doc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(doc_panel(doc)->caption, WSIM_CAPTION, format, args);
    va_end(args);
}

/* The heading and the caption may be set even where the part is hidden. */
void doc_add_panel(struct doc *doc, const struct wsim_panel *panel) {
    struct doc_part *part = add_part(doc, DOC_PANEL);
    part->panel = *panel;
    part->is_hidden = !is_shown(doc);
}

void doc_picture(struct doc *doc, const struct wsim_picture *picture) {
    struct doc_part *part = add_part(doc, DOC_PICTURE);
    part->picture = *picture;
    part->is_hidden = !is_shown(doc);
}
