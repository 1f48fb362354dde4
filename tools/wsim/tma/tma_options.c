/* The parameters of a tensor map as options: names, numbers and lists become members of an object,
 * as they stand in a file. */
#include "tma_input.h"
#include "../common/names.h"
#include "../common/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct tma_row tma_rows[TMA_PARAMETERS] = {
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
    [TMA_L2] = {"l2", TMA_L2_LEVEL},
    [TMA_OOB] = {"oob", TMA_NAME},
};

/* Decimal or 0x hex with or without a minus; *end is what stands behind it. */
static json_t *number_json(const char *text, const char **end) {
    int minus = *text == '-', hex;
    char *stop;
    long long value;
    text += minus;
    hex = text[0] == '0' && (text[1] | 0x20) == 'x';
    errno = 0;
    value = strtoll(text, &stop, hex ? 16 : 10);
    *end = stop;
    if (!isdigit((unsigned char)*text) || errno)
        return NULL;
    return json_integer(minus ? -value : value);
}

/* "64,8", "64, 8" or "64x8". */
static json_t *list_json(const char *text) {
    json_t *list = json_array();
    const char *end = text;
    for (;;) {
        json_t *number = number_json(text + strspn(text, " "), &end);
        if (!number)
            break;
        json_array_append_new(list, number);
        end += strspn(end, " ");
        if (*end == '\0')
            return list;
        if (!strchr(",xX", *end))
            break;
        text = end + 1;
    }
    json_decref(list);
    return NULL;
}

static json_t *whole_json(const char *text) {
    const char *end;
    json_t *number = number_json(text, &end);
    if (!number || *end == '\0')
        return number;
    json_decref(number);
    return NULL;
}

/* What a name of a promotion stands for, too. */
static json_t *l2_json(const char *text) {
    int number = name_l2(text);
    return number < 0 ? whole_json(text) : json_integer(number);
}

static json_t *option_json(enum tma_kind kind, const char *text) {
    return kind == TMA_NAME       ? json_string(text)
           : kind == TMA_LIST     ? list_json(text)
           : kind == TMA_L2_LEVEL ? l2_json(text)
                                  : whole_json(text);
}

int tma_put_options(char *const option[TMA_PARAMETERS], json_t *object) {
    static const char *const what[] = {"a name", "a number",
                                       "numbers with commas or x between them",
                                       "0 to 3, or NONE, 64B, 128B or 256B"};
    int i;
    for (i = 0; i < TMA_PARAMETERS; i++) {
        json_t *value = option[i] ? option_json(tma_rows[i].kind, option[i]) : NULL;
        if (option[i] && !value)
            return tool_error("--%s '%s': it is %s", tma_rows[i].name, text_cut(option[i]).text,
                              what[tma_rows[i].kind]);
        if (value)
            json_object_set_new(object, tma_rows[i].name, value);
    }
    return TOOL_GO;
}
