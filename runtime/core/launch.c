/* Launches: checked at the call, run in their stream. */
#include "green.h"
#include "report.h"
#include "children.h"
#include "graph.h"
#include "look.h"
#include "order.h"
#include "outcome.h"
#include "repeat.h"

#include <stdlib.h>
#include <string.h>

/* --- in its stream --- */

/* Says what wsim lacks for a launch: once for each kernel. The report counts all. */
static void say_refusal(struct wsimrt_function *function, const struct wsim_diag *diag,
                        enum wsim_status status) {
    if (status != WSIM_UNMODELLED && status != WSIM_ILLEGAL)
        return;
    report_lack(function->info.name, diag->text);
    if (function->warned)
        return;
    function->warned = 1;
    wsimrt_say("%s cannot be launched: %s", function->info.name, diag->text);
}

/* The error that a GPU gives after a fatal finding. */
static int error_of_rule(const char *rule, enum wsim_status status) {
    static const struct {
        const char *rule;
        int error;
    } rows[] = {
        {"call.assert", WSIMRT_ASSERT},
        {"call.trap", WSIMRT_LAUNCH_FAILED},
        {"call.target", WSIMRT_INVALID_PC},
        {"call.depth", WSIMRT_ILLEGAL_ADDRESS},
        {"memory.space", WSIMRT_INVALID_ADDRESS_SPACE},
        {"memory.read_only", WSIMRT_ILLEGAL_ADDRESS},
        {"sync.deadlock", WSIMRT_LAUNCH_TIMEOUT},
        {"launch.instructions.many", WSIMRT_LAUNCH_TIMEOUT},
        {"launch.stopped", WSIMRT_LAUNCH_TIMEOUT},
    };
    for (size_t i = 0; rule && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].rule, rule) == 0)
            return rows[i].error;
    switch (status) {
    case WSIM_ALIGN: return WSIMRT_MISALIGNED_ADDRESS;
    case WSIM_BOUNDS: return WSIMRT_ILLEGAL_ADDRESS;
    case WSIM_NO_MEMORY: return WSIMRT_OUT_OF_MEMORY;
    case WSIM_UNMODELLED: return WSIMRT_NOT_SUPPORTED;
    default: return WSIMRT_LAUNCH_FAILED;
    }
}

static void take(struct work *work, const struct wsim_report *report) {
    report_take(work->is.launch.function, &work->is.launch.launch, report, work->is.launch.checked);
    order_launch(work, report);
}

static void finish(struct work *work) {
    struct wsimrt_context *context = work->context;
    struct wsim_report *report = NULL;
    struct wsim_diag diag = {.rule = NULL};
    const enum wsim_status status = wsim_launch_finish(work->is.launch.flight, &report, &diag);
    work->is.launch.flight = NULL;
    core.flying--;
    look_end(work->is.launch.look);
    work->is.launch.look = NULL;
    report_running(work->is.launch.function->info.name, 0);
    if (report) {
        size_t size = 0;
        const char *text = wsim_report_output(report, &size);
        context_print(context, text, size);
        take(work, report);
        if (!repeat_end(work, report, status != WSIM_OK))
            wsim_report_free(report);
    } else if (status) {
        report_lack(work->is.launch.function->info.name, diag.text);
        wsimrt_say("%s: %s", work->is.launch.function->info.name, diag.text);
    }
    if (status)
        context_fail(context, error_of_rule(diag.rule, status));
}

/* A launch that was asked for. `entry` is followed by its parameters. */
static int launch_child(struct work *parent, const struct children_entry *entry,
                        struct work **made) {
    struct wsimrt_module *const module = parent->is.launch.function->module;
    struct wsimrt_launch launch = {.context = parent->context,
                                   .shared = entry->shared,
                                   .packed = entry + 1,
                                   .packed_bytes = entry->bytes - sizeof *entry};
    int error;
    for (struct wsimrt_function *at = module->functions; at; at = at->next)
        if (at->info.address == entry->what)
            launch.function = at;
    if (!launch.function)
        return WSIMRT_INVALID_VALUE;
    if (launch.packed_bytes > launch.function->info.param_bytes) /* entries are rounded up */
        launch.packed_bytes = launch.function->info.param_bytes;
    memcpy(launch.grid, entry->grid, sizeof launch.grid);
    memcpy(launch.block, entry->block, sizeof launch.block);
    error = launch_check_sizes(&launch);
    return error ? error : launch_make(&launch, parent->stream, made);
}

/* Puts the launches of the kernel behind it. */
static void follow(struct work *work) {
    struct work *list;
    const int error = children_end(work, launch_child, &list);
    queue_insert(work, list);
    if (error)
        context_fail(work->context, error);
}

static int run(struct work *work) {
    struct wsim_diag diag = {.rule = NULL};
    enum wsim_flight_state state;
    enum wsim_status status;
    int begun;
    if (!work->is.launch.flight) {
        const struct wsim_report *known;
        order_primary(work);
        known = repeat_begin(work);
        if (known) {
            take(work, known);
            return 1;
        }
        begun = children_begin(work);
        if (begun < 0)
            context_fail(work->context, WSIMRT_OUT_OF_MEMORY);
        if (begun <= 0)
            return -begun;
        if (look_is_on() && work->is.launch.function->wanted)
            work->is.launch.look = look_begin(work->is.launch.number, &work->is.launch.launch.look);
        status = wsim_launch_begin(work->context->device, work->is.launch.function->module->module,
                                   &work->is.launch.launch, &work->is.launch.flight, &diag);
        if (status) {
            look_end(work->is.launch.look);
            work->is.launch.look = NULL;
            children_drop(work);
            say_refusal(work->is.launch.function, &diag, status);
            context_fail(work->context, error_of_rule(diag.rule, status));
            return 1;
        }
        core.flights++;
        core.flying++;
    }
    work->stuck = work->polls = 0;
    state = wsim_launch_step(work->is.launch.flight);
    if (state != WSIM_FLIGHT_DONE)
        report_running(work->is.launch.function->info.name, 1);
    switch (state) {
    case WSIM_FLIGHT_RUNS: return -1;
    case WSIM_FLIGHT_WAITS:
        work->polls = 1;
        order_polls(work);
        poll_begin();
        return 0;
    case WSIM_FLIGHT_DONE:
        finish(work);
        follow(work);
        return 1;
    default:
        work->stuck = work->polls = 1;
        poll_begin();
        return 0;
    }
}

/* A launch that is still in flight cannot go on: its report says so. */
static void end(struct work *work) {
    if (work->is.launch.flight)
        finish(work);
    children_drop(work);
    outcome_free(work->is.launch.outcome);
    module_release(work->is.launch.function->module);
}

static int goes_on(const struct work *work) {
    return work->is.launch.flight != NULL;
}

static int capture(const struct work *work, struct wsimrt_node_params *params) {
    const struct wsim_launch *from = &work->is.launch.launch;
    struct wsimrt_launch *to = &params->launch;
    params->kind = WSIMRT_NODE_KERNEL;
    to->context = work->context;
    to->function = work->is.launch.function;
    memcpy(to->grid, from->grid, sizeof to->grid);
    memcpy(to->block, from->block, sizeof to->block);
    memcpy(to->cluster, from->cluster, sizeof to->cluster);
    to->shared = from->shared;
    to->cooperative = from->cooperative;
    to->dependent = work->is.launch.dependent;
    to->packed = work->params;
    to->packed_bytes = from->param_bytes;
    return 1;
}

static const struct work_kind launch_kind = {
    .lasts = 1, .run = run, .end = end, .goes_on = goes_on, .capture = capture};

/* --- the call --- */

static int error_of_refusal(const struct wsim_diag *diag, enum wsim_status status) {
    if (status == WSIM_UNMODELLED || status == WSIM_ILLEGAL)
        return WSIMRT_NOT_SUPPORTED;
    if (status == WSIM_NO_MEMORY)
        return WSIMRT_OUT_OF_MEMORY;
    if (diag->rule && strcmp(diag->rule, "launch.cooperative.range") == 0)
        return WSIMRT_COOPERATIVE_LAUNCH_TOO_LARGE;
    if (diag->rule && strncmp(diag->rule, "launch.cluster.", 15) == 0)
        return WSIMRT_INVALID_CLUSTER_SIZE;
    return WSIMRT_INVALID_VALUE;
}

/* Whether the next launch of the process is checked and reported. */
static uint8_t is_checked(const struct wsimrt_function *function) {
    const uint64_t number = core.settings.first + core.launches++;
    return function->wanted &&
           (!core.settings.shards || number % core.settings.shards == core.settings.shard);
}

/* Whether a block has the registers that machine code needs: warps get 256 at once. */
static int has_registers(const struct wsimrt_function *function, const uint32_t block[3]) {
    enum { UNIT = 256 };
    const uint64_t most = wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_REGISTERS);
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    const uint64_t warps = (threads + WSIM_LANES - 1) / WSIM_LANES;
    const uint64_t each = ((uint64_t)function->registers * WSIM_LANES + UNIT - 1) / UNIT * UNIT;
    if (warps * each <= most)
        return 1;
    core_because("kernel %s: %u registers for each of %llu threads, and a block has %llu",
                 function->info.name, (unsigned)function->registers, (unsigned long long)threads,
                 (unsigned long long)most);
    return 0;
}

int launch_make(const struct wsimrt_launch *launch, struct wsimrt_stream *stream,
                struct work **made) {
    struct wsimrt_context *const context =
        handle_is(launch->context, HANDLE_CONTEXT) ? launch->context : stream->context;
    struct wsimrt_function *function = launch->function;
    struct work *work = work_make(stream, &launch_kind, function->info.param_bytes);
    struct wsim_diag diag = {.rule = NULL};
    enum wsim_status status;
    const uint8_t checked = is_checked(function);
    int error;
    if (!work)
        return WSIMRT_OUT_OF_MEMORY;
    work->context = context;
    work->is.launch.function = function;
    work->is.launch.checked = checked;
    work->is.launch.number = core.launches;
    work->is.launch.launch = (struct wsim_launch){
        .kernel = function->kernel,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .cluster = {launch->cluster[0], launch->cluster[1], launch->cluster[2]},
        .shared = (uint32_t)launch->shared,
        .params = work->params,
        .param_bytes = function->info.param_bytes,
        .checks = checked ? core.settings.checks & WSIM_CHECK_ALL : 0,
        .count = (uint8_t)(checked && core.settings.lines),
        .touched = (uint8_t)order_is_touched(),

        .async = core.settings.async,
        .seed = core.settings.seed,
        .threads = core.settings.threads,
        .max_instructions = core.settings.max_instructions,
        .cooperative = launch->cooperative};
    if (!launch->cluster[0] && !launch->cluster[1] && !launch->cluster[2])
        memcpy(work->is.launch.launch.cluster, function->info.cluster,
               sizeof function->info.cluster);
    function->module->uses++;
    status = wsim_launch_check(context->device, function->module->module, &work->is.launch.launch,
                               &diag);
    error = status ? error_of_refusal(&diag, status) : 0;
    if (!error && !has_registers(function, launch->block))
        error = WSIMRT_LAUNCH_OUT_OF_RESOURCES;
    say_refusal(function, &diag, status);
    if (status)
        core_because("kernel %s: %s", function->info.name, diag.text);
    error = error ? error : launch_pack(launch, work->params);
    if (error) {
        work_free(work);
        return error;
    }
    *made = work;
    return 0;
}

/* A preferred cluster is a multiple of the cluster that the launch has. */
static int check_preferred(const struct wsimrt_launch *launch) {
    int wrong = 0;
    for (unsigned k = 0; k < 3; k++)
        wrong |= launch->preferred[k] &&
                 (!launch->cluster[k] || launch->preferred[k] % launch->cluster[k]);
    return wrong ? WSIMRT_INVALID_CLUSTER_SIZE : 0;
}

/* The axes of a cluster that attributes of the function name. A launch has these axes, and one
 * without clusters needs all three. An H200 looks at the threads of a block before, and at shared
 * memory afterwards. */
static int check_part(const struct wsimrt_launch *launch) {
    const uint32_t *const shape = launch->function->info.cluster;
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    int wrong = 0;
    if (!threads || threads > module_threads(launch->function))
        return 0;
    if (launch->cluster[0] || launch->cluster[1] || launch->cluster[2])
        for (unsigned k = 0; k < 3; k++)
            wrong |= shape[k] && shape[k] != launch->cluster[k];
    else
        wrong = !shape[0] != !shape[1] || !shape[0] != !shape[2];
    return wrong ? WSIMRT_INVALID_CLUSTER_SIZE : 0;
}

/* An H200 looks at the grid before all that the kernel has. */
static int check_grid(const struct wsimrt_launch *launch) {
    const struct wsim_arch *const arch = core.settings.arch;
    int wrong = 0;
    for (unsigned k = 0; k < 3; k++)
        wrong |= !launch->grid[k] ||
                 launch->grid[k] > wsim_arch_limit(arch, (enum wsim_limit)(WSIM_LIMIT_GRID_X + k));
    return wrong ? WSIMRT_INVALID_VALUE : 0;
}

/* Whether the block is the one that the PTX of a kernel demands, and then, whether the grid is. An
 * H200 looks at other clusters and at shared memory afterwards. */
static int check_demanded(const struct wsimrt_launch *launch) {
    const uint32_t *const demanded = launch->function->info.reqntid;
    const uint32_t *const cluster = launch->function->info.cluster;
    const uint32_t *const block = launch->block;
    int wrong = 0;
    if (!demanded[0])
        return 0;
    for (unsigned k = 0; k < 3; k++)
        wrong |=
            cluster[k] && !launch->function->info.blocksareclusters && launch->grid[k] % cluster[k];
    if (memcmp(block, demanded, sizeof launch->block) &&
        (block[0] != 1 || block[1] != 1 || block[2] != 1)) /* one thread stands for all */
        return WSIMRT_INVALID_VALUE;
    return wrong ? WSIMRT_INVALID_CLUSTER_SIZE : 0;
}

/* Whether the processors of a green context hold all blocks at once. */
static int fits(const struct wsimrt_launch *launch, const struct wsimrt_green *green) {
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    const int each = module_blocks(launch->function, threads, (size_t)launch->shared);
    return blocks <= (uint64_t)each * green->processors;
}

/* The module is machine code whose PTX is not in the folder of the user. */
static int refuse_empty(struct wsimrt_function *function) {
    report_lack(function->info.name, function->module->lack);
    if (!function->warned++)
        wsimrt_say("kernel %s: %s", function->info.name, function->module->lack);
    return WSIMRT_NO_BINARY_FOR_GPU;
}

int wsimrt_launch(const struct wsimrt_launch *launch) {
    struct wsimrt_context *context;
    struct wsimrt_stream *stream = NULL;
    int error = core_enter_stream(launch ? launch->stream : NULL, &context);
    struct work *work = NULL;
    if (!error && !launch)
        error = WSIMRT_INVALID_VALUE;
    if (!error && !handle_is(launch->function, HANDLE_FUNCTION))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && !(stream = stream_of(launch->stream, context)))
        error = stream_missing();
    error = error ? error : capture_check(stream);
    if (!error && launch->function->module->context && /* NULL: of a library */
        launch->function->module->context != stream->context)
        error = WSIMRT_INVALID_HANDLE;
    if (!error && launch->cooperative &&
        launch->shared > (uint64_t)launch->function->dynamic_shared)
        error = WSIMRT_COOPERATIVE_LAUNCH_TOO_LARGE; /* no block fits */
    if (!error && launch->function->module->lack)
        error = refuse_empty(launch->function);
    error = error ? error : check_grid(launch);
    error = error ? error : check_demanded(launch);
    if (!error && launch->wrong)
        error = launch->wrong;
    error = error ? error : check_part(launch);
    error = error ? error : check_preferred(launch);
    error = error ? error : launch_check_sizes(launch);
    if (!error && launch->cooperative && stream->green && !fits(launch, stream->green))
        error = WSIMRT_COOPERATIVE_LAUNCH_TOO_LARGE;
    if (!error && launch->dependent)
        order_depends();
    error = error ? error : launch_make(launch, stream, &work);
    if (error && stream)
        capture_fail(stream);
    if (!error) {
        work->is.launch.called = 1;
        work->is.launch.dependent = launch->dependent;
    }
    return core_leave(error ? error : work_issue(work, 0));
}
