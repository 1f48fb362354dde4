/* Any parameters of a tensor map, and any copy through it between two windows of any size. A
 * refusal leaves memory, map and barrier unchanged. A copy reads and writes exactly the bytes of
 * wsim_bulk_locate. The bytes are numbers in the order they are asked for,
 * zeros when there are no more. */
#include "draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Rank and mode that the spelling asks for. */
static void fit(const struct wsim_op *op, struct wsim_tensor *t) {
    char spelling[WSIM_SPELLING_MAX];
    const char *dims;
    wsim_op_spell(op, spelling);
    t->mode = strstr(spelling, "im2col") ? WSIM_TENSOR_IM2COL : WSIM_TENSOR_TILED;
    dims = strstr(spelling, "d.");
    if (dims && dims > spelling && dims[-1] >= '1' && dims[-1] <= '5')
        t->rank = (uint32_t)(dims[-1] - '0');
}

static struct wsim_tensor draw_tensor(struct bytes *in) {
    static const uint32_t pieces[] = {4, 8, 16, 32, 64};
    struct wsim_tensor t;
    unsigned i;
    uint64_t row;
    memset(&t, 0, sizeof t);
    t.mode = (enum wsim_tensor_mode)draw(in, WSIM_TENSOR_MODES);
    t.dtype = (enum wsim_tensor_type)draw(in, draw(in, 8) ? 13 : WSIM_TENSOR_TYPES);
    t.interleave = (enum wsim_tensor_interleave)(draw(in, 4) ? 0 : draw(in, 3));
    t.swizzle = (enum wsim_swizzle)draw(in, draw(in, 8) ? 4 : 8);
    t.oob = (enum wsim_tensor_fill)(draw(in, 4) == 0);
    t.rank = 1 + draw(in, 5);
    t.base = 16 * wild(in, 8);
    row = 16 * (1 + draw(in, 8));
    for (i = 0; i < WSIM_TENSOR_RANK; i++) {
        t.dims[i] = 1 + wild(in, i ? 4 : 24);
        t.estrides[i] = 1 + (draw(in, 8) ? 0 : draw(in, 9));
        t.box[i] = i ? 1 + (uint32_t)wild(in, 4) : pieces[draw(in, 5)];
    }
    for (i = 0; i < WSIM_TENSOR_RANK - 1; i++, row *= t.dims[i])
        t.strides[i] = row + 16 * wild(in, 2);
    for (i = 0; i < WSIM_TENSOR_SPATIAL; i++) {
        t.lower[i] = -(int32_t)draw(in, 3);
        t.upper[i] = -(int32_t)draw(in, 3);
    }
    t.channels = pieces[draw(in, 5)];
    t.pixels = 1 + draw(in, 40);
    return t;
}

static int encode(const struct wsim_tensor *t, const struct wsim_arch *arch,
                  struct wsim_tensor_map *map) {
    struct wsim_tensor_map before;
    struct wsim_tensor back;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    memset(map, 0x5A, sizeof *map);
    before = *map;
    status = wsim_tensor_encode(t, arch, map, &diag);
    need(status == wsim_tensor_check(t, arch, NULL));
    if (status) {
        need(diag.status == status && diag.text[0] && memcmp(map, &before, sizeof before) == 0);
        return 0;
    }
    need(wsim_tensor_decode(map, &back, NULL) == WSIM_OK && back.rank == t->rank &&
         back.base == t->base && back.dims[t->rank - 1] == t->dims[t->rank - 1]);
    return 1;
}

/* The copy wrote exactly the bytes of wsim_bulk_locate, row after row. The expected memory is built
 * from its earlier contents. Numbers that are made anew
 * (`same` is 0) and fills are taken as they are. */
static void check_places(const struct wsim_op *op, const struct wsim_arch *arch,
                         const struct wsim_bulk *io, const struct wsim_tensor_tile *tile,
                         struct watched *to, const struct watched *from, int same) {
    int loads = to->memory.space == WSIM_SHARED;
    uint64_t barrier = io->barrier_at - to->memory.base;
    struct wsim_bulk_place place;
    for (uint64_t row = 0; row < tile->rows; row++)
        for (uint32_t byte = 0; byte < tile->inner; byte++) {
            uint64_t at, source;
            need(wsim_bulk_locate(op, arch, io, row, byte, &place, NULL) == WSIM_OK);
            if (place.where == WSIM_BULK_OUTSIDE && !loads)
                continue;
            at = (loads ? place.shared : place.global) - to->memory.base;
            source = (loads ? place.global : place.shared) - from->memory.base;
            need(at < to->memory.size);
            if (place.where == WSIM_BULK_OUTSIDE || !same) {
                to->before[at] = to->memory.bytes[at];
            } else {
                need(source < from->memory.size);
                to->before[at] = from->memory.bytes[source];
            }
        }
    if (loads && io->has_barrier)
        memcpy(to->before + barrier, to->memory.bytes + barrier, WSIM_MBARRIER_BYTES);
    need(memcmp(to->before, to->memory.bytes, to->memory.size) == 0);
}

/* Repeats the copy without a watcher, which may take another path, with equal results. */
static void again(const struct wsim_op *op, const struct wsim_arch *arch,
                  const struct wsim_bulk *io, struct watched *global, struct watched *shared,
                  enum wsim_status status, const struct wsim_bulk_result *result) {
    struct watched *both[] = {global, shared};
    struct wsim_bulk_result second = {0, 0, 0, 0};
    uint8_t *after[2];
    for (unsigned i = 0; i < 2; i++) {
        after[i] = copy_of(&both[i]->memory);
        both[i]->memory.watch = NULL;
        if (both[i]->memory.size)
            memcpy(both[i]->memory.bytes, both[i]->before, both[i]->memory.size);
    }
    need(wsim_bulk_run(op, arch, io, &second, NULL) == status);
    need(second.bytes == result->bytes && second.outside == result->outside &&
         second.padding == result->padding && second.measured == result->measured);
    for (unsigned i = 0; i < 2; i++) {
        need(!both[i]->memory.size ||
             memcmp(both[i]->memory.bytes, after[i], both[i]->memory.size) == 0);
        free(after[i]);
    }
}

static void copy(const struct wsim_op *op, const struct wsim_arch *arch,
                 const struct wsim_tensor *t, const struct wsim_bulk *io, struct watched *global,
                 struct watched *shared) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    struct wsim_bulk_result result = {0, 0, 0, 0};
    enum wsim_family family = wsim_op_describe(op).family;
    enum wsim_status status;
    int to_global, to_shared;
    watched_listen(global);
    watched_listen(shared);
    status = wsim_bulk_run(op, arch, io, &result, &diag);
    to_global = watched_changed(global, status != WSIM_OK);
    to_shared = watched_changed(shared, status != WSIM_OK);
    need(!to_global || !to_shared);
    again(op, arch, io, global, shared, status, &result);
    if (status) {
        need(diag.status == status && diag.text[0] && diag.rule);
    } else if (family == WSIM_BULK_TENSOR || family == WSIM_BULK_REDUCE_TENSOR) {
        struct wsim_tensor_tile tile = wsim_tensor_measure(t);
        int rounds = t->dtype == WSIM_TENSOR_TFLOAT32 || t->dtype == WSIM_TENSOR_TFLOAT32_FTZ;
        need(result.outside <= result.bytes);
        if (to_global)
            check_places(op, arch, io, &tile, global, shared, family == WSIM_BULK_TENSOR);
        if (to_shared)
            check_places(op, arch, io, &tile, shared, global, !rounds);
    }
}

/* The arguments of wsim_bulk_run, except memory. */
static void draw_operands(struct bytes *in, struct wsim_bulk *io) {
    unsigned i;
    for (i = 0; i < WSIM_TENSOR_RANK; i++)
        io->coord[i] = (int32_t)((uint32_t)wild(in, 8) * (i ? 1u : 4u) - (draw(in, 4) ? 0u : 4u));
    for (i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        io->offset[i] = (uint16_t)wild(in, 3);
    io->shared_at = (uint32_t)io->shared->base + 128 * draw(in, 8) + (draw(in, 8) ? 0 : 16);
    io->global_at = io->global->base + 16 * (uint64_t)draw(in, 64) - 16 * (draw(in, 8) == 7);
    io->bytes = 16 * (uint32_t)wild(in, 64);
    io->byte_mask = (uint16_t)draw(in, 65536);
    io->has_barrier = draw(in, 2);
    io->barrier_at = io->shared->base + 8 * (uint64_t)wild(in, MOST / 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct wsim_op ops[OPS]; /* the same every time */
    static unsigned count;
    struct bytes in = {data, size};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_mbarrier barrier = {NULL, 0, 0, 0, WSIM_NO_LANE};
    struct wsim_tensor_map map;
    struct wsim_tensor tensor;
    static struct watched global, shared;
    struct wsim_bulk io;
    unsigned which;
    if (!count)
        count = copies(ops, arch);
    which = draw(&in, count);
    tensor = draw_tensor(&in);
    if (draw(&in, 8))
        fit(&ops[which], &tensor);
    memset(&io, 0, sizeof io);
    io.map = encode(&tensor, arch, &map) ? &map : NULL;
    watched_start(&global, &in, WSIM_GLOBAL, 16);
    watched_start(&shared, &in, WSIM_SHARED, 128);
    io.global = &global.memory;
    io.shared = &shared.memory;
    draw_operands(&in, &io);
    barrier.shared = io.shared;
    barrier.at = io.barrier_at;
    wsim_mbarrier_init(&barrier, 1, NULL);
    copy(&ops[which], arch, &tensor, &io, &global, &shared);
    watched_end(&global);
    watched_end(&shared);
    return 0;
}
