/* Headers of .npy files: those of NumPy are read, written ones read back equal, and any other is
 * refused with a sentence. */
#include "../../run.h"

#include <check.h>
#include <string.h>
#include <wsim/harness/npy.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static const struct {
    const char *text;
    struct wsim_npy header;
} good[] = {
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (300, 200), }   \n",
     {'f', 2, 0, 0, 2, {300, 200}}},
    {"{'descr': '>f8', 'fortran_order': True, 'shape': (1, 0)}", {'f', 8, 1, 1, 2, {1, 0}}},
    {"{ \"shape\" : ( 3L , 4L , ) , \"descr\":\"|u1\",\"fortran_order\":False }",
     {'u', 1, 0, 0, 2, {3, 4}}},
    {"{'descr': '|V2', 'fortran_order': False, 'shape': (7, 5), }", {'V', 2, 0, 0, 2, {7, 5}}},
    {"{'descr': '>V2', 'fortran_order': False, 'shape': (7, 5), }", {'V', 2, 0, 0, 2, {7, 5}}},
    {"{'descr': '|b1', 'fortran_order': False, 'shape': (1073741824, 1), }",
     {'b', 1, 0, 0, 2, {1073741824, 1}}},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", {'f', 4, 0, 0, 0, {0}}},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (9,), }", {'f', 4, 0, 0, 1, {9}}},
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2, 3, 4, 5, 6, 7, 1073741824), }",
     {'i', 8, 0, 0, 8, {1, 2, 3, 4, 5, 6, 7, 1073741824}}},
};

static void check_same(const struct wsim_npy *a, const struct wsim_npy *b) {
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_uint_eq(a->bytes, b->bytes);
    ck_assert_uint_eq(a->big_endian, b->big_endian);
    ck_assert_uint_eq(a->fortran, b->fortran);
    ck_assert_uint_eq(a->rank, b->rank);
    ck_assert_mem_eq(a->extent, b->extent, sizeof a->extent);
    ck_assert_uint_eq(wsim_npy_count(a), wsim_npy_count(b));
}

START_TEST(what_numpy_writes_is_read) {
    struct wsim_npy header;
    struct wsim_diag diag;
    ck_assert_msg(!wsim_npy_read(good[_i].text, strlen(good[_i].text), &header, &diag), "%s",
                  diag.text);
    check_same(&header, &good[_i].header);
}
END_TEST

START_TEST(what_is_written_reads_as_the_same) {
    struct wsim_npy header = good[_i].header, again;
    char out[WSIM_NPY_WRITTEN];
    size_t start, length, all = wsim_npy_write(&header, out);
    header.big_endian = 0;
    ck_assert_uint_eq(all % 64, 0);
    ck_assert_int_eq(wsim_npy_prefix(out, &start, &length, NULL), WSIM_OK);
    ck_assert_uint_eq(start + length, all);
    ck_assert_int_eq(wsim_npy_read(out + start, length, &again, NULL), WSIM_OK);
    check_same(&again, &header);
    ck_assert_int_eq(out[all - 1], '\n');
}
END_TEST

#define REST "'fortran_order': False, 'shape': (2, 2), }"
static const struct {
    const char *text, *part;
} bad[] = {
    {"", "no '{'"},
    {"[]", "no '{'"},
    {"{}", "lacks"},
    {"{'descr': '<f2', 'fortran_order': False}", "lacks"},
    {"{'descr': '<f2' " REST, "no ','"},
    {"{'descr' '<f2', " REST, "no ':'"},
    {"{descr: '<f2', " REST, "other than a plain string"},
    {"{'descr': [('a', '<f2')], " REST, "several fields"},
    {"{'descr': '<f3', " REST, "'<f3' is none"},
    {"{'descr': '<f1', " REST, "'<f1' is none"},
    {"{'descr': '|b2', " REST, "'|b2' is none"},
    {"{'descr': '|O8', " REST, "'|O8' is none"},
    {"{'descr': '<c8', " REST, "'<c8' is none"},
    {"{'descr': '<f16', " REST, "'<f16' is none"},
    {"{'descr': '', " REST, "'' is none"},
    {"{'descr': '|f2', " REST, "order of bytes"},
    {"{'descr': '=f2', " REST, "order of bytes"},
    {"{'descr': '<f\x1b', " REST, "no matrix has"},
    {"{'descr': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', " REST, "no matrix has"},
    {"{'descr': '<f2', 'descr': '<f2', " REST, "twice"},
    {"{'descr': '<f2', 'more': 1, " REST, "'more', which is unknown"},
    {"{'descr': '<f2', " REST " x", "after the '}'"},
    {"{'descr': '<f2', 'fortran_order': 1, 'shape': (2, 2), }", "neither True nor False"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2, 3, 4, 5, 6, 7, 8, 9), }",
     "more than 8 dimensions"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1073741824, 1073741824, 2), }",
     "more than 2^60"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1073741824, 0, 1073741824, 2), }",
     "more than 2^60"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (-1, 2), }", "other than a number"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1 2), }", "no ','"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': 2, }", "no '('"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1073741825, 1), }", "beyond"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (99999999999999999999999, 1), }", "beyond"},
};

START_TEST(all_else_is_refused_with_a_sentence) {
    struct wsim_npy header;
    struct wsim_diag diag;
    ck_assert_int_eq(wsim_npy_read(bad[_i].text, strlen(bad[_i].text), &header, &diag),
                     WSIM_SYNTAX);
    ck_assert_msg(strstr(diag.text, bad[_i].part), "'%s' of %s", diag.text, bad[_i].text);
    ck_assert_str_eq(diag.rule, "npy.header.wrong");
}
END_TEST

/* Every beginning of a good one, in memory of its own length. */
START_TEST(a_text_that_is_cut_off_is_refused) {
    size_t whole = strlen(good[_i].text);
    while (good[_i].text[whole - 1] != '}')
        whole--;
    for (size_t length = 0; length < whole; length++) {
        struct wsim_npy header;
        char *text = malloc(length + 1);
        ck_assert_ptr_nonnull(text);
        memcpy(text, good[_i].text, length);
        text = realloc(text, length ? length : 1);
        ck_assert_int_eq(wsim_npy_read(text, length, &header, NULL), WSIM_SYNTAX);
        free(text);
    }
}
END_TEST

static const struct {
    uint8_t prefix[WSIM_NPY_PREFIX];
    int is_good;
    size_t start, length;
} prefixes[] = {
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0x76, 0}, 1, 10, 0x76},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0xff, 0xff, 0xff, 0xff}, 1, 10, 0xffff},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, 0x34, 0x12, 0, 0}, 1, 12, 0x1234},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 3, 0, 0, 0, 1, 0}, 1, 12, 0x10000},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 3, 0, 1, 0, 1, 0}, 0, 0, 0},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, 0, 0, 0, 0xff}, 0, 0, 0},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 4, 0}, 0, 0, 0},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 0, 0}, 0, 0, 0},
    {{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 1}, 0, 0, 0},
    {{0x93, 'N', 'U', 'M', 'P', 'y', 1, 0}, 0, 0, 0},
    {{0}, 0, 0, 0},
};

START_TEST(prefixes_say_where_and_how_long) {
    size_t start = 0, length = 0;
    enum wsim_status status = wsim_npy_prefix(prefixes[_i].prefix, &start, &length, NULL);
    ck_assert_int_eq(status, prefixes[_i].is_good ? WSIM_OK : WSIM_SYNTAX);
    if (!status) {
        ck_assert_uint_eq(start, prefixes[_i].start);
        ck_assert_uint_eq(length, prefixes[_i].length);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {what_numpy_writes_is_read, 0, COUNT(good)},
        {what_is_written_reads_as_the_same, 0, COUNT(good)},
        {all_else_is_refused_with_a_sentence, 0, COUNT(bad)},
        {a_text_that_is_cut_off_is_refused, 0, COUNT(good)},
        {prefixes_say_where_and_how_long, 0, COUNT(prefixes)},
    };
    return every_run("npy", tests, COUNT(tests));
}
