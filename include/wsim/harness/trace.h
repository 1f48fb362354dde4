/* trace.h - golden traces: what one GPU did, one case a line (docs/trace-format.md).
 *
 * The reader takes lines, so it does not care where they come from and holds one case at a time:
 * memory does not grow with the file. A field of memory has at most 16 MiB, those of a case 32 MiB
 * altogether. This is the only room of the library that allocates.
 */
#ifndef WSIM_TRACE_H
#define WSIM_TRACE_H

#include "../banks.h"
#include "../evidence.h"
#include "cases.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_trace; /* reader: header fields and the current case */

/* A reader. `dir` is where @FILE operands are looked up (copied); NULL refuses them.
 * NULL when out of memory. */
WSIM_API struct wsim_trace *wsim_trace_new(const char *dir);

/* Frees a reader; NULL is allowed. */
WSIM_API void wsim_trace_free(struct wsim_trace *trace);

/* Reads the next line (`length` bytes, without or with its newline; may hold any byte).
 * *is_case says whether it was a case, which is then the current one; header lines, comments and
 * blank lines are not. Errors: WSIM_SYNTAX (line and column in the diag: first line is not
 * "#wsim-trace 1", a required header key is missing before the first case, unknown field, field
 * given twice or that does not belong to the instruction, missing input, wrong number of digits,
 * no expectation, a digest beside operands or of too many cases, unreadable @FILE, unknown
 * architecture). The line is then skipped and reading may go on. A spelling that wsim does not
 * know is no error: replay reports it as unsupported. */
WSIM_API enum wsim_status wsim_trace_line(struct wsim_trace *trace, const char *line, size_t length,
                                          int *is_case, struct wsim_diag *diag);

/* Bytes that the reader holds for the memory of its current case: at most 48 MiB, and as much again
 * once it has been replayed. */
WSIM_API size_t wsim_trace_memory(const struct wsim_trace *trace);

/* Lets go of the current case: there is none then, and of its memory at most 64 KiB a field is kept
 * for the next. Reading the next line does the same. */
WSIM_API void wsim_trace_drop(struct wsim_trace *trace);

/* The value of header field `key` ("gpu", "arch", ...), NULL if the file has not given it. */
WSIM_API const char *wsim_trace_header(const struct wsim_trace *trace, const char *key);

/* The spelling of the current case, as it stands in the file; "" before the first. */
WSIM_API const char *wsim_trace_spelling(const struct wsim_trace *trace);

/* The operation of the current case; NULL before the first, and if wsim does not know it. Valid
 * until the next line is read. */
WSIM_API const struct wsim_op *wsim_trace_op(const struct wsim_trace *trace);

/* How many results of a GPU the current case holds for a claim: the elements of D, or those that a
 * store writes, of a digest so many for each of its cases (WSIM_RESULTS); one for an access that is
 * counted (WSIM_COUNTS). 0 before the first case, and for an instruction that replay does not run.
 */
WSIM_API uint64_t wsim_trace_held(const struct wsim_trace *trace, enum wsim_claim claim);

/* All of them; a trap and the driver's answer to a tensor map, which bear out no claim, are one as
 * well. */
WSIM_API uint64_t wsim_trace_results(const struct wsim_trace *trace);

/* The cases that the current case stands for, if it is a digest. */
struct wsim_trace_digest {
    uint64_t stream; /* of the operands; another than WSIM_STREAM cannot be made here */
    uint64_t seed, first, cases;
    unsigned dist, selector; /* enum wsim_dist, WSIM_DISTS: all; 0 unless sparse */
    uint64_t sum;            /* what was recorded: of wsim_case_digest          */
};

/* 1 if the current case is a digest (*digest is filled), 0 if it is not. */
WSIM_API int wsim_trace_is_digest(const struct wsim_trace *trace, struct wsim_trace_digest *digest);

enum wsim_verdict { WSIM_EQUAL, WSIM_DIFFERENT, WSIM_UNSUPPORTED };

/* The first difference between trace and model, in words a person can use. */
struct wsim_difference {
    const char *field;       /* "d", "smem_after", "wavefronts", "conflicts", "sass_wavefronts",
                                "sass_conflicts", "trap", "digest", "result"             */
    struct wsim_place place; /* field d: lane, element, register, bit                        */
    struct wsim_coord coord; /* field d: matrix, row, column                                 */
    uint32_t offset;         /* field smem_after: byte offset                                */
    uint64_t expected, got;  /* raw bits, or counts                                          */
    const struct wsim_format *format; /* how to read them as a number; NULL: plain integers   */
};

struct wsim_replay {
    enum wsim_verdict verdict;
    uint64_t differences; /* elements, bytes, counts or digests that differ               */
    struct wsim_difference first;
    struct wsim_diag why; /* unsupported, or refused where the GPU was not: the reason    */
};

/* With which flags of wsim_prepare (code.h) instructions are prepared from now on: on which path
 * cases are replayed. 0 before. */
WSIM_API void wsim_trace_prepare(struct wsim_trace *trace, uint32_t flags);

/* Runs the current case on `arch` (NULL: the architecture the header names) and compares bit by
 * bit. A refusal where the trace has an expectation other than trap=1 is a difference in field
 * "trap", unless its status is WSIM_UNMODELLED, WSIM_SYNTAX or (for the spelling) WSIM_ILLEGAL:
 * then the case is unsupported; so is a digest of another stream of operands than WSIM_STREAM. A
 * digest takes as long as all of its cases; where the model refuses one of them, `why` names it. */
WSIM_API void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_replay *replay);

/* The current case as a block (cases.h), to be run again elsewhere or changed: *plan, the inputs
 * (plan->in_rows * 32 words of `in`) and the recorded result (plan->out_rows * 32 of `expected`);
 * WSIM_CASE_ROWS * 32 words are always enough for either. Its operation is what wsim_op_parse makes
 * of wsim_trace_spelling. A window smaller than a block's is extended by zeros. Of a larger one the
 * rows that lanes of a matrix move address are taken, and the addresses say where they are now; a
 * wgmma keeps its window whole, and the plan says how large it is. `expected` may be NULL: then the
 * result may be a hash (wsim_trace_hash). Errors, in the order checked: WSIM_SYNTAX (no current
 * case), those of wsim_op_parse for the spelling, WSIM_UNMODELLED (a digest, a trap, a hash, or
 * counts alone), those of wsim_plan_make, WSIM_OPERAND (a byte-id or thread-id beyond any, an
 * immediate that is neither 0 nor 1), WSIM_ALIGN, WSIM_BOUNDS (a row address outside the recorded
 * window; of a larger one a byte that changed and that no lane stores; of wgmma and wmma a window
 * that is too large). Nothing is written then. */
WSIM_API enum wsim_status wsim_trace_block(const struct wsim_trace *trace, struct wsim_plan *plan,
                                           uint32_t *in, uint32_t *expected,
                                           struct wsim_diag *diag);

/* 1 if of the result of the current case only a hash was recorded (*fnv: FNV-1a, 64 bits, of its
 * words as little-endian bytes), 0 if not. */
WSIM_API int wsim_trace_hash(const struct wsim_trace *trace, uint64_t *fnv);

/* Enough for the line of any case, with its final 0: of one warp, and of anything. */
#define WSIM_CASE_WARP_TEXT (2 * WSIM_CASE_WARP_ROWS * 32 * 8 + 512)
#define WSIM_CASE_TEXT ((WSIM_CASE_ROWS + 512) * 32 * 8 + 1024)

/* A block and its result `out` as the line of a case, without a newline: at most `size` bytes with
 * the final 0 are written to `text` (which may be NULL if `size` is 0). Returns the length of the
 * whole line, however much of it found room. `plan` belongs to `op`. */
WSIM_API size_t wsim_trace_case_text(const struct wsim_op *op, const struct wsim_plan *plan,
                                     const uint32_t *in, const uint32_t *out, char *text,
                                     size_t size);

#ifdef __cplusplus
}
#endif
#endif
