/* value.h - values of registers and memory in a running kernel, as text and JSON, and expressions
 * that name them. Shared by wsim run --print, --trace and wsim debug. */
#ifndef WSIM_LOOK_VALUE_H
#define WSIM_LOOK_VALUE_H

#include "../common/tool.h"

#include <wsim/look.h>

/* --- values --- */

enum { VALUE_TYPE = 16, VALUE_TEXT = 96 };

/* The type that shows a register best: its own or, for a register of bits, that of the instruction
 * that uses it ("add.f32": f32). `use` may be NULL. */
void value_type(const struct wsim_register *reg, const struct wsim_use *use, const char *opcode,
                char type[VALUE_TYPE]);

/* 1 and the bits of one value of a type ("f32", "s8", "b64", "pred", "f16x2"), or 0. */
int value_bits(const char *type, unsigned *bits);

/* Numbers of u and s are decimal, of b hexadecimal, floats as short as they can be. 64 bits of b, u
 * or s that point into a buffer or variable are "x+0x40"; `view` may be NULL. */
void value_text(const struct wsim_seen *view, const char *type, unsigned bits, uint64_t low,
                uint64_t high, char out[VALUE_TEXT]);

/* The same as a JSON number; hexadecimal numbers, infinities, NaN and pairs are strings. */
json_t *value_json(const struct wsim_seen *view, const char *type, unsigned bits, uint64_t low,
                   uint64_t high);

/* A value of JSON as text. */
void value_cell(const json_t *value, char out[VALUE_TEXT]);

/* --- a warp --- */

/* The lowest lane at the instruction. */
unsigned value_lane(const struct wsim_seen *view);

/* A number of at most 8 bytes in memory. 0: it cannot be read. */
int value_read(const struct wsim_seen *view, unsigned space, unsigned lane, uint64_t address,
               unsigned bytes, uint64_t *value);

/* --- expressions --- */

/* A name in an expression:
 *
 *   %r3, %f1/s32        a register, shown as another type
 *   %tid.x              a special register
 *   a b c d             an operand of mma, wgmma, ldmatrix ... as a matrix
 *   Ds, Ds/f32x16[3]    a variable; as f32 in rows of 16, row 3; [3][4] is one element
 */
struct term {
    char name[256];
    char type[VALUE_TYPE]; /* "": its own */
    uint32_t columns;      /* 0: one row of 8 */
    uint32_t index[2], n_index;
};

/* Reads the terms between commas: 1, or 0 with the place of the error. */
int term_read(const char *text, struct term **terms, size_t *count, const char **wrong);

/* The value of a term for a warp:
 *   {"register": NAME, "type": T, "values": [32]}; a lane outside of view->lanes has null
 *   {"operand": "a", "type": T, "values": [[row], ...]}
 *   {"variable": NAME, "space": "shared", "type": T, "address": N, "values": [[row], ...]}
 * NULL: there is none, and *why (of `size` bytes) has the reason. */
json_t *term_json(const struct wsim_seen *view, const struct term *term, char *why, size_t size);

/* The register number `index` as above, shown as `type` ("": as value_type chooses). NULL: it is
 * not held. */
json_t *register_json(const struct wsim_seen *view, uint32_t index, const struct wsim_use *use,
                      const char *type);

/* The operand of a matrix instruction, 'a' to 'd'. */
json_t *operand_json(const struct wsim_seen *view, char letter, char *why, size_t size);

#endif
