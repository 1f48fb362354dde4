/* work.h - the private part of a prepared instruction: struct wsim_code holds it as bytes. */
#ifndef WSIM_EXEC_WORK_H
#define WSIM_EXEC_WORK_H

#include "../num/product.h"

#include <wsim/code.h>

#define WSIM_CODE_ELEMS 32 /* of a lane; of elements of 1 bit 32 count as one               */

/* Places of the elements of an operand: lane[l] ^ elem[e] is the index of element e of lane l in a
 * plane. The rows of the plane hold a power of two of columns. */
struct wsim_code_map {
    uint16_t lane[WSIM_LANES], elem[WSIM_CODE_ELEMS];
    uint8_t elems;  /* without copies                                                          */
    uint8_t copies; /* with them                                                               */
    uint8_t bits;   /* of an element in its register                                           */
    uint8_t regs;   /* 32-bit registers a lane has                                             */
};

/* The inverse, of C and D: every bit of a row and of a column flips bits of thread + 128 * element.
 */
struct wsim_code_place {
    uint16_t row[8], col[8];
    uint8_t bits, regs;
};

/* A matrix in memory: that of wmma.load and wmma.store, or the rows of a matrix move. */
struct wsim_code_memory {
    uint16_t across, along; /* elements a line, and lines                                      */
    uint8_t bits;           /* of an element in memory                                         */
    uint8_t by_rows;        /* wmma: a line is a row                                           */
    uint8_t addresses;      /* moves: lanes whose address is looked at                         */
    uint8_t fragment;       /* wmma: bytes that the ISA aligns address and lines to            */
    uint8_t align;          /* wmma: bytes that they have to be multiples of                   */
    uint8_t way;            /* how registers are words of the lines; 0: element by element     */
};

/* How the registers of a product form strips of 16 rows and groups of 8 columns, for a kernel
 * (sim/kernels/kernels.h). For a warpgroup, the registers are those of the first group of one
 * warp. */
struct wsim_code_strip {
    uint8_t path;           /* enum wsim_path; WSIM_PATH_PLAIN: there is no kernel             */
    uint8_t kernel;         /* its number among those of the path                              */
    uint8_t strips, groups; /* ... of columns                                                  */
    uint8_t regs_a;         /* registers of a strip of A, ...                                  */
    uint8_t regs_b, regs_c, regs_d;    /* ... of a group of B, C, D                               */
    uint8_t in_place;                  /* all registers are there, in the order of a strip        */
    uint8_t a[16], b[8], c[16], d[16]; /* which register is there; WSIM_CODE_NO_REG: none      */
};
#define WSIM_CODE_NO_REG 255

/* Places of metadata or scale factors of a row, in parts of a register counted through its lanes.
 * Every bit of a row (or column), of a part of the row and of the selector flips bits of that
 * number. */
struct wsim_code_pick {
    uint8_t row[4], part[2], select[4];
};

/* A product of tcgen05.mma beside its arithmetic. Row i of a block lies in one lane of each part of
 * tensor memory, and a part holds a share of the columns. */
struct wsim_code_tensor {
    uint32_t idesc;
    uint16_t rows;      /* that a block has                                                   */
    uint16_t part_cols; /* columns of a part                                                  */
    uint8_t blocks;     /* 1, or 2: a pair                                                    */
    uint8_t parts;      /* of the lanes: 1, 2 or 4                                            */
    uint8_t spread;     /* a part: 16 rows in each quarter of 32 lanes                        */
    uint8_t stationary; /* .ws                                                                */
    uint8_t most_shift; /* .ws: columns                                                       */
    uint8_t trans[2], negate[2]; /* of A and B                                                   */
    uint8_t narrow[2];    /* bits of an element if 16 of them share 16 bytes; 0: packed         */
    uint8_t factor_id[2]; /* first byte of the words of scale factors                           */
    uint8_t meta_halves;  /* metadata: two lanes hold the chunks of a row, 4 in each            */
};

struct wsim_code_work {
    struct wsim_code_product product;
    uint8_t door, counting; /* enum isa_door_id, enum wsim_counting                      */
    uint8_t warps;
    uint8_t banks, fragments; /* 1 + rows of banks.def; 0: none                                */
    uint8_t lanes, bytes;     /* of an access, and what each of them accesses                  */
    uint8_t along;            /* wmma: the elements of a register are neighbours in memory     */
    uint32_t shared_end;      /* no address of shared memory reaches it                        */
    struct wsim_code_map a, b, e, sfa, sfb; /* a: also what moves between registers and memory;
                                               e: then in which word of the lines each is        */
    struct wsim_code_place c, d;
    struct wsim_code_strip strip;
    struct wsim_code_pick meta, scale_a, scale_b; /* 4 nibbles; a byte                         */
    struct wsim_code_memory memory;
    struct wsim_code_tensor tensor;
};

_Static_assert(sizeof(struct wsim_code_work) <= WSIM_CODE_WORK,
               "code.h: the private part has room");
_Static_assert(offsetof(struct wsim_code, work) % _Alignof(struct wsim_code_work) == 0,
               "code.h: the private part is aligned");

static inline const struct wsim_code_work *work_of(const struct wsim_code *code) {
    return (const void *)code->work;
}

/* For functions that prepare. */
static inline struct wsim_code_work *work_to(struct wsim_code *code) {
    return (void *)code->work;
}

#endif
