/* doc.h - the answer of a command, stated once and written as text, JSON, CSV, Markdown, SVG or
 * HTML.
 *
 *     struct doc *doc = doc_open(format, "wsim.arch");
 *     doc_title(doc, "Architectures");
 *     doc_table(doc, "architectures", columns);
 *     for each architecture {
 *         doc_row(doc);
 *         doc_word(doc, name);                                JSON "sm_90a", text sm_90a
 *         doc_cell(doc, json_integer(bytes), "%u", kib);      JSON 233472, text 228
 *     }
 *     doc_leave(doc);
 *     doc_fact(doc, "found", json_integer(n), "%u architectures", n);
 *     return doc_close(doc, TOOL_FINE);
 *
 * JSON has the values under their keys. Text and pages (Markdown, SVG, HTML) have the lines, tables
 * and pictures in the order stated. CSV has the first table or picture. Nothing is printed before
 * doc_close. A json_t that is passed belongs to the document afterwards; NULL is null.
 */
#ifndef WSIM_DOC_H
#define WSIM_DOC_H

#include "tool.h"

#ifdef __GNUC__
#define DOC_PRINTF(at) __attribute__((format(printf, at, at + 1)))
#else
#define DOC_PRINTF(at)
#endif

enum { DOC_PAGES = TOOL_MARKDOWN | TOOL_SVG | TOOL_HTML, DOC_SHOWN = TOOL_TEXT | DOC_PAGES };

struct doc;

/* A new answer; `schema` is its "schema" in JSON, of version 1. */
struct doc *doc_open(enum tool_format format, const char *schema);

/* Prints the answer if `status` is TOOL_GO, TOOL_FINE or TOOL_FOUND, and releases it. Answers
 * `status` (TOOL_FINE for TOOL_GO), or TOOL_USAGE after an error message. */
int doc_close(struct doc *doc, int status);

/* Whether the format of the answer is among `formats`. */
int doc_is(const struct doc *doc, unsigned formats);

/* Restricts lines, tables and pictures that follow to these formats; 0 lifts the restriction.
 * Values stay in JSON. */
void doc_only(struct doc *doc, unsigned formats);

/* --- values of JSON --- */

void doc_set(struct doc *doc, const char *key, json_t *value);

/* The members of an object, as json_pack takes them: doc_pack(doc, "{s:i, s:b}", "lane", 3,
 * "active", 1). */
void doc_pack(struct doc *doc, const char *format, ...);

/* An object of these members at `key`; in a list (`key` NULL) its next element. */
void doc_object(struct doc *doc, const char *key, const char *format, ...);

/* Values that follow are members of an object at `key`, until doc_leave. In a list (`key` NULL) of
 * its next element. */
void doc_enter(struct doc *doc, const char *key);

/* The objects that follow are elements of a list at `key`, until doc_leave. */
void doc_list(struct doc *doc, const char *key);
void doc_leave(struct doc *doc);

/* Numbers as a list, and the numbers of the bits that are set. */
json_t *doc_numbers(const uint32_t *number, size_t count);
json_t *doc_bits(uint32_t bits);

/* --- lines --- */

/* The title of a page; without one it is the first line. Text has no title. */
void doc_title(struct doc *doc, const char *format, ...) DOC_PRINTF(2);

/* A line. Where it is too wide, the rest is indented two columns further; an empty line begins a
 * paragraph. */
void doc_line(struct doc *doc, const char *format, ...) DOC_PRINTF(2);

/* Bytes that text has unchanged. */
void doc_raw(struct doc *doc, const char *bytes, size_t size);

/* An empty line. */
void doc_gap(struct doc *doc);

/* A value of JSON and the line that shows it. */
void doc_fact(struct doc *doc, const char *key, json_t *value, const char *format, ...)
    DOC_PRINTF(4);

/* --- tables --- */

enum doc_column_flags {
    DOC_LEFT = 1,    /* aligned left                                                           */
    DOC_FOLD = 2,    /* the last column, of sentences: text wraps it                           */
    DOC_KEEP = 4,    /* shown even if all its cells are empty                                  */
    DOC_HIDDEN = 16, /* not shown                                                            */
    DOC_ALONE = 8    /* not in CSV                                                             */
};

/* A column. `key` is its name in JSON and its head in CSV. NULL: the column is in neither. "": the
 * rows of JSON are lists, and CSV has no heads. `head` is its head in text and pages; NULL: the
 * column is not shown. */
struct doc_column {
    const char *key, *head;
    unsigned flags;
};

/* A table, until doc_leave: in JSON a list of objects at `key` (NULL: none). Ends `columns` with
 * {NULL, NULL, 0}; more can follow with doc_column. The first column that is shown has the heads of
 * rows. Values that are set after doc_row are members of the row's object. */
void doc_table(struct doc *doc, const char *key, const struct doc_column *columns);
void doc_column(struct doc *doc, unsigned flags, const char *key, const char *format, ...)
    DOC_PRINTF(4);
void doc_row(struct doc *doc);

/* The next cell of the row: its value in JSON, its text elsewhere. CSV has the value; of a fraction
 * and of a column without values the text. A list of strings is joined with blanks. */
void doc_cell(struct doc *doc, json_t *value, const char *format, ...) DOC_PRINTF(3);
void doc_number(struct doc *doc, long long value);
void doc_word(struct doc *doc, const char *text);

/* A row of numbers and words: 'u' unsigned, 'd' int, 'U' uint64_t, 's' text, '-' an empty cell. */
void doc_row_of(struct doc *doc, const char *types, ...);

/* Gives the last cell a colour: a value of the panel's hue. */
void doc_shade(struct doc *doc, int value, unsigned flags);

/* A sentence about the last cell, which HTML and SVG show while something points at it. */
void doc_about(struct doc *doc, const char *format, ...) DOC_PRINTF(2);

/* --- panels and pictures --- */

/* The heading of the section that begins with the last table or panel; a sentence about its
 * cells. */
void doc_heading(struct doc *doc, const char *format, ...) DOC_PRINTF(2);
void doc_caption(struct doc *doc, const char *format, ...) DOC_PRINTF(2);

/* The panel of the last table or panel, for hue, values, corner and note. */
struct wsim_panel *doc_panel(struct doc *doc);

/* A panel or a picture. The data of its generator has to outlive the answer. A picture alone is
 * written as it is, with its own title and lines. */
void doc_add_panel(struct doc *doc, const struct wsim_panel *panel);
void doc_picture(struct doc *doc, const struct wsim_picture *picture);

#endif
