/* umma.h - products of the Blackwell tensor core (tcgen05.mma): descriptors, preparation, and the
 * places of operands in tensor memory.
 *
 * The spelling of a tcgen05.mma has its kind only. Types, shape and signs come from an instruction
 * descriptor of 32 bits in a register:
 *
 *     struct wsim_umma umma = {.kind = WSIM_UMMA_F16, .blocks = 1};
 *     uint32_t word = 0x08100010; // an f16 product of 128 x 64
 *     wsim_umma_prepare(&umma, word, arch, 0, &code, &diag); // once for each descriptor
 *     wsim_run(&code, &io, &diag);                           // io.umma, code.h
 *
 * A and B lie in shared memory behind matrix descriptors, or A in tensor memory. D, scale factors
 * and metadata lie in tensor memory, 128 lanes of 512 columns of 32 bits in each block. An address
 * there is lane << 16 | column. A pair of blocks (cta_group::2) shares a product: each has half of
 * the rows of A and D, and half of the columns of B.
 * Source: PTX ISA 9.0, "TensorCore 5th Generation Family Instructions"; CUTLASS 4. */
#ifndef WSIM_UMMA_H
#define WSIM_UMMA_H

#include "scalar.h"
#include "wgmma.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_code; /* code.h */

enum { WSIM_TENSOR_LANES = 128, WSIM_TENSOR_COLUMNS = 512 };

/* --- forms --- */

enum wsim_umma_kind {
    WSIM_UMMA_F16, /* f16, bf16                                                               */
    WSIM_UMMA_TF32,
    WSIM_UMMA_F8F6F4,
    WSIM_UMMA_I8,
    WSIM_UMMA_MXF8F6F4, /* this and the following: block scale                                */
    WSIM_UMMA_MXF4,
    WSIM_UMMA_MXF4NVF4,
    WSIM_UMMA_KINDS
};

/* "f16", "mxf4nvf4" ...; NULL for anything else. */
WSIM_API const char *wsim_umma_kind_name(enum wsim_umma_kind kind);

/* The words of a spelling that decide a product. */
struct wsim_umma {
    uint8_t kind;       /* enum wsim_umma_kind                                                */
    uint8_t blocks;     /* cta_group: 1 or 2                                                  */
    uint8_t sparse;     /* .sp                                                                */
    uint8_t stationary; /* .ws                                                                */
    uint8_t factors;    /* block scale: scale factors of a row, 1, 2 or 4; 0: none            */
};

/* The form of an operation "tcgen05.mma ...". WSIM_ILLEGAL: it is another one; *umma is untouched
 * then. */
WSIM_API enum wsim_status wsim_umma_of(const struct wsim_scalar *op, struct wsim_umma *umma,
                                       struct wsim_diag *diag);

/* The evidence of the results of a product on `arch`, in the words of wsim_op_evidence; NULL: wsim
 * has no arithmetic for it. *source and *caveat may be NULL; *caveat is NULL without an open
 * question. */
struct wsim_umma_shape;
WSIM_API const char *wsim_umma_evidence(const struct wsim_umma *umma,
                                        const struct wsim_umma_shape *shape,
                                        const struct wsim_arch *arch, const char **source,
                                        const char **caveat);

/* Reads an atom of CuTe, such as SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256,
 * UMMA::Major::K, UMMA::Major::MN>. The arguments are the shape; _TS has A in tensor memory.
 * Errors: WSIM_SYNTAX. Source: CUTLASS 4, include/cute/arch/mma_sm100_umma.hpp. */
WSIM_API enum wsim_status wsim_umma_find(const char *name, struct wsim_umma *umma,
                                         struct wsim_umma_shape *shape, int *a_in_tensor,
                                         struct wsim_diag *diag);

/* --- instruction descriptors --- */

/* The types, the shape and the flags of an instruction descriptor. */
struct wsim_umma_shape {
    const struct wsim_format *a, *b, *d;
    const struct wsim_format *factor; /* of scale factors; NULL: no block scale                 */
    uint16_t m, n;        /* of the product; of a pair, of both blocks together            */
    uint8_t k;            /* rows of B                                                         */
    uint8_t saturate;     /* of integers: sums are clamped, they do not wrap                 */
    uint8_t selector;     /* sparse: which columns hold the metadata                         */
    uint8_t most_shift;   /* .ws: columns that a zero-column mask may shift, 0 8 16 32       */
    uint8_t trans[2];     /* of A and B: MN-major                                            */
    uint8_t negate[2];    /* of A and B                                                      */
    uint8_t factor_id[2]; /* of A and B: first byte of the words of scale factors            */
};

/* Reads an instruction descriptor for a form. Errors. WSIM_ILLEGAL: *umma is no form of
 * tcgen05.mma. WSIM_OPERAND: a field has a value that the form does not have, or bits of no field
 * are set. *shape is untouched then. */
WSIM_API enum wsim_status wsim_umma_decode(const struct wsim_umma *umma, uint32_t idesc,
                                           struct wsim_umma_shape *shape, struct wsim_diag *diag);

/* The descriptor of a shape; `k` of 0 is the usual one of the kind. Errors: as wsim_umma_decode;
 * WSIM_OPERAND (a type that the kind lacks). *idesc is untouched then. */
WSIM_API enum wsim_status wsim_umma_encode(const struct wsim_umma *umma,
                                           const struct wsim_umma_shape *shape, uint32_t *idesc,
                                           struct wsim_diag *diag);

/* A field of the descriptor. */
struct wsim_umma_field {
    const char *name;    /* "the type of A", "N / 8" ...                                       */
    uint8_t first, bits; /* where it is                                                        */
};

/* Steps through the fields that the descriptor of a form has, lowest bit first. Start with *cursor
 * 0. Returns 1 and fills *field, or returns 0 at the end. */
WSIM_API int wsim_umma_field_next(const struct wsim_umma *umma, uint32_t *cursor,
                                  struct wsim_umma_field *field);

/* --- matrix descriptors --- */

/* Encodes a matrix descriptor of tcgen05, 64 bits. Errors: as wsim_descriptor_encode; every swizzle
 * of enum wsim_swizzle with a code there is legal. */
WSIM_API enum wsim_status wsim_umma_matrix_encode(const struct wsim_descriptor *descriptor,
                                                  uint64_t *bits, struct wsim_diag *diag);

/* Decodes a matrix descriptor. Errors. WSIM_OPERAND: bits 46 to 48 are not 1, as in a descriptor of
 * wgmma. WSIM_OPERAND: reserved bits, or no such swizzle. WSIM_UNMODELLED: the leading offset is an
 * absolute address. *descriptor is untouched then. */
WSIM_API enum wsim_status wsim_umma_matrix_decode(uint64_t bits, struct wsim_descriptor *descriptor,
                                                  struct wsim_diag *diag);

/* The tile of A or B that one block of a product has in shared memory. wsim_descriptor_address has
 * the address of each element. Elements of 4 and 6 bits have a byte of K each, and 16 share the
 * first bytes of 16. Two elements of mxf4 and mxf4nvf4 share a byte. Errors: as
 * wsim_umma_decode; WSIM_ILLEGAL (`operand` is neither A nor B). */
WSIM_API enum wsim_status wsim_umma_tile(const struct wsim_umma *umma, uint32_t idesc,
                                         enum wsim_operand operand, struct wsim_tile *tile,
                                         struct wsim_diag *diag);

/* --- prepared --- */

/* Prepares a product: wsim_run executes *code with operands in io.umma. Flags are those of
 * wsim_prepare. Errors, which leave *code untouched: WSIM_ILLEGAL (`arch` has no tcgen05, or not
 * this kind), those of wsim_umma_decode, WSIM_UNMODELLED (no source says what this does). */
WSIM_API enum wsim_status wsim_umma_prepare(const struct wsim_umma *umma, uint32_t idesc,
                                            const struct wsim_arch *arch, uint32_t flags,
                                            struct wsim_code *code, struct wsim_diag *diag);

/* The place of an element in tensor memory, from the address of its operand on. */
struct wsim_umma_place {
    uint16_t lane, column;
    uint8_t block;     /* of a pair: 0 is the even one                                        */
    uint8_t bit, bits; /* of the word                                                         */
};

/* Place number `copy`, from 0, of an element; 0: it has no more. `row` and `col` count in the whole
 * product. WSIM_D: row and column. WSIM_A: row and stored k of an A in tensor memory. WSIM_E: row
 * and chunk of metadata, 4 bits each. WSIM_SFA: row and factor; WSIM_SFB: factor and column. 0 too
 * for an element or an operand that the product does not have. */
WSIM_API int wsim_umma_place_at(const struct wsim_code *code, enum wsim_operand operand,
                                unsigned row, unsigned col, unsigned copy,
                                struct wsim_umma_place *place);

/* --- loads and stores --- */

/* The place of bit `bit` of register `reg` (in written order) of thread `thread` of a tcgen05.ld or
 * tcgen05.st, from the address on. `split` is the immediate of shape 16x32bx2. Returns 1, or 0 if
 * *op is another operation or has no such register. */
WSIM_API int wsim_tensor_place_at(const struct wsim_scalar *op, unsigned thread, unsigned reg,
                                  unsigned bit, uint32_t split, struct wsim_umma_place *place);

/* Place number `copy`, from 0, of 32 bits that a tcgen05.cp moves, from the address on. `row`
 * counts rows of its source, and `word` the words of a row. With cta_group::2 each block of the
 * pair copies its own source to these places. 0: *op is another operation, or there is no such word
 * or place. 0 too for .b6x16_p32 and .b4x16_p64: no source says where the bits go. Source: CUTLASS
 * 4, the copy traits of SM100_UTCCP. */
WSIM_API int wsim_tensor_copied_at(const struct wsim_scalar *op, unsigned row, unsigned word,
                                   unsigned copy, struct wsim_umma_place *place);

/* Columns that a tcgen05.ld or tcgen05.st reaches in a row, from the address on, and for 16x32bx2
 * from the address with the split. 0: *op is another operation. */
WSIM_API unsigned wsim_tensor_columns(const struct wsim_scalar *op);

#ifdef __cplusplus
}
#endif
#endif
