/* scalar.h - instructions of one thread as rows: scalar, memory, control and synchronisation
 * instructions of PTX. wsim_scalar_run executes instructions that only compute, for one lane.
 *
 *     struct wsim_scalar op;
 *     uint64_t in[3] = {0x3f800000, 0x40000000, 0x40400000}, out[1];
 *     wsim_scalar_parse("fma.rn.ftz.f32", &op, &diag);
 *     wsim_scalar_run(&op, in, out, &diag);
 *
 * Matrix instructions and copies are operations of isa.h. The instructions ld, st, atom and red
 * have rows in both: here for their effect, there for the cost of their accesses to shared memory.
 * Source: PTX ISA 9.0, "Instruction Set"; the rows are sim/isa/scalar.def.
 */
#ifndef WSIM_SCALAR_H
#define WSIM_SCALAR_H

#include "isa.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_SCALAR_PLACES 16
#define WSIM_SCALAR_OPERANDS 8
#define WSIM_SCALAR_IN 16 /* words that wsim_scalar_run reads at most  */
#define WSIM_SCALAR_OUT 4 /* and writes                                */

/* An operation: a row of sim/isa/scalar.def, and for each place of its spelling the number of the
 * word there, from 1; 0: none. wsim_scalar_parse or wsim_scalar_next fill it. */
struct wsim_scalar {
    uint16_t row; /* from 1; 0: no operation */
    uint8_t word[WSIM_SCALAR_PLACES];
};

/* The kinds of operands. */
enum wsim_scalar_kind {
    WSIM_SCALAR_REGISTER, /* or an immediate, see `immediate`                                     */
    WSIM_SCALAR_ADDRESS,  /* [register or symbol + offset]                                        */
    WSIM_SCALAR_TENSOR,   /* [address of a tensor map, {coordinates}]                             */
    WSIM_SCALAR_OFFSETS,  /* { } of im2col offsets                                                */
    WSIM_SCALAR_LABEL,    /* a label                                                              */
    WSIM_SCALAR_TARGETS,  /* the name of a list of labels (.branchtargets)                        */
    WSIM_SCALAR_FUNCTION, /* a function, or a register that holds its address                     */
    WSIM_SCALAR_PROTOTYPE, /* the name of a prototype or of a list of functions */
    WSIM_SCALAR_LIST,    /* ( ) of operands                                                      */
    WSIM_SCALAR_TEXTURE, /* [handle or variable of a texture or surface, {coordinates}]           */
    WSIM_SCALAR_TUPLE    /* { } of gradients or offsets, as many as the texture has coordinates   */
};

struct wsim_scalar_operand {
    char name;         /* as in the manual: 'd' 'p' 'q' (results), 'a' 'b' 'c' ...                */
    uint8_t kind;      /* enum wsim_scalar_kind                                                   */
    uint8_t bits;      /* of each register: 1 (predicate), 8, 16, 32, 64, 128; addresses: 0       */
    uint8_t vector;    /* registers in { }; 1: one, without braces                                */
    uint8_t result;    /* 1: it is written; 2: _ can drop it; 3: _ has to drop it               */
    uint8_t pair;      /* 1: written after a bar, d|p                                             */
    uint8_t immediate; /* 0: never, 1: allowed, 2: required                                       */
    uint8_t optional;  /* 1: it may be missing; 2: and is, beside another operand that may be     */
    uint8_t packs;     /* 1: it can be { } of narrower registers that together have its bits      */
    uint8_t symbol;    /* 1: it can be a variable, parameter or function: its address             */
    uint8_t parts;     /* 1: it can name a part of the register, as in a.b1                       */
    uint8_t address;   /* 1: it is, or can be, an address of tensor memory in [ ]                 */
    uint8_t list;      /* 1: in { }, even if it is one register; 2: it may be                     */
    const char *type;  /* "f32", "pred", "b64" ...; "": none                                      */
    const char *needs; /* feature of architectures where it may be written; "": all               */
};

struct wsim_scalar_info {
    const char *row;     /* name of the row: "add_f32"                                            */
    const char *method;  /* "add_float": the function that executes it                            */
    const char *feature; /* that an architecture needs                                            */
    const char *source;  /* of the row's facts                                                    */
    uint16_t ptx;        /* first PTX version times 10; 0: no assembler takes it (rcp.approx.f64) */
    uint8_t computes;    /* 1: registers to registers of one lane: wsim_scalar_run executes it    */
    uint8_t operands;    /* their number, in written order                                        */
    struct wsim_scalar_operand operand[WSIM_SCALAR_OPERANDS];
    /* "": it takes these operands. A feature: architectures with it allow one more source like the
     * last. They apply the operation again to the result and that source (max.f32 d, a, b, c).
     * wsim_scalar_run does not take this source. */
    const char *again;
    /* First PTX version, times 10, that refuses it on targets since sm_70; 0: none does.
     * wsim_scalar_check refuses it, because it has no version. */
    uint16_t until;
};

/* Reads `text`, a whole spelling such as "add.rn.f32", into *op. Qualifiers may have any order that
 * is unambiguous. After an error *op is all zero bytes, which is no operation. Errors: as
 * wsim_op_parse; WSIM_UNMODELLED for instructions of PTX without rows in wsim. Matrix instructions
 * and copies are WSIM_SYNTAX here. */
WSIM_API enum wsim_status wsim_scalar_parse(const char *text, struct wsim_scalar *op,
                                            struct wsim_diag *diag);

/* Does wsim_scalar_parse, and reads atoms of CuTe for tensor memory: SM100_TMEM_LOAD_32dp32b4x,
 * SM100_TMEM_STORE_16dp256b1x_16b, SM100_UTCCP_128dp256bit_1cta. */
WSIM_API enum wsim_status wsim_scalar_find(const char *name, struct wsim_scalar *op,
                                           struct wsim_diag *diag);

/* Writes the spelling, with words in the order of the manual. Returns its length as snprintf does,
 * below WSIM_SPELLING_MAX. If *op is no operation, the text is empty and the length 0. */
WSIM_API size_t wsim_scalar_spell(const struct wsim_scalar *op, char *out, size_t size);

/* Steps through all operations. Start with *op all zero bytes; returns 1, or 0 after the last.
 * Words that change nothing (.ca, L1::evict_first, .uni ...) are accepted by the parser and skipped
 * here. */
WSIM_API int wsim_scalar_next(struct wsim_scalar *op);

/* Checks whether `arch` has the operation. Errors: WSIM_ILLEGAL (*op is no operation; `arch` is
 * NULL; no assembler takes it; a feature is missing). */
WSIM_API enum wsim_status wsim_scalar_check(const struct wsim_scalar *op,
                                            const struct wsim_arch *arch, struct wsim_diag *diag);

/* The properties of a row. Returns 1, or 0 and zeros if *op is no operation. */
WSIM_API int wsim_scalar_info(const struct wsim_scalar *op, struct wsim_scalar_info *info);

/* Executes an operation for one lane, bit for bit as an H200. `in` has the sources in written
 * order, right-aligned; bits above the width of an operand are ignored. A register of 128 bits is
 * two words, low word first. Each register of a vector is one source. A missing source is 0, and a
 * predicate is 0 or 1. `out` receives the results in written order, right-aligned, with zeros
 * above. Both results of a pair are written, even if the spelling has only the first. mov copies;
 * the caller packs.
 *
 * Carry chains read the carry (0 or 1) as a last source and write it as a last result. The carry of
 * a subtraction is 1 without a borrow.
 *
 * Instructions whose operands can name parts have a last source with a byte for each of d, a and b,
 * low bits first. The value 0 is the whole register, 1 to 4 are .b0 to .b3, 5 and 6 are .h0 and
 * .h1. For vmad, bits 24 to 26 negate a, b and c.
 *
 * `in` has at most WSIM_SCALAR_IN words, `out` at most WSIM_SCALAR_OUT. Errors: WSIM_ILLEGAL (no
 * operation), WSIM_UNMODELLED (it does more than compute). */
WSIM_API enum wsim_status wsim_scalar_run(const struct wsim_scalar *op, const uint64_t *in,
                                          uint64_t *out, struct wsim_diag *diag);

/* Executes an operation for `lanes` lanes, with one look-up. Source w of lane l is in[w * lanes +
 * l], and its result r is out[r * lanes + l]. The caller gives `sources` of the WSIM_SCALAR_IN
 * words; the others are 0. It receives `results` of the WSIM_SCALAR_OUT words. `in` and `out` do
 * not overlap. */
WSIM_API enum wsim_status wsim_scalar_run_lanes(const struct wsim_scalar *op, size_t lanes,
                                                const uint64_t *in, unsigned sources, uint64_t *out,
                                                unsigned results, struct wsim_diag *diag);

/* The evidence of the results on `arch`. "hardware": approximate functions on a recorded
 * architecture. "inferred": approximate functions elsewhere. "documented": operations that the ISA
 * defines exactly; an H200 was compared. "none": no measurement, or no operation. */
WSIM_API const char *wsim_scalar_evidence(const struct wsim_scalar *op,
                                          const struct wsim_arch *arch);

/* Any instruction: an operation of isa.h, a row of this header, or both. ld.shared.f32 is both:
 * counted there and executed here. */
struct wsim_instruction {
    uint8_t is_op, is_scalar;
    struct wsim_op op;
    struct wsim_scalar scalar;
};

/* Reads a spelling of any instruction. Errors: as wsim_op_parse, in the words of the nearest table;
 * WSIM_UNMODELLED for a spelling without a row in either. */
WSIM_API enum wsim_status wsim_instruction_parse(const char *text,
                                                 struct wsim_instruction *instruction,
                                                 struct wsim_diag *diag);

/* Checks whether `arch` has the instruction. Errors: as wsim_op_check and wsim_scalar_check. */
WSIM_API enum wsim_status wsim_instruction_check(const struct wsim_instruction *instruction,
                                                 const struct wsim_arch *arch,
                                                 struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
