/* texture.h - the object and the coordinates of an instruction of textures and surfaces. */
#ifndef WSIM_STEP_TEXTURE_H
#define WSIM_STEP_TEXTURE_H

#include "../decode/plan.h"
#include "../state/textures.h"
#include "../texture/texture.h"

/* A texture or surface that was looked up: lanes mostly share one. */
struct texture_object {
    const struct run_texture *object; /* NULL: none yet */
    uint64_t handle;
};

/* Operand `index`, [t, c]: rows of the handle, of the layer and of x, y, z. */
struct texture_operand {
    struct run_row handle, layer, at[3];
    uint8_t shape; /* enum wsim_array_shape that the instruction has */
};
enum wsim_status texture_operand_plan(struct run_plan *plan, uint32_t index,
                                      struct texture_operand *operand);

/* tex or tld4 as it is planned, and its step. */
struct texture_lookup {
    struct texture_operand from;
    struct run_row to[4], resident, level, dx[3], dy[3], offset[3];
    uint8_t lookup;  /* enum scalar_lookup                              */
    uint8_t gathers; /* 1 + component; 0: tex                           */
    uint8_t whole;   /* coordinates are integers                        */
    uint8_t halves;  /* registers of a result: 0 words, 1 halves, 2 pairs of halves */
};
enum run_next texture_look_up(uint8_t *frame, const struct run_op *op, uint32_t lanes,
                              struct run_warp *warp);

/* Rows of { }, or of one register; at most `most`. */
enum wsim_status texture_rows(struct run_plan *plan, const struct ptx_operand *list, unsigned bits,
                              unsigned most, struct run_row *rows);

/* Finds the object of a lane. found->object is NULL if a texture has no such handle, which is a
 * finding. A surface without one, and an array that was released, are fatal: RUN_STOP. */
enum run_next texture_find(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           enum run_texture_kind kind, uint64_t handle,
                           struct texture_object *found);

/* A finding about an object of another shape. */
enum run_next texture_shape_refused(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                    const struct texture_operand *operand,
                                    const struct wsim_array *array);

#endif
