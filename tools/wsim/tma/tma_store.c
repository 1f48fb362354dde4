/* wsim tma store: what a store or reduction of a tile writes, row by row, and what it does not. */
#include "../common/screen.h"
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

static void print_text(const struct tma_copy *copy, const struct tma_runs *runs) {
    char place[TMA_PLACE];
    tma_place(copy, place);
    puts(place);
    tma_print_runs(runs);
    screen_fold(9,
                "bytes    %" PRIu64 " written, %" PRIu64
                " of padding behind rows overwritten, %" PRIu64 " dropped",
                total(runs, WSIM_BULK_INSIDE), total(runs, WSIM_BULK_PADDING),
                total(runs, WSIM_BULK_OUTSIDE));
    tma_print_accesses(copy);
}

static int print_page(const struct tma_copy *copy, const struct tma_runs *runs,
                      enum tool_format format) {
    struct table table = tma_runs_table(runs);
    char place[TMA_PLACE];
    struct page page;
    tma_place(copy, place);
    page_open(&page, place);
    page_table(&page, "rows of the tile that fare alike, and what is written of each", &table);
    page_line(&page, WSIM_LINES_BELOW,
              "%" PRIu64 " bytes written, %" PRIu64 " of padding behind rows overwritten, %" PRIu64
              " dropped",
              total(runs, WSIM_BULK_INSIDE), total(runs, WSIM_BULK_PADDING),
              total(runs, WSIM_BULK_OUTSIDE));
    tma_page_accesses(copy, &page);
    return page_print(&page, format);
}

static void print_json(const struct tma_copy *copy, const struct tma_runs *runs) {
    tool_print_json(json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:o, s:o}", "schema",
                              "wsim.tma.store", "version", 1, "arch", wsim_arch_name(copy->arch),
                              "instruction", copy->spelling, "written",
                              (json_int_t)total(runs, WSIM_BULK_INSIDE), "padding",
                              (json_int_t)total(runs, WSIM_BULK_PADDING), "dropped",
                              (json_int_t)total(runs, WSIM_BULK_OUTSIDE), "runs",
                              tma_runs_json(runs), "writes", tma_accesses_json(copy)));
}

int tma_store(const struct tma_request *request, const struct tma_copy *copy) {
    struct tma_runs runs;
    int status = TOOL_FINE;
    tma_runs(copy, &runs);
    if (request->format == TOOL_JSON)
        print_json(copy, &runs);
    else if (request->format == TOOL_CSV)
        tma_runs_csv(&runs);
    else if (request->format == TOOL_TEXT)
        print_text(copy, &runs);
    else
        status = print_page(copy, &runs, request->format);
    free(runs.run);
    return status;
}
