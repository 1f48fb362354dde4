#include "fixture.h"

void fixture_start(struct fixture *f) {
    unsigned i;
    memset(f, 0, sizeof *f);
    for (i = 0; i < GLOBAL_BYTES; i++)
        f->global[i] = (uint8_t)(i * 2654435761u >> 13);
    for (i = 0; i < SHARED_BYTES; i++)
        f->shared[i] = (uint8_t)(i * 2246822519u >> 11);
    f->global_memory = wsim_memory_over(WSIM_GLOBAL, f->global, GLOBAL_BYTES, GLOBAL_BASE);
    f->shared_memory = wsim_memory_over(WSIM_SHARED, f->shared, SHARED_BYTES, 0);
    f->io.global = &f->global_memory;
    f->io.shared = &f->shared_memory;
    f->barrier.shared = &f->shared_memory;
    f->barrier.at = f->io.barrier_at = BARRIER_AT;
    f->io.has_barrier = 1;
    memset(f->shared + BARRIER_AT, 0, WSIM_MBARRIER_BYTES);
    ck_assert_int_eq(wsim_mbarrier_init(&f->barrier, 1, NULL), WSIM_OK);
}

static const uint8_t type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1};

void fixture_tile(struct fixture *f, enum wsim_tensor_type type, uint32_t rank,
                  const uint64_t *dims, const uint32_t *box) {
    uint64_t row = (dims[0] * type_bytes[type] + 15) / 16 * 16;
    uint32_t i;
    memset(&f->tensor, 0, sizeof f->tensor);
    f->tensor.dtype = type;
    f->tensor.rank = rank;
    f->tensor.base = GLOBAL_BASE + 256;
    for (i = 0; i < rank; i++) {
        f->tensor.dims[i] = dims[i];
        f->tensor.box[i] = box ? box[i] : 1;
        f->tensor.estrides[i] = 1;
        if (i) {
            f->tensor.strides[i - 1] = row;
            row *= dims[i];
        }
    }
}

enum wsim_status fixture_run(struct fixture *f, const char *spelling) {
    const struct wsim_arch *arch = wsim_arch_find(f->arch ? f->arch : "sm_90a");
    enum wsim_status status = WSIM_OK;
    struct wsim_op op;
    f->diag.text[0] = '\0';
    ck_assert_int_eq(wsim_op_parse(spelling, &op, &f->diag), WSIM_OK);
    if (f->tensor.rank) {
        status = wsim_tensor_encode(&f->tensor, arch, &f->map, &f->diag);
        f->io.map = &f->map;
    }
    ck_assert_msg(!status, "%s", f->diag.text);
    return wsim_bulk_run(&op, arch, &f->io, &f->result, &f->diag);
}

void fixture_refused(struct fixture *f, const char *spelling, enum wsim_status status,
                     const char *words) {
    static struct fixture before;
    memcpy(&before, f, sizeof before);
    ck_assert_msg(fixture_run(f, spelling) == status, "%s: %s", spelling, f->diag.text);
    ck_assert_msg(strstr(f->diag.text, words) != NULL, "no \"%s\" in: %s", words, f->diag.text);
    ck_assert(memcmp(before.global, f->global, sizeof f->global) == 0);
    ck_assert(memcmp(before.shared, f->shared, sizeof f->shared) == 0);
}

uint64_t fixture_number(const uint8_t *at, unsigned bytes) {
    uint64_t n = 0;
    while (bytes--)
        n = n << 8 | at[bytes];
    return n;
}
