/* desc.h - a descriptor and what it is used for, as `wsim desc` reads and prints it. */
#ifndef WSIM_DESC_H
#define WSIM_DESC_H

#include "../common/doc.h"
#include "../tma/tma_copy.h"

struct desc_options {
    char *start, *leading, *stride, *base, *swizzle, *row, *k, *map, *at;
    char *tile, *major, *arch;
    int mn_major;
};

/* --- tcgen05 (desc_umma.c) --- */

/* `wsim desc encode|decode` of an instruction descriptor: args[0] is the instruction. */
void desc_instruction(struct doc *doc, const char *action, const char **args);

/* Whether bits are a matrix descriptor of tcgen05: version 1. */
int desc_is_umma(uint64_t bits);

/* Whether --arch names a target of tcgen05; encodes for it. */
int desc_is_for_umma(const struct desc_options *o);
enum wsim_status desc_bits(const struct desc_options *o, const struct wsim_descriptor *d,
                           uint64_t *bits, struct wsim_diag *diag);

/* --- both --- */

/* Reads hex digits as a descriptor, of tcgen05 or not. *odd names bits that are set and have no
 * meaning. */
void desc_read(const char *text, int is_umma, uint64_t *bits, struct wsim_descriptor *d,
               struct wsim_diag *odd);

/* The bits in hex digits. */
enum { DESC_HEX = 17 };
void desc_hex(uint64_t bits, char out[DESC_HEX]);

/* States a descriptor, and advice about it. */
void desc_fields(struct doc *doc, const char *action, uint64_t bits,
                 const struct wsim_descriptor *d);
void desc_advice(struct doc *doc, const struct wsim_diag *advice, size_t count);

/* `wsim desc encode --tile`: the descriptors of a tile, one for each step along k. */
void desc_tile(struct doc *doc, const struct desc_options *options);

/* Turns the words after `encode`, a tile as people write it, into options. Without words nothing
 * changes. */
struct desc_words {
    char text[256];
    char *operand, *extents, *type;
};
void desc_words(const char **args, struct desc_words *words, struct desc_options *options);

/* `wsim desc check` on the words after it; *tile has to outlive the answer. */
int desc_check(struct doc *doc, const char **args, const struct desc_options *options,
               struct wsim_operand_tile *tile);

#endif
