/* text.h - text from outside, such as arguments and names of files, masked and cut for messages. */
#ifndef WSIM_TEXT_H
#define WSIM_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Replaces control characters, changes of the writing direction and bytes that are no UTF-8 by
 * '?'. */
void text_mask(char *text);

/* A copy of `size` bytes and a zero, masked except for ends of lines and tabs. */
void text_mask_lines(char *out, const char *bytes, size_t size);

/* The first characters of a text, masked; "..." replaces the rest. */
#define TEXT_CUT 60
struct cut_text {
    char text[TEXT_CUT + 4];
};
struct cut_text text_cut(const char *text);

/* The name of a file, masked; it is cut later, so that it can be found again. */
#define TEXT_PATH 512
struct path_text {
    char text[TEXT_PATH + 4];
};
struct path_text text_path(const char *path);

/* The numbers of the bits that are set, "0-3,8". */
enum { TEXT_BITS = 96 }; /* of 32 bits at most 16 ranges */
void text_bits(uint32_t bits, char out[TEXT_BITS]);

/* Whether a longer text ends with `end`. */
int text_ends(const char *text, const char *end);

/* The last name of a path. */
const char *text_name(const char *path);

/* A path below the current folder without that folder; others as they are. */
const char *text_below(const char *path);

/* A source in a line of a report: its path from the current folder, as compilers print it. A
 * source elsewhere has its last name. */
struct path_text text_source(const char *path);

#endif
