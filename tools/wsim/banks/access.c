/* wsim banks for accesses: what they are about, and what the library counts. */
#include "access.h"
#include "../common/input.h"
#include "../common/tool.h"

/* An access has one side: what belongs to a copy is refused. A fragment is moved by the whole warp,
 * and begins at 0 if nothing else is said. */
static int check_options(const struct banks_options *options, int fragment) {
    if (options->size || options->src || options->src_size || options->lines)
        return tool_error("--size, --src, --src-size and --lines apply to cp.async only");
    if (fragment && options->mask)
        return tool_error("--mask: a fragment is moved by the whole warp");
    if (!fragment && !options->addr)
        return tool_error("no addresses given, such as --addr 'lane * 4'");
    return TOOL_GO;
}

static int count(struct access_run *run, const struct wsim_op *op) {
    const struct wsim_io io = {
        .move = {.addr = run->addr, .mask = run->mask, .stride = run->stride}};
    struct wsim_code code;
    struct wsim_diag diag;
    if (wsim_prepare(op, run->arch, 0, &code, &diag) ||
        wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, run->group,
                  sizeof run->group / sizeof *run->group, &run->cost, &diag))
        return tool_refused(NULL, &diag);
    for (unsigned i = 0; i < run->cost.accesses; i++)
        if (wsim_cost_access(&code, &io, i, &run->access[i], &diag))
            return tool_refused(NULL, &diag);
    run->is_outside = !wsim_code_documented(&code, &io, &run->outside);
    return TOOL_GO;
}

int access_count(struct access_run *run, const struct wsim_op *op,
                 const struct banks_options *options) {
    int status;
    run->counting = wsim_op_describe(op).counting;
    status = check_options(options, run->counting == WSIM_COUNT_FRAGMENT);
    if (status == TOOL_GO)
        status = input_addresses_in(options->scope, "--addr", options->addr ? options->addr : "0",
                                    run->addr);
    if (status == TOOL_GO)
        status = tool_number("--stride", options->stride, UINT32_MAX, &run->stride);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(op, run->spelling);
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    return count(run, op);
}
