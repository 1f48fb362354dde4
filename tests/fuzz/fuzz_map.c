/* Any 128 bytes as a tensor map, and any copy through it. The fields of a decoded map encode to
 * the same map; a refused map changes nothing. A copy with either stays inside
 * of its memories. The first 128 bytes are the map, the others numbers on demand. Most maps get a
 * valid signature, to reach the code after its check. */
#include "draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct wsim_tensor_map map_of(const uint8_t *data, size_t size, const struct wsim_arch *arch,
                                     int marked) {
    struct wsim_tensor plain = {
        .rank = 1, .dims = {16}, .estrides = {1}, .box = {16}, .dtype = WSIM_TENSOR_UINT8};
    struct wsim_tensor_map map, real;
    memset(&map, 0, sizeof map);
    memcpy(&map, data, size < sizeof map ? size : sizeof map);
    need(wsim_tensor_encode(&plain, arch, &real, NULL) == WSIM_OK);
    if (marked) /* name and version */
        memcpy(&map, &real, 9);
    return map;
}

/* Decoding and encoding a map gives an equal map. */
static void back_and_forth(const struct wsim_tensor *t, const struct wsim_arch *arch) {
    struct wsim_tensor_map map, again, before;
    struct wsim_tensor back;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = wsim_tensor_check(t, arch, &diag);
    memset(&map, 0x5A, sizeof map);
    before = map;
    need(wsim_tensor_encode(t, arch, &map, NULL) == status);
    if (status) {
        need(diag.status == status && diag.rule && memcmp(&map, &before, sizeof map) == 0);
        return;
    }
    need(wsim_tensor_decode(&map, &back, NULL) == WSIM_OK);
    need(memcmp(t, &back, sizeof back) == 0);
    need(wsim_tensor_encode(&back, arch, &again, NULL) == WSIM_OK);
    need(memcmp(&map, &again, sizeof map) == 0);
    need(wsim_tensor_measure(t).rows > 0);
}

static void replace(struct bytes *in, struct wsim_tensor_map *map, const struct wsim_arch *arch) {
    struct wsim_tensor_map before = *map;
    enum wsim_tensor_field field = (enum wsim_tensor_field)draw(in, WSIM_TENSOR_FIELDS + 1);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status =
        wsim_tensor_replace(map, field, draw(in, 6), wild(in, 300), arch, &diag);
    if (status)
        need(diag.status == status && diag.rule && memcmp(map, &before, sizeof before) == 0);
}

/* The copies of a target, and of which maps each is: rank, and bit per mode. */
struct able {
    struct wsim_op ops[OPS];
    uint8_t rank[OPS], modes[OPS];
    unsigned count;
};

static void find_copies(struct able *able, const struct wsim_arch *arch) {
    static const char *const words[WSIM_TENSOR_MODES] = {".tile", ".im2col", ".im2col::w",
                                                         ".im2col::w::128"};
    char spelling[WSIM_SPELLING_MAX];
    able->count = copies(able->ops, arch);
    for (unsigned i = 0; i < able->count; i++) {
        const char *dims, *word;
        wsim_op_spell(&able->ops[i], spelling);
        dims = strstr(spelling, "tensor.");
        able->rank[i] = dims ? (uint8_t)(dims[7] - '0') : 0;
        for (unsigned mode = 0; dims && mode < WSIM_TENSOR_MODES; mode++) {
            size_t n = strlen(words[mode]);
            word = strstr(spelling, words[mode]);
            if (word && (word[n] == '.' || word[n] == '_' || !word[n]))
                able->modes[i] |= (uint8_t)(1u << mode);
        }
    }
}

/* A copy that takes the map, if there is one; at times any. */
static const struct wsim_op *choose(struct bytes *in, const struct able *able,
                                    const struct wsim_tensor *t) {
    unsigned first = draw(in, able->count), i = draw(in, 8) == 7 ? able->count : 0, at = first;
    for (; i < able->count; i++) {
        at = (first + i) % able->count;
        if (able->rank[at] == t->rank && able->modes[at] >> t->mode & 1)
            break;
    }
    return &able->ops[at];
}

static void copy(struct bytes *in, const struct wsim_op *op, const struct wsim_arch *arch,
                 const struct wsim_tensor_map *map, uint64_t base) {
    static struct watched global, shared;
    struct wsim_mbarrier barrier = {NULL, 0, 0, 0, WSIM_NO_LANE};
    struct wsim_bulk io = {.map = map};
    struct wsim_bulk_result result = {0, 0, 0, 0};
    struct wsim_bulk_place place;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status;
    watched_start(&global, in, WSIM_GLOBAL, 16);
    watched_start(&shared, in, WSIM_SHARED, 128);
    if (draw(in, 4) && base <= UINT64_MAX - MOST) /* most often the tensor is in it */
        global.memory.base = base - (base < 1024 ? 0 : 16 * (uint64_t)draw(in, 64));
    io.global = &global.memory;
    io.shared = &shared.memory;
    for (unsigned i = 0; i < WSIM_TENSOR_RANK; i++)
        io.coord[i] = (int32_t)((uint32_t)wild(in, 8) - draw(in, 4));
    for (unsigned i = 0; i < WSIM_TENSOR_SPATIAL; i++)
        io.offset[i] = (uint16_t)wild(in, 3);
    io.shared_at = (uint32_t)shared.memory.base + 128 * draw(in, 8);
    io.has_barrier = draw(in, 2);
    io.barrier_at = barrier.at = shared.memory.base + 8 * (uint64_t)wild(in, MOST / 8);
    barrier.shared = io.shared;
    wsim_mbarrier_init(&barrier, 1, NULL);
    watched_listen(&global);
    watched_listen(&shared);
    status = wsim_bulk_run(op, arch, &io, &result, &diag);
    watched_changed(&global, status != WSIM_OK);
    watched_changed(&shared, status != WSIM_OK);
    need(status ? diag.status == status && diag.rule : result.outside <= result.bytes);
    wsim_bulk_locate(op, arch, &io, wild(in, 64), draw(in, 64), &place, NULL);
    watched_end(&global);
    watched_end(&shared);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct able ables[2]; /* the same every time */
    struct bytes in = {data + (size < 128 ? size : 128), size < 128 ? 0 : size - 128};
    unsigned newer = draw(&in, 4) == 3;
    const struct wsim_arch *arch = wsim_arch_find(newer ? "sm_100a" : "sm_90a");
    struct wsim_tensor_map map = map_of(data, size, arch, draw(&in, 16) != 15);
    struct wsim_tensor tensor, untouched;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    if (!ables[newer].count)
        find_copies(&ables[newer], arch);
    for (unsigned turns = draw(&in, 3); turns--;)
        replace(&in, &map, arch);
    memset(&tensor, 0x5A, sizeof tensor);
    untouched = tensor;
    if (wsim_tensor_decode(&map, &tensor, &diag)) {
        need(diag.status == WSIM_OPERAND && diag.rule);
        need(memcmp(&tensor, &untouched, sizeof tensor) == 0);
        memset(&tensor, 0, sizeof tensor);
    } else {
        back_and_forth(&tensor, arch);
    }
    copy(&in, choose(&in, &ables[newer], &tensor), arch, &map, tensor.base);
    return 0;
}
