/* members.h - members of JSON that is read. */
#ifndef WSIM_MEMBERS_H
#define WSIM_MEMBERS_H

#include <jansson.h>

/* NULL: there is none. */
static inline json_t *get(const json_t *object, const char *key) {
    return json_object_get(object, key);
}

/* "": it is no string. */
static inline const char *text_in(const json_t *value) {
    const char *text = json_string_value(value);
    return text ? text : "";
}

static inline const char *string(const json_t *object, const char *key) {
    return text_in(get(object, key));
}

/* 0: it is no integer. */
static inline json_int_t number(const json_t *object, const char *key) {
    return json_integer_value(get(object, key));
}

#endif
