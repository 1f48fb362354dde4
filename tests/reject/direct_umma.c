/* Refusals of products of the Blackwell tensor core. */
#include "../../sim/exec/umma.h"
#include "case.h"

enum { F16_128X64 = 0x08100010, SHARED = 8192 };

/* An f16 product of 128 x 64 with A and B at address 0, without a swizzle. */
struct product_case {
    struct wsim_umma form;
    uint32_t idesc;
    struct wsim_io_umma io;
};

static struct product_case ordinary(void) {
    const uint64_t desc = UINT64_C(1) << 46 | 8 << 16 | UINT64_C(16) << 32;
    return (struct product_case){.form = {.kind = WSIM_UMMA_F16, .blocks = 1},
                                 .idesc = F16_128X64,
                                 .io = {.desc_a = desc, .desc_b = desc}};
}

static enum wsim_status multiply(const struct product_case *what, struct wsim_diag *diag) {
    static uint8_t shared_bytes[SHARED], tensor_bytes[UMMA_LANES * UMMA_COLUMNS * 4];
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, shared_bytes, SHARED, 0);
    struct wsim_memory tensor = wsim_memory_over(WSIM_TENSOR, tensor_bytes, sizeof tensor_bytes, 0);
    struct wsim_code code = {0};
    struct wsim_io io = {.shared = &shared, .umma = what->io};
    enum wsim_status status =
        wsim_umma_prepare(&what->form, what->idesc, wsim_arch_find("sm_100a"), 0, &code, diag);
    io.umma.tensor = &tensor;
    work_to(&code)->shared_end = SHARED;
    return status ? status : wsim_run(&code, &io, diag);
}

static enum wsim_status wrong_lane(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.d = 32 << 16;
    return multiply(&what, diag);
}

static enum wsim_status wrong_column(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.d = 449;
    return multiply(&what, diag);
}

static enum wsim_status wrong_width(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.idesc = 0x080E0010 | 1 << 24; /* M = 144 */
    return multiply(&what, diag);
}

static enum wsim_status wrong_type(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.idesc |= 2 << 7;
    return multiply(&what, diag);
}

static enum wsim_status wrong_sparsity(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.idesc |= 1 << 2;
    return multiply(&what, diag);
}

static enum wsim_status wrong_scale(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.scale_d = 16;
    return multiply(&what, diag);
}

static enum wsim_status wrong_mask(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.zero_columns = 1;
    return multiply(&what, diag);
}

static enum wsim_status of_wgmma(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.desc_a &= ~(UINT64_C(7) << 46);
    return multiply(&what, diag);
}

static enum wsim_status wrong_swizzle(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.desc_b |= UINT64_C(3) << 61;
    return multiply(&what, diag);
}

static enum wsim_status outside(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.desc_b += 0x190;
    return multiply(&what, diag);
}

static enum wsim_status open_selector(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.form.sparse = 1;
    what.idesc |= 1 << 2 | 1;
    return multiply(&what, diag);
}

static enum wsim_status open_address(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.io.desc_b |= UINT64_C(1) << 52;
    return multiply(&what, diag);
}

static enum wsim_status undefined_metadata(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.form.sparse = 1;
    what.idesc |= 1 << 2;
    return multiply(&what, diag);
}

static enum wsim_status wrong_form(struct wsim_diag *diag) {
    struct product_case what = ordinary();
    what.form.stationary = 1;
    what.form.blocks = 2;
    return multiply(&what, diag);
}

const struct reject_direct reject_ummas[] = {
    {"tcgen.mma.address", wrong_lane},
    {"tcgen.mma.address", wrong_column},
    {"tcgen.mma.descriptor", wrong_width},
    {"tcgen.mma.descriptor", wrong_type},
    {"tcgen.mma.descriptor", wrong_sparsity},
    {"tcgen.mma.form", wrong_form},
    {"tcgen.mma.flag", wrong_scale},
    {"tcgen.mma.flag", wrong_mask},
    {"tcgen.mma.shared", of_wgmma},
    {"tcgen.mma.shared", wrong_swizzle},
    {"memory.bounds", outside},
    {"tcgen.mma.open", open_selector},
    {"tcgen.mma.open", open_address},
    {"mma.metadata.undefined", undefined_metadata},
};

const int reject_ummas_count = COUNT(reject_ummas);
