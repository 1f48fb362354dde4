/* image.h - the slots of a map, for code that changes single slots. */
#ifndef WSIM_TENSOR_IMAGE_H
#define WSIM_TENSOR_IMAGE_H

#include "tensor.h"

enum tensor_slot_id {
    TENSOR_MAGIC,
    TENSOR_VERSION,
    TENSOR_MODE,
    TENSOR_DTYPE,
    TENSOR_RANK, /* less one */
    TENSOR_INTERLEAVE,
    TENSOR_SWIZZLE, /* mode and atom apart, as tensormap.replace has them */
    TENSOR_ATOM,
    TENSOR_OOB,
    TENSOR_L2,
    TENSOR_ESTRIDE,
    TENSOR_BASE,
    TENSOR_DIM,
    TENSOR_STRIDE,
    TENSOR_BOX,
    TENSOR_LOWER, /* this and the following where a tiled map has its box */
    TENSOR_UPPER,
    TENSOR_CHANNELS,
    TENSOR_PIXELS,
    TENSOR_SLOTS
};

enum { TENSOR_IMAGE_VERSION = 1 }; /* of the layout */

struct tensor_slot {
    uint8_t offset, bytes, count;
};

extern const struct tensor_slot tensor_slots[TENSOR_SLOTS];

/* A field of tensormap.replace. */
enum tensor_list_id {
    TENSOR_LIST_NONE,
    TENSOR_LIST_TYPE,
    TENSOR_LIST_INTERLEAVE,
    TENSOR_LIST_SWIZZLE_MODE,
    TENSOR_LIST_SWIZZLE_ATOM,
    TENSOR_LIST_FILL,
    TENSOR_LISTS
};

struct tensor_field {
    uint16_t row;  /* isa_form_id                                                     */
    uint8_t word;  /* of PLACE_FIELD                                                  */
    uint8_t slot;  /* tensor_slot_id                                                  */
    uint8_t limit; /* tensor_limit_id; TENSOR_LIMITS: a number of the list            */
    uint8_t list;  /* tensor_list_id                                                  */
};

struct tensor_list {
    const uint8_t *numbers; /* in PTX, by the number of the driver                       */
    uint8_t count;
    uint8_t kept; /* a map holds the number in PTX; 0: that of the driver               */
};

extern const struct tensor_field tensor_fields[WSIM_TENSOR_FIELDS];
extern const struct tensor_list tensor_lists[TENSOR_LISTS];

void tensor_put(struct wsim_tensor_map *map, enum tensor_slot_id id, unsigned index,
                uint64_t value);
uint64_t tensor_get(const struct wsim_tensor_map *map, enum tensor_slot_id id, unsigned index);

/* Marks a map as one of this version of wsim. */
void tensor_stamp(struct wsim_tensor_map *map);
int tensor_is_stamped(const struct wsim_tensor_map *map);

/* The map in the layout of wsim: a copy, or read from the bits of the hardware. Refuses other bytes
 * and maps of another version. */
enum wsim_status tensor_image_own(const struct wsim_tensor_map *map, struct wsim_tensor_map *own,
                                  struct wsim_diag *diag);

#endif
