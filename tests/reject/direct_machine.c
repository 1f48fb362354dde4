/* Refusals of machine code, and of the occupancy of a kernel. */
#include "case.h"

#include <wsim/harness/assembler.h>

static enum wsim_status no_function(struct wsim_diag *diag) {
    static const char ptx[] = ".version 8.0\n";
    struct wsim_assembly *assembly;
    enum wsim_status status = wsim_assembly_make(ptx, sizeof ptx, &assembly, diag);
    if (!status)
        status = wsim_assembly_read(assembly, "", NULL, diag);
    wsim_assembly_free(assembly);
    return status;
}

static enum wsim_status foreign_kernel(struct wsim_diag *diag) {
    static const struct wsim_machine_access access = {.kernel = 0, .line = 1, .col = 1, .bytes = 4};
    static const struct wsim_machine machine = {.accesses = &access, .naccesses = 1};
    const struct wsim_text text = {.bytes = ".version 8.0\n", .size = 13, .machine = &machine};
    struct wsim_module *module;
    return wsim_module_link(&text, 1, 0, &module, NULL, diag);
}

static enum wsim_status no_threads(struct wsim_diag *diag) {
    struct wsim_occupancy out;
    return wsim_arch_occupancy(wsim_arch_find("sm_90a"), 0, 32, 0, &out, diag);
}

const struct reject_direct reject_machines[] = {
    {"launch.occupancy.range", no_threads},
    {"module.machine.listing", no_function},
    {"module.machine.order", foreign_kernel},
};

const int reject_machines_count = COUNT(reject_machines);
