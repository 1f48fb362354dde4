/* The parameters of a tensor map out of JSON, of a file or of options. What the driver would refuse
 * is left to the library; here only what is no set of parameters at all is refused. */
#include "tma_input.h"
#include "../common/input.h"
#include "../common/names.h"
#include "../common/text.h"

#include <stdlib.h>
#include <string.h>

static json_t *get(json_t *object, enum tma_parameter id) {
    return json_object_get(object, tma_rows[id].name);
}

/* The library counts on the right number of entries; the driver would read past the end. */
static int check_list(json_t *object, enum tma_parameter id, size_t want) {
    json_t *list = get(object, id);
    const char *name = tma_rows[id].name;
    size_t i;
    if (!list)
        return tool_error("%s is missing: %lu number%s, as there are %lu dims", name,
                          (unsigned long)want, want == 1 ? "" : "s",
                          (unsigned long)json_array_size(get(object, TMA_DIMS)));
    if (!json_is_array(list))
        return tool_error("%s must be a list of numbers", name);
    if (json_array_size(list) != want)
        return tool_error("%s has %lu numbers: with %lu dims it has %lu", name,
                          (unsigned long)json_array_size(list),
                          (unsigned long)json_array_size(get(object, TMA_DIMS)),
                          (unsigned long)want);
    for (i = 0; i < want; i++)
        if (!json_is_integer(json_array_get(list, i)))
            return tool_error("%s[%lu] must be a whole number", name, (unsigned long)i);
    return TOOL_GO;
}

/* Numbers that do not fit are no argument of the driver's function. */
static int in_bits(const char *name, json_int_t value, json_int_t least, json_int_t most) {
    if (value >= least && value <= most)
        return TOOL_GO;
    return tool_error("%s %lld: its argument holds %lld to %lld", name, (long long)value,
                      (long long)least, (long long)most);
}

static int read_list(json_t *object, enum tma_parameter id, size_t n, json_int_t least,
                     json_int_t most, json_int_t out[WSIM_TENSOR_RANK]) {
    int status = check_list(object, id, n);
    size_t i;
    for (i = 0; i < n && status == TOOL_GO; i++) {
        out[i] = json_integer_value(json_array_get(get(object, id), i));
        status = in_bits(tma_rows[id].name, out[i], least, most);
    }
    return status;
}

static int read_wide(json_t *object, enum tma_parameter id, size_t n, uint64_t *out) {
    json_int_t value[WSIM_TENSOR_RANK];
    int status = read_list(object, id, n, 0, INT64_MAX, value);
    size_t i;
    for (i = 0; i < n && status == TOOL_GO; i++)
        out[i] = (uint64_t)value[i];
    return status;
}

static int read_words(json_t *object, enum tma_parameter id, size_t n, uint32_t *out) {
    json_int_t value[WSIM_TENSOR_RANK];
    int status = read_list(object, id, n, 0, UINT32_MAX, value);
    size_t i;
    for (i = 0; i < n && status == TOOL_GO; i++)
        out[i] = (uint32_t)value[i];
    return status;
}

static int read_corners(json_t *object, enum tma_parameter id, size_t n, int32_t *out) {
    json_int_t value[WSIM_TENSOR_RANK];
    int status = read_list(object, id, n, INT32_MIN, INT32_MAX, value);
    size_t i;
    for (i = 0; i < n && status == TOOL_GO; i++)
        out[i] = (int32_t)value[i];
    return status;
}

static int read_number(json_t *object, enum tma_parameter id, json_int_t most, uint64_t *out) {
    json_t *number = get(object, id);
    *out = (uint64_t)json_integer_value(number);
    if (!number)
        return TOOL_GO;
    if (!json_is_integer(number))
        return tool_error("%s must be a whole number", tma_rows[id].name);
    return in_bits(tma_rows[id].name, json_integer_value(number), 0, most);
}

/* Capital letters or not. `fallback`: the value without it, -1 if it must be there. */
static int read_name(json_t *object, enum tma_parameter id, enum wsim_tensor_list list,
                     int fallback, unsigned *out) {
    json_t *value = get(object, id);
    char names[512] = "";
    size_t i, n = 0;
    int found;
    for (i = 0; wsim_tensor_name(list, (unsigned)i) && n < sizeof names; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, " %s",
                              wsim_tensor_name(list, (unsigned)i));
    *out = (unsigned)fallback;
    if (!value)
        return fallback >= 0 ? TOOL_GO : tool_error("%s is missing:%s", tma_rows[id].name, names);
    if (!json_is_string(value))
        return tool_error("%s must be a string", tma_rows[id].name);
    found = wsim_tensor_called(list, json_string_value(value));
    if (found < 0)
        return tool_error("%s '%s': there are%s", tma_rows[id].name,
                          text_cut(json_string_value(value)).text, names);
    *out = (unsigned)found;
    return TOOL_GO;
}

static int read_names(json_t *object, struct wsim_tensor *t) {
    unsigned value[4];
    int status = read_name(object, TMA_DTYPE, WSIM_TENSOR_LIST_DTYPE, -1, &value[0]);
    if (status == TOOL_GO)
        status = read_name(object, TMA_INTERLEAVE, WSIM_TENSOR_LIST_INTERLEAVE, 0, &value[1]);
    if (status == TOOL_GO)
        status = read_name(object, TMA_SWIZZLE, WSIM_TENSOR_LIST_SWIZZLE, 0, &value[2]);
    if (status == TOOL_GO)
        status = read_name(object, TMA_OOB, WSIM_TENSOR_LIST_OOB, 0, &value[3]);
    if (status != TOOL_GO)
        return status;
    t->dtype = (enum wsim_tensor_type)value[0];
    t->interleave = (enum wsim_tensor_interleave)value[1];
    t->swizzle = (enum wsim_swizzle)value[2];
    t->oob = (enum wsim_tensor_fill)value[3];
    return TOOL_GO;
}

static int check_pixels(json_t *object, const struct wsim_tensor *t) {
    enum tma_parameter missing = get(object, TMA_CHANNELS) ? TMA_PIXELS : TMA_CHANNELS;
    if (t->mode == WSIM_TENSOR_TILED || get(object, missing))
        return TOOL_GO;
    return tool_error("%s is missing: an im2col map has lower, upper, channels and pixels",
                      tma_rows[missing].name);
}

/* A number, or the name of one. */
static int read_l2(json_t *object, uint64_t *out) {
    json_t *value = get(object, TMA_L2);
    int named = json_is_string(value) ? name_l2(json_string_value(value)) : -1;
    if (!json_is_string(value))
        return read_number(object, TMA_L2, UINT32_MAX, out);
    *out = (uint64_t)named;
    return named >= 0 ? TOOL_GO
                      : tool_error("l2 '%s': it is 0 to 3, or NONE, 64B, 128B or 256B",
                                   text_cut(json_string_value(value)).text);
}

static int read_numbers(json_t *object, struct wsim_tensor *t) {
    uint64_t value[3];
    int status = read_l2(object, &value[0]);
    if (status == TOOL_GO)
        status = read_number(object, TMA_CHANNELS, UINT32_MAX, &value[1]);
    if (status == TOOL_GO)
        status = read_number(object, TMA_PIXELS, UINT32_MAX, &value[2]);
    if (status == TOOL_GO)
        status = read_number(object, TMA_BASE, INT64_MAX, &t->base);
    if (status != TOOL_GO)
        return status;
    t->l2 = (uint32_t)value[0];
    t->channels = (uint32_t)value[1];
    t->pixels = (uint32_t)value[2];
    return TOOL_GO;
}

static int read_box(json_t *object, struct wsim_tensor *t) {
    size_t spatial = t->rank > 2 ? t->rank - 2 : 0;
    int status;
    if (t->mode == WSIM_TENSOR_TILED)
        return read_words(object, TMA_BOX, t->rank, t->box);
    if (get(object, TMA_BOX))
        return tool_error("box: an im2col map has channels and pixels instead");
    status = check_pixels(object, t);
    if (status == TOOL_GO)
        status = read_corners(object, TMA_LOWER, spatial, t->lower);
    return status == TOOL_GO ? read_corners(object, TMA_UPPER, spatial, t->upper) : status;
}

/* Strides that nobody gave are those of a tensor without gaps, and are told. */
static int pack(struct wsim_tensor *t) {
    struct wsim_diag diag;
    char list[128] = "";
    size_t n = 0;
    if (wsim_tensor_pack(t, &diag))
        return tool_refused("strides are not given", &diag);
    for (uint32_t i = 0; i + 1 < t->rank; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%llu", i ? "," : "",
                              (unsigned long long)t->strides[i]);
    tool_note("strides are not given: without gaps they are %s bytes, from dimension 1 on", list);
    return TOOL_GO;
}

static int read_lists(json_t *object, struct wsim_tensor *t) {
    uint32_t i;
    int status = TOOL_GO;
    for (i = 0; i < t->rank; i++)
        t->estrides[i] = 1;
    status = read_wide(object, TMA_DIMS, t->rank, t->dims);
    if (status == TOOL_GO && get(object, TMA_STRIDES))
        status = read_wide(object, TMA_STRIDES, t->rank - 1, t->strides);
    else if (status == TOOL_GO && t->rank > 1)
        status = pack(t);
    if (status == TOOL_GO && get(object, TMA_ESTRIDES))
        status = read_words(object, TMA_ESTRIDES, t->rank, t->estrides);
    return status == TOOL_GO ? read_box(object, t) : status;
}

static int check_members(json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        int i = 0;
        while (i < TMA_PARAMETERS && strcmp(key, tma_rows[i].name) != 0)
            i++;
        if (i == TMA_PARAMETERS)
            return tool_error("unknown parameter '%s' of a tensor map (wsim tma --help lists them)",
                              text_cut(key).text);
    }
    return TOOL_GO;
}

int tma_read_json(json_t *object, struct wsim_tensor *t) {
    size_t rank = json_array_size(get(object, TMA_DIMS));
    int status = check_members(object);
    memset(t, 0, sizeof *t);
    if (get(object, TMA_LOWER) || get(object, TMA_UPPER) || get(object, TMA_CHANNELS) ||
        get(object, TMA_PIXELS))
        t->mode = WSIM_TENSOR_IM2COL;
    if (status == TOOL_GO && (rank < 1 || rank > WSIM_TENSOR_RANK))
        return tool_error("dims has %lu numbers: a tensor map has 1 to %d dimensions",
                          (unsigned long)rank, WSIM_TENSOR_RANK);
    t->rank = (uint32_t)rank;
    if (status == TOOL_GO)
        status = read_names(object, t);
    if (status == TOOL_GO)
        status = read_numbers(object, t);
    return status == TOOL_GO ? read_lists(object, t) : status;
}

/* Lines and columns count from 1; where JSON just ends there is no column. */
static void complain(const char *name, const json_error_t *error) {
    char column[16] = "";
    if (error->column > 0)
        snprintf(column, sizeof column, ":%d", error->column);
    tool_error("%s:%d%s: %s", text_path(name).text, error->line, column, error->text);
}

static json_t *load(const char *file) {
    size_t length;
    char *text = file ? input_bytes(file, &length) : NULL;
    json_error_t error;
    json_t *object;
    if (!file)
        return json_object();
    if (!text)
        return NULL;
    object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!object)
        complain(input_name(file), &error);
    else if (!json_is_object(object))
        tool_error("%s: a tensor map is a JSON object, {\"dtype\": ...}",
                   text_path(input_name(file)).text);
    else
        return object;
    json_decref(object);
    return NULL;
}

int tma_read(const char *file, char *const option[TMA_PARAMETERS], struct wsim_tensor *tensor) {
    json_t *object = load(file);
    int status = TOOL_USAGE;
    if (object)
        status = tma_put_options(option, object);
    if (status == TOOL_GO)
        status = tma_read_json(object, tensor);
    json_decref(object);
    return status;
}
