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

static void read_file(const char *name, struct wsim_memory *memory) {
    FILE *file = fopen(name, "rb");
    size_t n;
    int why;
    if (!file)
        tool_fail("%s: %s", text_path(name).text, strerror(errno));
    n = fread(memory->bytes, 1, (size_t)memory->size, file);
    why = ferror(file) ? errno : 0;
    fclose(file);
    memory->size = n; /* bytes past its end do not exist */
    if (why)
        tool_fail("%s: %s", text_path(name).text, strerror(why));
}

static void make_memory(const struct tma_request *request, const struct tma_copy *copy,
                        struct memory *m) {
    uint64_t shared = (copy->io.shared_at + copy->tile.room + TMA_LINE - 1) / TMA_LINE * TMA_LINE;
    uint64_t global = tensor_bytes(&copy->tensor);
    memset(m, 0, sizeof *m);
    if (global > MOST)
        tool_fail("the tensor has more than %" PRIu64 " MiB: too many to fill here", MOST >> 20);
    m->global =
        wsim_memory_over(WSIM_GLOBAL, memory_make((size_t)global, 1), global, copy->tensor.base);
    m->shared = wsim_memory_over(WSIM_SHARED, memory_make((size_t)shared, 1), shared, 0);
    if (request->global)
        read_file(request->global, &m->global);
    else
        number(&m->global);
}

/* A row in JSON: coordinates, bytes, the address of each piece. */
static void set_row(struct doc *doc, const struct tma_copy *copy, const struct memory *m,
                    uint32_t row) {
    char *text = memory_make(2 * (size_t)copy->tile.inner + 1, 1);
    struct wsim_bulk_place place;
    doc_enter(doc, NULL);
    wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, 0, &place, NULL);
    doc_list(doc, "coord");
    for (unsigned i = 0; i < copy->tensor.rank; i++)
        doc_set(doc, NULL, json_integer(place.coord[i]));
    doc_leave(doc);
    for (uint32_t byte = 0; byte < copy->tile.inner; byte++) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, byte, &place, NULL);
        snprintf(text + 2 * byte, 3, "%02x", m->shared.bytes[place.shared]);
    }
    doc_set(doc, "bytes", json_string(text));
    doc_list(doc, "addresses");
    for (uint32_t byte = 0; byte < copy->tile.inner; byte += TMA_PIECE) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, byte, &place, NULL);
        doc_set(doc, NULL, json_integer(place.shared));
    }
    doc_leave(doc);
    doc_leave(doc);
    free(text);
}

/* 16 bytes of a row, in four words. */
static void add_piece(struct doc *doc, const struct tma_copy *copy, const struct memory *m,
                      uint32_t row, uint32_t first) {
    struct wsim_bulk_place place;
    char text[3 * TMA_PIECE];
    unsigned outside = 0, used = 0;
    for (unsigned i = 0; i < TMA_PIECE; i++) {
        wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, first + i, &place, NULL);
        outside += place.where == WSIM_BULK_OUTSIDE;
        used += (unsigned)snprintf(text + used, sizeof text - used, "%s%02x",
                                   i % 4 || !i ? "" : " ", m->shared.bytes[place.shared]);
    }
    wsim_bulk_locate(&copy->op, copy->arch, &copy->io, row, first, &place, NULL);
    doc_row_of(doc, "uu", row, first / TMA_PIECE);
    doc_cell(doc, json_integer(place.shared), "0x%05x", (unsigned)place.shared);
    doc_word(doc, text);
    doc_word(doc, outside == TMA_PIECE ? "outside" : outside ? "partly outside" : "");
}

static void state(struct doc *doc, const struct tma_copy *copy, const struct memory *m,
                  const struct wsim_bulk_result *result) {
    static const struct doc_column columns[] = {{"row", "row", 0},
                                                {"piece", "piece", 0},
                                                {"address", "address", 0},
                                                {"bytes", "bytes", DOC_LEFT},
                                                {"place", "place", DOC_FOLD},
                                                {NULL, NULL, 0}};
    doc_pack(doc, "{s:s, s:s, s:I, s:I, s:b}", "schema", "wsim.tma.load", "arch",
             wsim_arch_name(copy->arch), "barrier_bytes", (json_int_t)result->bytes, "outside",
             (json_int_t)result->outside, "measured", result->measured);
    doc_list(doc, "rows");
    for (uint32_t row = 0; row < copy->tile.rows && doc_is(doc, TOOL_JSON); row++)
        set_row(doc, copy, m, row);
    doc_leave(doc);
    doc_table(doc, NULL, columns);
    for (uint32_t row = 0; row < copy->tile.rows && !doc_is(doc, TOOL_JSON); row++)
        for (uint32_t first = 0; first < copy->tile.inner; first += TMA_PIECE)
            add_piece(doc, copy, m, row, first);
    doc_leave(doc);
    doc_line(doc, "barrier  %" PRIu64 " bytes, %" PRIu64 " of them outside the tensor",
             result->bytes, result->outside);
    doc_line(doc, "evidence: %s", result->measured ? "recordings of an H200" : "the PTX ISA");
}

int tma_load(struct doc *doc, const struct tma_request *request, struct tma_copy *copy) {
    struct wsim_bulk_result result;
    struct wsim_diag diag;
    struct memory m;
    make_memory(request, copy, &m);
    copy->io.global = &m.global;
    copy->io.shared = &m.shared;
    if (wsim_bulk_run(&copy->op, copy->arch, &copy->io, &result, &diag))
        tool_refuse("this load", &diag);
    state(doc, copy, &m, &result);
    free(m.global.bytes);
    free(m.shared.bytes);
    return doc_close(doc, TOOL_FINE);
}
