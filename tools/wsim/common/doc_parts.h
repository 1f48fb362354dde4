/* doc_parts.h - the parts of an answer, shared by doc.c, which collects them, and doc_write.c. */
#ifndef WSIM_DOC_PARTS_H
#define WSIM_DOC_PARTS_H

#include "doc.h"

struct doc_cell {
    json_t *value; /* for CSV; NULL: none */
    char *text, *about;
    int32_t hue;
    uint32_t flags;
};

struct doc_head {
    char *key, *text; /* NULL: not in JSON and CSV, not shown */
    unsigned flags;
};

enum doc_kind { DOC_LINE, DOC_RAW, DOC_TABLE, DOC_PANEL, DOC_PICTURE };

/* A line, a table, a panel or a picture. */
struct doc_part {
    enum doc_kind kind;
    char *line;
    size_t size; /* of DOC_RAW: bytes of `line` */
    struct wsim_panel panel;
    struct wsim_picture picture;
    struct doc_head *head;
    unsigned *shown; /* columns that are shown */
    struct doc_cell *cell;
    unsigned cols, rows, used; /* used: cells of the last row */
    int is_hidden;             /* only its values count       */
};

enum { DOC_DEPTH = 16 };

struct doc {
    enum tool_format format;
    unsigned only; /* formats of what follows */
    char *title;
    json_t *at[DOC_DEPTH]; /* of JSON: the root, ... the object or list that is open */
    unsigned depth;
    struct doc_part **part;
    size_t parts;
    struct doc_part *table;          /* that is open; NULL: none           */
    unsigned table_depth, row_depth; /* before it, and in its rows         */
    int has_rows;                    /* JSON has its rows                  */
};

/* Whether the rows of a table are lists in JSON. */
int doc_has_lists(const struct doc_part *table);

/* Prints everything but JSON: TOOL_FINE, or TOOL_USAGE after an error message. */
int doc_write(struct doc *doc);

#endif
