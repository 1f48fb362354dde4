/* json.h - JSON (RFC 8259) as a tree that keeps the place of each value in its text. */
#ifndef WSIM_LAUNCH_JSON_H
#define WSIM_LAUNCH_JSON_H

#include "../../sim/base/base.h"
#include "memory.h"

#include <stdint.h>

enum lf_kind { LF_NULL, LF_FALSE, LF_TRUE, LF_NUMBER, LF_STRING, LF_ARRAY, LF_OBJECT };

/* A value. Children are in the order of the text. */
struct lf_node {
    const struct lf_node *up; /* NULL: the whole text                                        */
    struct lf_node *first, *next;
    const char *key;    /* of a member of an object; NULL: an element of an array            */
    const char *text;   /* of a string its UTF-8, of a number its characters; NUL-terminated */
    uint32_t count;     /* children                                                          */
    uint32_t index;     /* number among the children of `up`, of a root the number of its text */
    uint32_t line, col; /* from 1: of a member the place of its key                          */
    uint8_t kind;       /* enum lf_kind                                                      */
};

/* Reads a text of one value. Errors: WSIM_SYNTAX (no JSON, more than LF_DEPTH levels, a name twice
 * in an object, \u0000), WSIM_NO_MEMORY. */
enum { LF_DEPTH = 32 };
enum wsim_status lf_json_read(const char *text, size_t size, struct lf_memory *memory,
                              struct lf_node *root, struct wsim_diag *diag);

/* A member of an object; NULL: there is none, or `node` is no object. */
const struct lf_node *lf_member(const struct lf_node *node, const char *key);

/* Up to 60 characters of a text from outside. */
struct lf_words {
    char text[64];
};
struct lf_words lf_cut(const char *text);

/* Refuses a value: "launches[0].args[2]: SENTENCE", with its line and column. */
enum wsim_status lf_refuse(struct wsim_diag *diag, const struct lf_node *at, enum base_rule rule,
                           const char *format, ...) BASE_PRINTF(4, 5);

/* Repeats *why with the path, line and column of a value. */
enum wsim_status lf_repeat(struct wsim_diag *diag, const struct lf_node *at,
                           const struct wsim_diag *why);

enum wsim_status lf_no_memory(struct wsim_diag *diag);

#endif
