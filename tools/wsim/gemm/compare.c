/* Differences of two matrices; see gemm.h. */
#include "gemm.h"

static int is_nan(const struct wsim_format *format, uint64_t bits) {
    return format->kind == WSIM_BINARY && wsim_format_decode(format, bits).cls == WSIM_NAN;
}

/* Numbers in their order as signed integers: the bits below the sign count up from zero on both
 * sides. */
static int64_t ordinal(const struct wsim_format *format, uint64_t bits) {
    uint64_t sign = UINT64_C(1) << (format->bits - 1);
    int64_t low = (int64_t)(bits & (sign - 1));
    if (!format->is_signed || !(bits & sign))
        return format->is_signed ? low : (int64_t)bits;
    return format->kind == WSIM_BINARY ? -low : low - (int64_t)(sign - 1) - 1;
}

static uint64_t distance(const struct wsim_format *format, const uint64_t bits[2]) {
    int64_t a = ordinal(format, bits[0]), b = ordinal(format, bits[1]);
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

size_t compare_map_part(size_t extent) {
    size_t part = 1;
    while (extent > part * COMPARE_MAP)
        part *= 2;
    return part;
}

static void note(struct comparison *result, const struct wsim_format *format,
                 struct difference here) {
    int nans = is_nan(format, here.bits[0]) + is_nan(format, here.bits[1]);
    here.distance = nans ? 0 : distance(format, here.bits);
    if (!result->different++)
        result->first = here;
    result->map[here.row / compare_map_part(result->rows)]
               [here.column / compare_map_part(result->columns)]++;
    result->nans += nans == 1;
    if (here.distance > result->largest.distance)
        result->largest = here;
}

void compare(const struct matrix *a, const struct matrix *b, struct comparison *result) {
    *result = (struct comparison){
        .rows = a->rows, .columns = a->columns, .elements = (uint64_t)a->rows * a->columns};
    for (size_t row = 0; row < a->rows; row++)
        for (size_t column = 0; column < a->columns; column++) {
            struct difference here = {row, column, {0, 0}, 0};
            here.bits[0] = matrix_get(a, row, column);
            here.bits[1] = matrix_get(b, row, column);
            if (here.bits[0] != here.bits[1])
                note(result, a->format, here);
        }
}
