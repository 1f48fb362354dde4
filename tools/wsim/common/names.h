/* names.h - values by the names of source code, drivers and shops; hints about misspelt words. */
#ifndef WSIM_NAMES_H
#define WSIM_NAMES_H

#include <stddef.h>
#include <wsim/wsim.h>

/* The edit distance from `text` to `name`: letters changed, left out, inserted or swapped with a
 * neighbour. Case in `text` is ignored. NAME_FAR: a word is longer than that. */
#define NAME_FAR 63
unsigned name_distance(const char *text, const char *name);

/* "; did you mean 'layout'?", or "" if no name is near. */
struct name_hint {
    char text[96];
};
struct name_hint name_near(const char *text, const char *const *names, size_t count);

/* A hint about a misspelt target or product. */
struct name_hint name_near_arch(const char *text);

/* wsim_tensor_called of swizzles; WSIM_SWIZZLES: none. */
enum wsim_swizzle name_swizzle(const char *text);

/* The types that a word means, as spellings have them, then NULL: "fp8" is e4m3 and e5m2. Any other
 * word means itself. */
#define NAME_TYPES 4
struct named_types {
    const char *type[NAME_TYPES];
};
struct named_types named_types(const char *text);

#endif
