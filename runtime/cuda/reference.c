/* References of textures and surfaces: variables of a module that hold the handle of an object.
 * Each change makes another object; launches that were issued before keep theirs, because the
 * variable changes in the order of the streams. */
#include "driver.h"
#include "formats.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CU_TRSA_OVERRIDE_FORMAT */
enum { OVERRIDE_FORMAT = 1, FLOAT = 0x20, DIMENSIONS = 3 };

typedef struct reference *CUtexref;

struct reference {
    struct reference *next;
    CUmodule module;   /* NULL: of none */
    uint64_t variable; /* its address */
    uint64_t object;   /* that the variable names; 0: none */
    uint8_t surface;   /* 1: of a surface */
    uint8_t bound;     /* 1: `what` has a resource */
    int format;        /* CUarray_format */
    unsigned channels;
    struct wsimrt_described what;
};

static struct {
    pthread_mutex_t lock;
    struct reference *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int leave(int error) {
    pthread_mutex_unlock(&all.lock);
    return error;
}

/* Takes the lock if there is such a reference. */
static int enter(const struct reference *reference, int surface) {
    const struct reference *at;
    struct wsimrt_context_info info;
    const int error = wsimrt_context_info(NULL, &info);
    if (error)
        return error;
    pthread_mutex_lock(&all.lock);
    for (at = all.list; at && at != reference;)
        at = at->next;
    if (at && at->surface == surface)
        return 0;
    return leave(WSIMRT_INVALID_HANDLE);
}

/* The variable names an object of the present state. Where no object has that state, it names none.
 */
static int rebind(struct reference *reference) {
    uint64_t object = 0, before = reference->object;
    int error = 0;
    if (!reference->bound || !reference->module)
        return 0;
    if (reference->surface)
        error = wsimrt_surface_make(&reference->what.resource, &object);
    else if (wsimrt_texture_make(&reference->what, &object))
        object = 0;
    if (!error) {
        const struct wsimrt_copy copy = {
            .to = {reference->variable, sizeof object, sizeof object},
            .from = {(uint64_t)(uintptr_t)&object, sizeof object, sizeof object},
            .width = sizeof object};
        error = wsimrt_copy(&copy, NULL, 1);
    }
    if (!error)
        reference->object = object;
    return error || !before ? error : wsimrt_texture_free(before);
}

static struct reference *add(CUmodule module, uint64_t variable, int surface) {
    struct reference *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->module = module;
    made->variable = variable;
    made->surface = (uint8_t)surface;
    made->format = FLOAT;
    made->channels = 1;
    for (unsigned k = 0; k < DIMENSIONS; k++)
        made->what.sampler.address[k] = 1;
    cu_read_flags(0, &made->what.sampler);
    made->next = all.list;
    all.list = made;
    return made;
}

static int of_module(struct reference **reference, CUmodule module, const char *name, int surface) {
    uint64_t address = 0, bytes = 0;
    int error = reference && name ? wsimrt_module_symbol(module, name, &address, &bytes)
                                  : WSIMRT_INVALID_VALUE;
    struct reference *at;
    if (!error && bytes != sizeof at->object)
        error = WSIMRT_NOT_FOUND;
    if (error)
        return error;
    pthread_mutex_lock(&all.lock);
    for (at = all.list; at && (at->module != module || at->variable != address);)
        at = at->next;
    at = at ? at : add(module, address, surface);
    if (at)
        *reference = at;
    return leave(at ? 0 : WSIMRT_OUT_OF_MEMORY);
}

CU cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name) {
    return of_module(reference, module, name, 0);
}

CU cuModuleGetSurfRef(CUtexref *reference, CUmodule module, const char *name) {
    return of_module(reference, module, name, 1);
}

/* References that no kernel has. */
CU cuTexRefCreate(CUtexref *reference) {
    if (!reference)
        return WSIMRT_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    *reference = add(NULL, 0, 0);
    return leave(*reference ? 0 : WSIMRT_OUT_OF_MEMORY);
}

CU cuTexRefDestroy(CUtexref reference) {
    struct reference **at = &all.list;
    const int error = enter(reference, 0);
    if (error)
        return error;
    if (reference->module) /* the module keeps it */
        return leave(0);
    while (*at != reference)
        at = &(*at)->next;
    *at = reference->next;
    free(reference);
    return leave(0);
}

CU cuParamSetTexRef(CUfunction function, int unit, CUtexref reference) {
    struct wsimrt_function_info info;
    const int error = wsimrt_function_info(function, &info);
    return error ? error : unit == -1 && reference ? 0 : WSIMRT_INVALID_VALUE;
}

/* --- resources --- */

static int bind_array(CUtexref reference, struct wsimrt_array *array, int type, int surface) {
    enum { LOADS_AND_STORES = 2 }; /* CUDA_ARRAY3D_SURFACE_LDST */
    struct wsim_array shape;
    unsigned flags = 0;
    int error = enter(reference, surface);
    if (error)
        return error;
    error = wsimrt_array_info(array, &shape, &flags);
    if (!error && surface && !(flags & LOADS_AND_STORES))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        reference->what.resource = (struct wsimrt_resource){.type = type, .array = array};
        reference->format = cu_format_of(shape.bits, shape.kind);
        reference->channels = shape.channels;
        reference->bound = 1;
        error = rebind(reference);
    }
    return leave(error);
}

CU cuTexRefSetArray(CUtexref reference, struct wsimrt_array *array, unsigned flags) {
    return flags & ~(unsigned)OVERRIDE_FORMAT
               ? WSIMRT_INVALID_VALUE
               : bind_array(reference, array, WSIMRT_RESOURCE_ARRAY, 0);
}

CU cuTexRefSetMipmappedArray(CUtexref reference, struct wsimrt_array *array, unsigned flags) {
    return flags == OVERRIDE_FORMAT ? bind_array(reference, array, WSIMRT_RESOURCE_MIPMAP, 0)
                                    : WSIMRT_INVALID_VALUE;
}

CU cuSurfRefSetArray(CUtexref reference, struct wsimrt_array *array, unsigned flags) {
    return flags ? WSIMRT_INVALID_VALUE : bind_array(reference, array, WSIMRT_RESOURCE_ARRAY, 1);
}

static int array_of(struct wsimrt_array **array, CUtexref reference, int type, int surface) {
    int error = array ? enter(reference, surface) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    if (reference->bound && reference->what.resource.type == type)
        *array = reference->what.resource.array;
    else
        error = WSIMRT_INVALID_VALUE;
    return leave(error);
}

CU cuTexRefGetArray(struct wsimrt_array **array, CUtexref reference) {
    return array_of(array, reference, WSIMRT_RESOURCE_ARRAY, 0);
}

CU cuTexRefGetMipmappedArray(struct wsimrt_array **array, CUtexref reference) {
    return array_of(array, reference, WSIMRT_RESOURCE_MIPMAP, 0);
}

CU cuSurfRefGetArray(struct wsimrt_array **array, CUtexref reference) {
    return array_of(array, reference, WSIMRT_RESOURCE_ARRAY, 1);
}

/* Memory with the format of the reference. */
static int bind_memory(CUtexref reference, struct wsimrt_resource resource) {
    struct wsim_array texel;
    int error = enter(reference, 0);
    if (error)
        return error;
    if (!cu_read_format(reference->format, reference->channels, &texel))
        return leave(WSIMRT_INVALID_VALUE);
    resource.channels = texel.channels;
    resource.bits = texel.bits;
    resource.kind = texel.kind;
    reference->what.resource = resource;
    reference->bound = resource.address != 0;
    return leave(rebind(reference));
}

enum { MEMORY_ALIGN = 512, ROW_ALIGN = 32 };

CU cuTexRefSetAddress_v2(size_t *offset, CUtexref reference, CUdeviceptr address, size_t bytes) {
    const size_t rest = (size_t)(address % MEMORY_ALIGN);
    int error;
    if (!offset && rest)
        return WSIMRT_INVALID_VALUE;
    error = bind_memory(reference, (struct wsimrt_resource){.type = WSIMRT_RESOURCE_LINEAR,
                                                            .address = address - rest,
                                                            .width = bytes + rest});
    if (!error && offset)
        *offset = rest;
    return error;
}

struct descriptor { /* CUDA_ARRAY_DESCRIPTOR */
    size_t width, height;
    int format;
    unsigned channels;
};

CU cuTexRefSetAddress2D_v3(CUtexref reference, const struct descriptor *what, CUdeviceptr address,
                           size_t pitch) {
    int error = what && address % MEMORY_ALIGN == 0 && pitch % ROW_ALIGN == 0
                    ? enter(reference, 0)
                    : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    reference->format = what->format;
    reference->channels = what->channels;
    leave(0);
    return bind_memory(reference, (struct wsimrt_resource){.type = WSIMRT_RESOURCE_PITCH,
                                                           .address = address,
                                                           .width = what->width,
                                                           .height = what->height,
                                                           .pitch = pitch});
}

CU cuTexRefSetAddress2D_v2(CUtexref reference, const struct descriptor *what, CUdeviceptr address,
                           size_t pitch) {
    return cuTexRefSetAddress2D_v3(reference, what, address, pitch);
}

CU cuTexRefGetAddress_v2(CUdeviceptr *address, CUtexref reference) {
    int error = address ? enter(reference, 0) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    if (reference->bound && !wsimrt_is_array(reference->what.resource.type))
        *address = reference->what.resource.address;
    else
        error = WSIMRT_INVALID_VALUE;
    return leave(error);
}

/* --- how texels are read --- */

CU cuTexRefSetFormat(CUtexref reference, int format, int channels) {
    struct wsim_array texel;
    const int error = channels > 0 && cu_read_format(format, (unsigned)channels, &texel)
                          ? enter(reference, 0)
                          : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    reference->format = format;
    reference->channels = (unsigned)channels;
    return leave(0);
}

CU cuTexRefGetFormat(int *format, int *channels, CUtexref reference) {
    const int error = enter(reference, 0);
    if (error)
        return error;
    if (format)
        *format = reference->format;
    if (channels)
        *channels = (int)reference->channels;
    return leave(0);
}

CU cuTexRefSetFlags(CUtexref reference, unsigned flags) {
    const int error =
        flags & ~(unsigned)CU_SAMPLER_FLAGS ? WSIMRT_INVALID_VALUE : enter(reference, 0);
    if (error)
        return error;
    cu_read_flags(flags, &reference->what.sampler);
    return leave(rebind(reference));
}

CU cuTexRefGetFlags(unsigned *flags, CUtexref reference) {
    const int error = flags ? enter(reference, 0) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *flags = cu_flags_of(&reference->what.sampler);
    return leave(0);
}

/* A field of a sampler is set, or asked for: 0 to `most`. */
#define FIELD(name, type, field, most)                                                             \
    CU cuTexRefSet##name(CUtexref reference, type value) {                                         \
        const int error = value > (most) ? WSIMRT_INVALID_VALUE : enter(reference, 0);             \
        if (error)                                                                                 \
            return error;                                                                          \
        reference->what.sampler.field = value;                                                     \
        return leave(rebind(reference));                                                           \
    }                                                                                              \
    CU cuTexRefGet##name(type *value, CUtexref reference) {                                        \
        const int error = value ? enter(reference, 0) : WSIMRT_INVALID_VALUE;                      \
        if (error)                                                                                 \
            return error;                                                                          \
        *value = reference->what.sampler.field;                                                    \
        return leave(0);                                                                           \
    }

FIELD(FilterMode, int, filter, 1)
FIELD(MipmapFilterMode, int, mip_filter, 1)
FIELD(MaxAnisotropy, unsigned, anisotropy, 16u)

CU cuTexRefSetAddressMode(CUtexref reference, int dimension, int mode) {
    const int error = dimension < 0 || dimension >= DIMENSIONS || mode < 0 || mode > 3
                          ? WSIMRT_INVALID_VALUE
                          : enter(reference, 0);
    if (error)
        return error;
    reference->what.sampler.address[dimension] = mode;
    return leave(rebind(reference));
}

CU cuTexRefGetAddressMode(int *mode, CUtexref reference, int dimension) {
    const int error = mode && dimension >= 0 && dimension < DIMENSIONS ? enter(reference, 0)
                                                                       : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    *mode = reference->what.sampler.address[dimension];
    return leave(0);
}

/* Numbers of f32, by their bits: `n` of them, `at` bytes behind the reference. */
#define AT(field) offsetof(struct reference, what.sampler.field)
static int set_numbers(CUtexref reference, size_t at, const float *from, size_t n) {
    const int error = from ? enter(reference, 0) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    memcpy((char *)reference + at, from, n * sizeof *from);
    return leave(rebind(reference));
}

static int get_numbers(float *to, CUtexref reference, size_t at, size_t n) {
    const int error = to ? enter(reference, 0) : WSIMRT_INVALID_VALUE;
    if (error)
        return error;
    memcpy(to, (const char *)reference + at, n * sizeof *to);
    return leave(0);
}

CU cuTexRefSetBorderColor(CUtexref reference, const float *color) {
    return set_numbers(reference, AT(border), color, 4);
}

CU cuTexRefGetBorderColor(float *color, CUtexref reference) {
    return get_numbers(color, reference, AT(border), 4);
}

CU cuTexRefSetMipmapLevelBias(CUtexref reference, float bias) {
    return set_numbers(reference, AT(lod_bias), &bias, 1);
}

CU cuTexRefGetMipmapLevelBias(float *bias, CUtexref reference) {
    return get_numbers(bias, reference, AT(lod_bias), 1);
}

CU cuTexRefSetMipmapLevelClamp(CUtexref reference, float least, float most) {
    const int error = set_numbers(reference, AT(lod_least), &least, 1);
    return error ? error : set_numbers(reference, AT(lod_most), &most, 1);
}

CU cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref reference) {
    const int error = get_numbers(least, reference, AT(lod_least), 1);
    return error ? error : get_numbers(most, reference, AT(lod_most), 1);
}
