/* maps.h - parts of wsim-maps: parameter sets by number, and the answers of the driver. */
#ifndef MAPS_MAPS_H
#define MAPS_MAPS_H

#include <stdint.h>
#include <wsim/tensor.h>

/* Modes that are drawn: tiled and im2col. */
enum { MAPS_MODES = 2 };

/* Parameter set `number` of `seed`: about half of them keep every rule, the others break one or
 * more, most of them at the edge. The same on every machine. */
void maps_draw(uint64_t seed, uint64_t number, enum wsim_tensor_mode mode,
               struct wsim_tensor *tensor);

/* The driver, found when the program runs. 0, 77 without a GPU or driver, 2 on another failure
 * (after a word on standard error). */
struct maps_driver {
    int (*tiled)(void *map, int type, uint32_t rank, void *address, const uint64_t *dim,
                 const uint64_t *stride, const uint32_t *box, const uint32_t *step, int interleave,
                 int swizzle, int l2, int fill);
    int (*im2col)(void *map, int type, uint32_t rank, void *address, const uint64_t *dim,
                  const uint64_t *stride, const int *lower, const int *upper, uint32_t channels,
                  uint32_t pixels, const uint32_t *step, int interleave, int swizzle, int l2,
                  int fill);
    char gpu[128], release[64];
    int version, major, minor;
};
int maps_driver_open(struct maps_driver *driver);

/* The driver's answer: 0 accepted, else its error. `image` gets the 128 bytes it made, or zeros. */
int maps_driver_ask(const struct maps_driver *driver, const struct wsim_tensor *tensor,
                    uint64_t image[16]);

#endif
