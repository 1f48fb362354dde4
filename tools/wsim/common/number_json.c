/* Elements as JSON; see number_json.h. */
#include "number_json.h"

json_t *number_json(const struct wsim_layout *layout, uint64_t raw) {
    struct wsim_value value = number_value(layout, raw);
    char text[NUMBER_TEXT];
    if (value.cls != WSIM_NAN && value.cls != WSIM_INF) {
        if (layout->format->kind == WSIM_BINARY)
            return json_real(number_double(value));
        return json_integer(value.negative ? -(json_int_t)value.sig : (json_int_t)value.sig);
    }
    number_text(layout, raw, text);
    return json_string(text);
}
