/* The cost to a warp of reading the tile of a load, or of writing that of a store. */
#include "tma_access.h"

#include <string.h>

enum { ACCESSES = 3, MATRIX_ROWS = 8 };

struct access {
    const char *name, *spelling;
    uint32_t addr[WSIM_LANES], mask;
};

static unsigned number_bytes(const struct wsim_tensor *t) {
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return (unsigned)t->dtype < sizeof bytes ? bytes[t->dtype] : 1;
}

static const char *element_access(const struct tma_copy *copy) {
    static const char *const loads[] = {"ld.shared.u8", "ld.shared.u16", "ld.shared.b32",
                                        "ld.shared.b64"};
    static const char *const stores[] = {"st.shared.u8", "st.shared.u16", "st.shared.b32",
                                         "st.shared.b64"};
    unsigned bytes = number_bytes(&copy->tensor);
    unsigned log = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return copy->stores ? stores[log] : loads[log];
}

/* Lane l takes its place in row l * down, at byte l * along; lanes past the tile do nothing. */
static struct access access_of(const struct tma_copy *copy, const char *name, const char *spelling,
                               uint32_t down, uint32_t along, uint32_t lanes) {
    struct access a = {name, spelling, {0}, 0};
    struct wsim_bulk_place place;
    uint32_t l;
    for (l = 0; l < lanes; l++)
        if (l * down < copy->tile.rows && l * along < copy->tile.inner) {
            wsim_bulk_locate(&copy->op, copy->arch, &copy->io, l * down, l * along, &place, NULL);
            a.addr[l] = place.shared;
            a.mask |= UINT32_C(1) << l;
        }
    return a;
}

/* 0: it cannot be done. */
static uint32_t wavefronts(const struct tma_copy *copy, const struct access *a) {
    uint32_t all = strstr(a->spelling, "matrix") ? UINT32_MAX : a->mask;
    struct wsim_banks banks;
    struct wsim_op op;
    if (wsim_op_parse(a->spelling, &op, NULL) ||
        wsim_banks_count(&op, copy->arch, a->addr, all, &banks, NULL))
        return 0;
    return banks.wavefronts;
}

static unsigned accesses(const struct tma_copy *copy, struct access out[ACCESSES]) {
    const char *spelling = element_access(copy);
    const char *matrix =
        copy->stores ? "stmatrix.sync.aligned.m8n8.x1.b16" : "ldmatrix.sync.aligned.m8n8.x1.b16";
    unsigned n = 0;
    out[n++] = access_of(copy, "along a row", spelling, 0, number_bytes(&copy->tensor), WSIM_LANES);
    out[n++] = access_of(copy, "down a column", spelling, 1, 0, WSIM_LANES);
    if (copy->tile.rows >= MATRIX_ROWS)
        out[n++] = access_of(copy, "8 matrix rows", matrix, 1, 0, MATRIX_ROWS);
    return n;
}

static unsigned count_lanes(uint32_t mask) {
    unsigned n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

void tma_accesses(struct doc *doc, const struct tma_copy *copy) {
    const char *word = copy->stores ? "writes" : "reads";
    const struct doc_column columns[] = {{"name", word, 0},
                                         {"instruction", "instruction", DOC_LEFT},
                                         {"lanes", "lanes", 0},
                                         {"wavefronts", "wavefronts", 0},
                                         {NULL, NULL, 0}};
    struct access list[ACCESSES];
    const unsigned count = accesses(copy, list);
    doc_table(doc, word, columns);
    for (unsigned i = 0; i < count; i++)
        doc_row_of(doc, "ssuu", list[i].name, list[i].spelling, count_lanes(list[i].mask),
                   wavefronts(copy, &list[i]));
    doc_leave(doc);
}
