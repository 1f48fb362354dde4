/* Values as text and JSON; see value.h. */
#include "value.h"
#include "../../lib/number.h"
#include "../common/kernel_name.h"

#include <stdlib.h>
#include <string.h>

int value_bits(const char *type, unsigned *bits) {
    const struct wsim_format *format;
    if (strcmp(type, "pred") == 0)
        return *bits = 1, 1;
    format = wsim_format_find(type);
    if (!format || format->bits + format->pad > 64 || strcmp(format->name, type) != 0)
        return 0;
    *bits = format->bits + format->pad;
    if (strstr(type, "x2"))
        *bits = 32;
    else if (*bits > 8 && *bits <= 16)
        *bits = 16;
    else if (*bits > 16 && *bits <= 32)
        *bits = 32;
    return *bits >= 8;
}

/* Whether a word of a spelling is a type of a number with that width. */
static int is_type(const char *word, size_t length, unsigned bits, char type[VALUE_TYPE]) {
    unsigned width;
    if (length >= VALUE_TYPE || !length || !strchr("fbsu", *word))
        return 0;
    memcpy(type, word, length);
    type[length] = 0;
    return *word != 'b' || strncmp(type, "bf16", 4) == 0 ? value_bits(type, &width) && width == bits
                                                         : 0;
}

void value_type(const struct wsim_register *reg, const struct wsim_use *use, const char *opcode,
                char type[VALUE_TYPE]) {
    char found[VALUE_TYPE];
    snprintf(type, VALUE_TYPE, "%s", reg->type);
    if (reg->type[0] != 'b' || !use || use->address || reg->bits > 64)
        return;
    /* The first of two types, such as those of cvt, is that of the result. */
    for (const char *word = opcode; word; word = strchr(word, '.')) {
        word += *word == '.';
        if (!is_type(word, strcspn(word, "."), reg->bits, found))
            continue;
        snprintf(type, VALUE_TYPE, "%s", found);
        if (use->writes)
            return;
    }
}

static void float_text(const char *type, uint64_t bits, char out[VALUE_TEXT]) {
    const struct wsim_format *format = wsim_format_find(type);
    const struct wsim_layout layout = {.format = format, .elem_bits = format->bits + format->pad};
    number_text(&layout, bits, out);
}

static int64_t signed_of(uint64_t value, unsigned bits) {
    const unsigned up = 64 - bits;
    return (int64_t)(value << up) >> up;
}

/* "x+0x40": 1, or 0 for an address that points into nothing. */
static int name_address(const struct wsim_seen *view, uint64_t value, char out[VALUE_TEXT]) {
    uint64_t inside;
    const char *name = view && value ? wsim_seen_name(view, value, &inside) : NULL;
    if (name)
        snprintf(out, VALUE_TEXT, "%.70s+0x%llx", kernel_name(name).text,
                 (unsigned long long)inside);
    return name != NULL;
}

void value_text(const struct wsim_seen *view, const char *type, unsigned bits, uint64_t low,
                uint64_t high, char out[VALUE_TEXT]) {
    char half[2][VALUE_TEXT];
    if (bits == 64 && strchr("bus", *type) && name_address(view, low, out))
        return;
    if (bits < 64)
        low &= (UINT64_C(1) << bits) - 1;
    if (strcmp(type, "f16x2") == 0 || strcmp(type, "bf16x2") == 0) {
        const char *one = *type == 'f' ? "f16" : "bf16";
        float_text(one, low & 0xFFFF, half[0]);
        float_text(one, low >> 16, half[1]);
        snprintf(out, VALUE_TEXT, "%.40s,%.40s", half[0], half[1]);
    } else if (strcmp(type, "pred") == 0 || *type == 'u') {
        snprintf(out, VALUE_TEXT, "%llu", (unsigned long long)low);
    } else if (*type == 's') {
        snprintf(out, VALUE_TEXT, "%lld", (long long)signed_of(low, bits));
    } else if (wsim_format_find(type) && wsim_format_find(type)->kind == WSIM_BINARY) {
        float_text(type, low, out);
    } else if (bits > 64) {
        snprintf(out, VALUE_TEXT, "0x%016llx%016llx", (unsigned long long)high,
                 (unsigned long long)low);
    } else {
        snprintf(out, VALUE_TEXT, "0x%0*llx", (int)((bits + 3) / 4), (unsigned long long)low);
    }
}

json_t *value_json(const struct wsim_seen *view, const char *type, unsigned bits, uint64_t low,
                   uint64_t high) {
    char text[VALUE_TEXT], *end;
    double number;
    value_text(view, type, bits, low, high, text);
    if (bits == 64 && strchr(text, '+') && strchr("bus", *type))
        return json_string(text);
    if (strcmp(type, "pred") == 0 || (*type == 'u' && !(bits == 64 && low >> 63)))
        return json_integer((json_int_t)low);
    if (*type == 's')
        return json_integer((json_int_t)signed_of(low, bits));
    number = strtod(text, &end);
    if (*end || strchr(text, 'x') || strchr(text, 'n'))
        return json_string(text);
    return json_real(number);
}

void value_cell(const json_t *value, char out[VALUE_TEXT]) {
    if (json_is_string(value))
        snprintf(out, VALUE_TEXT, "%.90s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(out, VALUE_TEXT, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) {
        /* A float of 32 bits needs 9 digits; one of fewer digits is often the same. */
        const double number = json_real_value(value);
        int least = 1;
        for (double rest = number; (rest >= 10 || rest <= -10) && least < 9; rest /= 10)
            least++;
        for (int digits = least; digits <= 17; digits++) {
            snprintf(out, VALUE_TEXT, "%.*g", digits, number);
            if (strtod(out, NULL) == number || (digits == 9 && (float)number == number))
                break;
        }
    } else
        snprintf(out, VALUE_TEXT, "-");
}

unsigned value_lane(const struct wsim_seen *view) {
    unsigned lane = 0;
    while (lane < 31 && !(view->lanes >> lane & 1))
        lane++;
    return lane;
}

int value_read(const struct wsim_seen *view, unsigned space, unsigned lane, uint64_t address,
               unsigned bytes, uint64_t *value) {
    uint8_t read[8] = {0};
    const int good =
        !wsim_seen_read(view, (enum wsim_space)space, lane, address, read, bytes, NULL);
    *value = 0;
    for (unsigned i = 0; i < 8; i++)
        *value |= (uint64_t)read[i] << 8 * i;
    return good;
}
