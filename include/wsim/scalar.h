/* scalar.h - instructions of one thread as rows: scalar, memory, control and synchronisation
 * instructions of PTX. Those that only compute can be executed on the registers of one lane.
 *
 *     struct wsim_scalar op;
 *     uint64_t in[3] = {0x3f800000, 0x40000000, 0x40400000}, out[1];
 *     wsim_scalar_parse("fma.rn.ftz.f32", &op, &diag);
 *     wsim_scalar_run(&op, in, out, &diag);
 *
 * Matrix instructions and copies are operations of isa.h; ld, st, atom and red are both: here they
 * are executed, there their accesses to shared memory are counted.
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

/* An operation: a row of sim/isa/scalar.def and for each place of its spelling which of the words
 * that can stand there is written, from 1; 0: none. Fill it with wsim_scalar_parse or
 * wsim_scalar_next. */
struct wsim_scalar {
    uint16_t row; /* from 1; 0: no operation */
    uint8_t word[WSIM_SCALAR_PLACES];
};

/* What an operand can be. */
enum wsim_scalar_kind {
    WSIM_SCALAR_REGISTER, /* or an immediate, as `immediate` says                                 */
    WSIM_SCALAR_ADDRESS,  /* [register or symbol + offset]                                        */
    WSIM_SCALAR_TENSOR,   /* [address of a tensor map, {coordinates}]                             */
    WSIM_SCALAR_OFFSETS,  /* { } of im2col offsets                                                */
    WSIM_SCALAR_LABEL,    /* a label                                                              */
    WSIM_SCALAR_TARGETS,  /* the name of a list of labels (.branchtargets)                        */
    WSIM_SCALAR_FUNCTION, /* a function, or a register that holds its address                     */
    WSIM_SCALAR_PROTOTYPE, /* the name of a prototype or of a list of functions */
    WSIM_SCALAR_LIST /* ( ) of operands                                                      */
};

struct wsim_scalar_operand {
    char name;         /* as the manual calls it: 'd' 'p' 'q' (results), 'a' 'b' 'c' ...          */
    uint8_t kind;      /* enum wsim_scalar_kind                                                   */
    uint8_t bits;      /* of each register: 1 (predicate), 8, 16, 32, 64, 128; addresses: 0       */
    uint8_t vector;    /* registers in { }; 1: one, without braces                                */
    uint8_t result;    /* 1: it is written, and can be _ for nobody wants it                      */
    uint8_t pair;      /* 1: written behind a bar, d|p                                            */
    uint8_t immediate; /* 0: never, 1: it can be one, 2: it has to be                             */
    uint8_t optional;  /* 1: it can be left out                                                   */
    uint8_t packs;     /* 1: it can be { } of narrower registers that together have its bits      */
    uint8_t symbol;    /* 1: it can be a variable, parameter or function: its address             */
    uint8_t parts;     /* 1: it can name a part of the register, as in a.b1                       */
    const char *type;  /* "f32", "pred", "b64" ...: how its bits are read; "": it has none        */
};

struct wsim_scalar_info {
    const char *row;     /* name of the row: "add_f32"                                            */
    const char *method;  /* "add_float": what executes it                                         */
    const char *feature; /* what an architecture needs to have                                    */
    const char *source;  /* where the row's facts come from                                       */
    uint16_t ptx;        /* first PTX version times 10; 0: no assembler takes it (rcp.approx.f64) */
    uint8_t computes;    /* 1: registers to registers of one lane: wsim_scalar_run executes it    */
    uint8_t operands;    /* how many, in written order                                            */
    struct wsim_scalar_operand operand[WSIM_SCALAR_OPERANDS];
    const char *again; /* "": it takes these operands; or a feature: where that is, one more source
                          like the last may be written, and it is done again with the result and
                          that one (max.f32 d, a, b, c). wsim_scalar_run knows nothing of it */
    uint16_t until;    /* PTX version times 10 from which on targets since sm_70 take it no more; 0:
                          they    do. wsim_scalar_check, which knows no version, refuses it */
};

/* Reads `text` (a whole spelling, "add.rn.f32"; qualifiers in any order that is clear) into *op; on
 * any error *op is all zero bytes, which is no operation. Errors: as wsim_op_parse; WSIM_UNMODELLED
 * for what PTX has and wsim has no rows for. Matrix instructions and copies are WSIM_SYNTAX here.
 */
WSIM_API enum wsim_status wsim_scalar_parse(const char *text, struct wsim_scalar *op,
                                            struct wsim_diag *diag);

/* Writes the spelling, words in the order of the manual, and answers its length as snprintf does
 * (below WSIM_SPELLING_MAX); 0, and an empty one, if *op is no operation. */
WSIM_API size_t wsim_scalar_spell(const struct wsim_scalar *op, char *out, size_t size);

/* Steps through all operations: start with *op all zero bytes. 1, or 0 after the last. Words that
 * change nothing (.ca, L1::evict_first, .uni ...) are read, but do not come here. */
WSIM_API int wsim_scalar_next(struct wsim_scalar *op);

/* Whether it may be used on `arch`. Errors: WSIM_ILLEGAL (*op is no operation; `arch` is NULL; no
 * assembler takes it; a feature is missing). */
WSIM_API enum wsim_status wsim_scalar_check(const struct wsim_scalar *op,
                                            const struct wsim_arch *arch, struct wsim_diag *diag);

/* What the row says. 1, or 0 and zeros if *op is no operation. */
WSIM_API int wsim_scalar_info(const struct wsim_scalar *op, struct wsim_scalar_info *info);

/* Executes it for one lane, bit for bit as an H200. `in`: the sources in written order,
 * right-aligned, bits above an operand's width are not looked at; a register of 128 bits is two
 * words, low one first; of a vector each register is one. A source that is left out is 0; a
 * predicate is 0 or 1. `out`: the results in written order, right-aligned, bits above are 0; of a
 * pair that is written without its second half both are given all the same. mov copies: packing is
 * the caller's.
 *
 * Carry chains read the carry (0 or 1) as a last source and leave it as a last result; that of a
 * subtraction is 1 where nothing is borrowed.
 *
 * An instruction whose operands can name parts has a last source with a byte for each of d, a, b,
 * low bits first: 0 is the whole register, 1 to 4 are .b0 to .b3, 5 and 6 are .h0 and .h1; of vmad
 * bits 24 to 26 say that a, b, c are negated.
 *
 * At most WSIM_SCALAR_IN and WSIM_SCALAR_OUT words. Errors: WSIM_ILLEGAL (no operation),
 * WSIM_UNMODELLED (it does more than to compute). */
WSIM_API enum wsim_status wsim_scalar_run(const struct wsim_scalar *op, const uint64_t *in,
                                          uint64_t *out, struct wsim_diag *diag);

/* The same for `lanes` lanes, the operation looked up once: source w of lane l is in[w * lanes +
 * l], result r of it out[r * lanes + l]. `sources` words of the WSIM_SCALAR_IN are given, the
 * others are 0; `results` of the WSIM_SCALAR_OUT are kept. `in` and `out` do not overlap. */
WSIM_API enum wsim_status wsim_scalar_run_lanes(const struct wsim_scalar *op, size_t lanes,
                                                const uint64_t *in, unsigned sources, uint64_t *out,
                                                unsigned results, struct wsim_diag *diag);

/* What its results on `arch` rest on: "hardware" (approximate functions where they were recorded),
 * "inferred" (the same elsewhere), "documented" (all that the ISA defines exactly; an H200 was
 * compared with it), "none" (what nobody measured, or no operation). */
WSIM_API const char *wsim_scalar_evidence(const struct wsim_scalar *op,
                                          const struct wsim_arch *arch);

/* Any instruction: an operation of isa.h, one of the rows here, or both (ld.shared.f32: counted
 * there, executed here). */
struct wsim_instruction {
    uint8_t is_op, is_scalar;
    struct wsim_op op;
    struct wsim_scalar scalar;
};

/* Reads a spelling of any instruction. Errors: as wsim_op_parse, in the words of the table that the
 * spelling comes nearest to; WSIM_UNMODELLED is left for what has no row in either. */
WSIM_API enum wsim_status wsim_instruction_parse(const char *text,
                                                 struct wsim_instruction *instruction,
                                                 struct wsim_diag *diag);

/* Whether it may be used on `arch`. Errors: as wsim_op_check and wsim_scalar_check. */
WSIM_API enum wsim_status wsim_instruction_check(const struct wsim_instruction *instruction,
                                                 const struct wsim_arch *arch,
                                                 struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
