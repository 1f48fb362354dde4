/* Maps in the layout of the hardware (tests/data/tensor_maps.tsv) are read as the parameters that
 * the driver had. Any other bit gives other parameters or no map. */
#include "../../run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wsim/tensor.h>

enum { CARD_BITS = 512, MOST_MAPS = 400 };

struct given {
    struct wsim_tensor tensor;
    struct wsim_tensor_map map;
};

static struct given list[MOST_MAPS];
static size_t n;

/* The numbers of a list with commas; "-": none. */
static size_t numbers(const char *text, int64_t *out) {
    size_t count = 0;
    for (char *end; strcmp(text, "-") != 0 && *text; text = *end ? end + 1 : end) {
        out[count++] = (int64_t)strtoull(text, &end, 0);
        if (end == text)
            return 0;
    }
    return count;
}

#define FILL_LIST(field, text)                                                                     \
    do {                                                                                           \
        int64_t found[8];                                                                          \
        const size_t count = numbers(text, found);                                                 \
        for (size_t i = 0; i < count; i++)                                                         \
            t->field[i] = (__typeof__(t->field[0]))found[i];                                       \
    } while (0)

static void read_box(struct wsim_tensor *t, char *text) {
    char *upper, *channels;
    if (t->mode == WSIM_TENSOR_TILED) {
        FILL_LIST(box, text);
        return;
    }
    upper = strchr(text, ';');
    channels = strchr(upper + 1, ';');
    *upper++ = *channels++ = '\0';
    FILL_LIST(lower, text);
    FILL_LIST(upper, upper);
    ck_assert_int_eq(sscanf(channels, "%" SCNu32 ";%" SCNu32, &t->channels, &t->pixels), 2);
}

static void read_line(char *line) {
    struct given *given = &list[n++];
    struct wsim_tensor *t = &given->tensor;
    unsigned mode, dtype, interleave, swizzle, oob;
    char dims[128], strides[128], estrides[64], box[128], hex[160];
    memset(given, 0, sizeof *given);
    ck_assert_int_eq(sscanf(line, "%u %u %u %u %u %u %u %" SCNi64 " %127s %127s %63s %127s %159s",
                            &mode, &dtype, &interleave, &swizzle, &oob, &t->l2, &t->rank,
                            (int64_t *)&t->base, dims, strides, estrides, box, hex),
                     13);
    t->mode = (enum wsim_tensor_mode)mode;
    t->dtype = (enum wsim_tensor_type)dtype;
    t->interleave = (enum wsim_tensor_interleave)interleave;
    t->swizzle = (enum wsim_swizzle)swizzle;
    t->oob = (enum wsim_tensor_fill)oob;
    FILL_LIST(dims, dims);
    FILL_LIST(strides, strides);
    FILL_LIST(estrides, estrides);
    read_box(t, box);
    memset(&given->map, 0x5A, sizeof given->map); /* notes of the driver */
    for (unsigned i = 0; i < CARD_BITS / 8; i++) {
        unsigned byte;
        ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
        ((uint8_t *)given->map.opaque)[i] = (uint8_t)byte;
    }
}

static void read_maps(void) {
    FILE *file = fopen(WSIM_SOURCE_DIR "/tests/data/tensor_maps.tsv", "r");
    char line[1024];
    n = 0;
    ck_assert_ptr_nonnull(file);
    while (n < MOST_MAPS && fgets(line, sizeof line, file))
        if (*line != '#')
            read_line(line);
    fclose(file);
    ck_assert_uint_ge(n, 200);
}

START_TEST(maps_of_the_driver_are_read) {
    read_maps();
    for (size_t i = 0; i < n; i++) {
        struct wsim_tensor t;
        struct wsim_diag diag;
        memset(&t, 0, sizeof t);
        ck_assert_msg(wsim_tensor_decode(&list[i].map, &t, &diag) == WSIM_OK, "map %zu: %s", i,
                      diag.text);
        ck_assert_msg(memcmp(&t, &list[i].tensor, sizeof t) == 0, "map %zu", i);
    }
}
END_TEST

/* Marks of compilers have no effect. All other bits have one. */
START_TEST(each_bit_counts) {
    read_maps();
    for (size_t i = 0; i < n; i++)
        for (unsigned bit = 0; bit < CARD_BITS; bit++) {
            struct wsim_tensor_map map = list[i].map;
            struct wsim_tensor t;
            const int mark = bit == 65 || bit == 85;
            memset(&t, 0, sizeof t);
            ((uint8_t *)map.opaque)[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (wsim_tensor_decode(&map, &t, NULL) != WSIM_OK)
                ck_assert_msg(!mark, "map %zu, bit %u", i, bit);
            else
                ck_assert_msg((memcmp(&t, &list[i].tensor, sizeof t) == 0) == mark,
                              "map %zu, bit %u", i, bit);
        }
}
END_TEST

START_TEST(a_replaced_field_leaves_the_others) {
    const struct wsim_arch *const arch = wsim_arch_find("sm_90a");
    read_maps();
    for (size_t i = 0; i < n; i++) {
        struct wsim_tensor_map map = list[i].map;
        struct wsim_tensor want = list[i].tensor, t;
        const enum wsim_status status =
            wsim_tensor_replace(&map, WSIM_TENSOR_FIELD_GLOBAL_DIM, 0, 12345, arch, NULL);
        ck_assert_int_eq(status, want.mode == WSIM_TENSOR_TILED ? WSIM_OK : WSIM_OPERAND);
        if (status)
            continue;
        want.dims[0] = 12345;
        memset(&t, 0, sizeof t);
        ck_assert_int_eq(wsim_tensor_decode(&map, &t, NULL), WSIM_OK);
        ck_assert_msg(memcmp(&t, &want, sizeof t) == 0, "map %zu", i);
    }
}
END_TEST

START_TEST(zeros_are_no_map) {
    struct wsim_tensor_map map;
    struct wsim_tensor t;
    struct wsim_diag diag;
    memset(&map, 0, sizeof map);
    ck_assert_int_eq(wsim_tensor_decode(&map, &t, &diag), WSIM_OPERAND);
    ck_assert_str_eq(diag.rule, "tensor.image.stamp");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {maps_of_the_driver_are_read, each_bit_counts,
                                  a_replaced_field_leaves_the_others, zeros_are_no_map};
    return run_tests("card", tests, sizeof tests / sizeof tests[0]);
}
