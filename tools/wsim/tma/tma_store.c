/* wsim tma store: the bytes that a store or reduction of a tile writes and drops, row by row. */
#include "tma_access.h"
#include "tma_command.h"
#include "tma_runs.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bytes of all rows by where they are. */
static uint64_t total(const struct tma_runs *runs, enum wsim_bulk_where where) {
    uint64_t bytes = 0;
    size_t i;
    for (i = 0; i < runs->count; i++)
        bytes += runs->run[i].rows * runs->run[i].bytes[where];
    return bytes;
}

int tma_store(struct doc *doc, const struct tma_request *request, struct tma_copy *copy) {
    struct tma_runs runs;
    char place[TMA_PLACE];
    uint64_t written, padding, dropped;
    int status;
    (void)request;
    tma_runs(copy, &runs);
    tma_place(copy, place);
    written = total(&runs, WSIM_BULK_INSIDE);
    padding = total(&runs, WSIM_BULK_PADDING);
    dropped = total(&runs, WSIM_BULK_OUTSIDE);
    doc_set(doc, "schema", json_string("wsim.tma.store"));
    doc_line(doc, "%s", place);
    doc_pack(doc, "{s:s, s:s, s:I, s:I, s:I}", "arch", wsim_arch_name(copy->arch), "instruction",
             copy->spelling, "written", (json_int_t)written, "padding", (json_int_t)padding,
             "dropped", (json_int_t)dropped);
    tma_state_runs(doc, &runs);
    doc_line(doc,
             "bytes    %" PRIu64 " written, %" PRIu64 " of padding after rows overwritten, %" PRIu64
             " dropped",
             written, padding, dropped);
    tma_accesses(doc, copy);
    status = doc_close(doc, TOOL_FINE);
    free(runs.run);
    return status;
}
