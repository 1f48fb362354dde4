/* desc.h - a descriptor and what it is used for, as `wsim desc` reads and prints it. */
#ifndef WSIM_DESC_H
#define WSIM_DESC_H

#include "../tma/tma_copy.h"

struct desc_options {
    char *start, *leading, *stride, *base, *swizzle, *row, *k, *map, *at, *format;
    char *tile, *major;
    int mn_major;
};

/* Hex digits as a descriptor; *odd says that bits are set which mean nothing, and why. */
int desc_read(const char *text, uint64_t *bits, struct wsim_descriptor *d, struct wsim_diag *odd);

json_t *desc_json(const char *action, uint64_t bits, const struct wsim_descriptor *d);
void desc_csv(uint64_t bits, const struct wsim_descriptor *d);
void desc_print(uint64_t bits, const struct wsim_descriptor *d);

/* `wsim desc encode --tile`: the descriptors of a tile, one for each step along k. */
int desc_tile(const struct desc_options *options, enum tool_format format);

/* The words behind `encode`: a tile as people write it. They become options; none: nothing changes.
 */
struct desc_words {
    char text[256];
    char *operand, *extents, *type;
};
int desc_words(const char **args, struct desc_words *words, struct desc_options *options);

/* `wsim desc check` on what follows the word. */
int desc_check(const char **args, const struct desc_options *options, enum tool_format format);

#endif
