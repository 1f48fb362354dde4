/* The parameters of a tensor map: options become members of the JSON object of the file, which the
 * library reads. */
#include "tma_input.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../common/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/launch.h>

enum tma_kind { TMA_NAME, TMA_NUMBER, TMA_LIST, TMA_WORD /* a number or its name */ };

struct tma_row {
    const char *name;
    enum tma_kind kind;
};

static const struct tma_row tma_rows[TMA_PARAMETERS] = {
    [TMA_DTYPE] = {"dtype", TMA_NAME},
    [TMA_DIMS] = {"dims", TMA_LIST},
    [TMA_STRIDES] = {"strides", TMA_LIST},
    [TMA_BOX] = {"box", TMA_LIST},
    [TMA_ESTRIDES] = {"estrides", TMA_LIST},
    [TMA_LOWER] = {"lower", TMA_LIST},
    [TMA_UPPER] = {"upper", TMA_LIST},
    [TMA_CHANNELS] = {"channels", TMA_NUMBER},
    [TMA_PIXELS] = {"pixels", TMA_NUMBER},
    [TMA_BASE] = {"base", TMA_NUMBER},
    [TMA_INTERLEAVE] = {"interleave", TMA_NAME},
    [TMA_SWIZZLE] = {"swizzle", TMA_NAME},
    [TMA_L2] = {"l2", TMA_WORD},
    [TMA_OOB] = {"oob", TMA_NAME},
};

/* --- options --- */

/* Numbers with commas or x between them, decimal or 0x hex: "64,8", "64, 8", "64x8"; NULL: other
 * text. */
static json_t *numbers_json(const char *text) {
    json_t *list = json_array();
    for (;; text++) {
        const char *digits = text + strspn(text, " ");
        const int minus = *digits == '-';
        char *end;
        long long value;
        digits += minus;
        errno = 0;
        value = strtoll(digits, &end, digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10);
        if (!isdigit((unsigned char)*digits) || errno)
            break;
        json_array_append_new(list, json_integer(minus ? -value : value));
        text = end + strspn(end, " ");
        if (!*text)
            return list;
        if (!strchr(",xX", *text))
            break;
    }
    json_decref(list);
    return NULL;
}

/* A list, a number or a word, as the row takes it; NULL: none of these. */
static json_t *option_json(enum tma_kind kind, const char *text) {
    json_t *list = kind == TMA_NAME ? NULL : numbers_json(text), *one;
    if (kind == TMA_NAME || (kind == TMA_WORD && !list))
        return json_string(text);
    if (kind == TMA_LIST || json_array_size(list) == 0)
        return list;
    one = json_array_size(list) == 1 ? json_incref(json_array_get(list, 0)) : NULL;
    json_decref(list);
    return one;
}

/* Puts the options into the object, over its members. */
static void put_options(char *const option[TMA_PARAMETERS], json_t *object) {
    for (int i = 0; i < TMA_PARAMETERS; i++) {
        json_t *value = option[i] ? option_json(tma_rows[i].kind, option[i]) : NULL;
        if (option[i] && !value)
            tool_fail("--%s '%s': it is %s", tma_rows[i].name, text_cut(option[i]).text,
                      tma_rows[i].kind == TMA_LIST ? "numbers with commas or x between them"
                                                   : "a number");
        if (value)
            json_object_set_new(object, tma_rows[i].name, value);
    }
}

/* --- files --- */

/* Lines and columns count from 1; there is no column at the end of JSON. */
_Noreturn static void complain(const char *name, const json_error_t *error) {
    char column[16] = "";
    if (error->column > 0)
        snprintf(column, sizeof column, ":%d", error->column);
    tool_fail("%s:%d%s: %s", text_path(name).text, error->line, column, error->text);
}

static json_t *load(const char *file) {
    size_t length;
    char *text;
    json_error_t error;
    json_t *object;
    if (!file)
        return json_object();
    text = input_bytes(file, &length);
    if (!text)
        tool_end(TOOL_USAGE);
    object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!object)
        complain(input_name(file), &error);
    if (!json_is_object(object))
        tool_fail("%s: a tensor map is a JSON object, {\"dtype\": ...}",
                  text_path(input_name(file)).text);
    return object;
}

void tma_note_strides(const struct wsim_tensor *t) {
    char list[128] = "";
    size_t n = 0;
    for (uint32_t i = 0; i + 1 < t->rank; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%llu", i ? "," : "",
                              (unsigned long long)t->strides[i]);
    tool_note("no strides given: assuming no gaps, %s bytes from dimension 1 on", list);
}

static void read_object(const json_t *object, struct wsim_tensor *tensor) {
    char *text = json_dumps(object, JSON_COMPACT);
    struct wsim_diag diag;
    int packed = 0;
    enum wsim_status status;
    if (!text)
        memory_out();
    status = wsim_launch_tensor(text, strlen(text), tensor, &packed, &diag);
    free(text);
    if (status == WSIM_NO_MEMORY)
        memory_out();
    if (status)
        tool_fail("%s", diag.text);
    if (packed)
        tma_note_strides(tensor);
}

void tma_read(const char *file, char *const option[TMA_PARAMETERS], struct wsim_tensor *tensor) {
    json_t *object = load(file);
    put_options(option, object);
    read_object(object, tensor);
    json_decref(object);
}
