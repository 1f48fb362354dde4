/* print.h - wsim run --print and --trace: values of registers, operands and variables at chosen
 * lines, and each executed instruction in a file. */
#ifndef WSIM_RUN_PRINT_H
#define WSIM_RUN_PRINT_H

#include "../common/doc.h"
#include "../common/output.h"
#include "../look/value.h"
#include "source.h"

/* The options. */
struct print_options {
    char **places; /* --print            */
    char *trace;   /* --trace: a file     */
    char *block, *warp, *lane, *limit;
};

struct print;

/* Reads the options. *print is NULL if none was given. TOOL_GO, or TOOL_USAGE after an error
 * message. */
int print_open(const struct print_options *options, struct print **print);

/* Opens the file of the trace, ends it. TOOL_GO, or TOOL_USAGE after an error message. The session
 * is filled. */
int print_begin(struct print *print);
int print_end(struct print *print);
void print_close(struct print *print);

/* The look that collects; NULL of NULL. */
const struct wsim_look *print_look(const struct print *print);

/* TOOL_USAGE, after an error message, if a place has no instruction. */
int print_missing(const struct print *print);

/* The options for a program, as wire/look.h has them, to be freed; NULL: none was given. `trace`:
 * the files of traces begin so. TOOL_GO, or TOOL_USAGE after an error message. */
int print_json(const struct print_options *options, const char *trace, char **json);

/* The same as print_missing and print_state, of ../look/visits.h. */
int print_missing_at(const json_t *places);
void print_seen(struct doc *doc, const json_t *visits, const json_t *places, struct source *source);

/* States all that was seen; `source` has the texts of lines. */
void print_state(struct doc *doc, const struct print *print, struct source *source);

#endif
