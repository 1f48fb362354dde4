/* wsim tma load: the bytes that a load leaves in shared memory. */
#include "../common/memory.h"
#include "../common/text.h"
#include "tma_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of global memory that are made for a tensor. */
#define MOST (UINT64_C(64) << 20)

struct memory {
    struct wsim_memory global, shared;
};

/* Bytes from the base of the tensor to past its last. */
static uint64_t tensor_bytes(const struct wsim_tensor *t) {
    uint64_t bytes = t->dims[0] * (t->interleave ? 16u * t->interleave : 8u);
    uint32_t i;
    for (i = 1; i < t->rank; i++) {
        if (t->strides[i - 1] && t->dims[i] > MOST / t->strides[i - 1] + 1)
            return UINT64_MAX;
        bytes += t->strides[i - 1] * (t->dims[i] - 1);
    }
    return bytes;
}

/* Every 4 bytes hold the offset of their first from the base. */
static void number(struct wsim_memory *memory) {
    uint64_t i;
    for (i = 0; i < memory->size; i++)
        memory->bytes[i] = (uint8_t)((i & ~UINT64_C(3)) >> 8 * (i & 3));
}

static int read_file(const char *name, struct wsim_memory *memory) {
    FILE *file = fopen(name, "rb");
    size_t n;
    int why;
    if (!file)
        return tool_error("%s: %s", text_path(name).text, strerror(errno));
    n = fread(memory->bytes, 1, (size_t)memory->size, file);
    why = ferror(file) ? errno : 0;
    fclose(file);
    memory->size = n; /* what is behind its end is not there */
    return why ? tool_error("%s: %s", text_path(name).text, strerror(why)) : TOOL_GO;
}

static int make_memory(const struct tma_request *request, const struct tma_copy *copy,
                       struct memory *m) {
    uint64_t shared = (copy->io.shared_at + copy->tile.room + TMA_LINE - 1) / TMA_LINE * TMA_LINE;
    uint64_t global = tensor_bytes(&copy->tensor);
    memset(m, 0, sizeof *m);
    if (global > MOST)
        return tool_error("the tensor has more than %" PRIu64 " MiB: too many to fill here",
                          MOST >> 20);
    m->global =
        wsim_memory_over(WSIM_GLOBAL, memory_make((size_t)global, 1), global, copy->tensor.base);
    m->shared = wsim_memory_over(WSIM_SHARED, memory_make((size_t)shared, 1), shared, 0);
    if (request->global)
        return read_file(request->global, &m->global);
    number(&m->global);
    return TOOL_GO;
}

/* 16 bytes of a row, which may be outside from some byte on, or up to one. */
static void print_piece(const struct tma_copy *copy, const struct memory *m, uint32_t row,
                        uint32_t first) {
    struct wsim_bulk_place place;
    unsigned outside = 0, i;
    wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, first, &place, NULL);
    printf("%4u:%-3u 0x%05x ", (unsigned)row, (unsigned)(first / TMA_PIECE),
           (unsigned)place.shared);
    for (i = 0; i < TMA_PIECE; i++) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, first + i, &place, NULL);
        outside += place.where == WSIM_BULK_OUTSIDE;
        printf("%s%02x", i % 4 ? "" : " ", m->shared.bytes[place.shared]);
    }
    printf("%s\n", outside == TMA_PIECE ? "  outside" : outside ? "  partly outside" : "");
}

static void print_text(const struct tma_copy *copy, const struct memory *m,
                       const struct wsim_bulk_result *result) {
    uint32_t row, first;
    printf("row:piece, shared address, bytes\n");
    for (row = 0; row < copy->tile.rows; row++)
        for (first = 0; first < copy->tile.inner; first += TMA_PIECE)
            print_piece(copy, m, row, first);
    printf("barrier  %" PRIu64 " bytes, %" PRIu64 " of them outside the tensor\n", result->bytes,
           result->outside);
    printf("rests on %s\n", result->measured ? "what an H200 was seen to do" : "the PTX ISA");
}

static void print_csv(const struct tma_copy *copy, const struct memory *m) {
    uint32_t row, byte;
    puts("row,byte,address,inside,value");
    for (row = 0; row < copy->tile.rows; row++)
        for (byte = 0; byte < copy->tile.inner; byte++) {
            struct wsim_bulk_place place;
            wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, byte, &place, NULL);
            printf("%u,%u,0x%05x,%d,%02x\n", (unsigned)row, (unsigned)byte, (unsigned)place.shared,
                   place.where == WSIM_BULK_INSIDE, m->shared.bytes[place.shared]);
        }
}

static json_t *row_json(const struct tma_copy *copy, const struct memory *m, uint32_t row) {
    json_t *addresses = json_array(), *coord = json_array();
    char *text = memory_make(2 * (size_t)copy->tile.inner + 1, 1);
    struct wsim_bulk_place place;
    uint32_t byte, i;
    json_t *out;
    wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, 0, &place, NULL);
    for (i = 0; i < copy->tensor.rank; i++)
        json_array_append_new(coord, json_integer(place.coord[i]));
    for (byte = 0; byte < copy->tile.inner; byte++) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, byte, &place, NULL);
        snprintf(text + 2 * byte, 3, "%02x", m->shared.bytes[place.shared]);
        if (byte % TMA_PIECE == 0)
            json_array_append_new(addresses, json_integer(place.shared));
    }
    out = json_pack("{s:o, s:s, s:o}", "coord", coord, "bytes", text, "addresses", addresses);
    free(text);
    return out;
}

static void print_json(const struct tma_copy *copy, const struct memory *m,
                       const struct wsim_bulk_result *result) {
    json_t *rows = json_array();
    uint32_t row;
    for (row = 0; row < copy->tile.rows; row++)
        json_array_append_new(rows, row_json(copy, m, row));
    tool_print_json(json_pack("{s:s, s:i, s:s, s:I, s:I, s:b, s:o}", "schema", "wsim.tma.load",
                              "version", 1, "arch", wsim_arch_name(copy->arch), "barrier_bytes",
                              (json_int_t)result->bytes, "outside", (json_int_t)result->outside,
                              "measured", result->measured, "rows", rows));
}

static int execute(const struct tma_request *request, struct tma_copy *copy, struct memory *m) {
    struct wsim_bulk_result result;
    struct wsim_diag diag;
    copy->io.global = &m->global;
    copy->io.shared = &m->shared;
    if (wsim_bulk_run(&copy->op, copy->arch, &copy->io, &result, &diag))
        return tool_refused("this load", &diag);
    if (request->format == TOOL_JSON)
        print_json(copy, m, &result);
    else if (request->format == TOOL_CSV)
        print_csv(copy, m);
    else
        print_text(copy, m, &result);
    return TOOL_FINE;
}

int tma_move(const struct tma_request *request, struct tma_copy *copy) {
    struct memory memory;
    int status = make_memory(request, copy, &memory);
    if (status == TOOL_GO)
        status = execute(request, copy, &memory);
    free(memory.global.bytes);
    free(memory.shared.bytes);
    return status;
}
