/* machine.h - the launches of a launch file as they run: progress, a limit of time, messages. */
#ifndef WSIM_RUN_MACHINE_H
#define WSIM_RUN_MACHINE_H

#include "assembler.h"
#include "opened.h"

struct machine_options {
    struct wsim_launch_options launch;
    int progress;          /* is shown on standard error                         */
    const char *assembler; /* as of assembler_run                          */
    double timeout;        /* seconds that all launches have together; 0: no limit */
};

struct machine_launch {
    struct wsim_kernel_info kernel;
    uint32_t block[3];
    const struct wsim_report *report; /* NULL: it did not run */
    struct wsim_totals totals;
};

struct machine {
    const struct opened *opened;
    const struct wsim_launch_parts *launch;
    struct machine_options options;
    struct wsim_session *session;
    struct wsim_assembly *assembly; /* NULL: counts of shared memory follow the rule */
    struct machine_launch *launches;
    size_t ran;         /* launches that ran; a trap ends the rest            */
    int stopped;        /* the last launch that ran did not come to its end   */
    double ends, shown; /* seconds: of the time limit, of the last progress   */
    int is_shown, late;
};

/* Links the PTX and finds the kernels. TOOL_GO; or TOOL_USAGE after an error message, or
 * TOOL_UNMODELLED or TOOL_USAGE after a list of all problems. machine_close is needed in any case.
 */
int machine_open(struct machine *machine, const struct opened *opened,
                 const struct machine_options *options);
void machine_close(struct machine *machine);

/* Makes the device and its memory anew. */
int machine_fill(struct machine *machine);

/* Whether each launch would begin. */
int machine_check(struct machine *machine);

/* Runs the first `count` launches. TOOL_GO if they ran, to the end or to a finding that stops a
 * GPU. */
int machine_run(struct machine *machine, size_t count);

/* Bytes of device memory, to be freed. */
uint8_t *machine_read(const struct machine *machine, uint64_t address, uint64_t bytes);

/* Whether two names of texts, each of which may be NULL, are the same. */
int machine_same_text(const char *a, const char *b);

#endif
