/* Checks a launch against the limits of the kernel and the architecture. */
#include "../isa/isa.h"
#include "../ptx/ptx.h"
#include "../state/device.h"
#include "../state/launch.h"
#include "../state/module.h"
#include "warp.h"

static uint32_t at_least_1(uint32_t n) {
    return n ? n : 1;
}

static int all_zero(const uint32_t size[3]) {
    return !size[0] && !size[1] && !size[2];
}

static int is_in(const struct wsim_module *module, const struct wsim_kernel *kernel) {
    while (module && module != kernel->module)
        module = module->next;
    return module != NULL;
}

static enum wsim_status find_program(struct run_launch *launch, struct wsim_diag *diag) {
    const struct wsim_kernel *kernel = launch->how->kernel;
    const char *name = launch->how->name;
    if (kernel && launch->module && !is_in(launch->module, kernel))
        return base_refuse(diag, RULE_LAUNCH_KERNEL_UNKNOWN, 0,
                           "kernel '%.80s' belongs to another module",
                           kernel->program.kernel->name);
    if (!kernel && launch->module)
        kernel = wsim_module_find(launch->module, name);
    if (!launch->module && !kernel)
        return base_refuse(diag, RULE_LAUNCH_KERNEL_UNKNOWN, 0,
                           "neither a module nor a kernel is given");
    if (!kernel && name)
        return base_refuse(diag, RULE_LAUNCH_KERNEL_UNKNOWN, 0, "the module has no kernel '%.80s'",
                           name);
    if (!kernel)
        return base_refuse(diag, RULE_LAUNCH_KERNEL_UNKNOWN, 0,
                           "no kernel is named, and the module has several or none");
    launch->program = &kernel->program;
    launch->module = kernel->module;
    return WSIM_OK;
}

static enum wsim_status check_block(struct run_launch *launch, struct wsim_diag *diag) {
    const struct ptx_function *kernel = launch->program->kernel;
    const uint32_t *block = launch->block, *asked = kernel->reqntid, *most = kernel->maxntid;
    uint64_t threads = (uint64_t)block[0] * block[1];
    uint64_t limit = (uint64_t)at_least_1(most[0]) * at_least_1(most[1]) * at_least_1(most[2]);
    threads = threads > ISA_BLOCK_THREADS ? threads : threads * block[2];
    if (block[0] > ISA_BLOCK_THREADS || block[1] > ISA_BLOCK_THREADS || block[2] > ISA_BLOCK_Z ||
        threads > ISA_BLOCK_THREADS)
        return base_refuse(diag, RULE_LAUNCH_BLOCK_RANGE, 0,
                           "a block of %u x %u x %u threads: it can have %d, of z %d", block[0],
                           block[1], block[2], ISA_BLOCK_THREADS, ISA_BLOCK_Z);
    for (unsigned i = 0; i < 3 && !all_zero(asked); i++)
        if (block[i] != at_least_1(asked[i]))
            return base_refuse(
                diag, RULE_LAUNCH_BLOCK_OTHER, 0,
                "a block of %u x %u x %u threads, and .reqntid asks for %u x %u x %u", block[0],
                block[1], block[2], at_least_1(asked[0]), at_least_1(asked[1]),
                at_least_1(asked[2]));
    if (!all_zero(most) && threads > limit)
        return base_refuse(diag, RULE_LAUNCH_BLOCK_OTHER, 0,
                           "a block of %llu threads, and .maxntid allows %llu",
                           (unsigned long long)threads, (unsigned long long)limit);
    return WSIM_OK;
}

static enum wsim_status check_cluster(struct run_launch *launch, struct wsim_diag *diag) {
    const struct ptx_function *kernel = launch->program->kernel;
    const uint32_t *asked = kernel->reqnctapercluster, *cluster = launch->cluster;
    uint64_t blocks = (uint64_t)cluster[0] * cluster[1];
    uint32_t most = ISA_CLUSTER_BLOCKS;
    if (kernel->maxclusterrank && kernel->maxclusterrank < most)
        most = kernel->maxclusterrank;
    blocks = blocks > ISA_CLUSTER_BLOCKS ? blocks : blocks * cluster[2];
    for (unsigned i = 0; i < 3 && !all_zero(asked); i++)
        if (cluster[i] != at_least_1(asked[i]))
            return base_refuse(
                diag, RULE_LAUNCH_CLUSTER_OTHER, 0,
                "clusters of %u x %u x %u blocks, and .reqnctapercluster asks for %u x %u x %u",
                cluster[0], cluster[1], cluster[2], at_least_1(asked[0]), at_least_1(asked[1]),
                at_least_1(asked[2]));
    if (blocks > most)
        return base_refuse(diag, RULE_LAUNCH_CLUSTER_RANGE, 0,
                           "clusters of %u x %u x %u blocks: %u is the most", cluster[0],
                           cluster[1], cluster[2], most);
    for (unsigned i = 0; i < 3; i++)
        if (launch->grid[i] % cluster[i])
            return base_refuse(diag, RULE_LAUNCH_CLUSTER_GRID, 0,
                               "a grid of %u x %u x %u blocks cannot be divided into clusters of "
                               "%u x %u x %u",
                               launch->grid[0], launch->grid[1], launch->grid[2], cluster[0],
                               cluster[1], cluster[2]);
    return WSIM_OK;
}

static enum wsim_status check_sizes(struct run_launch *launch, struct wsim_diag *diag) {
    const struct wsim_launch *how = launch->how;
    const struct ptx_function *kernel = launch->program->kernel;
    enum wsim_status status;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t blocks = at_least_1(how->grid[i]);
        launch->block[i] = at_least_1(how->block[i]);
        launch->cluster[i] =
            at_least_1(all_zero(how->cluster) ? kernel->reqnctapercluster[i] : how->cluster[i]);
        if (kernel->blocksareclusters) /* the grid of the launch counts clusters */
            blocks *= launch->cluster[i];
        launch->grid[i] = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
    }
    if (!all_zero(kernel->reqntid) && launch->block[0] == 1 && launch->block[1] == 1 &&
        launch->block[2] == 1) /* as on an H200, one thread stands for the block it asks for */
        for (unsigned i = 0; i < 3; i++)
            launch->block[i] = at_least_1(kernel->reqntid[i]);
    launch->explicit_cluster = !all_zero(how->cluster) || !all_zero(kernel->reqnctapercluster);
    if (launch->grid[0] > ISA_GRID_X || launch->grid[1] > ISA_GRID_YZ ||
        launch->grid[2] > ISA_GRID_YZ)
        return base_refuse(diag, RULE_LAUNCH_GRID_RANGE, 0,
                           "a grid of %u x %u x %u blocks: it can have %d x %d x %d",
                           launch->grid[0], launch->grid[1], launch->grid[2], ISA_GRID_X,
                           ISA_GRID_YZ, ISA_GRID_YZ);
    status = check_block(launch, diag);
    return status ? status : check_cluster(launch, diag);
}

/* The units of the grid, or the part of it that is asked for. */
static enum wsim_status check_part(struct run_launch *launch, struct wsim_diag *diag) {
    const struct wsim_launch *how = launch->how;
    uint64_t units = 1;
    for (unsigned i = 0; i < 3; i++) {
        launch->clusters[i] = launch->grid[i] / launch->cluster[i];
        units *= launch->clusters[i];
    }
    if (how->cooperative && how->units && how->units != units)
        return base_refuse(
            diag, RULE_LAUNCH_PART_RANGE, 0,
            "a part of a cooperative grid: its blocks wait for each other, so all of "
            "them run");
    launch->n_units = how->units ? how->units : units;
    launch->first_unit = how->units ? how->first : 0;
    if (launch->first_unit >= units || launch->n_units > units - launch->first_unit)
        return base_refuse(diag, RULE_LAUNCH_PART_RANGE, 0,
                           "%llu of the grid's %llu blocks or clusters, from number %llu on",
                           (unsigned long long)how->units, (unsigned long long)units,
                           (unsigned long long)how->first);
    return WSIM_OK;
}

enum { SCRATCH_ALIGN = 16 };

/* Static shared memory, then the dynamic part at its alignment. */
static enum wsim_status check_shared(struct run_launch *launch, struct wsim_diag *diag) {
    const struct run_program *program = launch->program;
    uint64_t bytes = program->shared_bytes, align = program->shared_align;
    if (program->dynamic || launch->how->shared)
        bytes = (bytes + align - 1) / align * align + launch->how->shared;
    if (bytes > launch->arch->shared_bytes)
        return base_refuse(diag, RULE_LAUNCH_SHARED_RANGE, 0,
                           "%llu bytes of shared memory: a block of %s can have %u",
                           (unsigned long long)bytes, launch->arch->name,
                           launch->arch->shared_bytes);
    launch->shared_bytes = (uint32_t)bytes;
    launch->shared_base = isa_shared_end(launch->arch) - launch->arch->shared_bytes;
    if (program->scratch) { /* behind all else: below shared_base no bytes are kept */
        const uint32_t from = (launch->shared_bytes + SCRATCH_ALIGN - 1) & ~(SCRATCH_ALIGN - 1u);
        launch->scratch = launch->shared_base + from;
        launch->shared_bytes = from + ISA_SHARED_RESERVED_USED;
    }
    return WSIM_OK;
}

/* Blocks that wait for each other are all there from the beginning. How many registers the
 * assembler would give a thread is not in the PTX, so a GPU may hold fewer. */
static enum wsim_status check_cooperative(struct run_launch *launch, struct wsim_diag *diag) {
    const struct wsim_arch *arch = launch->arch;
    const uint32_t *block = launch->block, *grid = launch->grid;
    const uint32_t warps = (block[0] * block[1] * block[2] + WSIM_LANES - 1) / WSIM_LANES;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint32_t each = launch->shared_base + launch->shared_bytes;
    const uint32_t sms = isa_figure(arch, WSIM_FIGURE_SMS);
    uint32_t held = arch->blocks < arch->warps / warps ? arch->blocks : arch->warps / warps;
    const uint32_t fit = each ? isa_shared_end(arch) / each : held;
    held = fit < held ? fit : held;
    if (!launch->how->cooperative || blocks <= (uint64_t)held * sms)
        return WSIM_OK;
    return base_refuse(
        diag, RULE_LAUNCH_COOPERATIVE_RANGE, 0,
        "a cooperative grid of %llu blocks: an SM of %s holds %u blocks of %u warp%s "
        "and %u bytes of shared memory at a time, and the %u of the %s %u",
        (unsigned long long)blocks, arch->name, held, warps, warps == 1 ? "" : "s",
        launch->shared_bytes, sms, wsim_arch_product(arch).name, held * sms);
}

/* Variables of functions; what calls and alloca need shows when the kernel runs. */
static enum wsim_status check_local(struct run_launch *launch, struct wsim_diag *diag) {
    const struct run_program *program = launch->program;
    for (uint32_t i = 0; i < program->n_functions; i++) {
        const struct run_function *function = &program->functions[i];
        if (function->local_bytes > ISA_LOCAL_BYTES)
            return base_refuse(diag, RULE_LAUNCH_LOCAL_RANGE, 0,
                               "%.80s has %u bytes of local memory: a thread can have %u",
                               function->source->name, function->local_bytes, ISA_LOCAL_BYTES);
    }
    return WSIM_OK;
}

static enum wsim_status check_params(struct run_launch *launch, struct wsim_diag *diag) {
    const struct ptx_function *kernel = launch->program->kernel;
    if (launch->how->param_bytes != kernel->param_bytes)
        return base_refuse(diag, RULE_LAUNCH_PARAMS_SIZE, 0,
                           "%u bytes of parameters, and the kernel takes %u",
                           launch->how->param_bytes, kernel->param_bytes);
    if (launch->how->checks & ~(uint32_t)WSIM_CHECK_ALL)
        return base_refuse(diag, RULE_LAUNCH_CHECKS_UNKNOWN, 0, "unknown checks 0x%x",
                           launch->how->checks & ~(uint32_t)WSIM_CHECK_ALL);
    return WSIM_OK;
}

/* The first problem that concerns the kernel, an illegal instruction before unmodelled ones. 0: it
 * is not listed. */
static int find_problem(const struct run_launch *launch, struct wsim_problem *found) {
    struct wsim_problem problem;
    int some = 0;
    for (size_t i = 0; wsim_module_problem(launch->module, i, &problem); i++)
        if ((!some || problem.status != WSIM_UNMODELLED) &&
            run_concerns(launch->module, launch->program, i)) {
            *found = problem;
            some = 1;
            if (problem.status != WSIM_UNMODELLED)
                break;
        }
    return some;
}

static enum wsim_status check_modelled(struct run_launch *launch, struct wsim_diag *diag) {
    const struct run_program *program = launch->program;
    const char *name = program->kernel->name, *more = program->problems == 1 ? "" : "s";
    struct wsim_problem problem;
    if (!program->problems)
        return WSIM_OK;
    if (!find_problem(launch, &problem))
        return base_refuse(diag, RULE_LAUNCH_KERNEL_UNMODELLED, 0,
                           "kernel %.60s has %u thing%s that wsim does not model", name,
                           program->problems, more);
    if (problem.status != WSIM_UNMODELLED)
        return base_refuse(diag, RULE_LAUNCH_KERNEL_ILLEGAL, 0,
                           "kernel %.60s has an illegal instruction; line %u: %.180s", name,
                           problem.line, problem.text);
    return base_refuse(diag, RULE_LAUNCH_KERNEL_UNMODELLED, 0,
                       "kernel %.60s has %u thing%s that wsim does not model; line %u: %.180s",
                       name, program->problems, more, problem.line, problem.text);
}

static enum wsim_status prepare_codes(struct run_launch *launch, struct wsim_diag *diag) {
    return run_prepare(launch->device, launch->program, &launch->codes, diag);
}

/* In order: the first one that refuses ends the launch. */
static enum wsim_status (*const checks[])(struct run_launch *launch, struct wsim_diag *diag) = {
    find_program, check_sizes,  check_part,    check_shared,  check_cooperative,
    check_local,  check_params, prepare_codes, check_modelled};

enum wsim_status launch_check(struct run_launch *launch, struct wsim_diag *diag) {
    struct run_attached *attached = NULL;
    enum wsim_status status = WSIM_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !status; i++)
        status = checks[i](launch, diag);
    if (!status)
        status = run_attach(launch->device, launch->module, &attached, diag);
    if (status)
        return status;
    launch->attached = attached;
    launch->params = launch->how->params;
    return WSIM_OK;
}
