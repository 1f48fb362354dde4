/* Arguments of a launch: bytes, with places where addresses and tensor maps belong that are made
 * once there is memory. */
#include "launch.h"
#include "number.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../common/tool.h"
#include "../tma/tma_input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void put_bytes(uint8_t *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void make_value(struct launch_arg *arg, uint32_t bytes) {
    arg->bytes = bytes;
    arg->value = memory_make(bytes, 1);
}

static struct launch_patch *add_patch(struct launch_arg *arg) {
    arg->patches = launch_more(arg->patches, &arg->npatches, sizeof *arg->patches);
    return &arg->patches[arg->npatches - 1];
}

/* --- buffers --- */

/* "buffer", and "offset" if it is there, of an address or a tensor map. */
static int read_address(const struct launch *launch, const struct place *at, const json_t *object,
                        struct launch_patch *patch) {
    struct place member = place_key(at, "buffer");
    json_t *offset = json_object_get(object, "offset");
    const char *name;
    int status = launch_text(&member, json_object_get(object, "buffer"), &name);
    if (status != TOOL_GO)
        return status;
    patch->buffer = launch_buffer(launch, name);
    if (patch->buffer == launch->nbuffers)
        return place_error(&member, "unknown buffer '%s'", text_cut(name).text);
    member = place_key(at, "offset");
    return offset
               ? number_whole(&member, offset, launch->buffers[patch->buffer].bytes, &patch->offset)
               : TOOL_GO;
}

static int read_buffer(const struct launch *launch, const struct place *at, const json_t *object,
                       struct launch_arg *arg) {
    static const char *const fields[] = {"buffer", "offset", "at", NULL};
    int status = launch_fields(at, object, fields);
    if (status != TOOL_GO)
        return status;
    make_value(arg, 8);
    return read_address(launch, at, object, add_patch(arg));
}

/* --- tensor maps --- */

/* The parameters as wsim tma has them: another word for one of them, and no base. */
static json_t *map_parameters(const json_t *map) {
    json_t *copy = json_copy((json_t *)map), *strides = json_object_get(copy, "elementStrides");
    if (strides && !json_object_get(copy, "estrides"))
        json_object_set(copy, "estrides", strides);
    if (strides)
        json_object_del(copy, "elementStrides");
    json_object_del(copy, "buffer");
    json_object_del(copy, "offset");
    return copy;
}

static int read_map(const struct launch *launch, const struct place *up, const json_t *object,
                    struct launch_arg *arg) {
    static const char *const fields[] = {"tensormap", "at", NULL};
    struct place at = place_key(up, "tensormap");
    const json_t *map = json_object_get(object, "tensormap");
    int status = launch_fields(up, object, fields);
    struct launch_patch *patch;
    json_t *parameters;
    if (status == TOOL_GO && !json_is_object(map))
        status = place_error(&at, "expected an object with the parameters of a tensor map");
    if (status == TOOL_GO && json_object_get(map, "base"))
        status = place_error(&at, "write the base as a buffer and an offset");
    if (status != TOOL_GO)
        return status;
    make_value(arg, sizeof(struct wsim_tensor_map));
    patch = add_patch(arg);
    patch->is_map = 1;
    status = read_address(launch, &at, map, patch);
    if (status != TOOL_GO)
        return status;
    parameters = map_parameters(map);
    place_begin(&at);
    status = tma_read_json(parameters, &patch->tensor);
    place_end();
    json_decref(parameters);
    return status;
}

/* --- bytes --- */

static int read_hex(const struct place *up, const json_t *object, struct launch_arg *arg) {
    static const char *const fields[] = {"hex", "at", NULL};
    struct place at = place_key(up, "hex");
    const char *text = json_string_value(json_object_get(object, "hex"));
    size_t digits = text ? strlen(text) : 0;
    int status = launch_fields(up, object, fields);
    if (status != TOOL_GO)
        return status;
    if (digits == 0 || digits % 2 || digits != json_string_length(json_object_get(object, "hex")) ||
        strspn(text, "0123456789abcdefABCDEF") != digits)
        return place_error(&at, "expected two hex digits for each byte");
    if (digits / 2 > LAUNCH_PARAMS)
        return place_error(&at, "%zu bytes: parameters have at most %d", digits / 2, LAUNCH_PARAMS);
    make_value(arg, (uint32_t)(digits / 2));
    for (size_t i = 0; i < digits / 2; i++)
        arg->value[i] = (uint8_t)input_digits(text + 2 * i, 2);
    return TOOL_GO;
}

static const char *const float_names[] = {"f16", "bf16", "f32", "f64"};

/* The type that `key` names: a letter and 8 to 64 bits; 'f' is a float of *format. 0: none. */
static char type_of(const char *key, unsigned *bits, const struct wsim_format **format) {
    static const char *const integers[] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                           "u64", "s64", "b8",  "b16", "b32", "b64"};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (strcmp(key, integers[i]) == 0) {
            *bits = (unsigned)strtoul(key + 1, NULL, 10);
            return key[0];
        }
    for (size_t i = 0; i < sizeof float_names / sizeof *float_names; i++)
        if (strcmp(key, float_names[i]) == 0) {
            *format = wsim_format_find(key);
            *bits = (*format)->bits;
            return 'f';
        }
    return 0;
}

static int read_number(const struct place *up, const char *key, const json_t *value,
                       struct launch_arg *arg) {
    const struct wsim_format *format = NULL;
    struct place at = place_key(up, key);
    uint64_t number = 0;
    unsigned bits = 8;
    char kind = type_of(key, &bits, &format);
    int status = kind == 'f' ? number_float(&at, value, format, &number)
                             : number_integer(&at, value, kind, bits, &number);
    if (status == TOOL_GO) {
        make_value(arg, bits / 8);
        put_bytes(arg->value, number, bits / 8);
    }
    return status;
}

/* --- structs --- */

static int overlaps(const uint8_t *taken, uint32_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++)
        if (taken[at + i])
            return 1;
    return 0;
}

/* Puts a part, whose patches are moved along, at its place in the whole. */
static int place_part(const struct place *where, const struct launch_arg *part, uint32_t at,
                      struct launch_arg *arg, uint8_t *taken) {
    if (at > arg->bytes || part->bytes > arg->bytes - at)
        return place_error(where, "bytes %u to %u: the struct has %u bytes", at,
                           at + part->bytes - 1, arg->bytes);
    if (overlaps(taken, at, part->bytes))
        return place_error(where, "bytes %u to %u overlap another part", at, at + part->bytes - 1);
    memset(taken + at, 1, part->bytes);
    memcpy(arg->value + at, part->value, part->bytes);
    for (size_t i = 0; i < part->npatches; i++) {
        struct launch_patch *patch = add_patch(arg);
        *patch = part->patches[i];
        patch->at += at;
    }
    return TOOL_GO;
}

static int read_part(struct launch *launch, const struct place *at, json_t *value,
                     struct launch_arg *arg, uint8_t *taken) {
    struct place member = place_key(at, "at");
    struct launch_arg part = {0};
    json_t *offset = json_object_get(value, "at");
    uint64_t number = 0;
    int status = offset
                     ? number_whole(&member, offset, LAUNCH_PARAMS, &number)
                     : place_error(at, "the field at is missing: the byte where the part begins");
    if (status == TOOL_GO && json_object_get(value, "pack"))
        status = place_error(at, "a pack cannot contain a pack: list all parts in one");
    if (status == TOOL_GO)
        status = launch_read_arg(launch, at, value, &part);
    if (status == TOOL_GO)
        status = place_part(at, &part, (uint32_t)number, arg, taken);
    free(part.value);
    free(part.patches);
    return status;
}

static int read_pack(struct launch *launch, const struct place *at, const json_t *object,
                     struct launch_arg *arg) {
    static const char *const fields[] = {"pack", "size", NULL};
    struct place list_at = place_key(at, "pack"), size_at = place_key(at, "size");
    json_t *list = json_object_get(object, "pack"), *size = json_object_get(object, "size");
    uint64_t bytes = 0;
    uint8_t *taken;
    int status = launch_fields(at, object, fields);
    if (status == TOOL_GO)
        status = size ? number_whole(&size_at, size, LAUNCH_PARAMS, &bytes)
                      : place_error(at, "the field size is missing: the bytes of the struct");
    if (status == TOOL_GO && !json_is_array(list))
        status = place_error(&list_at, "expected a list of the parts of the struct");
    if (status != TOOL_GO)
        return status;
    make_value(arg, (uint32_t)bytes);
    taken = memory_make((size_t)bytes, 1);
    for (size_t i = 0; status == TOOL_GO && i < json_array_size(list); i++) {
        struct place item = place_index(&list_at, i);
        status = read_part(launch, &item, json_array_get(list, i), arg, taken);
    }
    free(taken);
    return status;
}

/* --- all --- */

/* The one member that says what the argument is. */
static const char *kind_of(const json_t *object) {
    static const char *const kinds[] = {"buffer", "tensormap", "pack", "hex"};
    const struct wsim_format *format;
    const char *key;
    json_t *unused;
    unsigned bits;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_object_get(object, kinds[i]))
            return kinds[i];
    json_object_foreach((json_t *)object, key, unused) if (type_of(key, &bits, &format)) return key;
    return NULL;
}

int launch_read_arg(struct launch *launch, const struct place *at, json_t *value,
                    struct launch_arg *arg) {
    const char *kind = kind_of(value);
    if (!json_is_object(value))
        return place_error(at, "expected an object, such as {\"s32\": 5}");
    if (!kind)
        return place_error(at, "expected one of buffer, tensormap, pack, hex or a type: u8 to "
                               "u64, s8 to s64, b8 to b64, f16, bf16, f32, f64");
    if (strcmp(kind, "buffer") == 0)
        return read_buffer(launch, at, value, arg);
    if (strcmp(kind, "tensormap") == 0)
        return read_map(launch, at, value, arg);
    if (strcmp(kind, "pack") == 0)
        return read_pack(launch, at, value, arg);
    if (strcmp(kind, "hex") == 0)
        return read_hex(at, value, arg);
    {
        const char *const fields[] = {kind, "at", NULL};
        int status = launch_fields(at, value, fields);
        return status == TOOL_GO ? read_number(at, kind, json_object_get(value, kind), arg)
                                 : status;
    }
}
