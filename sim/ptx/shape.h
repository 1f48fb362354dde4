/* shape.h - what the operands of an opcode have to be: looked up once a spelling. */
#ifndef WSIM_PTX_SHAPE_H
#define WSIM_PTX_SHAPE_H

#include "../isa/scalar.h"
#include "reader.h"

#define SHAPE_LISTS 4
#define SHAPE_ITEMS 12

/* The kind of an operand of a matrix instruction. */
enum shape_item {
    ITEM_FRAGMENT, /* one of the lists below, a descriptor of A, or one register without braces */
    ITEM_ADDRESS,
    ITEM_STRIDE,     /* can be left out */
    ITEM_DESCRIPTOR, /* 64 bits */
    ITEM_METADATA,   /* 32 bits: this, then the selector */
    ITEM_SELECTOR,
    ITEM_FACTORS_A, /* 32 bits: these, then { byte-id, thread-id } */
    ITEM_IDS_A,
    ITEM_FACTORS_B,
    ITEM_IDS_B,
    ITEM_SCALE_D, /* a predicate, 0 or 1 */
    ITEM_SIGN,    /* 1 or -1 */
    ITEM_TRANS_A, /* 0 or 1; absent if A is in registers */
    ITEM_TRANS_B,
    ITEM_GROUPS,  /* a literal number */
    ITEM_SIZE,    /* of cp.async */
    ITEM_READ,    /* how much of it is read, or whether none is; can be left out */
    ITEM_BYTES,   /* of a bulk copy */
    ITEM_MAP,     /* [tensor map, { coordinates }] */
    ITEM_OFFSETS, /* { } of im2col */
    ITEM_MASK,    /* of blocks, or of bytes */
    ITEM_POLICY,
    ITEM_ORDINAL, /* of a dimension of a tensor map: a literal number */
    ITEM_VALUE    /* of a field of it */
};

struct shape {
    /* of a scalar row */
    struct wsim_scalar_info info;
    uint8_t wide;         /* registers may be wider than their type                     */
    uint8_t any_address;  /* an address in a register may have 32 bits                  */
    uint8_t long_address; /* an address in [ ] has 64 bits                              */
    uint8_t compares;     /* set                                                        */
    uint8_t mixes;        /* f32 with a narrower source, which can be bits              */
    uint8_t signs;        /* registers may be negated                                   */
    uint8_t specials;     /* special registers may be sources; `copies`: of their type  */
    uint8_t copies;
    uint8_t accesses; /* ld st atom red: `space`, enum scalar_space                    */
    uint8_t space, stores;
    uint8_t lists;   /* a number is no list of numbers: st atom red                   */
    uint8_t handles; /* addresses are those of textures and surfaces                  */
    uint8_t calls;
    uint8_t products;   /* of tensor memory: addresses are bits, and nothing is a sum      */
    uint8_t exact;      /* f16x2 is no integer; lists hold no special registers            */
    uint8_t subscripts; /* a[1] without brackets is an address                             */
    uint8_t past;       /* this version of PTX has it no more for this target                */
    uint8_t maps;       /* f64, where that is f32: .target map_f64_to_f32                    */
    struct isa_range range[WSIM_SCALAR_OPERANDS]; /* of numbers that are written              */
    /* of a matrix instruction */
    uint8_t registers[SHAPE_LISTS]; /* in each of its first operands; 0: not checked */
    const char *type[SHAPE_LISTS];  /* of their elements; "": any register will do     */
    uint8_t wide_list[SHAPE_LISTS]; /* registers have 64 bits, not 32                  */
    uint8_t result[SHAPE_LISTS];    /* registers are written                           */
    uint8_t integers[SHAPE_LISTS];  /* elements are sums of integers                   */
    uint8_t descriptor;             /* A can be a register that describes a matrix     */
    uint8_t sizes;                  /* cp.async: struct wsim_op_info                   */
    uint8_t coordinates;            /* of a copy with a map, or of a texture           */
    uint8_t offsets;                /* of im2col                                       */
    uint8_t layered, axes;          /* of a texture: the first is a layer; of gradients */
    const char *coordinate;         /* type of the others                              */
    uint8_t bare;                   /* a fragment is a register, not a list of one     */
    uint8_t counted;                /* operands are the items                          */
    uint8_t items;
    uint8_t item[SHAPE_ITEMS];       /* enum shape_item, in written order               */
    uint8_t item_space[SHAPE_ITEMS]; /* of an address: enum scalar_space                */
    uint8_t selectors, blocks;
    uint8_t most;       /* of a field of a tensor map: a literal number; 0: bits    */
    uint8_t threads[2]; /* that thread-id of A and of B tells apart */
};

struct reader;
struct piece;

/* --- check_base.c --- */

/* The bases that an address may have. */
struct ptx_base {
    uint8_t handle;    /* of a texture or surface: a register of 64 bits           */
    uint8_t tensor;    /* of tensor memory: a register of 32 bits                   */
    uint8_t bits;      /* and of type .b32                                          */
    uint8_t stores;    /* the memory is written                                     */
    uint8_t wide;      /* 64 bits                                                   */
    uint8_t one_space; /* variables of `space`, an enum scalar_space                */
    uint8_t space;
};

/* Refuses a base in [ ] that is no address, or one of another state space. */
void ptx_check_base(struct reader *r, const struct ptx_opcode *opcode, unsigned number,
                    const struct ptx_operand *base, struct ptx_base takes, struct place at);

/* --- check_call.c --- */

/* Looks at the arguments of a call, whose operands are all pieces. */
void ptx_check_call(struct reader *r, struct place at);

/* --- check_matrix.c --- */

/* Refuses what is not a tensor map with the coordinates of the shape; offsets of another number. */
void ptx_check_map(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                   const struct piece *piece, unsigned number);
void ptx_check_offsets(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                       const struct piece *piece, unsigned number);

/* --- refuse.c --- */

/* "a register", "a list" ...: the kind of an operand. */
const char *ptx_kind_name(const struct ptx_operand *op);

/* Refuses the number of operands that are written: the opcode takes `least` to `most`. */
void ptx_refuse_count(struct reader *r, const struct ptx_opcode *opcode, unsigned least,
                      unsigned most, struct place at);

/* Refuses operand `number` (from 1) if it is a number outside `range`. Returns 0 if it refused. */
int ptx_check_range(struct reader *r, const struct ptx_opcode *opcode, unsigned number,
                    const struct ptx_operand *op, struct isa_range range, struct place at);

/* --- check_matrix.c --- */

void ptx_check_matrix(struct reader *r, const struct ptx_opcode *opcode, const struct shape *shape,
                      struct place at);

#endif
