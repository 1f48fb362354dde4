/* A load of a tensor map out of options: coordinates, offsets, the address of the tile. */
#include "tma_tile.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with commas between them, exactly `n`. */
static int read_numbers(const char *name, const char *text, unsigned n, long least, long most,
                        long *out) {
    const char *at = text;
    unsigned count = 0;
    while (count < n) {
        char *end;
        errno = 0;
        out[count] = strtol(at, &end, 10);
        if (end == at || errno || out[count] < least || out[count] > most)
            return tool_error("%s '%s': number %u is none of %ld to %ld", name, text, count, least,
                              most);
        count++;
        if (*end != ',' || count == n) {
            at = end;
            break;
        }
        at = end + 1;
    }
    if (count == n && *at == '\0')
        return TOOL_GO;
    return tool_error("%s '%s': it has %u numbers", name, text, n);
}

static int read_coordinates(const struct tma_request *request, struct tma_load *load) {
    unsigned rank = load->tensor.rank, i;
    long list[WSIM_TENSOR_RANK] = {0};
    int status = TOOL_GO;
    if (request->coord)
        status = read_numbers("--coord", request->coord, rank, INT32_MIN, INT32_MAX, list);
    for (i = 0; i < rank; i++)
        load->io.coord[i] = (int32_t)list[i];
    if (status != TOOL_GO || !request->offsets)
        return status;
    if (load->tensor.mode != WSIM_TENSOR_IM2COL)
        return tool_error("--offsets: only an im2col map has them");
    status = read_numbers("--offsets", request->offsets, rank - 2, 0, UINT16_MAX, list);
    for (i = 0; i + 2 < rank; i++)
        load->io.offset[i] = (uint16_t)list[i];
    return status;
}

static int make_op(struct tma_load *load) {
    char spelling[WSIM_SPELLING_MAX];
    snprintf(spelling, sizeof spelling,
             "cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes",
             (unsigned)load->tensor.rank,
             load->tensor.mode == WSIM_TENSOR_IM2COL ? "im2col" : "tile");
    return wsim_op_parse(spelling, &load->op, NULL) ? TOOL_USAGE : TOOL_GO;
}

int tma_load_read(const struct tma_request *request, char *const option[TMA_PARAMETERS],
                  const char *arch, struct tma_load *load) {
    struct wsim_bulk_place place;
    struct wsim_diag diag;
    int status;
    memset(load, 0, sizeof *load);
    load->arch = tool_arch(arch);
    status = load->arch ? tma_read(request->file, option, &load->tensor) : TOOL_USAGE;
    if (status != TOOL_GO)
        return status;
    if (wsim_tensor_encode(&load->tensor, load->arch, &load->map, &diag))
        return tool_refused("this map", &diag);
    load->tile = wsim_tensor_tile(&load->tensor);
    load->io.map = &load->map;
    status = read_coordinates(request, load);
    if (status == TOOL_GO)
        status = tool_number("--at", request->at, 1u << 20, &load->io.shared_at);
    if (status == TOOL_GO)
        status = make_op(load);
    if (status == TOOL_GO && wsim_bulk_place(&load->op, load->arch, &load->io, 0, 0, &place, &diag))
        return tool_refused("this load", &diag);
    return status;
}
