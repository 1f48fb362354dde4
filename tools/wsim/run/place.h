/* place.h - where in a launch file something stands: a path of names and numbers, from which line
 * and column are looked up when there is something to say.
 */
#ifndef WSIM_RUN_PLACE_H
#define WSIM_RUN_PLACE_H

#include <stddef.h>

/* The text that is read. Without `text` (a command line) places have no lines. */
struct place_source {
    const char *name;
    const char *text;
    size_t length;
};

/* One step of a path; those above stay where they are as long as it is used. */
struct place {
    const struct place_source *source;
    const struct place *up; /* NULL: the whole */
    const char *key;        /* NULL: the number `index` of a list */
    size_t index;
};

struct place place_root(const struct place_source *source);
struct place place_key(const struct place *up, const char *key);
struct place place_index(const struct place *up, size_t index);

/* "launches[0].args[2]", cut off where `room` ends. */
void place_path(const struct place *place, char *out, size_t room);

/* Line and column, from 1, where a place begins: of a member its name. 0, 0 without a text. */
void place_find(const struct place *place, unsigned *line, unsigned *col);

/* Says "FILE:LINE:COLUMN: PATH: ..." as tool_error does; TOOL_USAGE. */
int place_error(const struct place *place, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Between these what other parts say with tool_error is said of `place`. */
void place_begin(const struct place *place);
void place_end(void);

#endif
