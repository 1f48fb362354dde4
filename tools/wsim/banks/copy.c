/* wsim banks for a copy: what it is about, and both counts. */
#include "copy.h"
#include "../common/input.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

static int read_lines(const char *text, uint8_t *warm) {
    *warm = text && strcmp(text, "warm") == 0;
    if (!text || *warm || strcmp(text, "cold") == 0)
        return TOOL_GO;
    return tool_error("--lines '%s': they can be cold or warm", text_cut(text).text);
}

static int read_size(const char *text, uint32_t *bytes) {
    int status = tool_number("--size", text, UINT32_MAX, bytes);
    if (status == TOOL_GO && !text)
        return tool_error(
            "no size given: bytes a lane are an operand of cp.async, such as --size 16");
    return status;
}

/* What each lane reads and where; what is not given is consecutive, and whole. */
static int read_source(struct copy_run *run, const struct banks_options *options) {
    unsigned lane;
    int status = TOOL_GO;
    for (lane = 0; lane < WSIM_LANES; lane++)
        run->src[lane] = lane * run->io.copy.bytes;
    run->io.copy.src = run->src;
    if (options->src)
        status = input_addresses_in(options->scope, "--src", options->src, run->src);
    if (status != TOOL_GO || !options->src_size)
        return status;
    run->io.copy.src_size = run->src_size;
    return input_addresses_in(options->scope, "--src-size", options->src_size, run->src_size);
}

static int read_copy(struct copy_run *run, const struct banks_options *options) {
    int status = read_size(options->size, &run->io.copy.bytes);
    if (status == TOOL_GO)
        status = read_lines(options->lines, &run->io.copy.warm);
    if (status == TOOL_GO && !options->addr)
        status = tool_error("no addresses given, such as --addr 'lane * 16'");
    if (status == TOOL_GO)
        status = input_addresses_in(options->scope, "--addr", options->addr, run->dst);
    run->io.copy.addr = run->dst;
    return status == TOOL_GO ? read_source(run, options) : status;
}

const char *copy_store(const struct copy_run *run) {
    return run->io.copy.bytes == 16  ? "st.shared.v4.b32"
           : run->io.copy.bytes == 8 ? "st.shared.b64"
                                     : "st.shared.b32";
}

/* Counts a store of `lanes` to the same addresses, the nearest access whose cost is known. */
static int count_store(struct copy_run *run, uint32_t lanes) {
    const struct wsim_io io = {.move = {.addr = run->dst, .mask = lanes}};
    struct wsim_op op;
    struct wsim_code code;
    return wsim_op_parse(copy_store(run), &op, NULL) == WSIM_OK &&
           wsim_prepare(&op, run->arch, 0, &code, NULL) == WSIM_OK &&
           wsim_cost(&code, &io, WSIM_HARDWARE_COUNTERS, NULL, 0, &run->store, NULL) == WSIM_OK;
}

/* A counter that does not move tells nothing of those it does not count. */
static void find_unknown(struct copy_run *run) {
    unsigned i;
    run->unknown = run->io.copy.mask;
    for (i = 0; i < run->hardware.cost.groups; i++)
        run->unknown &= ~run->hardware.group[i].lanes;
    run->has_store = run->unknown && count_store(run, run->unknown);
}

static enum wsim_status count(const struct copy_run *run, const struct wsim_code *code,
                              enum wsim_counters counters, struct copy_counts *counts,
                              struct wsim_diag *diag) {
    return wsim_cost(code, &run->io, counters, counts->group,
                     sizeof counts->group / sizeof *counts->group, &counts->cost, diag);
}

int copy_count(struct copy_run *run, const struct wsim_op *op,
               const struct banks_options *options) {
    struct wsim_diag diag;
    struct wsim_code code;
    int status = read_copy(run, options);
    if (status != TOOL_GO)
        return status;
    wsim_op_spell(op, run->spelling);
    if (wsim_prepare(op, run->arch, 0, &code, &diag) ||
        count(run, &code, WSIM_HARDWARE_COUNTERS, &run->hardware, &diag))
        return tool_refused(NULL, &diag);
    find_unknown(run);
    run->no_page.status = WSIM_OK;
    count(run, &code, WSIM_SOURCE_PAGE, &run->page, &run->no_page);
    run->evidence = wsim_op_evidence(op, run->arch, WSIM_COUNTS, &run->source);
    return TOOL_GO;
}
