/* near_name.h - the name of an instruction that a wrong spelling can have meant. */
#ifndef WSIM_SPELL_NEAR_NAME_H
#define WSIM_SPELL_NEAR_NAME_H

#include <stddef.h>
#include <wsim/isa.h>

/* A name that can have been meant. */
struct name_guess {
    const char *name;
    size_t length;         /* of the name                             */
    size_t end;            /* of its last word in the spelling        */
    const char *wrong;     /* the first word of the spelling that differs */
    unsigned edits, first; /* of the words; of the first of them */
    int is_short;          /* the spelling ends before the name does */
    int is_family;
    enum wsim_family family;
};

/* The nearest name that continues the first `known` characters of the spelling. If `right`, these
 * characters are a whole name. */
struct name_guess name_nearest(const char *text, size_t known, int right);

/* The length of the first word of the spelling if names of several words begin with it, else 0. */
size_t name_beginning(const char *text);

/* Whether `text` begins with one word that is not all of the name of any family, only its first. */
int name_is_beginning(const char *text);

#endif
