/* copy_map.h - tensor maps in memory. */
#ifndef WSIM_STEP_COPY_MAP_H
#define WSIM_STEP_COPY_MAP_H

#include "matrix.h"

/* The address of a map, operand `index`: of a parameter, or generic. */
enum wsim_status copy_map_plan(struct run_plan *plan, uint32_t index, struct matrix_address *map);

/* The map that a lane names, out of parameters, constants, global or shared memory. */
enum run_next copy_map_read(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            const struct matrix_address *address, uint8_t *frame,
                            struct wsim_tensor_map *map);

#endif
