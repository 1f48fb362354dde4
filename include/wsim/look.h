/* look.h - a look inside a running kernel: a callback at chosen instructions, and all that it can
 * read.
 *
 *     const struct wsim_look look = {.at = at, .see = see};    // two functions of the caller
 *     struct wsim_launch launch = {.name = "scale", .grid = {4}, .block = {256}, .look = &look};
 *     // at: return site->line == 18 ? WSIM_LOOK_BEFORE : 0;
 *     // see:
 *     uint64_t values[32];
 *     uint32_t index;
 *     if (wsim_seen_find(view, "%f1", &index))
 *         wsim_seen_values(view, index, values, NULL);    // of 32 lanes
 *
 * A launch without a look pays nothing. A launch with one runs on one thread of the host. Its
 * results, findings and counts are those of a launch without. Other instructions run as fast as
 * before.
 */
#ifndef WSIM_LOOK_H
#define WSIM_LOOK_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction of a launch. */
struct wsim_site {
    const char *function; /* of the PTX, as it is spelled                                        */
    const char *opcode;   /* "ld.shared.f32"                                                     */
    const char *ptx_file; /* the name of a linked text; NULL: the module is one text             */
    uint32_t ptx_line;
    const char *file; /* the innermost source; NULL: no .loc                                 */
    uint32_t line, column;
    uint32_t id; /* number in the launch; neighbours of a basic block have neighbouring ones */
};

/* When a look happens: bits. */
#define WSIM_LOOK_BEFORE 1u  /* lanes are about to execute the instruction                    */
#define WSIM_LOOK_AFTER 2u   /* lanes have executed it: its results are in their registers     */
#define WSIM_LOOK_FINDING 4u /* a finding was made at the instruction                          */

/* A warp at an instruction. It is good until `see` returns. */
struct wsim_seen {
    struct wsim_site site;
    uint32_t when; /* one of WSIM_LOOK_..., 0: of another warp or another call level          */
    uint32_t block[3];
    uint32_t rank;   /* of the block in its cluster                                             */
    uint32_t warp;   /* number in the block                                                     */
    uint32_t lanes;  /* at the instruction: a bit each                                          */
    uint32_t active; /* those of them whose guard holds                                         */
    uint32_t alive;  /* lanes of the warp that have not exited                                  */
    uint32_t depth;  /* 0: in the kernel; 1: in a function that it calls ...                     */
    uint8_t waits;   /* 1: `lanes` wait for other lanes or warps                                 */
    const char *rule, *text; /* of WSIM_LOOK_FINDING, else NULL: as of struct wsim_finding       */
    const void *inside[4];   /* of the library                                        */
};

/* Places and their callback. The launch keeps the pointer: the struct and the context have to stay.
 */
struct wsim_look {
    /* The WSIM_LOOK_... bits of an instruction. Called once for each instruction when the launch
     * begins, and again after `version` has changed. NULL: `when` is for all instructions. */
    int (*at)(void *context, const struct wsim_site *place);
    /* The look. Answers 0 to go on. Any other answer ends the launch with the finding
     * launch.stopped. */
    int (*see)(void *context, const struct wsim_seen *view);
    void *context;
    uint32_t when;    /* bits; WSIM_LOOK_FINDING: see findings too, whatever `at` answers       */
    uint32_t version; /* change it in `see` or in wsim_launch.progress to be asked `at` again   */
};

/* --- registers --- */

struct wsim_register {
    const char *name; /* "%f1"                                                                    */
    const char *type; /* "f32", "b64", "pred" ... as declared */
    uint16_t bits;    /* of a lane: 1, 8, 16, 32, 64 or 128                                       */
    uint8_t held;     /* 1: the register holds its value here. 0: before its first write or after
                         its last use in a basic block, or the assembler fused it away             */
};

/* Register number `index` of the function: 1 and *out, or 0 past the last. */
WSIM_API int wsim_seen_register(const struct wsim_seen *view, uint32_t index,
                                struct wsim_register *out);

/* The number of the register with this name. 0: there is none. */
WSIM_API int wsim_seen_find(const struct wsim_seen *view, const char *name, uint32_t *index);

/* The values of a register in 32 lanes: the low 64 bits, and the high ones of 128 (`high` may be
 * NULL). Numbers of fewer bits are zero-extended; a predicate is 0 or 1. A lane outside of
 * view->lanes has its own value too. Returns 0, and zeros, for a register that is not held. */
WSIM_API int wsim_seen_values(const struct wsim_seen *view, uint32_t index, uint64_t values[32],
                              uint64_t high[32]);

/* A special register by its name: "%tid.x", "%laneid", "%clock64"; "%threadIdx.x" is "%tid.x", and
 * so on. 0: there is none. */
WSIM_API int wsim_seen_special(const struct wsim_seen *view, const char *name, uint64_t values[32]);

/* A register that the instruction names. */
struct wsim_use {
    uint32_t reg;     /* number of the register                                          */
    uint8_t operand;  /* 0 is the first one written; WSIM_USE_GUARD: the guard            */
    uint8_t address;  /* 1: inside brackets                                              */
    uint8_t writes;   /* 1: the instruction writes it                                    */
    uint16_t element; /* of a list { } or pair d|p: its place there                      */
};
#define WSIM_USE_GUARD 0xFF

/* Use number `index` of the instruction, in the order of its text: 1 and *out, or 0 past the last.
 */
WSIM_API int wsim_seen_use(const struct wsim_seen *view, uint32_t index, struct wsim_use *out);

/* Operand number `operand` of the instruction as a constant: 1 and its bits, or 0. */
WSIM_API int wsim_seen_constant(const struct wsim_seen *view, unsigned operand, uint64_t *value);

/* --- memory --- */

/* A variable of PTX. */
struct wsim_variable {
    const char *name;
    uint8_t space;    /* enum wsim_space                                                        */
    const char *type; /* of one element                                                         */
    uint16_t bits;    /* of it                                                                  */
    uint32_t align;
    uint64_t address; /* in its space                                                           */
    uint64_t bytes;   /* of a dynamic shared array: all that the launch gives                   */
};

/* The next variable that the instruction could name: shared, global, constant, and local ones of
 * its function. *cursor begins at 0. 1 and *out, or 0 past the last. */
WSIM_API int wsim_seen_variable(const struct wsim_seen *view, uint32_t *cursor,
                                struct wsim_variable *out);

/* The name of a generic address: of its buffer or variable in global memory, or its variable in the
 * shared memory of the block. *inside is the distance from where that begins. NULL: it has none. */
WSIM_API const char *wsim_seen_name(const struct wsim_seen *view, uint64_t address,
                                    uint64_t *inside);

/* Copies `size` bytes of a state space, as lane `lane` (0 to 31) addresses them. WSIM_SPACES: a
 * generic address. Error: WSIM_BOUNDS (no such lane or space, or a byte without memory); nothing
 * is copied then. */
WSIM_API enum wsim_status wsim_seen_read(const struct wsim_seen *view, enum wsim_space space,
                                         unsigned lane, uint64_t address, void *bytes,
                                         uint64_t size, struct wsim_diag *diag);

/* --- where else --- */

/* The place where the code of view->site was inlined, innermost first: 1, or 0 past the last.
 * *function is the inlined function, or NULL. */
WSIM_API int wsim_seen_inlined(const struct wsim_seen *view, uint32_t index, const char **file,
                               uint32_t *line, const char **function);

/* The call that lane `lane` of the view is inside of: *out is the caller at its call. 0: it is in
 * the kernel, or the lane is not at the instruction. `out` may be `view`. */
WSIM_API int wsim_seen_caller(const struct wsim_seen *view, unsigned lane, struct wsim_seen *out);

/* Warps under way, a view for each group of lanes that are at one instruction: begin with *out =
 * {0}. 1 and *out, or 0 past the last. */
WSIM_API int wsim_seen_next(const struct wsim_seen *view, struct wsim_seen *out);

#ifdef __cplusplus
}
#endif
#endif
