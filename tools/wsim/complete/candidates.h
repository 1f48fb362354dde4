/* candidates.h - values that a word begins, each printed once. */
#ifndef WSIM_CANDIDATES_H
#define WSIM_CANDIDATES_H

#include <stddef.h>

/* What was typed of a word: `head` stays as it is ("--arch=", "a100,"), `text` is completed. */
struct candidates {
    const char *head;
    size_t head_length;
    const char *text;
    char **seen; /* cut at a dot: those that were offered */
    size_t count;
};

/* Prints `value` if it begins with the text (capitals as they are), with `about` (may be NULL). */
void candidate(const struct candidates *c, const char *value, const char *about);

/* The same of a value of many parts: it is offered up to the first dot behind the text, and only
 * once; candidates_end prints them and frees. A single one that goes on is offered up to where
 * there are several. */
void candidate_part(struct candidates *c, const char *value);
void candidates_end(struct candidates *c);

#endif
