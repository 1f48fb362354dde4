/* Names and texts of errors. */
#include "state.h"

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
