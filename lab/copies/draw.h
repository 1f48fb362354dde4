/* draw.h - drawing cases of copies: what a case is made of, and the tables of kinds. */
#ifndef COPIES_DRAW_H
#define COPIES_DRAW_H

#include <wsim/wsim.h>

enum { LOAD, STORE, REDUCE };
enum { REDUCTIONS = 8, ROOM = 65536, WINDOW = 6144 }; /* bytes: of global and shared memory */

extern const char *const reductions[REDUCTIONS];

enum { PLAIN_WORDS = 27 };
extern const char *const plain_words[PLAIN_WORDS]; /* reduction and type of those without a map */

/* The parts of a line. */
struct set {
    struct wsim_tensor t;
    int what, reduction;
    int64_t coord[WSIM_TENSOR_RANK];
    unsigned offset[WSIM_TENSOR_SPATIAL];
    uint32_t at;
    unsigned dims;    /* of the instruction; 0: the rank */
    int wrong;        /* the instruction has the other mode */
    const char *word; /* the instruction, if it is not made of the above */
    const char *global, *smem;
    uint64_t room; /* bytes of global memory; 0: ROOM */
};

/* A kind of cases: each call prints one, or at times none or two. */
struct kind {
    const char *name;
    void (*one)(void);
};

/* Lists that end with a name of NULL; a file each. */
extern const struct kind tile_kinds[], trap_kinds[], edge_kinds[], number_kinds[], pixel_kinds[],
    plain_kinds[], spelling_kinds[];

uint32_t draw(uint32_t n); /* 0 to n - 1 */
uint32_t round_up(uint32_t n, uint32_t to);

/* Whether the driver of the target makes the map. */
int is_map(const struct wsim_tensor *t);

unsigned type_bytes(const struct wsim_tensor *t);
unsigned slice_bytes(const struct wsim_tensor *t); /* 0: no interleave */

struct set fresh(int what);

/* Type, rank, swizzle and fill. */
void draw_kind(struct set *s);

/* Base and strides that keep the tensor inside of ROOM bytes; 0: they do not. */
int lay_out(struct wsim_tensor *t, unsigned align);

/* A map for tiles with its box; then coordinates near the tensor, from before it if `negative`. */
void draw_tile(struct set *s, int interleaved, int strided);
void draw_place(struct set *s, int negative);

/* An im2col map; then a base pixel inside of its bounding box, or (stray) wherever. `flat`: corners
 * as stores need them. */
void draw_pixels(struct set *s, int interleaved, int flat);
void draw_pixel(struct set *s, int stray);

/* A reduction of this map needs integers: makes it one of uint32. 0: that is no map. */
int make_integer(struct set *s);

void print_set(const struct set *s);

/* A copy without a map; offsets and size in bytes. */
void print_plain(const char *word, uint32_t global_at, uint32_t at, uint32_t bytes, int load);

#endif
