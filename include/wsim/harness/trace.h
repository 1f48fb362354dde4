/* trace.h - golden traces: recordings of one GPU, one case a line (docs/trace-format.md).
 *
 * The reader takes lines from any source and holds one case at a time, so memory does not grow with
 * the file. A field of memory has at most 16 MiB, all fields of a case at most 32 MiB.
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

/* Makes a reader. `dir` is the folder of @FILE operands (copied); NULL refuses such operands.
 * Returns NULL without memory. */
WSIM_API struct wsim_trace *wsim_trace_new(const char *dir);

/* Frees a reader; NULL is allowed. */
WSIM_API void wsim_trace_free(struct wsim_trace *trace);

/* Reads the next line: `length` bytes, with or without its newline; any byte is allowed. *is_case
 * is 1 if the line is a case, which becomes the current one. Header lines, comments and blank lines
 * are no cases.
 *
 * Errors: WSIM_SYNTAX, with line and column in the diag. After an error the line is skipped and
 * reading may go on. The first line must be "#wsim-trace 1", and the required header keys come
 * before the first case. A field must be known, belong to the instruction, occur once and have the
 * right number of digits. Inputs must be complete, and an expectation must exist. A digest has no
 * operands and a limited number of cases. @FILE must be readable, and the architecture known. An
 * unknown spelling is no error: replay reports it as unsupported. */
WSIM_API enum wsim_status wsim_trace_line(struct wsim_trace *trace, const char *line, size_t length,
                                          int *is_case, struct wsim_diag *diag);

/* Bytes that the reader holds for the memory of its current case: at most 48 MiB, and the same
 * again after a replay. */
WSIM_API size_t wsim_trace_memory(const struct wsim_trace *trace);

/* Drops the current case. At most 64 KiB of memory a field stay for the next one. Reading the next
 * line does the same. */
WSIM_API void wsim_trace_drop(struct wsim_trace *trace);

/* The value of header field `key` ("gpu", "arch", ...); NULL if the file lacks it. */
WSIM_API const char *wsim_trace_header(const struct wsim_trace *trace, const char *key);

/* The spelling of the current case in the file; "" before the first. */
WSIM_API const char *wsim_trace_spelling(const struct wsim_trace *trace);

/* The operation of the current case. NULL before the first, and for an unknown one. Valid until the
 * next line is read. */
WSIM_API const struct wsim_op *wsim_trace_op(const struct wsim_trace *trace);

/* The number of GPU results of the current case for a claim. WSIM_RESULTS: the elements of D, or
 * those that a store writes; a digest has this number for each of its cases. WSIM_COUNTS: one for a
 * counted access. 0 before the first case, and for an instruction that replay does not run. */
WSIM_API uint64_t wsim_trace_held(const struct wsim_trace *trace, enum wsim_claim claim);

/* The number of all GPU results of the current case. A trap and the driver's answer to a tensor map
 * support no claim and count as one. */
WSIM_API uint64_t wsim_trace_results(const struct wsim_trace *trace);

/* The cases of a digest. */
struct wsim_trace_digest {
    uint64_t stream; /* of the operands; wsim makes those of WSIM_STREAM only         */
    uint64_t seed, first, cases;
    unsigned dist, selector; /* enum wsim_dist, WSIM_DISTS: all; 0 unless sparse */
    uint64_t sum;            /* recorded sum of wsim_case_digest                */
};

/* 1 if the current case is a digest (*digest is filled), 0 if it is not. */
WSIM_API int wsim_trace_is_digest(const struct wsim_trace *trace, struct wsim_trace_digest *digest);

enum wsim_verdict { WSIM_EQUAL, WSIM_DIFFERENT, WSIM_UNSUPPORTED };

/* The first difference between trace and model, in readable terms. */
struct wsim_difference {
    const char *field;       /* "d", "smem_after", "wavefronts", "conflicts", "sass_wavefronts",
                                "sass_conflicts", "trap", "digest", "result", "tmem_after" ... */
    struct wsim_place place; /* field d: lane, element, register, bit                        */
    struct wsim_coord coord; /* field d: matrix, row, column                                 */
    uint32_t offset;         /* fields smem_after, tmem_after: byte offset; of tmem_after ...
                              * ... place.lane and coord.col are lane and column             */
    uint64_t expected, got;  /* raw bits, or counts                                          */
    const struct wsim_format *format; /* their number format; NULL: plain integers            */
};

struct wsim_replay {
    enum wsim_verdict verdict;
    uint64_t differences; /* elements, bytes, counts or digests that differ               */
    struct wsim_difference first;
    struct wsim_diag why; /* the reason why a case is unsupported, or the model refuses it */
};

/* Sets the flags of wsim_prepare (code.h) for the next replays, which choose the path. The default
 * is 0. */
WSIM_API void wsim_trace_prepare(struct wsim_trace *trace, uint32_t flags);

/* Runs the current case on `arch` (NULL: the architecture of the header) and compares bit by bit.
 * If the model refuses a case without trap=1, field "trap" differs. With a status of
 * WSIM_UNMODELLED, WSIM_SYNTAX or, for the spelling, WSIM_ILLEGAL, the case is unsupported instead.
 * A digest of another stream than WSIM_STREAM is unsupported too. A digest takes as long as all of
 * its cases. If the model refuses one of them, `why` names it. */
WSIM_API void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_replay *replay);

/* Makes a block (cases.h) of the current case, to run it elsewhere or to change it. It writes
 * *plan, the inputs (plan->in_rows * 32 words of `in`) and the recorded result (plan->out_rows * 32
 * of `expected`). WSIM_CASE_ROWS * 32 words are always enough for each. wsim_op_parse of
 * wsim_trace_spelling gives its operation.
 *
 * Zeros extend a window smaller than that of a block. For a larger window of a matrix move, the
 * block has the addressed rows and new addresses. A wgmma keeps its whole window, and the plan has
 * its size. `expected` may be NULL; then the result may be a hash (wsim_trace_hash).
 *
 * Errors, in the order checked; nothing is written then. WSIM_SYNTAX: no current case. The errors
 * of wsim_op_parse for the spelling. WSIM_UNMODELLED: a digest, a trap, a hash, or counts alone.
 * The errors of wsim_plan_make. WSIM_OPERAND: a byte-id or thread-id out of range, or an immediate
 * other than 0 and 1. WSIM_ALIGN. WSIM_BOUNDS: a row address outside the recorded window.
 * WSIM_BOUNDS, larger window: a changed byte that no lane stores. WSIM_BOUNDS, wgmma and wmma: a
 * window that is too large. */
WSIM_API enum wsim_status wsim_trace_block(const struct wsim_trace *trace, struct wsim_plan *plan,
                                           uint32_t *in, uint32_t *expected,
                                           struct wsim_diag *diag);

/* Returns 1 and *fnv if the recording has only a hash of the result: FNV-1a, 64 bits, of its words
 * as little-endian bytes. Returns 0 otherwise. */
WSIM_API int wsim_trace_hash(const struct wsim_trace *trace, uint64_t *fnv);

/* Room for the line of any case with its final 0: of one warp, and of any operation. */
#define WSIM_CASE_WARP_TEXT (2 * WSIM_CASE_WARP_ROWS * 32 * 8 + 512)
#define WSIM_CASE_TEXT ((WSIM_CASE_ROWS + 512) * 32 * 8 + 1024)

/* Writes a block and its result `out` as the line of a case, without a newline. At most `size`
 * bytes with the final 0 go to `text`, which may be NULL if `size` is 0. Returns the length of the
 * whole line, even if `text` is shorter. `plan` belongs to `op`. */
WSIM_API size_t wsim_trace_case_text(const struct wsim_op *op, const struct wsim_plan *plan,
                                     const uint32_t *in, const uint32_t *out, char *text,
                                     size_t size);

#ifdef __cplusplus
}
#endif
#endif
