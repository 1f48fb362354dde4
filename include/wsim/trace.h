/* trace.h - golden traces: what one GPU did, one case a line (docs/trace-format.md).
 *
 * The reader takes lines, so it does not care where they come from and holds one case at a time:
 * memory does not grow with the file. This is the only room of the library that allocates.
 */
#ifndef WSIM_TRACE_H
#define WSIM_TRACE_H

#include "banks.h"
#include "exec.h"

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
 * no expectation, unreadable @FILE, unknown architecture). The line is then skipped and reading
 * may go on. A spelling that wsim does not know is no error: replay reports it as unsupported. */
WSIM_API enum wsim_status wsim_trace_line(struct wsim_trace *trace, const char *line, size_t length,
                                          int *is_case, struct wsim_diag *diag);

/* The value of header field `key` ("gpu", "arch", ...), NULL if the file has not given it. */
WSIM_API const char *wsim_trace_header(const struct wsim_trace *trace, const char *key);

/* The spelling of the current case, as it stands in the file; "" before the first. */
WSIM_API const char *wsim_trace_spelling(const struct wsim_trace *trace);

enum wsim_verdict { WSIM_EQUAL, WSIM_DIFFERENT, WSIM_UNSUPPORTED };

/* The first difference between trace and model, in words a person can use. */
struct wsim_difference {
    const char *field;       /* "d", "smem_after", "wavefronts", "conflicts", "trap"        */
    struct wsim_place place; /* field d: lane, element, register, bit                        */
    struct wsim_coord coord; /* field d: matrix, row, column                                 */
    uint32_t offset;         /* field smem_after: byte offset                                */
    uint64_t expected, got;  /* raw bits, or counts                                          */
    const struct wsim_format *format; /* how to read them as a number; NULL: plain integers   */
};

struct wsim_replay {
    enum wsim_verdict verdict;
    uint64_t differences; /* elements, bytes or counts that differ                        */
    struct wsim_difference first;
    struct wsim_diag why; /* unsupported, or refused where the GPU was not: the reason    */
};

/* Runs the current case on `arch` (NULL: the architecture the header names) and compares bit by
 * bit. A refusal where the trace has an expectation other than trap=1 is a difference in field
 * "trap", unless its status is WSIM_UNMODELLED, WSIM_SYNTAX or (for the spelling) WSIM_ILLEGAL:
 * then the case is unsupported. */
WSIM_API void wsim_trace_replay(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_replay *replay);

#ifdef __cplusplus
}
#endif
#endif
