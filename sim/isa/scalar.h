/* scalar.h - the rows of scalar.def, and what an operation of them means in flat fields. */
#ifndef WSIM_ISA_SCALAR_H
#define WSIM_ISA_SCALAR_H

#include "isa.h"

#include <wsim/scalar.h>

/* The part of the engine that executes a method. */
enum scalar_kind {
    SCALAR_COMPUTES,  /* registers of one lane to registers of one lane: sim/lane */
    SCALAR_MOVES,     /* lists of them                                              */
    SCALAR_ADDRESSES, /* needs to know where windows lie                            */
    SCALAR_ACCESSES,  /* memory                                                     */
    SCALAR_HINTS,     /* nothing that a result depends on                           */
    SCALAR_JUMPS,     /* goes elsewhere than to the next instruction                */
    SCALAR_GATHERS,   /* lanes of a warp together                                   */
    SCALAR_WAITS,     /* for other threads or for copies, or lets others go on      */
    SCALAR_ORDERS,    /* fences                                                     */
    SCALAR_UNKNOWN    /* nothing: what it computes was not measured                 */
};

enum scalar_method {
#define METHOD(id, name, kind) SCALAR_METHOD_##id,
#include "scalar_words.def"
    SCALAR_METHODS
};

/* 0: no type. */
enum scalar_type {
    SCALAR_NO_TYPE,
#define SCALAR_TYPE(id, name, bits, elements, element_bits, letter, format) SCALAR_TYPE_##id,
#include "scalar_words.def"
    SCALAR_TYPES
};

struct isa_scalar_type {
    const char *name;
    uint8_t bits;     /* of the register                                        */
    uint8_t elements; /* numbers in it, and the bits of each                    */
    uint8_t element_bits;
    char letter;    /* 'b' 'u' 's' 'f' 'p'                                    */
    uint8_t format; /* enum isa_format of an element; FORMAT_NONE: no number  */
};
extern const struct isa_scalar_type isa_scalar_types[SCALAR_TYPES];

enum scalar_rounding {
    SCALAR_NO_ROUNDING, /* not written: to nearest even where something is rounded; the assembler
                           may fuse */
    SCALAR_RN,
    SCALAR_RZ,
    SCALAR_RM,
    SCALAR_RP,
    SCALAR_RNA, /* to nearest, ties away from zero */
    SCALAR_RS   /* stochastic                      */
};
enum scalar_approx { SCALAR_EXACT, SCALAR_APPROX, SCALAR_FULL };
enum scalar_half { SCALAR_NO_HALF, SCALAR_LO, SCALAR_HI, SCALAR_WIDE };
enum scalar_shift { SCALAR_NO_SHIFT, SCALAR_WRAP, SCALAR_CLAMP };
enum scalar_permute {
    SCALAR_NO_PERMUTE, /* as the selectors of c say */
    SCALAR_F4E,
    SCALAR_B4E,
    SCALAR_RC8,
    SCALAR_ECL,
    SCALAR_ECR,
    SCALAR_RC16
};
/* lo, ls, hi and hs of unsigned numbers are lt, le, gt and ge. */
enum scalar_compare {
    SCALAR_NO_COMPARE,
    SCALAR_EQ,
    SCALAR_NE,
    SCALAR_LT,
    SCALAR_LE,
    SCALAR_GT,
    SCALAR_GE,
    SCALAR_EQU, /* these are also true if an operand is NaN */
    SCALAR_NEU,
    SCALAR_LTU,
    SCALAR_LEU,
    SCALAR_GTU,
    SCALAR_GEU,
    SCALAR_NUM,
    SCALAR_NAN
};
enum scalar_test {
    SCALAR_NO_TEST,
    SCALAR_FINITE,
    SCALAR_INFINITE,
    SCALAR_NUMBER,
    SCALAR_NOTANUMBER,
    SCALAR_NORMAL,
    SCALAR_SUBNORMAL
};
enum scalar_operation {
    SCALAR_NO_OPERATION,
    SCALAR_ADD,
    SCALAR_MIN,
    SCALAR_MAX,
    SCALAR_INC,
    SCALAR_DEC,
    SCALAR_AND,
    SCALAR_OR,
    SCALAR_XOR,
    SCALAR_EXCH,
    SCALAR_CAS,
    SCALAR_POPC
};
enum scalar_space {
    SCALAR_GENERIC, /* none is written */
    SCALAR_GLOBAL,
    SCALAR_SHARED,
    SCALAR_LOCAL,
    SCALAR_CONST,
    SCALAR_PARAM
};
/* The word after the :: of a space. */
enum scalar_window {
    SCALAR_NO_WINDOW,
    SCALAR_WINDOW_CTA,
    SCALAR_WINDOW_CLUSTER,
    SCALAR_WINDOW_ENTRY,
    SCALAR_WINDOW_FUNC
};
enum scalar_order {
    SCALAR_NO_ORDER,
    SCALAR_WEAK,
    SCALAR_VOLATILE,
    SCALAR_RELAXED,
    SCALAR_ACQUIRE,
    SCALAR_RELEASE,
    SCALAR_ACQ_REL,
    SCALAR_SC
};
enum scalar_scope {
    SCALAR_NO_SCOPE,
    SCALAR_SCOPE_CTA,
    SCALAR_SCOPE_CLUSTER,
    SCALAR_SCOPE_GPU,
    SCALAR_SCOPE_SYS
};
enum scalar_proxy {
    SCALAR_NO_PROXY,
    SCALAR_PROXY_ALIAS,
    SCALAR_PROXY_ASYNC, /* `space`: which memory; SCALAR_GENERIC: all */
    SCALAR_PROXY_TENSORMAP,
    SCALAR_PROXY_ASYNC_GENERIC
};
enum scalar_policy { SCALAR_NO_POLICY, SCALAR_FRACTIONAL, SCALAR_RANGE, SCALAR_CONVERTED };
enum scalar_shuffle { SCALAR_NO_SHUFFLE, SCALAR_UP, SCALAR_DOWN, SCALAR_BFLY, SCALAR_IDX };
enum scalar_vote { SCALAR_NO_VOTE, SCALAR_ALL, SCALAR_ANY, SCALAR_UNI, SCALAR_BALLOT };

/* Collector buffers: 0 is that of A, 1 to 4 are those of B. */
enum scalar_collector {
    SCALAR_COLLECTOR_FILL = 1,
    SCALAR_COLLECTOR_USE,
    SCALAR_COLLECTOR_LASTUSE,
    SCALAR_COLLECTOR_DISCARD
};
#define SCALAR_COLLECTOR(buffer, what) (8 * (buffer) + SCALAR_COLLECTOR_##what)

enum scalar_tensor_shape {
    SCALAR_NO_TENSOR_SHAPE,
    SCALAR_32X32B,
    SCALAR_16X64B,
    SCALAR_16X128B,
    SCALAR_16X256B,
    SCALAR_16X32BX2,
    SCALAR_128X256B, /* of copies */
    SCALAR_4X256B,
    SCALAR_128X128B,
    SCALAR_64X128B,
    SCALAR_32X128B
};
enum scalar_spread { SCALAR_NO_SPREAD, SCALAR_WARPX2_02_13, SCALAR_WARPX2_01_23, SCALAR_WARPX4 };

/* 0: none; otherwise one more than enum wsim_array_shape. */
enum scalar_geometry {
    SCALAR_NO_GEOMETRY,
#define TEXTURE_SHAPE(id, word, axes, layered, cube) SCALAR_GEOMETRY_##id,
#include "texture.def"
};
enum scalar_query {
    SCALAR_NO_QUERY,
#define QUERY(id, word) SCALAR_QUERY_##id,
#include "texture.def"
};
enum scalar_lookup { SCALAR_LOOKUP_BASE, SCALAR_LOOKUP_LEVEL, SCALAR_LOOKUP_GRADIENT };
enum scalar_boundary {
    SCALAR_NO_BOUNDARY,
    SCALAR_BOUNDARY_TRAP,
    SCALAR_BOUNDARY_CLAMP,
    SCALAR_BOUNDARY_ZERO
};

#define SCALAR_MOST_TYPES 3

/* The meaning of all words of an operation. Fields without a word are 0. A method reads only its
 * own fields; a word with another meaning elsewhere (.lo) can set others. */
struct scalar_meaning {
    uint8_t method, kind;            /* enum scalar_method, enum scalar_kind                  */
    uint8_t types;                   /* how many are written                                  */
    uint8_t type[SCALAR_MOST_TYPES]; /* enum scalar_type                           */
    uint8_t vector;                  /* registers in { }: 2, 4, 8; 0: no .v                   */

    /* numbers */
    uint8_t rounding; /* enum scalar_rounding                                  */
    uint8_t integral; /* cvt to a whole number: rni rzi rmi rpi                */
    uint8_t approx;   /* enum scalar_approx                                    */
    uint8_t ftz, sat, satfinite, relu, oob;
    uint8_t nan, xorsign, abs;   /* of min, max, redux                             */
    uint8_t carry_in, carry_out; /* addc subc madc; .cc                            */
    uint8_t half;                /* enum scalar_half                                      */
    uint8_t shift;               /* enum scalar_shift                                     */
    uint8_t left;                /* shf.l                                                 */
    uint8_t shiftamt;            /* bfind                                                 */
    uint8_t permute;             /* enum scalar_permute                                   */
    uint8_t compare;             /* enum scalar_compare                                   */
    uint8_t test;                /* enum scalar_test                                      */
    uint8_t operation; /* enum scalar_operation; of setp and set: what the comparison is combined
                          with, of video instructions the second operation      */
    uint8_t parts;     /* video: 2 or 4 numbers at once; 0: one                 */
    uint8_t scale;     /* vmad: 7 or 15                                         */
    uint8_t plus_one;  /* vmad.po                                               */

    /* memory */
    uint8_t space, window; /* enum scalar_space, enum scalar_window                */
    uint8_t to;            /* cvta.to: from a generic address                       */
    uint8_t order, scope;  /* enum scalar_order, enum scalar_scope                  */
    uint8_t mmio;
    uint8_t nc; /* ld.nc, ldu: read-only memory                          */
    uint8_t noftz;
    uint8_t cache_hint;    /* a last operand is a cache policy                      */
    uint8_t level;         /* prefetch, discard: 1 or 2                             */
    uint8_t policy;        /* enum scalar_policy                                    */
    uint8_t dimensions;    /* of a tensor                                           */
    uint8_t gathers, wide; /* rows that are named; im2col of the width alone     */

    /* tensor memory and its products */
    uint8_t blocks;       /* cta_group: 1 or 2                                    */
    uint8_t tensor_shape; /* enum scalar_tensor_shape                             */
    uint8_t times;        /* registers of a list for each of .xN; 0: one          */
    uint8_t halves;       /* pack::16b, unpack::16b                               */
    uint8_t spread;       /* copies: enum scalar_spread                           */
    uint8_t unpacks;      /* copies: elements of 4 or 6 bits become bytes         */
    uint8_t multicast;
    uint8_t products; /* enum isa_products of a kind                          */
    uint8_t factors;  /* scale factors of a row, where the words say it       */
    uint8_t sparse, stationary, row_shift;
    uint8_t collector; /* SCALAR_COLLECTOR; 0: not written                           */
    uint8_t stores;    /* wait::st                                             */
    uint8_t after;     /* fence::after_thread_sync                             */

    /* textures and surfaces */
    uint8_t geometry;  /* enum scalar_geometry                                 */
    uint8_t query;     /* enum scalar_query                                    */
    uint8_t lookup;    /* enum scalar_lookup                                   */
    uint8_t component; /* of tld4: 0 red to 3 alpha                            */
    uint8_t formatted; /* sust.p, sured.p                                      */
    uint8_t boundary;  /* enum scalar_boundary                                 */

    /* control and waiting */
    uint8_t uni;     /* bra, call, ret                                        */
    uint8_t aligned; /* all threads of the warp execute it together           */
    uint8_t shuffle; /* enum scalar_shuffle                                   */
    uint8_t vote;    /* enum scalar_vote; match: all or any                   */
    uint8_t proxy;   /* enum scalar_proxy                                     */
    uint8_t read;    /* bulk.wait_group.read                                  */
    uint8_t noinc, no_complete, parity, expect_tx;
    uint8_t launch; /* griddepcontrol.launch_dependents; 0: wait             */
    uint8_t mask;   /* pmevent                                               */
};

/* Checks what one more source needs of an architecture: wsim_scalar_info.again, or `needs` of the
 * last operand. */
enum wsim_status isa_scalar_need_again(const struct wsim_scalar *op, const struct wsim_arch *arch,
                                       struct wsim_diag *diag);

/* Fills *meaning. Returns 0 (and zeros) if *op is not an operation. */
int isa_scalar_meaning(const struct wsim_scalar *op, struct scalar_meaning *meaning);

/* The range of operand `index` if it is a written number: multiples of `step` in between, powers of
 * two if `step` is 0. `meaning` is that of *op. */
struct isa_range {
    uint64_t least, most, step;
};
struct isa_range isa_scalar_range(const struct wsim_scalar *op,
                                  const struct scalar_meaning *meaning, unsigned index);

/* The features that an operation needs, bit by enum isa_feature; *ptx: its first PTX version. */
uint32_t isa_scalar_needs(const struct wsim_scalar *op, uint16_t *ptx);

/* Refuses an operation of a row that targets no longer take. */
enum wsim_status isa_scalar_past(const struct wsim_scalar *op, struct wsim_diag *diag);

/* "add_int" */
const char *isa_scalar_method_name(enum scalar_method method);

/* The operation of access.def that counts an access of shared memory: of `bytes` a lane, or where
 * these are 0 of a type. 0: none counts it. */
int isa_scalar_access(enum scalar_method method, enum scalar_operation operation,
                      enum scalar_type type, unsigned bytes, struct wsim_op *op);

/* --- for sim/isa itself --- */

struct isa_scalar_row {
    const char *name, *spelling, *operands;
    uint8_t method, feature;
    uint16_t ptx, until;
    const char *source;
};
extern const struct isa_scalar_row isa_scalar_rows[];
extern const size_t isa_scalar_row_count;

/* A place of a spelling: its words, one after another. */
struct scalar_place {
    const char *at; /* "rn|rz|rm|rp" */
    size_t n;
    uint8_t optional; /* it may be left out  */
    uint8_t silent;   /* and changes nothing */
    uint8_t bound;    /* it is written if the place before it is, and only then */
    uint8_t behind;   /* bound, and it comes after that place in every order     */
    uint8_t fixed;    /* it belongs to the name: no word of another place stands before it */
};

/* Reads the place that begins at `text`; the next one, or NULL. */
const char *scalar_place_read(const char *text, struct scalar_place *place);

/* Whether place `p` is written as its row requires: present unless optional; a bound place together
 * with the place before it. */
static inline int scalar_is_filled(const struct scalar_place *place, const uint8_t *word,
                                   unsigned p) {
    if (place->bound)
        return (word[p] != 0) == (word[p - 1] != 0);
    return word[p] || place->optional;
}

/* Which of its words `word` is, from 1; 0: none. And the other way round: its length, 0: none. */
unsigned scalar_place_find(const struct scalar_place *place, const char *word, size_t n);
size_t scalar_place_word(const struct scalar_place *place, unsigned number, const char **word);

/* The row of an operation, NULL if it is none of the tables. */
const struct isa_scalar_row *scalar_row(const struct wsim_scalar *op);

/* The type that a word is; SCALAR_NO_TYPE: none. */
enum scalar_type scalar_type_find(const char *word, size_t n);

/* The first row with the first word of `text`, and the number of such rows; 0: none. */
size_t scalar_rows_find(const char *text, size_t *count);

/* The length of the fixed first words of a row. The second function returns the most of them that
 * `text` begins with; 0: no row has even the first word. */
size_t scalar_fixed(const struct isa_scalar_row *row);
size_t scalar_fixed_longest(const char *text);

/* Whether some place of a row allows a word. */
int scalar_row_has(const struct isa_scalar_row *row, const char *word, size_t n);

/* Reads a spelling without a word about one that no row has; whether a row has it. */
int scalar_match(const char *text, struct wsim_scalar *op);
int scalar_reads(const char *text);

/* The same of operations of matrices and copies (parse.c). */
int isa_op_match(const char *text, struct wsim_op *op);

/* One sentence about a spelling that no row has. */
enum wsim_status scalar_refuse(const char *text, struct wsim_diag *diag);

#endif
