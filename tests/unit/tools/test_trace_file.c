/* Lines are equal after every compression. A truncated compressed file is
 * an error after its complete lines, never a shorter file. */
#include "../../../tools/lib/trace_file.c"
#include "../../run.h"

#include <check.h>
#include <unistd.h>

enum { LINES = 700, ROOM = 1 << 20 };

static char text[ROOM];
static size_t text_length;
static const char *line_at[LINES + 1];

/* Lines of many lengths: empty ones, one longer than all buffers, and the last without newline. */
static void make_text(void) {
    size_t n = 0;
    unsigned i, j, length, random = 1;
    for (i = 0; i < LINES; i++) {
        line_at[i] = text + n;
        length = i == 300 ? 200000 : i % 7 == 0 ? 0 : i;
        for (j = 0; j < length; j++) {
            random = random * 1664525 + 1013904223;
            text[n++] = "0123456789abcdef"[random >> 28];
        }
        text[n++] = '\n';
    }
    line_at[LINES] = text + n;
    text_length = n - 1;
    ck_assert_uint_lt(n, ROOM);
}

static unsigned char packed[ROOM];

#ifdef HAVE_ZSTD
static size_t pack_zstd(void) {
    size_t n = ZSTD_compress(packed, sizeof packed, text, text_length, 3);
    ck_assert(!ZSTD_isError(n));
    return n;
}
#endif
#ifdef HAVE_LZMA
static size_t pack_xz(void) {
    size_t n = 0;
    ck_assert_int_eq(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text,
                                             text_length, packed, &n, sizeof packed),
                     LZMA_OK);
    return n;
}
#endif
#ifdef HAVE_ZLIB
static size_t pack_gzip(void) {
    z_stream zlib = {0};
    ck_assert_int_eq(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    zlib.next_in = (unsigned char *)text;
    zlib.avail_in = (uInt)text_length;
    zlib.next_out = packed;
    zlib.avail_out = sizeof packed;
    ck_assert_int_eq(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    deflateEnd(&zlib);
    return sizeof packed - zlib.avail_out;
}
#endif
static size_t pack_plain(void) {
    memcpy(packed, text, text_length);
    return text_length;
}

static const struct {
    const char *name;
    size_t (*pack)(void);
} packers[] = {
    {"plain", pack_plain},
#ifdef HAVE_ZSTD
    {"zstd", pack_zstd},
#endif
#ifdef HAVE_LZMA
    {"xz", pack_xz},
#endif
#ifdef HAVE_ZLIB
    {"gzip", pack_gzip},
#endif
};
enum { PACKERS = sizeof packers / sizeof packers[0] };

static char path[64];

static void write_file(const void *bytes, size_t n, unsigned times) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    while (times--)
        ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* Reads the file to its end or its first error, compares line i with line i modulo LINES, and
 * returns what the last call answered. */
static int read_file(unsigned *lines, int compare) {
    struct trace_file *file = trace_file_open(path);
    const char *line;
    size_t length;
    int more;
    ck_assert_ptr_nonnull(file);
    for (*lines = 0; (more = trace_file_next(file, &line, &length)) > 0; ++*lines) {
        unsigned i = *lines % LINES;
        if (compare)
            ck_assert_msg(length == (size_t)(line_at[i + 1] - line_at[i]) - 1 &&
                              memcmp(line, line_at[i], length) == 0,
                          "line %u of %lu bytes is another", *lines, (unsigned long)length);
    }
    if (more < 0)
        ck_assert_msg(trace_file_problem(file)[0], "an error without a sentence");
    trace_file_close(file);
    return more;
}

START_TEST(lines_come_out_as_they_went_in) {
    unsigned lines;
    size_t n;
    make_text();
    n = packers[_i].pack();
    write_file(packed, n, 1);
    ck_assert_int_eq(read_file(&lines, 1), 0);
    ck_assert_uint_eq(lines, LINES);
}
END_TEST

/* The end of one is the start of the next line of the other, so each has its newline here. */
START_TEST(two_in_one_file) {
    unsigned lines;
    size_t n;
    make_text();
    text_length++;
    n = packers[_i].pack();
    write_file(packed, n, 2);
    ck_assert_int_eq(read_file(&lines, 1), 0);
    ck_assert_uint_eq(lines, 2 * LINES);
}
END_TEST

START_TEST(cut_off) {
    unsigned lines, cut;
    size_t n;
    make_text();
    n = packers[_i].pack();
    for (cut = 1; cut < 40; cut++) {
        size_t length = n - 1 - (n - 10) / 40 * cut;
        write_file(packed, length, 1);
        if (packers[_i].pack == pack_plain) {
            ck_assert_int_eq(read_file(&lines, 0), 0);
            continue;
        }
        ck_assert_int_eq(read_file(&lines, 1), -1);
        ck_assert_uint_lt(lines, LINES);
    }
}
END_TEST

/* The sentence of the error that a file ends with, after all of its lines. */
static void ends_with(const char *sentence) {
    struct trace_file *file = trace_file_open(path);
    const char *line;
    size_t length;
    unsigned lines = 0;
    int more;
    ck_assert_ptr_nonnull(file);
    while ((more = trace_file_next(file, &line, &length)) > 0)
        lines++;
    ck_assert_int_eq(more, -1);
    ck_assert_msg(lines == LINES - 1, "%u lines", lines);
    ck_assert_ptr_nonnull(strstr(trace_file_problem(file), sentence));
    trace_file_close(file);
}

/* The error names bytes after the end of compressed data; zeros are padding of an xz file. */
START_TEST(bytes_behind_the_end) {
    unsigned lines;
    size_t n;
    make_text();
    n = packers[_i].pack();
    if (packers[_i].pack == pack_plain)
        return;
    memcpy(packed + n, "\x42more\n", 6);
    write_file(packed, n + 6, 1);
    ends_with("other bytes follow");
    memset(packed + n, 0, 8);
    write_file(packed, n + 8, 1);
    if (strcmp(packers[_i].name, "xz") != 0) {
        ends_with("other bytes follow");
        return;
    }
    ck_assert_int_eq(read_file(&lines, 1), 0);
    ck_assert_uint_eq(lines, LINES);
}
END_TEST

START_TEST(damaged) {
    unsigned lines, i, errors = 0;
    size_t n;
    make_text();
    n = packers[_i].pack();
    for (i = 0; i < 60; i++) {
        size_t at = 8 + (n - 8) / 60 * i;
        packed[at] ^= 0x55;
        write_file(packed, n, 1);
        errors += read_file(&lines, 0) < 0;
        packed[at] ^= 0x55;
    }
    if (packers[_i].pack != pack_plain)
        ck_assert_uint_gt(errors, 0);
}
END_TEST

START_TEST(empty_missing_and_folder) {
    unsigned lines;
    write_file("", 0, 1);
    ck_assert_int_eq(read_file(&lines, 0), 0);
    ck_assert_uint_eq(lines, 0);
    write_file("\n", 1, 1);
    ck_assert_int_eq(read_file(&lines, 0), 0);
    ck_assert_uint_eq(lines, 1);
    ck_assert_ptr_null(trace_file_open("/nonexistent/file"));
    ck_assert_int_eq(errno, ENOENT);
    trace_file_close(NULL);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("all");
    int status, fd;
    strcpy(path, "/tmp/wsim-lines-XXXXXX");
    fd = mkstemp(path);
    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_loop_test(tcase, lines_come_out_as_they_went_in, 0, PACKERS);
    tcase_add_loop_test(tcase, two_in_one_file, 0, PACKERS);
    tcase_add_loop_test(tcase, cut_off, 0, PACKERS);
    tcase_add_loop_test(tcase, bytes_behind_the_end, 0, PACKERS);
    tcase_add_loop_test(tcase, damaged, 0, PACKERS);
    tcase_add_test(tcase, empty_missing_and_folder);
    status = run_case("trace_file", tcase);
    remove(path);
    return status;
}
