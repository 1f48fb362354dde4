/* candidates.h - values that a word begins, each printed once. */
#ifndef WSIM_CANDIDATES_H
#define WSIM_CANDIDATES_H

#include <stddef.h>

/* The typed part of a word: `head` stays unchanged ("--arch=", "a100,"), `text` is completed. */
struct candidates {
    const char *head;
    size_t head_length;
    const char *text;
    char **seen; /* cut at a dot: those that were offered */
    size_t count;
};

/* Prints `value` if it begins with the text (capitals as they are), with `about` (may be NULL). */
void candidate(const struct candidates *c, const char *value, const char *about);

/* Offers a value of many parts up to the first dot after the text, once. candidates_end prints
 * these and frees them; it offers a single one up to the dot where values differ. */
void candidate_part(struct candidates *c, const char *value);
void candidates_end(struct candidates *c);

#endif
