/* A trace; see trace.h. */
#include "trace.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <stdlib.h>

struct trace {
    FILE *file;
};

struct trace *trace_open(FILE *file) {
    struct trace *trace = memory_make(1, sizeof *trace);
    trace->file = file;
    fputs("# block\twarp\tlanes\tPTX line\tsource\topcode\tregisters written\n", file);
    return trace;
}

void trace_close(struct trace *trace) {
    free(trace);
}

static void add_values(FILE *file, const struct wsim_seen *view, const struct wsim_use *use,
                       int lane) {
    uint64_t low[32], high[32];
    struct wsim_register reg;
    char type[VALUE_TYPE], text[VALUE_TEXT];
    if (!wsim_seen_register(view, use->reg, &reg) || !wsim_seen_values(view, use->reg, low, high))
        return;
    value_type(&reg, use, view->site.opcode, type);
    fprintf(file, "\t%s:%s=", reg.name, type);
    for (int i = lane < 0 ? 0 : lane; i < (lane < 0 ? 32 : lane + 1); i++) {
        value_text(view, type, reg.bits, low[i], high[i], text);
        fprintf(file, "%s%s", i && lane < 0 ? ";" : "", view->active >> i & 1 ? text : "-");
    }
}

void trace_add(struct trace *trace, const struct wsim_seen *view, int lane) {
    const struct wsim_site *site = &view->site;
    struct wsim_use use;
    fprintf(trace->file, "%u,%u,%u\t%u\t0x%08x\t%u\t%s:%u\t%s", view->block[0], view->block[1],
            view->block[2], view->warp, view->active, site->ptx_line,
            site->file ? text_path(text_name(site->file)).text : "-", site->line, site->opcode);
    for (uint32_t i = 0; wsim_seen_use(view, i, &use); i++)
        if (use.writes)
            add_values(trace->file, view, &use, lane);
    fputc('\n', trace->file);
}
