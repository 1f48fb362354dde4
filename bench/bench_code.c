/* Times the preparation, execution and counting of one row of each family: the best of several
 * rounds, on one core. Prints a table; asserts nothing. "checks" is a run that is refused by
 * the last check there is before operands are read: what a run costs beside its work. */
#include "bench.h"

#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 7, REGS = 512, WINDOW = 65536, GROUPS = 32 };

/* Everything that an instruction may ask for. */
static uint32_t words[5][REGS][WSIM_LANES];
static uint32_t *d[REGS];
static const uint32_t *a[REGS], *b[REGS], *c[REGS], *e[4], *sf[1];
static uint8_t bytes[WINDOW], global_bytes[WINDOW];
static uint32_t addr[WSIM_LANES], src[WSIM_LANES], scales[WSIM_LANES];
static struct wsim_memory shared, global;
static struct wsim_tensor_map map;

static void fill(void) {
    uint32_t seed = 1;
    for (unsigned o = 0; o < 5; o++)
        for (unsigned r = 0; r < REGS; r++)
            for (unsigned l = 0; l < WSIM_LANES; l++)
                words[o][r][l] =
                    o == 4 ? 0x44444444u : (seed = seed * 1664525u + 1013904223u) & 0xBFFFBFFFu;
    for (unsigned r = 0; r < REGS; r++) {
        d[r] = words[0][r];
        a[r] = words[1][r];
        b[r] = words[2][r];
        c[r] = words[3][r];
    }
    for (unsigned w = 0; w < 4; w++)
        e[w] = words[4][w];
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        addr[l] = src[l] = l * 16;
        scales[l] = 0x7F7F7F7Fu;
    }
    sf[0] = scales;
    for (unsigned i = 0; i < WINDOW; i++)
        bytes[i] = (uint8_t)(i * 2654435761u >> 13 & 0xBF);
    shared = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 0);
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, sizeof global_bytes, 0);
}

static struct wsim_io operands(const struct wsim_op *op) {
    struct wsim_io io = {.shared = &shared, .global = &global};
    switch (wsim_op_describe(op).view) {
    case WSIM_VIEW_MMA:
        io.mma = (struct wsim_io_mma){.d = d, .a = a, .b = b, .c = c, .e = e, .sfa = sf, .sfb = sf};
        break;
    case WSIM_VIEW_WGMMA:
        io.wgmma = (struct wsim_io_wgmma){.d = d, .c = c, .e = e, .scale_d = 1};
        io.wgmma.desc_b = UINT64_C(1) << 62 | UINT64_C(64) << 32 | 1u << 16; /* 128B, K-major */
        break;
    case WSIM_VIEW_COPY:
        io.copy = (struct wsim_io_copy){
            .addr = addr, .src = src, .mask = UINT32_MAX, .bytes = 16, .warm = 1};
        break;
    case WSIM_VIEW_BULK: io.bulk = (struct wsim_io_bulk){.map = &map, .bytes = 8192}; break;
    default:
        io.move = (struct wsim_io_move){.d = d, .a = a, .r = a, .addr = addr, .mask = UINT32_MAX};
    }
    return io;
}

/* An operand is missing. */
static struct wsim_io without(const struct wsim_op *op, struct wsim_io io) {
    switch (wsim_op_describe(op).view) {
    case WSIM_VIEW_MMA: io.mma.c = NULL; break;
    case WSIM_VIEW_WGMMA: io.wgmma.c = NULL; break;
    case WSIM_VIEW_COPY: io.copy.addr = NULL; break;
    case WSIM_VIEW_BULK: io.shared = NULL; break;
    default: io.move.addr = NULL; io.move.a = NULL;
    }
    return io;
}

typedef enum wsim_status work(const struct wsim_op *op, const struct wsim_arch *arch,
                              struct wsim_code *code, const struct wsim_io *io);

static enum wsim_status prepare(const struct wsim_op *op, const struct wsim_arch *arch,
                                struct wsim_code *code, const struct wsim_io *io) {
    (void)io;
    return wsim_prepare(op, arch, 0, code, NULL);
}

/* A warp has other operands each time, so that no branch is learned by heart; a warpgroup has as
 * many different ones in itself. */
static enum wsim_status run(const struct wsim_op *op, const struct wsim_arch *arch,
                            struct wsim_code *code, const struct wsim_io *io) {
    static unsigned turn;
    struct wsim_io turned = *io;
    (void)arch;
    turn = (turn + 1) % (REGS - 2 * WSIM_MAX_REGS);
    if (wsim_op_describe(op).view == WSIM_VIEW_MMA && io->mma.c) {
        turned.mma.b = io->mma.b + turn;
        turned.mma.a = io->mma.a + turn;
    }
    return wsim_run(code, &turned, NULL);
}

static enum wsim_status count(const struct wsim_op *op, const struct wsim_arch *arch,
                              struct wsim_code *code, const struct wsim_io *io) {
    static struct wsim_cost_group groups[GROUPS];
    struct wsim_cost cost;
    (void)op;
    (void)arch;
    return wsim_cost(code, io, WSIM_HARDWARE_COUNTERS, groups, GROUPS, &cost, NULL);
}

/* Nanoseconds of one call; negative: it is refused. */
static double measure(work *what, const struct wsim_op *op, const struct wsim_arch *arch,
                      struct wsim_code *code, const struct wsim_io *io, int refused) {
    double best = 1e30, start = nanoseconds();
    unsigned calls = 1;
    if ((what(op, arch, code, io) != WSIM_OK) != refused)
        return -1;
    while (nanoseconds() - start < 2e6) { /* as many calls as take some milliseconds */
        what(op, arch, code, io);
        calls++;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        start = nanoseconds();
        for (unsigned i = 0; i < calls; i++)
            what(op, arch, code, io);
        if ((nanoseconds() - start) / calls < best)
            best = (nanoseconds() - start) / calls;
    }
    return best;
}

static void put(double ns) {
    if (ns < 0)
        printf("%12s", "-");
    else
        printf("%12.0f", ns);
}

static void row(const char *spelling, const char *target) {
    const struct wsim_arch *arch = wsim_arch_find(target);
    struct wsim_diag diag;
    struct wsim_code code;
    struct wsim_op op;
    struct wsim_io io, less;
    if (wsim_op_parse(spelling, &op, &diag) || wsim_prepare(&op, arch, 0, &code, &diag)) {
        printf("%s: %s\n", spelling, diag.text);
        return;
    }
    io = operands(&op);
    less = without(&op, io);
    put(measure(prepare, &op, arch, &code, &io, 0));
    put(measure(run, &op, arch, &code, &less, 1));
    put(measure(run, &op, arch, &code, &io, 0));
    put(measure(count, &op, arch, &code, &io, 0));
    printf("  %-7s %s\n", target, spelling);
}

/* Products of tcgen05.mma, 128 x 256 of 32 bytes of K: as many bytes as two of wgmma's m64n256.
 * Types come from a descriptor. */
static const struct product {
    const char *types[4]; /* D, A and B, scale factors    */
    struct wsim_umma umma;
} products[] = {
    {{"f32", "f16"}, {.kind = WSIM_UMMA_F16, .blocks = 1}},
    {{"f32", "bf16"}, {.kind = WSIM_UMMA_F16, .blocks = 1}},
    {{"f32", "tf32"}, {.kind = WSIM_UMMA_TF32, .blocks = 1}},
    {{"f32", "e4m3"}, {.kind = WSIM_UMMA_F8F6F4, .blocks = 1}},
    {{"s32", "s8"}, {.kind = WSIM_UMMA_I8, .blocks = 1}},
    {{"f32", "e4m3", "ue8m0"}, {.kind = WSIM_UMMA_MXF8F6F4, .blocks = 1, .factors = 1}},
    {{"f32", "e2m1", "ue8m0"}, {.kind = WSIM_UMMA_MXF4, .blocks = 1, .factors = 2}},
    {{"f32", "e2m1", "ue4m3"}, {.kind = WSIM_UMMA_MXF4NVF4, .blocks = 1, .factors = 4}},
};
static const struct product *product;
static uint32_t umma_types;

static enum wsim_status prepare_umma(const struct wsim_op *op, const struct wsim_arch *arch,
                                     struct wsim_code *code, const struct wsim_io *io) {
    (void)op;
    (void)io;
    return wsim_umma_prepare(&product->umma, umma_types, arch, 0, code, NULL);
}

static enum wsim_status run_umma(const struct wsim_op *op, const struct wsim_arch *arch,
                                 struct wsim_code *code, const struct wsim_io *io) {
    (void)op;
    (void)arch;
    return wsim_run(code, io, NULL);
}

static void row_umma(const char *target) {
    enum { FACTORS = 256 }; /* the first column behind D */
    static uint8_t tensor_bytes[WSIM_TENSOR_LANES * WSIM_TENSOR_COLUMNS * 4];
    const struct wsim_arch *arch = wsim_arch_find(target);
    const struct wsim_format *type = wsim_format_find(product->types[1]);
    struct wsim_umma_shape shape = {
        .a = type, .b = type, .d = wsim_format_find(product->types[0]), .m = 128, .n = 256};
    struct wsim_descriptor tile = {.stride = 1024, .mode = WSIM_SWIZZLE_128B};
    struct wsim_memory tensor = wsim_memory_over(WSIM_TENSOR, tensor_bytes, sizeof tensor_bytes, 0);
    struct wsim_io io = {
        .shared = &shared,
        .umma = {.tensor = &tensor, .adds = 1, .sfa = FACTORS, .sfb = FACTORS + 4}};
    struct wsim_io less;
    struct wsim_code code;
    struct wsim_diag diag;
    uint64_t *desc[] = {&io.umma.desc_a, &io.umma.desc_b};
    enum wsim_status status;
    if (product->types[2])
        shape.factor = wsim_format_find(product->types[2]);
    memset(tensor_bytes, 0, sizeof tensor_bytes);
    for (unsigned lane = 0; lane < WSIM_TENSOR_LANES; lane++) /* factors of 2^-17, 2^-33, 1.75 */
        memset(tensor_bytes + (lane * WSIM_TENSOR_COLUMNS + FACTORS) * 4,
               0x7E - product->umma.factors * 16, 48);
    status = wsim_umma_encode(&product->umma, &shape, &umma_types, &diag);
    for (unsigned i = 0; i < 2 && !status; i++, tile.start += 128 * 128)
        status = wsim_umma_matrix_encode(&tile, desc[i], &diag);
    if (status || wsim_umma_prepare(&product->umma, umma_types, arch, 0, &code, &diag)) {
        printf("tcgen05.mma: %s\n", diag.text);
        return;
    }
    less = io;
    less.umma.tensor = NULL;
    put(measure(prepare_umma, NULL, arch, &code, &io, 0));
    put(measure(run_umma, NULL, arch, &code, &less, 1));
    put(measure(run_umma, NULL, arch, &code, &io, 0));
    put(-1);
    printf("  %-7s tcgen05.mma.cta_group::1.kind::%s m128n256.%s.%s\n", target,
           wsim_umma_kind_name(product->umma.kind), product->types[0], product->types[1]);
}

/* A tile of 8 KiB: 64 x 64 halves. */
static void make_map(void) {
    struct wsim_tensor tensor = {.mode = WSIM_TENSOR_TILED, .rank = 2};
    tensor.dims[0] = tensor.dims[1] = 128;
    tensor.strides[0] = 256;
    tensor.box[0] = tensor.box[1] = 64;
    tensor.dtype = WSIM_TENSOR_FLOAT16;
    tensor.base = 0;
    tensor.estrides[0] = tensor.estrides[1] = 1;
    tensor.swizzle = WSIM_SWIZZLE_128B;
    if (wsim_tensor_encode(&tensor, wsim_arch_find("sm_90a"), &map, NULL))
        printf("the map is refused\n");
}

int main(void) {
    fill();
    make_map();
    printf("%12s%12s%12s%12s  nanoseconds\n", "prepare", "checks", "run", "cost");
    row("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a");
    row("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a");
    row("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80");
    row("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "sm_90a");
    row("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "sm_90a");
    row("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_90a");
    row("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "sm_89");
    row("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "sm_90a");
    row("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "sm_90a");
    row("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "sm_90a");
    row("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "sm_90a");
    row("mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32."
        "ue8m0",
        "sm_120a");
    row("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "sm_90a");
    row("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "sm_90a");
    row("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "sm_90a");
    row("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", "sm_90a");
    row("wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", "sm_90a");
    row("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "sm_90a");
    for (product = products; product < products + sizeof products / sizeof *products; product++)
        row_umma("sm_100a");
    row("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90a");
    row("stmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90a");
    row("ldmatrix.sync.aligned.m8n8.x1.shared.b16", "sm_90a");
    row("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "sm_90a");
    row("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "sm_90a");
    row("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", "sm_120a");
    row("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64", "sm_120a");
    row("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", "sm_120a");
    row("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", "sm_120a");
    row("movmatrix.sync.aligned.m8n8.trans.b16", "sm_90a");
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = 0;
    row("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "sm_90a");
    row("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16", "sm_90a");
    row("wmma.load.b.sync.aligned.row.m16n16k16.shared.s8", "sm_90a");
    row("wmma.load.c.sync.aligned.row.m16n16k16.shared.f32", "sm_90a");
    row("wmma.load.a.sync.aligned.row.m8n8k4.shared.f64", "sm_90a");
    row("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", "sm_90a");
    row("wmma.store.d.sync.aligned.col.m16n16k16.shared.f16", "sm_90a");
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = l * 16;
    row("ld.shared.b32", "sm_90a");
    row("ld.shared.v4.b32", "sm_90a");
    row("st.shared.b64", "sm_90a");
    row("atom.shared.add.u32", "sm_90a");
    row("red.shared.add.u32", "sm_90a");
    row("cp.async.ca.shared.global", "sm_90a");
    row("cp.async.bulk.global.shared::cta.bulk_group", "sm_90a");
    row("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", "sm_90a");
    return 0;
}
