/* A copy of a tensor map out of options: its direction, coordinates, offsets, the address of the
 * tile. */
#include "tma_copy.h"
#include "../common/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with commas between them, exactly `n`. */
static void read_numbers(const char *name, const char *text, unsigned n, long least, long most,
                         long *out) {
    const char *at = text;
    unsigned count = 0;
    while (count < n) {
        char *end;
        errno = 0;
        out[count] = strtol(at, &end, 10);
        if (end == at || errno || out[count] < least || out[count] > most)
            tool_fail("%s '%s': number %u is not in %ld to %ld", name, text_cut(text).text, count,
                      least, most);
        count++;
        end += strspn(end, " ");
        if (*end != ',' || count == n) {
            at = end;
            break;
        }
        at = end + 1;
    }
    if (count == n && *at == '\0')
        return;
    tool_fail("%s '%s': expected %u numbers", name, text_cut(text).text, n);
}

static void read_coordinates(const struct tma_request *request, struct tma_copy *copy) {
    unsigned rank = copy->tensor.rank, i;
    long list[WSIM_TENSOR_RANK] = {0};
    if (request->coord)
        read_numbers("--coord", request->coord, rank, INT32_MIN, INT32_MAX, list);
    for (i = 0; i < rank; i++)
        copy->io.coord[i] = (int32_t)list[i];
    if (!request->offsets)
        return;
    if (copy->tensor.mode != WSIM_TENSOR_IM2COL)
        tool_fail("--offsets apply to im2col maps only");
    if (request->stores)
        tool_fail("--offsets apply to loads only");
    read_numbers("--offsets", request->offsets, rank - 2, 0, UINT16_MAX, list);
    for (i = 0; i + 2 < rank; i++)
        copy->io.offset[i] = (uint16_t)list[i];
}

static void make_op(const struct tma_request *request, struct tma_copy *copy) {
    int pixels = copy->tensor.mode == WSIM_TENSOR_IM2COL;
    unsigned rank = copy->tensor.rank;
    if (!request->stores)
        snprintf(copy->spelling, sizeof copy->spelling,
                 "cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes",
                 rank, pixels ? "im2col" : "tile");
    else
        snprintf(copy->spelling, sizeof copy->spelling,
                 "cp.%sasync.bulk.tensor.%ud.global.shared::cta%s%s.%s.bulk_group",
                 request->reduce ? "reduce." : "", rank, request->reduce ? "." : "",
                 request->reduce ? request->reduce : "", pixels ? "im2col_no_offs" : "tile");
    if (wsim_op_parse(copy->spelling, &copy->op, NULL))
        tool_fail("--reduce '%s': must be add, min, max, inc, dec, and, or, xor",
                  text_cut(request->reduce ? request->reduce : "").text);
}

/* A box of 16 MiB and more can be a map; no block has room for its tile. */
static void read_place(const struct tma_request *request, struct tma_copy *copy) {
    tool_number("--at", request->at, TMA_MEMORY, &copy->io.shared_at);
    if (copy->tile.room > TMA_MEMORY - copy->io.shared_at)
        tool_fail("the tile takes %" PRIu64 " bytes of shared memory from 0x%x on: there are "
                  "at most 0x%x to show",
                  copy->tile.room, (unsigned)copy->io.shared_at, (unsigned)TMA_MEMORY);
}

void tma_copy_read(const struct tma_request *request, char *const option[TMA_PARAMETERS],
                   const char *arch, struct tma_copy *copy) {
    struct wsim_bulk_place place;
    struct wsim_diag diag;
    memset(copy, 0, sizeof *copy);
    copy->stores = request->stores;
    copy->arch = tool_target(arch);
    tma_read(request->file, option, &copy->tensor);
    if (wsim_tensor_encode(&copy->tensor, copy->arch, &copy->map, &diag))
        tool_refuse("this map", &diag);
    copy->tile = wsim_tensor_measure(&copy->tensor);
    copy->io.map = &copy->map;
    read_coordinates(request, copy);
    read_place(request, copy);
    make_op(request, copy);
    if (wsim_bulk_locate(&copy->op, copy->arch, &copy->io, 0, 0, &place, &diag))
        tool_refuse(request->reduce   ? "this reduction"
                    : request->stores ? "this store"
                                      : "this load",
                    &diag);
}

static size_t put_list(const char *name, const int64_t *list, unsigned n, char *out, size_t room) {
    size_t used = (size_t)snprintf(out, room, "%s", name);
    for (unsigned i = 0; i < n; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%" PRId64, i ? ", " : "", list[i]);
    return used;
}

void tma_place(const struct tma_copy *copy, char out[TMA_PLACE]) {
    const struct wsim_tensor *t = &copy->tensor;
    int64_t list[WSIM_TENSOR_RANK];
    size_t n;
    unsigned i;
    for (i = 0; i < t->rank; i++)
        list[i] = copy->io.coord[i];
    n = (size_t)snprintf(out, TMA_PLACE, "%s %s, swizzle %s, interleave %s; ",
                         wsim_tensor_name(WSIM_TENSOR_LIST_MODE, t->mode),
                         wsim_tensor_name(WSIM_TENSOR_LIST_DTYPE, t->dtype),
                         wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle),
                         wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave));
    n += put_list("at ", list, t->rank, out + n, TMA_PLACE - n);
    for (i = 0; i + 2 < t->rank; i++)
        list[i] = copy->io.offset[i];
    if (t->mode == WSIM_TENSOR_IM2COL && !copy->stores)
        put_list("; offsets ", list, t->rank - 2, out + n, TMA_PLACE - n);
}
