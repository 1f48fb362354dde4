/* trace.h - one case in memory, and the steps from a line of text to it. */
#ifndef WSIM_TRACE_TRACE_H
#define WSIM_TRACE_TRACE_H

#include <wsim/bulk.h>
#include <wsim/code.h>
#include <wsim/sectors.h>
#include <wsim/tensor.h>
#include <wsim/umma.h>
#include <wsim/harness/trace.h>

/* The runs of a case on the model. */
enum {
    RUN_NOTHING = 0,
    RUN_EXEC = 1,
    RUN_BANKS = 2,
    RUN_DIGEST = 4,
    RUN_PAGE = 8,
    RUN_MAP = 16,
    RUN_COPY = 32,
    RUN_SECTORS = 64,
    RUN_UMMA = 128
};

enum trace_family_id {
#define FAMILY(id, name, door, operands) TRACE_FAMILY_##id,
#include "../../sim/isa/family.def"
    TRACE_NO_FAMILY,
    TRACE_BEFORE_NO_FAMILY = TRACE_NO_FAMILY - 1,
#define NO_FAMILY(id, text, runs) TRACE_FAMILY_##id,
#include "fields.def"
    TRACE_FAMILIES
};

enum trace_field_id {
#define FIELD(id, name, kind, operand, families, role, runs) TRACE_##id,
#include "fields.def"
    TRACE_FIELDS
};

enum trace_kind {
    KIND_REGS,
    KIND_WORDS,
    KIND_MASK,
    KIND_BYTES,
    KIND_COUNT,
    KIND_ONE,
    KIND_SIGN,
    KIND_HEX64,
    KIND_LIST,
    KIND_NAME,
    KIND_LINES,
    KIND_DIST
};

enum trace_role { ROLE_INPUT, ROLE_OPTION, ROLE_EXPECTED };

struct trace_family {
    const char *begins; /* how a spelling does */
    uint8_t runs;
};

struct trace_field {
    const char *name;
    uint8_t kind, operand; /* WSIM_OPERANDS: any operation may have the field */
    uint8_t role, runs;
    uint32_t families; /* bit per trace_family_id                         */
};

extern const struct trace_family trace_families[TRACE_FAMILIES];
extern const struct trace_field trace_fields[TRACE_FIELDS];

/* The operand of each input of a block (text.c); WSIM_OPERANDS: it is none. */
extern const uint8_t trace_operands[WSIM_INPUTS];

/* The fields of the bytes of WSIM_IN_PICK. */
extern const uint8_t trace_picks[4];

/* Memory that grows to the largest field it has held. */
struct trace_bytes {
    uint8_t *at;
    size_t size, room;
};

/* Registers: rows of 32 lanes, of a warpgroup four a register. */
struct trace_words {
    uint32_t *at;
    size_t rows, room;
};

/* Limit of one BYTES field: eight times what any warp can address in shared memory, and room for
 * the global images of tensor copies. */
#define TRACE_BYTES_MAX (UINT32_C(16) << 20)

/* Limit of all fields of a case together, and of what a reader keeps of a field between cases. */
#define TRACE_CASE_BYTES_MAX (UINT32_C(32) << 20)
#define TRACE_BYTES_KEPT (UINT32_C(64) << 10)

/* Limit of the cases of one digest, some minutes of work. */
#define TRACE_CASES_MAX (UINT32_C(1) << 20)

/* A LIST; negative numbers in two's complement. */
#define TRACE_LIST_MAX 8
struct trace_list {
    uint64_t at[TRACE_LIST_MAX];
    unsigned count;
};

struct trace_case {
    char spelling[WSIM_SPELLING_MAX];
    char parsed[WSIM_SPELLING_MAX]; /* of the next four; it often repeats */
    enum trace_family_id family;
    enum wsim_status known; /* of the spelling; WSIM_OK: `op` is the operation */
    struct wsim_diag why;   /* ... and why not                                 */
    struct wsim_op op;
    struct wsim_instruction access; /* a load, store or atomic of global memory, if is_scalar   */
    unsigned runs;                  /* what its expectations ask for                   */
    unsigned fields;                /* that are there; 0: there is no current case     */
    uint8_t present[TRACE_FIELDS];
    struct trace_words regs[WSIM_OPERANDS];
    uint32_t addr[WSIM_LANES], src[WSIM_LANES], src_size[WSIM_LANES];
    uint64_t number[TRACE_FIELDS]; /* COUNT, MASK, ONE, HEX64, LINES (1: warm), DIST, NAME,
                                      SIGN (1: minus) */
    struct trace_list list[TRACE_FIELDS];
    struct wsim_tensor tensor; /* of the fields of a tensor map                */
    size_t bytes;              /* of all memories below                                     */
    struct trace_bytes smem, smem_after, global;
    struct trace_bytes smem_odd, tmem[2], tmem_after[2]; /* of a pair [1] is the odd block       */
    struct trace_bytes written; /* registers that are written as memory           */
};

#define TRACE_KEYS 7
#define TRACE_KEY_MAX 160

struct wsim_trace {
    char *dir;
    uint32_t line;
    const struct wsim_arch *arch;
    char header[TRACE_KEYS][TRACE_KEY_MAX]; /* "": not given                   */
    struct trace_case now;
    struct trace_bytes work;                 /* shared memory while the model runs           */
    struct trace_bytes global;               /* global memory                                */
    struct trace_bytes tensor[2];            /* tensor memory of a block, or of both of a pair */
    struct trace_words d;                    /* registers that the model writes                */
    const uint32_t *in[WSIM_CASE_REGISTERS]; /* rows of the operands               */
    uint32_t *out[WSIM_CASE_RESULTS];        /* ... and of d                       */
    uint32_t flags;                          /* of the code of cases                       */
    struct wsim_code code;                   /* of the last case that was run      */
};

/* The value of registers before the model writes them; no recording starts from it. */
#define TRACE_UNTOUCHED 0xA5u

/* The operands of a case (operands.c); they point into the reader. */
struct trace_io {
    struct wsim_io io;
    struct wsim_memory shared, global;
    struct wsim_tensor_map map;
    struct wsim_bulk_result copied;
    const struct trace_bytes *left; /* memory that the instruction leaves: global, of a copy */
};

/* Errors: WSIM_NO_MEMORY; WSIM_SYNTAX (numbers that do not fit, lists of another length), those of
 * wsim_tensor_encode. */
enum wsim_status trace_operands_make(struct wsim_trace *trace, const struct wsim_arch *arch,
                                     struct trace_io *it, struct wsim_diag *diag);

/* Part of a line; `col` is the 1-based column of its first byte. */
struct trace_span {
    const char *at;
    size_t length;
    uint32_t col;
};

static inline int trace_has(const struct trace_case *now, enum trace_field_id field) {
    return now->present[field];
}

/* Frees the memory. */
void trace_bytes_free(struct trace_bytes *bytes);

/* Makes room for `rows` uninitialised rows; returns 0 without memory. */
int trace_words_resize(struct trace_words *words, size_t rows);

/* Makes room for `size` bytes; returns 0 without memory, and changes nothing. */
int trace_bytes_resize(struct trace_bytes *bytes, size_t size);

/* Reads a case line (without newline, not a comment) into *now, which is cleared first. */
enum wsim_status trace_case_read(struct trace_case *now, const char *dir, struct trace_span line,
                                 struct wsim_diag *diag);

/* Reads the value of one field into *now, whose operation is already known. */
enum wsim_status trace_value_read(struct trace_case *now, enum trace_field_id field,
                                  const char *dir, struct trace_span value, struct wsim_diag *diag);

/* The digest of the model for the cases that the current one, a checked digest, stands for. Errors:
 * WSIM_UNMODELLED (another stream of operands), WSIM_NO_MEMORY, those of wsim_plan_make, and the
 * first refusal of a case, whose number the diag has. */
enum wsim_status trace_digest(const struct trace_case *now, const struct wsim_code *code,
                              uint64_t *digest, struct wsim_diag *diag);

/* A tcgen05.mma of the case (umma.c). The first runs it in trace->tensor, and the second tells
 * whether that changed. The third copies the window of a block to trace->work. The last one counts
 * the elements of D. */
enum wsim_status trace_umma_run(struct wsim_trace *trace, const struct wsim_arch *arch,
                                struct wsim_diag *diag);
int trace_umma_is_touched(const struct wsim_trace *trace);
void trace_umma_window(struct wsim_trace *trace, unsigned odd);
uint64_t trace_umma_elements(const struct trace_case *now);

/* Reads a LIST or a NAME of the driver (map.c). */
enum wsim_status trace_list_read(struct trace_list *list, struct trace_span value,
                                 struct wsim_diag *diag);
enum wsim_status trace_name_read(uint64_t *number, enum trace_field_id field,
                                 struct trace_span value, struct wsim_diag *diag);

/* The fields of a tensor map, which are all there, as now->tensor; the line is for the message. */
enum wsim_status trace_map_read(struct trace_case *now, struct trace_span line,
                                struct wsim_diag *diag);

/* Differences, as a replay keeps them (compare.c): of one number; of D of a case; of all bytes; of
 * all words of tensor memory. */
void trace_differ(struct wsim_replay *replay, const char *field, uint64_t expected, uint64_t got);
void trace_compare_regs(const struct trace_case *now, const struct wsim_arch *arch,
                        const uint32_t *got, struct wsim_replay *replay);
void trace_compare_bytes(const char *field, const struct trace_bytes *expected,
                         const struct trace_bytes *got, struct wsim_replay *replay);
void trace_compare_tensor(const char *field, const struct trace_bytes *expected,
                          const struct trace_bytes *got, struct wsim_replay *replay);

/* FNV-1a, 64 bits, of the registers of D as little-endian words, and of bytes. */
uint64_t trace_hash_regs(const struct trace_case *now, const uint32_t *words);
uint64_t trace_hash_bytes(const struct trace_bytes *bytes);

/* Parts of wsim_trace_block (block_memory.c): cases of wgmma, whose window the plan takes as it was
 * recorded, and of wmma.load and wmma.store. The second of each is for what the first has passed;
 * `expected` may be NULL. */
enum wsim_status trace_group_check(const struct trace_case *now, struct wsim_plan *plan,
                                   struct wsim_diag *diag);
void trace_group_put(const struct trace_case *now, const struct wsim_plan *plan, uint32_t *in);
enum wsim_status trace_lines_check(const struct trace_case *now, const struct wsim_plan *plan,
                                   struct wsim_diag *diag);
void trace_lines_put(const struct trace_case *now, const struct wsim_plan *plan, uint32_t *in,
                     uint32_t *expected);

/* A number of the case: 0 if it is missing, UINT32_MAX if it is larger, which the callers refuse.
 */
static inline unsigned trace_number(const struct trace_case *now, enum trace_field_id field) {
    uint64_t number = trace_has(now, field) ? now->number[field] : 0;
    return number < UINT32_MAX ? (unsigned)number : UINT32_MAX;
}

/* Reads BYTES: hex digits or an @ reference (bytes.c). */
enum wsim_status trace_bytes_read(struct trace_bytes *bytes, const char *dir,
                                  struct trace_span value, struct wsim_diag *diag);

/* WSIM_OK if all of `value` are lower-case hex digits. */
enum wsim_status trace_hex_check(struct trace_span value, struct wsim_diag *diag);

/* `n` (at most 16) checked hex digits as a number. */
uint64_t trace_hex(const char *at, unsigned n);

/* Eight checked hex digits as a number. */
uint32_t trace_hex_word(const char *at);

/* A decimal number without sign: all of `value`, at most 2^64 - 1. */
enum wsim_status trace_decimal(struct trace_span value, uint64_t *out, struct wsim_diag *diag);

#endif
