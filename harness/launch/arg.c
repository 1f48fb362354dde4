/* Arguments of a launch: bytes, with places for addresses and tensor maps, which are known once
 * there is memory; see file.h. */
#include "file.h"

#include <string.h>

static enum wsim_status make_value(struct wsim_launch_file *file, uint32_t bytes, size_t patches,
                                   struct wsim_launch_arg *arg, uint8_t **value,
                                   struct wsim_launch_patch **patch) {
    *value = lf_take(&file->memory, bytes, 1);
    *patch = lf_take(&file->memory, patches, sizeof **patch);
    if (!*value || !*patch)
        return lf_no_memory(file->diag);
    *arg = (struct wsim_launch_arg){bytes, *value, *patch, 0};
    return WSIM_OK;
}

/* --- buffers --- */

/* "buffer", and "offset" if it is there, of an address or a tensor map. */
static enum wsim_status read_address(const struct wsim_launch_file *file, const struct lf_node *at,
                                     struct wsim_launch_patch *patch) {
    const struct lf_node *buffer = lf_member(at, "buffer"), *offset = lf_member(at, "offset");
    const char *name;
    enum wsim_status status = buffer ? lf_text(buffer, &name, file->diag)
                                     : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                                                 "'buffer' is missing; give the name of a buffer");
    if (status)
        return status;
    patch->buffer = lf_buffer(file, name);
    if (patch->buffer == file->parts.nbuffers)
        return lf_refuse(file->diag, buffer, RULE_LAUNCH_NAME_UNKNOWN, "unknown buffer '%s'",
                         lf_cut(name).text);
    return offset ? lf_whole(offset, file->buffers[patch->buffer].bytes, &patch->offset, file->diag)
                  : WSIM_OK;
}

static enum wsim_status read_buffer(struct wsim_launch_file *file, const struct lf_node *at,
                                    struct wsim_launch_arg *arg) {
    static const char *const fields[] = {"buffer", "offset", "at", NULL};
    struct wsim_launch_patch *patch;
    uint8_t *value;
    enum wsim_status status = lf_fields(at, fields, file->diag);
    if (!status)
        status = make_value(file, 8, 1, arg, &value, &patch);
    arg->npatches = !status;
    return status ? status : read_address(file, at, patch);
}

static enum wsim_status read_map(struct wsim_launch_file *file, const struct lf_node *at,
                                 struct wsim_launch_arg *arg) {
    static const char *const fields[] = {"tensormap", "at", NULL};
    static const char *const others[] = {"buffer", "offset", NULL};
    const struct lf_node *map = lf_member(at, "tensormap"), *base;
    struct wsim_launch_patch *patch;
    uint8_t *value;
    int packed = 0;
    enum wsim_status status = lf_fields(at, fields, file->diag);
    if (!status && map->kind != LF_OBJECT)
        status = lf_refuse(file->diag, map, RULE_LAUNCH_FIELD_WRONG,
                           "expected an object with the parameters of a tensor map");
    if (!status && (base = lf_member(map, "base")) != NULL)
        status = lf_refuse(file->diag, base, RULE_LAUNCH_FIELD_WRONG,
                           "write the base as a buffer and an offset");
    if (!status)
        status = make_value(file, sizeof(struct wsim_tensor_map), 1, arg, &value, &patch);
    if (status)
        return status;
    arg->npatches = 1;
    patch->is_map = 1;
    status = read_address(file, map, patch);
    if (!status)
        status = lf_tensor(map, others, &patch->tensor, &packed, file->diag);
    patch->packed = packed != 0;
    return status;
}

/* --- bytes --- */

static unsigned hex_of(char c) {
    const char small = (char)(c | 0x20);
    return c >= '0' && c <= '9'           ? (unsigned)(c - '0')
           : small >= 'a' && small <= 'f' ? (unsigned)(small - 'a' + 10)
                                          : 99;
}

static enum wsim_status read_hex(struct wsim_launch_file *file, const struct lf_node *up,
                                 struct wsim_launch_arg *arg) {
    static const char *const fields[] = {"hex", "at", NULL};
    const struct lf_node *at = lf_member(up, "hex");
    size_t digits = at->kind == LF_STRING ? strlen(at->text) : 0;
    struct wsim_launch_patch *patch;
    uint8_t *value;
    enum wsim_status status = lf_fields(up, fields, file->diag);
    if (status)
        return status;
    if (digits == 0 || digits % 2 || strspn(at->text, "0123456789abcdefABCDEF") != digits)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "expected two hex digits for each byte");
    if (digits / 2 > WSIM_LAUNCH_PARAMS)
        return lf_refuse(file->diag, at, RULE_LAUNCH_NUMBER_RANGE,
                         "%zu bytes: parameters have at most %d", digits / 2, WSIM_LAUNCH_PARAMS);
    status = make_value(file, (uint32_t)(digits / 2), 0, arg, &value, &patch);
    for (size_t i = 0; i < digits / 2 && !status; i++)
        value[i] = (uint8_t)(hex_of(at->text[2 * i]) << 4 | hex_of(at->text[2 * i + 1]));
    return status;
}

/* The type that `key` names: a letter and 8 to 64 bits; 'f' is a float of *format. 0: none. */
static char type_of(const char *key, unsigned *bits, const struct wsim_format **format) {
    static const struct {
        const char *name;
        uint8_t bits;
    } integers[] = {{"u8", 8},   {"s8", 8},   {"u16", 16}, {"s16", 16}, {"u32", 32}, {"s32", 32},
                    {"u64", 64}, {"s64", 64}, {"b8", 8},   {"b16", 16}, {"b32", 32}, {"b64", 64}};
    static const char *const floats[] = {"f16", "bf16", "f32", "f64"};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (strcmp(key, integers[i].name) == 0) {
            *bits = integers[i].bits;
            return key[0];
        }
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (strcmp(key, floats[i]) == 0) {
            *format = wsim_format_find(key);
            *bits = (*format)->bits;
            return 'f';
        }
    return 0;
}

static enum wsim_status read_number(struct wsim_launch_file *file, const struct lf_node *up,
                                    const char *key, struct wsim_launch_arg *arg) {
    const char *const fields[] = {key, "at", NULL};
    const struct lf_node *at = lf_member(up, key);
    const struct wsim_format *format = NULL;
    struct wsim_launch_patch *patch;
    uint64_t number = 0;
    uint8_t *value;
    unsigned bits = 8;
    const char kind = type_of(key, &bits, &format);
    enum wsim_status status = lf_fields(up, fields, file->diag);
    if (!status)
        status = kind == 'f' ? lf_float(at, format, &number, file->diag)
                             : lf_integer(at, kind, bits, &number, file->diag);
    if (!status)
        status = make_value(file, bits / 8, 0, arg, &value, &patch);
    for (unsigned i = 0; i < bits / 8 && !status; i++)
        value[i] = (uint8_t)(number >> 8 * i);
    return status;
}

/* --- structs --- */

/* The bytes of a struct while its parts are read. */
struct pack {
    struct wsim_launch_arg *arg;
    uint8_t *value, *taken;
    struct wsim_launch_patch *patches;
};

/* Puts a part, and its patches, at its place in the whole. */
static enum wsim_status place_part(struct wsim_launch_file *file, const struct lf_node *where,
                                   const struct wsim_launch_arg *part, uint32_t at,
                                   struct pack *pack) {
    struct wsim_launch_arg *arg = pack->arg;
    if (at > arg->bytes || part->bytes > arg->bytes - at)
        return lf_refuse(file->diag, where, RULE_LAUNCH_NUMBER_RANGE,
                         "bytes %u to %u: the struct has %u bytes", at, at + part->bytes - 1,
                         arg->bytes);
    if (memchr(pack->taken + at, 1, part->bytes))
        return lf_refuse(file->diag, where, RULE_LAUNCH_NUMBER_RANGE,
                         "bytes %u to %u overlap another part", at, at + part->bytes - 1);
    memset(pack->taken + at, 1, part->bytes);
    memcpy(pack->value + at, part->value, part->bytes);
    for (size_t i = 0; i < part->npatches; i++) {
        struct wsim_launch_patch *patch = &pack->patches[arg->npatches++];
        *patch = part->patches[i];
        patch->at += at;
    }
    return WSIM_OK;
}

static enum wsim_status read_part(struct wsim_launch_file *file, const struct lf_node *at,
                                  struct pack *pack) {
    const struct lf_node *offset = lf_member(at, "at");
    struct wsim_launch_arg part = {0};
    uint64_t number = 0;
    enum wsim_status status =
        offset ? lf_whole(offset, WSIM_LAUNCH_PARAMS, &number, file->diag)
               : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                           "the field at is missing: the byte where the part begins");
    if (!status && lf_member(at, "pack"))
        status = lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                           "a pack cannot contain a pack: list all parts in one");
    if (!status)
        status = lf_arg(file, at, &part);
    return status ? status : place_part(file, at, &part, (uint32_t)number, pack);
}

static enum wsim_status read_pack(struct wsim_launch_file *file, const struct lf_node *at,
                                  struct wsim_launch_arg *arg) {
    static const char *const fields[] = {"pack", "size", NULL};
    const struct lf_node *list = lf_member(at, "pack"), *size = lf_member(at, "size");
    struct pack pack = {.arg = arg};
    uint64_t bytes = 0;
    enum wsim_status status = lf_fields(at, fields, file->diag);
    if (!status)
        status = size ? lf_whole(size, WSIM_LAUNCH_PARAMS, &bytes, file->diag)
                      : lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                                  "the field size is missing: the bytes of the struct");
    if (!status && list->kind != LF_ARRAY)
        status = lf_refuse(file->diag, list, RULE_LAUNCH_FIELD_WRONG,
                           "expected a list of the parts of the struct");
    if (!status)
        status = make_value(file, (uint32_t)bytes, list->count, arg, &pack.value, &pack.patches);
    if (status)
        return status;
    pack.taken = lf_take(&file->memory, (size_t)bytes, 1);
    if (!pack.taken)
        return lf_no_memory(file->diag);
    for (const struct lf_node *one = list->first; one && !status; one = one->next)
        status = read_part(file, one, &pack);
    return status;
}

/* --- all --- */

/* The one member that says which kind of argument it is. */
static const char *kind_of(const struct lf_node *object) {
    static const char *const kinds[] = {"buffer", "tensormap", "pack", "hex"};
    const struct wsim_format *format;
    unsigned bits;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (lf_member(object, kinds[i]))
            return kinds[i];
    for (const struct lf_node *one = object->first; one; one = one->next)
        if (type_of(one->key, &bits, &format))
            return one->key;
    return NULL;
}

enum wsim_status lf_arg(struct wsim_launch_file *file, const struct lf_node *at,
                        struct wsim_launch_arg *arg) {
    const char *kind = at->kind == LF_OBJECT ? kind_of(at) : NULL;
    if (at->kind != LF_OBJECT)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "expected an object, such as {\"s32\": 5}");
    if (!kind)
        return lf_refuse(file->diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "expected one of buffer, tensormap, pack, hex or a type: u8 to u64, s8 to "
                         "s64, b8 to b64, f16, bf16, f32, f64");
    if (strcmp(kind, "buffer") == 0)
        return read_buffer(file, at, arg);
    if (strcmp(kind, "tensormap") == 0)
        return read_map(file, at, arg);
    if (strcmp(kind, "pack") == 0)
        return read_pack(file, at, arg);
    return strcmp(kind, "hex") == 0 ? read_hex(file, at, arg) : read_number(file, at, kind, arg);
}
