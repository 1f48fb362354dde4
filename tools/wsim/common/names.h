/* names.h - the words that users type for values: as source code, drivers and shops write them, and
 * what was probably meant by a word that is none.
 */
#ifndef WSIM_NAMES_H
#define WSIM_NAMES_H

#include <stddef.h>
#include <wsim/wsim.h>

/* How many letters are to be changed, left out, put in or swapped with their neighbour to make
 * `name` of `text`; capitals in `text` count as small ones. NAME_FAR: one has more letters than
 * that. */
#define NAME_FAR 63
unsigned name_distance(const char *text, const char *name);

/* "; is 'layout' meant?", or "" where no name is near. */
struct name_hint {
    char text[96];
};
struct name_hint name_near(const char *text, const char *const *names, size_t count);

/* The target or product that was probably meant. */
struct name_hint name_near_arch(const char *text);

/* The number of an L2 promotion: "256B", "L2_256B", "CU_TENSOR_MAP_L2_PROMOTION_L2_256B"; -1. */
int name_l2(const char *text);

/* wsim_tensor_called of swizzles; WSIM_SWIZZLES: none. */
enum wsim_swizzle name_swizzle(const char *text);

/* The types that a word for several or another word for one means, as spellings have them ("fp8":
 * e4m3 and e5m2), the last NULL; a word that is none of these stands for itself. */
#define NAME_TYPES 4
struct name_types {
    const char *type[NAME_TYPES];
};
struct name_types name_types(const char *text);

#endif
