/* machine.h - a launch file held against the PTX that it names, and run: a device with what memory
 * is to hold, parameters, one report a launch.
 */
#ifndef WSIM_RUN_MACHINE_H
#define WSIM_RUN_MACHINE_H

#include "launch.h"

#include <wsim/kernel.h>

struct machine_options {
    uint32_t flags;  /* WSIM_MODULE_... */
    uint32_t checks; /* WSIM_CHECK_...  */
    uint8_t async;   /* enum wsim_async */
    uint64_t seed;
    uint32_t threads;
    uint64_t max_instructions;
    uint64_t first, units; /* a part of the grid of launch `part`, as struct wsim_launch has it */
    size_t part;
    int progress;       /* is shown on standard error                       */
    double timeout;     /* seconds that all launches have together; 0: any number */
    uint64_t variables; /* limit of the variables of a module, in bytes; 0: the library's */
    int partial; /* names of kernels may be a part of them, or what was before it was mangled */
};

struct machine_launch {
    const struct wsim_kernel *handle;
    struct wsim_kernel_info kernel;
    uint8_t *params;
    struct wsim_report *report; /* NULL: it did not run                        */
    struct wsim_totals totals;
};

struct machine {
    const struct launch *launch;
    const struct machine_options *options;
    const struct wsim_arch *arch;
    struct wsim_module *module;
    struct wsim_device *device;
    uint64_t *address; /* of each buffer */
    struct machine_launch *launches;
    size_t ran;  /* launches that did; a trap ends the rest */
    int stopped; /* the last one that ran did not come to its end */
    double ends; /* seconds of the monotonic clock at which the time is over */
};

/* Loads the PTX and finds the kernels, whose parameters have to be the arguments. TOOL_GO; or after
 * saying what is wrong TOOL_USAGE, or TOOL_UNMODELLED if a kernel needs what is not modelled, all
 * of which is listed then. machine_close is needed in any case. */
int machine_open(struct machine *machine, const struct launch *launch,
                 const struct machine_options *options);
void machine_close(struct machine *machine);

/* Makes the device and its memory anew, and the parameters. */
int machine_fill(struct machine *machine);

/* Whether each launch would begin: what machine_run can refuse it refuses here. */
int machine_check(struct machine *machine);

/* Launch number `index` as it runs, after machine_fill. */
void machine_describe(const struct machine *machine, size_t index, struct wsim_launch *out);

/* Runs the first `count` launches. TOOL_GO if they ran, to the end or to a finding that stops a
 * GPU. */
int machine_run(struct machine *machine, size_t count);

/* The bytes of a buffer, or of a variable, after the launches, to be freed. */
uint8_t *machine_read(struct machine *machine, uint64_t address, uint64_t bytes);
int machine_symbol(struct machine *machine, const struct place *at, const char *name,
                   uint64_t *address, uint64_t *bytes);

/* Whether two names of texts, each of which may be NULL, are the same. */
int machine_same_text(const char *a, const char *b);

/* The place of a member of the launch file that was read. */
struct place machine_place(const struct machine *machine, struct place steps[3], const char *list,
                           size_t index, const char *key);

#endif
