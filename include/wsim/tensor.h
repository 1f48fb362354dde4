/* tensor.h - tensor maps: descriptions of a tensor and of the box that the copy engine moves.
 *
 * The parameters are those of the driver's cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, and
 * wsim accepts the same ones. The 128 bytes of a map have wsim's own format, because the vendor's
 * format is private. A map is plain data: programs may copy, store and pass it like one of the
 * driver, also between machines.
 */
#ifndef WSIM_TENSOR_H
#define WSIM_TENSOR_H

#include "isa.h"
#include "swizzle.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WSIM_TENSOR_RANK 5
#define WSIM_TENSOR_SPATIAL (WSIM_TENSOR_RANK - 2)

enum wsim_tensor_mode {
    WSIM_TENSOR_TILED,
    WSIM_TENSOR_IM2COL,
    WSIM_TENSOR_IM2COL_W,    /* cuTensorMapEncodeIm2colWide: only the width has corners and walks */
    WSIM_TENSOR_IM2COL_W128, /* the same with mode W128: 128 pixels, whatever `pixels` says      */
    WSIM_TENSOR_MODES
};

/* In the order and with the numbers of the driver's enumerations. */
enum wsim_tensor_type {
    WSIM_TENSOR_UINT8,
    WSIM_TENSOR_UINT16,
    WSIM_TENSOR_UINT32,
    WSIM_TENSOR_INT32,
    WSIM_TENSOR_UINT64,
    WSIM_TENSOR_INT64,
    WSIM_TENSOR_FLOAT16,
    WSIM_TENSOR_FLOAT32,
    WSIM_TENSOR_FLOAT64,
    WSIM_TENSOR_BFLOAT16,
    WSIM_TENSOR_FLOAT32_FTZ,
    WSIM_TENSOR_TFLOAT32,
    WSIM_TENSOR_TFLOAT32_FTZ,
    WSIM_TENSOR_16U4_ALIGN8B,
    WSIM_TENSOR_16U4_ALIGN16B,
    WSIM_TENSOR_16U6_ALIGN16B,
    WSIM_TENSOR_TYPES
};

enum wsim_tensor_interleave {
    WSIM_TENSOR_INTERLEAVE_NONE,
    WSIM_TENSOR_INTERLEAVE_16B,
    WSIM_TENSOR_INTERLEAVE_32B,
    WSIM_TENSOR_INTERLEAVES
};

enum wsim_tensor_fill { WSIM_TENSOR_FILL_ZERO, WSIM_TENSOR_FILL_NAN, WSIM_TENSOR_FILLS };

/* The parameters of a map. Lists have `rank` entries, and dimension 0 is the innermost one.
 * `strides` has one entry less and begins with dimension 1. The corners have two entries less and
 * begin with the innermost spatial dimension. Entries past these are ignored. Refusals, traces and
 * the program use the names of these fields. */
struct wsim_tensor {
    enum wsim_tensor_mode mode;
    enum wsim_tensor_type dtype;
    enum wsim_tensor_interleave interleave;
    enum wsim_swizzle swizzle;
    enum wsim_tensor_fill oob;
    uint32_t l2; /* promotion 0 to 3: none, 64, 128, 256 bytes; it moves no bit               */
    uint32_t rank;
    uint64_t base;                          /* global address, bytes                          */
    uint64_t dims[WSIM_TENSOR_RANK];        /* elements                                       */
    uint64_t strides[WSIM_TENSOR_RANK - 1]; /* bytes                                          */
    uint32_t estrides[WSIM_TENSOR_RANK];    /* element strides: n takes every n-th element    */
    uint32_t box[WSIM_TENSOR_RANK];         /* tiled: elements                                */
    int32_t lower[WSIM_TENSOR_SPATIAL];     /* im2col: corners of the box that the base ...   */
    int32_t upper[WSIM_TENSOR_SPATIAL];     /* ... pixel walks through, relative to the ends;
                                               of the wide modes only the first of each       */
    uint32_t channels, pixels;              /* im2col: channels of a pixel, number of pixels  */
};

/* A map: 128 bytes to copy and store. wsim_tensor_decode reads them. */
struct wsim_tensor_map {
    uint64_t opaque[16];
};

/* Checks whether the driver makes a map of `tensor` on a GPU of `arch`. Errors, in the order
 * checked. WSIM_OPERAND: mode, dtype, interleave, swizzle or oob is outside its enumeration.
 * WSIM_ILLEGAL: `arch` is NULL, or lacks tensor maps, the dtype or the swizzle. WSIM_OPERAND: the
 * dtype does not allow the interleave, swizzle or oob; l2; rank. WSIM_OPERAND or WSIM_ALIGN: base;
 * dims; strides; estrides. WSIM_OPERAND, tiled: box; its rows, which are whole 16-byte pieces
 * within the span of the swizzle; its bytes. WSIM_OPERAND, im2col: corners, pixels between them,
 * channels, pixels, their row and bytes. The diag names field, value, rule and the nearest legal
 * value. Source: CUDA driver API, and the answers of a driver to random parameters
 * (traces/sm_90a/tensormap.trace.zst); docs/tensor-maps.md gives the source of each rule. */
WSIM_API enum wsim_status wsim_tensor_check(const struct wsim_tensor *tensor,
                                            const struct wsim_arch *arch, struct wsim_diag *diag);

/* Fills in the strides of a tensor without gaps. Dimension 1 begins at the end of a row of dims[0]
 * elements (interleaved: slices), and so on. The function reads only mode, dtype, interleave, rank
 * and dims. Errors, in the order checked, which leave *tensor unchanged. WSIM_OPERAND: mode, dtype,
 * interleave, swizzle or oob is outside its enumeration; rank; dims; a stride beyond its limit.
 * WSIM_ALIGN: a stride is not a multiple of the driver's unit, so this tensor needs padding after
 * its rows. */
WSIM_API enum wsim_status wsim_tensor_pack(struct wsim_tensor *tensor, struct wsim_diag *diag);

/* Makes the map of `tensor`. Errors: those of wsim_tensor_check, which leave *map unchanged. */
WSIM_API enum wsim_status wsim_tensor_encode(const struct wsim_tensor *tensor,
                                             const struct wsim_arch *arch,
                                             struct wsim_tensor_map *map, struct wsim_diag *diag);

/* Reads a map of wsim, or the first 64 bytes of one in the layout of the hardware. Entries
 * past the rank are 0. Source of that layout: maps of a driver with an H200, docs/tensor-maps.md. A
 * map after wsim_tensor_replace may have values that wsim_tensor_check refuses, so a user of such a
 * map has to check it. Errors, which leave *tensor unchanged: WSIM_OPERAND (not a map of this
 * version of wsim nor of the hardware: zeros, damaged; an unknown swizzle). */
WSIM_API enum wsim_status wsim_tensor_decode(const struct wsim_tensor_map *map,
                                             struct wsim_tensor *tensor, struct wsim_diag *diag);

/* The fields of tensormap.replace.tile, in the order of sim/isa/tensor.def. */
enum wsim_tensor_field {
    WSIM_TENSOR_FIELD_GLOBAL_ADDRESS,
    WSIM_TENSOR_FIELD_RANK, /* holds the rank less one                                        */
    WSIM_TENSOR_FIELD_BOX_DIM,
    WSIM_TENSOR_FIELD_GLOBAL_DIM,
    WSIM_TENSOR_FIELD_GLOBAL_STRIDE, /* bytes */
    WSIM_TENSOR_FIELD_ELEMENT_STRIDE,
    WSIM_TENSOR_FIELD_ELEMTYPE, /* this and the following: the numbers of PTX, not the driver's */
    WSIM_TENSOR_FIELD_INTERLEAVE_LAYOUT,
    WSIM_TENSOR_FIELD_SWIZZLE_MODE,
    WSIM_TENSOR_FIELD_SWIZZLE_ATOMICITY,
    WSIM_TENSOR_FIELD_FILL_MODE,
    WSIM_TENSOR_FIELDS
};

/* tensormap.replace.tile.FIELD on a map. `index` is the ordinal of box_dim, global_dim,
 * global_stride and element_stride, and 0 for the other fields. A map of 128 zero bytes is an empty
 * template: rank 1, type u8, everything else 0. The call checks one field, and the use of the map
 * checks how fields fit together. Errors, in the order checked, which leave *map unchanged.
 * WSIM_ILLEGAL: `arch` is NULL or lacks the instruction or the field. WSIM_OPERAND: field; not a
 * tiled map; index; value, also a value that hardware can hold but no driver encodes. Source: PTX
 * ISA 9.0 "tensormap.replace", the CUDA 13.0 assembler. */
WSIM_API enum wsim_status wsim_tensor_replace(struct wsim_tensor_map *map,
                                              enum wsim_tensor_field field, unsigned index,
                                              uint64_t value, const struct wsim_arch *arch,
                                              struct wsim_diag *diag);

/* The tile of one copy. */
struct wsim_tensor_tile {
    uint32_t extent[WSIM_TENSOR_RANK]; /* tiled: elements (interleaved: dimension 0 slices) taken
                                        * of each dimension; im2col: channels, pixels, 1 ...  */
    uint32_t element_bits;             /* of an element (slice) in shared memory              */
    uint32_t inner;                    /* bytes of a row                                      */
    uint32_t pitch;                    /* bytes from row to row in shared memory              */
    uint64_t rows;
    uint64_t bytes;  /* of the rows, without padding in elements: the barrier counts these    */
    uint64_t room;   /* bytes of shared memory, from the first to past the last that is written */
    uint32_t span;   /* of the swizzle; 0: none                                                */
    uint32_t repeat; /* bytes after which the swizzle repeats; 0: none                        */
};

/* Measures the tile of parameters that wsim_tensor_check accepts. Do not pass others: an element
 * stride of 0 is a division by zero. Source: CUDA driver API, PTX ISA 9.0 "cp.async.bulk.tensor",
 * traces/sm_90a/tma_tile.trace.zst. */
WSIM_API struct wsim_tensor_tile wsim_tensor_measure(const struct wsim_tensor *tensor);

/* The enumerations by name: the driver's without prefix ("FLOAT16", "128B_ATOM_32B", "NAN"),
 * "tiled" and "im2col", the fields as PTX spells them ("global_address"). */
enum wsim_tensor_list {
    WSIM_TENSOR_LIST_MODE,
    WSIM_TENSOR_LIST_DTYPE,
    WSIM_TENSOR_LIST_INTERLEAVE,
    WSIM_TENSOR_LIST_SWIZZLE,
    WSIM_TENSOR_LIST_OOB,
    WSIM_TENSOR_LIST_FIELD,
    WSIM_TENSOR_LISTS
};

/* The name of `value` in `list`; NULL past the last, or if there is no such list. */
WSIM_API const char *wsim_tensor_name(enum wsim_tensor_list list, unsigned value);

/* The value of a name in `list`, -1 if there is none. */
WSIM_API int wsim_tensor_find(enum wsim_tensor_list list, const char *name);

/* The value of another common name. It takes names with the driver's prefix
 * ("CU_TENSOR_MAP_SWIZZLE_128B"), in small letters, and types as in CUDA or PTX ("half", "f16"). It
 * takes swizzles as in CuTe ("Swizzle<3,4,3>" of byte addresses, "GMMA::Layout_K_SW128_Atom"). */
WSIM_API int wsim_tensor_called(enum wsim_tensor_list list, const char *text);

#ifdef __cplusplus
}
#endif
#endif
