/* The slots of a map. The layout is wsim's own and little-endian on every machine. It has a
 * version, so that a map of another layout is refused. */
#include "../memory/memory.h"
#include "image.h"

/* "wsimtmap" */
#define MAGIC UINT64_C(0x70616D746D697377)

/* byte offset, bytes, how many in a row */
const struct tensor_slot tensor_slots[TENSOR_SLOTS] = {
    [TENSOR_MAGIC] = {0, 8, 1},    [TENSOR_VERSION] = {8, 1, 1},  [TENSOR_MODE] = {9, 1, 1},
    [TENSOR_DTYPE] = {10, 1, 1},   [TENSOR_RANK] = {11, 1, 1},    [TENSOR_INTERLEAVE] = {12, 1, 1},
    [TENSOR_SWIZZLE] = {13, 1, 1}, [TENSOR_ATOM] = {14, 1, 1},    [TENSOR_OOB] = {15, 1, 1},
    [TENSOR_L2] = {16, 1, 1},      [TENSOR_ESTRIDE] = {17, 1, 5}, [TENSOR_BASE] = {24, 8, 1},
    [TENSOR_DIM] = {32, 8, 5},     [TENSOR_STRIDE] = {72, 8, 4},  [TENSOR_BOX] = {104, 2, 5},
    [TENSOR_LOWER] = {104, 2, 3},  [TENSOR_UPPER] = {110, 2, 3},  [TENSOR_CHANNELS] = {116, 2, 1},
    [TENSOR_PIXELS] = {118, 2, 1},
};

void tensor_put(struct wsim_tensor_map *map, enum tensor_slot_id id, unsigned index,
                uint64_t value) {
    const struct tensor_slot *slot = &tensor_slots[id];
    struct wsim_memory bytes = wsim_memory_over(WSIM_PARAM, map->opaque, sizeof map->opaque, 0);
    memory_put(&bytes, slot->offset + index * slot->bytes, slot->bytes, value);
}

uint64_t tensor_get(const struct wsim_tensor_map *map, enum tensor_slot_id id, unsigned index) {
    const struct tensor_slot *slot = &tensor_slots[id];
    const uint8_t *from = (const uint8_t *)map->opaque + slot->offset + index * slot->bytes;
    uint64_t bits = 0;
    for (unsigned n = slot->bytes; n-- > 0;)
        bits = bits << 8 | from[n];
    return bits;
}

void tensor_stamp(struct wsim_tensor_map *map) {
    tensor_put(map, TENSOR_MAGIC, 0, MAGIC);
    tensor_put(map, TENSOR_VERSION, 0, TENSOR_IMAGE_VERSION);
}

int tensor_is_stamped(const struct wsim_tensor_map *map) {
    return tensor_get(map, TENSOR_MAGIC, 0) == MAGIC;
}
