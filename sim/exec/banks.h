/* banks.h - counting under way: groups of lanes one after another, to whoever wants them. */
#ifndef WSIM_EXEC_BANKS_H
#define WSIM_EXEC_BANKS_H

#include "../machine/machine.h"
#include "exec.h"

/* The sums so far, and who gets each group. */
struct exec_banks_sink {
    struct wsim_cost cost;
    struct wsim_cost_access *access; /* NULL, or where access `number` is to be written */
    unsigned number;
    int plain; /* each group is counted by itself */
    /* NULL, or where groups go, which then have all that a group has */
    void (*put)(void *to, unsigned index, const struct wsim_cost_group *group);
    void *to;
};

/* Finds the rule of an access or a matrix move, for code->work; leaves `banks` 0 if it has none. */
void banks_find(struct wsim_code *code);

/* Adds a group of lanes. */
void exec_banks_put(struct exec_banks_sink *sink, const struct wsim_cost_group *group);

/* Counts an access by a rule: `lanes` of the warp, in groups as the rule has them. `number` of an
 * access that is one of several. Returns whether groups were merged. */
int exec_banks_count(const struct isa_banks *rule, const struct machine_access *access,
                     unsigned lanes, unsigned number, struct exec_banks_sink *sink);

/* One way of counting each; *sink has groups only if WSIM_OK is returned. */
enum wsim_status exec_banks_access(const struct wsim_code *code, const struct wsim_io *io,
                                   struct exec_banks_sink *sink, struct wsim_diag *diag);
enum wsim_status exec_banks_fragment(const struct wsim_code *code, const struct wsim_io *io,
                                     struct exec_banks_sink *sink, struct wsim_diag *diag);
enum wsim_status exec_banks_copy(const struct wsim_code *code, const struct wsim_io *io,
                                 enum wsim_counters counters, struct exec_banks_sink *sink,
                                 struct wsim_diag *diag);

/* The accesses of a fragment: how many, and bytes, rows and addresses of each. */
struct wmma_matrix;
unsigned exec_banks_fragment_count(const struct wsim_code *code);
void exec_banks_fragment_fill(const struct wsim_code *code, const struct wmma_matrix *m,
                              unsigned number, struct wsim_cost_access *access);

/* The rule that such an access is counted by. */
const struct isa_banks *exec_banks_fragment_rule(const struct wsim_code *code,
                                                 const struct wsim_cost_access *access);

/* Refuses fragments that are not moved from or to shared memory, or were not counted. */
enum wsim_status exec_banks_fragment_check(const struct wsim_op *op, struct wsim_diag *diag);

#endif
