/* access.h - loads, stores and atomics: how they are planned, and the step that all others equal.
 */
#ifndef WSIM_STEP_ACCESS_H
#define WSIM_STEP_ACCESS_H

#include "../decode/plan.h"
#include "../reach/reach.h"

/* Fills in everything but rows: operand `address` is the one in brackets. */
enum wsim_status reach_prepare(struct run_plan *plan, uint32_t address, uint8_t kind,
                               struct reach_plan *reach);

/* Rows of an operand that is one register or `elements` in braces. */
enum wsim_status reach_rows(struct run_plan *plan, uint32_t index, const struct reach_plan *reach,
                            struct run_row *rows);

/* Loads and stores of any space, lane by lane; and what moves their bytes, which are at
 * access->host. */
run_step memory_step;
enum run_next memory_move(const struct reach_plan *reach, uint8_t *frame,
                          struct run_access *access);

#endif
