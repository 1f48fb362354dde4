/* Times copies and matrix moves through wsim_run, on prepared code. Prints GB/s for tiles with
 * every kind of row, pixels, converted numbers, and bytes without a map; nanoseconds for moves of a
 * warp. Beside it the same with WSIM_PLAIN, in turns, the best of some rounds each. */
#include "bench.h"

#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

#define LOAD "cp.async.bulk.tensor.%ud.shared::cta.global.%s.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.tensor.%ud.global.shared::cta.%s.bulk_group"
#define REDUCE "cp.reduce.async.bulk.tensor.%ud.global.shared::cta.add.%s.bulk_group"

enum { ROUNDS = 15, REGS = 16 };

static uint8_t global_bytes[1 << 24], shared_bytes[1 << 16];
static struct wsim_memory global, shared;
static struct wsim_bulk_result did;
static uint32_t words[REGS][WSIM_LANES], rows[WSIM_LANES], same[WSIM_LANES], lanes[WSIM_LANES];
static uint32_t *d[REGS];
static const uint32_t *r[REGS];

/* Nanoseconds of one call. */
static double measure(const struct wsim_code *code, const struct wsim_io *io, unsigned calls) {
    double start = nanoseconds();
    for (unsigned i = 0; i < calls; i++)
        wsim_run(code, io, NULL);
    return (nanoseconds() - start) / calls;
}

/* One line: `bytes` is how many a call moves, 0: they are not counted. */
static void row(const char *name, const char *spelling, const char *target,
                const struct wsim_io *io, uint64_t bytes) {
    const struct wsim_arch *arch = wsim_arch_find(target);
    struct wsim_code code[2];
    struct wsim_diag diag;
    struct wsim_op op;
    double best[2] = {1e30, 1e30};
    unsigned calls = 1;
    if (wsim_op_parse(spelling, &op, &diag) || wsim_prepare(&op, arch, 0, &code[0], &diag) ||
        wsim_prepare(&op, arch, WSIM_PLAIN, &code[1], &diag) || wsim_run(&code[0], io, &diag)) {
        printf("%s: %s\n", name, diag.text);
        return;
    }
    bytes = bytes ? bytes : did.bytes;
    while (calls < 100000 && measure(&code[1], io, calls) * calls < 1e6)
        calls *= 2;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned plain = 0; plain < 2; plain++) {
            double ns = measure(&code[plain], io, calls);
            best[plain] = ns < best[plain] ? ns : best[plain];
        }
    printf("%9.0f ns", best[0]);
    if (bytes)
        printf("%8.2f GB/s", (double)bytes / best[0]);
    else
        printf("%13s", "");
    printf("%9.0f ns plain%6.1fx  %s\n", best[1], best[1] / best[0], name);
}

/* --- through a map --- */

struct tile {
    const char *name, *copy, *mode;
    struct wsim_tensor map;
    int32_t coord[WSIM_TENSOR_RANK];
};

#define BOX(...) .box = {__VA_ARGS__}
#define TYPE(id) .dtype = WSIM_TENSOR_##id
#define SWIZZLE(id) .swizzle = WSIM_SWIZZLE_##id

static const struct tile tiles[] = {
    {"rows of 16 bytes", LOAD, "tile", {.rank = 2, TYPE(FLOAT16), BOX(8, 256)}, {0}},
    {"rows of 16 bytes, 32B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(32B), BOX(8, 256)},
     {0}},
    {"rows of 16 bytes, two and two",
     LOAD,
     "tile",
     {.rank = 3, TYPE(FLOAT16), BOX(8, 2, 128)},
     {0}},
    {"rows of 32 bytes, 32B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(32B), BOX(16, 256)},
     {0}},
    {"rows of 64 bytes, 64B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(64B), BOX(32, 128)},
     {0}},
    {"64 x 64 f16", LOAD, "tile", {.rank = 2, TYPE(FLOAT16), BOX(64, 64)}, {0}},
    {"64 x 64 f16, 128B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 64)},
     {0}},
    {"64 x 64 f16, 128B, stored",
     STORE,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 64)},
     {0}},
    {"64 x 64 f16, 128B_ATOM_32B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B_ATOM_32B), BOX(64, 64)},
     {0}},
    {"64 x 64 f16, 128B_ATOM_32B_FLIP_8B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B_ATOM_32B_FLIP_8B), BOX(64, 64)},
     {0}},
    {"64 x 64 f16, 128B_ATOM_64B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B_ATOM_64B), BOX(64, 64)},
     {0}},
    {"128 x 64 bytes, 128B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(UINT8), SWIZZLE(128B), BOX(128, 64)},
     {0}},
    {"16 x 64 f64, 128B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT64), SWIZZLE(128B), BOX(16, 64)},
     {0}},
    {"256 f16 of one dimension", LOAD, "tile", {.rank = 1, TYPE(FLOAT16), BOX(256)}, {0}},
    {"64 x 8 x 8 f16, 128B",
     LOAD,
     "tile",
     {.rank = 3, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 8, 8)},
     {0}},
    {"64 x 4 x 4 x 2 x 2 f16, 128B",
     LOAD,
     "tile",
     {.rank = 5, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 4, 4, 2, 2)},
     {0}},
    {"16 slices of 32 bytes, 8 rows",
     LOAD,
     "tile",
     {.rank = 3,
      TYPE(FLOAT16),
      SWIZZLE(32B),
      .interleave = WSIM_TENSOR_INTERLEAVE_32B,
      BOX(16, 1, 16)},
     {0}},
    {"64 x 64 f16, 128B, a corner outside",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 64)},
     {-8, -5}},
    {"64 x 4 x 4 x 4 f16, 128B, edges outside",
     LOAD,
     "tile",
     {.rank = 4, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 4, 4, 4)},
     {0, -1, -1, -1}},
    {"64 x 64 f16, 128B, NaN all of it",
     LOAD,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), .oob = WSIM_TENSOR_FILL_NAN, BOX(64, 64)},
     {0, -64}},
    {"gather4 of 64 f16, 128B",
     LOAD,
     "tile::gather4",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 1)},
     {0, 3, 1, 4, 2}},
    {"64 pixels of 64 f16, 128B",
     LOAD,
     "im2col",
     {.mode = WSIM_TENSOR_IM2COL,
      .rank = 4,
      TYPE(FLOAT16),
      SWIZZLE(128B),
      .channels = 64,
      .pixels = 64},
     {0, -1, -1}},
    {"256 pixels of 8 f16",
     LOAD,
     "im2col",
     {.mode = WSIM_TENSOR_IM2COL, .rank = 5, TYPE(FLOAT16), .channels = 8, .pixels = 256},
     {0, -1, -1, -1}},
    {"64 pixels of 64 f16, im2col::w",
     LOAD,
     "im2col::w",
     {.mode = WSIM_TENSOR_IM2COL_W,
      .rank = 4,
      TYPE(FLOAT16),
      SWIZZLE(128B),
      .channels = 64,
      .pixels = 64},
     {0, -1}},
    {"32 x 64 f32 to tf32, 128B",
     LOAD,
     "tile",
     {.rank = 2, TYPE(TFLOAT32), SWIZZLE(128B), BOX(32, 64)},
     {0}},
    {"64 x 64 f16, 128B, added",
     REDUCE,
     "tile",
     {.rank = 2, TYPE(FLOAT16), SWIZZLE(128B), BOX(64, 64)},
     {0}},
    {"32 x 64 f32, 128B, added",
     REDUCE,
     "tile",
     {.rank = 2, TYPE(FLOAT32), SWIZZLE(128B), BOX(32, 64)},
     {0}},
    {"32 x 64 u32, 128B, added",
     REDUCE,
     "tile",
     {.rank = 2, TYPE(UINT32), SWIZZLE(128B), BOX(32, 64)},
     {0}},
};

/* The tensor is twice the box, of pixels 32 each way. */
static void copy_tile(const struct tile *tile) {
    static const uint8_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    struct wsim_tensor t = tile->map;
    struct wsim_tensor_map map;
    struct wsim_io io = {
        .global = &global, .shared = &shared, .bulk = {.map = &map, .copied = &did}};
    struct wsim_diag diag;
    char spelling[WSIM_SPELLING_MAX];
    uint64_t stride = 0;
    for (unsigned i = 0; i < t.rank; i++) {
        unsigned pixels = t.mode != WSIM_TENSOR_TILED;
        t.dims[i] = !pixels ? 2 * (uint64_t)t.box[i] : i ? 16 : t.channels;
        t.estrides[i] = 1;
        io.bulk.coord[i] = tile->coord[i];
        if (i)
            t.strides[i - 1] = stride;
        stride = i ? stride * t.dims[i] : t.dims[0] * (t.interleave ? 32 : sizes[t.dtype]);
    }
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL && t.mode != WSIM_TENSOR_TILED; i++)
        t.lower[i] = t.upper[i] = -1;
    for (unsigned i = t.rank; i < WSIM_TENSOR_RANK; i++)
        io.bulk.coord[i] = tile->coord[i];
    if (wsim_tensor_encode(&t, wsim_arch_find("sm_100a"), &map, &diag)) {
        printf("%s: %s\n", tile->name, diag.text);
        return;
    }
    snprintf(spelling, sizeof spelling, tile->copy, (unsigned)t.rank, tile->mode);
    row(tile->name, spelling, "sm_100a", &io, 0);
}

/* --- by a warp --- */

static void move(const char *spelling, const uint32_t *addr) {
    struct wsim_io io = {.shared = &shared, .move = {.d = d, .a = r, .r = r, .addr = addr}};
    row(spelling, spelling, "sm_120a", &io, 0);
}

static void moves(void) {
    move("ldmatrix.sync.aligned.m8n8.x4.shared.b16", rows);
    move("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", rows);
    move("ldmatrix.sync.aligned.m8n8.x1.shared.b16", rows);
    move("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", rows);
    move("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64", rows);
    move("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32", rows);
    move("stmatrix.sync.aligned.m8n8.x4.shared.b16", rows);
    move("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", rows);
    move("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", rows);
    move("movmatrix.sync.aligned.m8n8.trans.b16", NULL);
    move("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", same);
    move("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16", same);
    move("wmma.load.b.sync.aligned.row.m16n16k16.shared.s8", same);
    move("wmma.load.b.sync.aligned.col.m8n8k32.shared.s4", same);
    move("wmma.load.c.sync.aligned.row.m16n16k16.shared.f32", same);
    move("wmma.load.a.sync.aligned.row.m8n8k4.shared.f64", same);
    move("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", same);
    move("wmma.store.d.sync.aligned.col.m16n16k16.shared.f16", same);
}

static void copies(void) {
    struct wsim_io io = {.global = &global, .shared = &shared, .bulk = {.bytes = 8192}};
    row("8 KiB loaded", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", "sm_100a",
        &io, 8192);
    row("8 KiB stored", "cp.async.bulk.global.shared::cta.bulk_group", "sm_100a", &io, 8192);
    io.bulk.byte_mask = 0x0FF1;
    row("8 KiB stored, 9 of 16 bytes", "cp.async.bulk.global.shared::cta.bulk_group.cp_mask",
        "sm_100a", &io, 8192);
    row("8 KiB of f32 added", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",
        "sm_100a", &io, 8192);
    io.copy = (struct wsim_io_copy){.addr = lanes, .bytes = 16, .mask = UINT32_MAX};
    row("cp.async of 16 bytes a lane", "cp.async.cg.shared.global", "sm_90a", &io, 512);
    io.copy.bytes = 4;
    row("cp.async of 4 bytes a lane", "cp.async.ca.shared.global", "sm_90a", &io, 128);
}

int main(void) {
    for (size_t i = 0; i < sizeof global_bytes; i++)
        global_bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        rows[l] = lanes[l] = 16 * l;
    for (unsigned i = 0; i < REGS; i++)
        r[i] = d[i] = words[i];
    global = wsim_memory_over(WSIM_GLOBAL, global_bytes, sizeof global_bytes, 0);
    shared = wsim_memory_over(WSIM_SHARED, shared_bytes, sizeof shared_bytes, 0);
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++)
        copy_tile(&tiles[i]);
    copies();
    moves();
    return 0;
}
