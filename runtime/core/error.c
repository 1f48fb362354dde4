/* Names and texts of errors. */
#include "report.h"
#include "state.h"

#include <stdarg.h>
#include <stdio.h>

static const struct row {
    int number;
    const char *name, *text;
} rows[] = {
    {0, "CUDA_SUCCESS", "no error"},
#define ERROR(id, number, text) {number, "CUDA_ERROR_" #id, text},
#include "error.def"
};

static const struct row *row_of(int error) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].number == error)
            return &rows[i];
    return NULL;
}

const char *wsimrt_error_name(int error) {
    const struct row *row = row_of(error);
    return row ? row->name : NULL;
}

const char *wsimrt_error_text(int error) {
    const struct row *row = row_of(error);
    return row ? row->text : NULL;
}

/* --- errors of the runtime API --- */

void wsimrt_error_names(const char *(*name)(int error), const char *(*text)(int error)) {
    core.error_name = name;
    core.error_text = text;
}

void errors_text(int error, const char **name, const char **text) {
    *name = core.error_name ? core.error_name(error) : wsimrt_error_name(error);
    *text = core.error_text ? core.error_text(error) : wsimrt_error_text(error);
    if (error < 0 && !*name)
        *name = *text = "unrecognized error code";
}

/* --- reasons --- */

static _Thread_local char reason[CORE_REASON];

void core_because(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
}

const char *core_reason(void) {
    return reason;
}
