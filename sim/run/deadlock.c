/* Reports a deadlock: where each warp waits, and for what. */
#include "../state/launch.h"
#include "../sync/sync.h"

#define SAYING 200

/* Neighbouring warps of which the same is to be said. */
struct said {
    char text[SAYING];
    uint32_t block, first, last;
    int any;
};

/* The place to name for inlined code: in the kernel itself. If the file of the kernel has a helper
 * and its caller as well, that caller: several kernels may share the code. */
static uint32_t place_of(const struct ptx_module *module, uint32_t loc) {
    uint32_t outer = loc, caller = 0, n = 0;
    for (uint32_t i = 0; i < module->n_locs && module->locs[outer].inlined_at; i++)
        outer = module->locs[outer].inlined_at;
    for (uint32_t at = loc; at && n < 3; at = module->locs[at].inlined_at)
        if (module->locs[at].file == module->locs[outer].file && ++n == 2)
            caller = at;
    return n == 3 ? caller : outer;
}

/* "kernel.cu:12": the place in the source. Returns 0 without any. */
static int put_source(struct base_text *text, const struct ptx_module *module, uint32_t loc) {
    const char *file, *last;
    loc = place_of(module, loc);
    file = loc ? module->files[module->locs[loc].file] : NULL;
    last = file ? strrchr(file, '/') : NULL;
    if (file)
        base_put(text, "%.40s:%u", last ? last + 1 : file, module->locs[loc].line);
    return file != NULL;
}

/* "lanes 0x0000ffff at kernel.cu:12 (bar.sync) wait ..." */
static void say(char out[SAYING], const struct run_warp *warp, const struct run_group *group) {
    const struct ptx_instruction *at = run_instruction_of(warp->program, group->at);
    const struct ptx_module *module = warp->program->module;
    struct base_text text = {.at = out, .size = SAYING};
    out[0] = 0;
    if (group->lanes != warp->born)
        base_put(&text, " lanes 0x%08x", group->lanes);
    if (at) {
        const uint32_t part = run_function_of(warp->program, group->at)->source->part;
        const char *file = module->n_parts > 1 ? module->parts[part] : NULL;
        base_put(&text, " at ");
        if (!put_source(&text, module, at->loc))
            base_put(&text, "line %u%s%.40s", at->line, file ? " of " : "", file ? file : "");
        base_put(&text, " (%.40s)", module->opcodes[at->opcode].text);
    }
    sync_describe(warp, group, &text);
}

static void put(struct base_text *text, const struct said *said, const struct run_unit *unit) {
    if (!said->any)
        return;
    base_put(text, "%s", text->used ? "; " : "");
    if (unit->n_blocks > 1)
        base_put(text, "block %u of the cluster, ", said->block);
    if (said->first == said->last)
        base_put(text, "warp %u%s", said->first, said->text);
    else
        base_put(text, "each of warps %u to %u%s", said->first, said->last, said->text);
}

/* Adds what is to be said of one group. */
static void add(struct base_text *text, struct said *said, const struct run_warp *warp,
                const struct run_group *group) {
    struct said next = {
        .block = warp->block->rank, .first = warp->number, .last = warp->number, .any = 1};
    say(next.text, warp, group);
    if (said->any && said->block == next.block && said->last + 1 == next.first &&
        !strcmp(said->text, next.text)) {
        said->last = next.last;
        return;
    }
    put(text, said, warp->block->unit);
    *said = next;
}

void unit_deadlock(struct run_unit *unit, uint64_t polling) {
    char where[WSIM_DIAG_TEXT] = "";
    struct base_text text = {.at = where, .size = sizeof where};
    struct said said = {.any = 0};
    struct run_warp *first = NULL;
    const struct run_op *op = NULL;
    /* A warp without registers is the cause, and comes first. */
    for (int others = 0; others < 2; others++)
        for (uint32_t i = 0; i < unit->n_blocks * unit->blocks[0].n_warps; i++) {
            const uint32_t warps = unit->blocks[0].n_warps;
            struct run_warp *warp = &unit->blocks[i / warps].warps[i % warps];
            for (uint32_t g = 0; warp->lanes && g < warp->n_groups; g++) {
                if (sync_lacks_registers(warp, &warp->groups[g]) == others)
                    continue;
                if (!first)
                    first = warp, op = &warp->program->ops[warp->groups[g].at];
                add(&text, &said, warp, &warp->groups[g]);
            }
        }
    put(&text, &said, unit);
    if (first && polling)
        run_finding(first, op, RUN_LANES, RULE_SYNC_DEADLOCK, 1,
                    "deadlock: %llu %s in which no register and no memory changes any more; "
                    "here %s",
                    (unsigned long long)polling,
                    unit->n_blocks > 1
                        ? polling == 1 ? "cluster is in a loop" : "clusters are in loops"
                    : polling == 1 ? "block is in a loop"
                                   : "blocks are in loops",
                    where);
    else if (first)
        run_finding(first, op, RUN_LANES, RULE_SYNC_DEADLOCK, 1, "no thread can make progress: %s",
                    where);
}
