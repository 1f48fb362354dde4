/* Launch files. Each mistake is refused at its line and column. Strings and numbers are read
 * exactly. Launches run and are compared. A full heap gives WSIM_NO_MEMORY at any call, without a
 * leak. */
#include "../../run.h"
#include "heap.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/launch.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

/* --- files --- */

/* out[i] = in[i] + n for 4 threads, and counts[0] becomes 7; prints nothing. */
static const char add_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 counts[2];\n"
    ".visible .entry add(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4;\n"
    "add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"
    "ld.global.u32 %r3, [%rd1]; add.s32 %r3, %r3, %r1; st.global.u32 [%rd2], %r3;\n"
    "mov.u32 %r1, 7; st.global.u32 [counts], %r1; ret;\n}\n"
    ".visible .entry take(.param .align 64 .b8 map[128], .param .align 8 .b8 s[16]) { ret; }\n";

static const struct {
    const char *name, *bytes;
    size_t size; /* 0: up to the NUL */
} given[] = {
    {"add.ptx", add_ptx, sizeof add_ptx - 1},
    {"bad.ptx",
     ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{ mov.u32 %q, 1; }\n", 0},
    {"tex.ptx",
     ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{ .reg .b32 %r<9>;\n"
     "multimem.red; ret; }\n",
     0},
    {"in.bin", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", 16},
    {"plus5.bin", "\6\0\0\0\7\0\0\0\10\0\0\0\11\0\0\0", 16},
    {"seven.bin", "\7\0\0\0\0\0\0\0", 8},
    {"four.bin", "\1\2\3\4", 4},
    {"empty.txt", "", 0},
    {"in.npy",
     "\223NUMPY\1\0\066\0{'descr': '>u4', 'fortran_order': False, 'shape': (4)}"
     "\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4",
     80},
    {"cut.npy", "\223NUMPY\1\0\066\0{'descr': '>u4'}", 26},
};

static int open_files; /* that were opened and not released */

static enum wsim_status open_given(void *context, const char *name, uint64_t most, void **bytes,
                                   uint64_t *size, struct wsim_diag *diag) {
    (void)context;
    (void)most;
    for (int i = 0; i < COUNT(given); i++)
        if (strcmp(given[i].name, name) == 0) {
            *size = given[i].size ? given[i].size : strlen(given[i].bytes);
            *bytes = malloc((size_t)*size + 1);
            if (!*bytes)
                return WSIM_NO_MEMORY;
            memcpy(*bytes, given[i].bytes, (size_t)*size);
            open_files++;
            return WSIM_OK;
        }
    snprintf(diag->text, sizeof diag->text, "no file %s", name);
    return WSIM_SYNTAX;
}

static void release_given(void *context, void *bytes) {
    (void)context;
    open_files--;
    free(bytes);
}

static const struct wsim_launch_files files = {.open = open_given, .release = release_given};

static enum wsim_status open_text(const char *json, struct wsim_launch_file **file,
                                  struct wsim_diag *diag) {
    const struct wsim_launch_text text = {json, strlen(json), &files};
    return wsim_launch_open(&text, 1, file, NULL, diag);
}

/* --- refusals --- */

#define START                                                                                      \
    "{\"ptx\": \"add.ptx\",\n\"buffers\": {\"in\": {\"file\": \"in.bin\"}, \"out\": {\"bytes\": "  \
    "16}},\n"

static const struct {
    const char *json;
    unsigned line, col;
    const char *rule, *words;
} refused[] = {
    {"", 1, 1, "launch.file.json", "expected a value before the end"},
    {" \n ", 2, 2, "launch.file.json", "expected a value"},
    {"{\"ptx\": \"add.ptx\"} x", 1, 20, "launch.file.json", "the end of the text, not 'x'"},
    {"{\"ptx\" \"add.ptx\"}", 1, 8, "launch.file.json", "':' after a name"},
    {"{\"ptx\": \"add.ptx\"\n\"arch\": 1}", 2, 1, "launch.file.json", "',' or '}'"},
    {"{ptx: 1}", 1, 2, "launch.file.json", "a name in double quotes, not 'p'"},
    {"{\"ptx\": add}", 1, 9, "launch.file.json", "a value, not 'a'"},
    {"{\"ptx\": 'a'}", 1, 9, "launch.file.json", "a value"},
    {"{\"ptx\": \"add.ptx}", 1, 18, "launch.file.json", "at the end of a string"},
    {"{\"ptx\": \"a\nb\"}", 1, 11, "launch.file.json", "control character 0x0a"},
    {"{\"ptx\": \"\\x\"}", 1, 10, "launch.file.json", "unknown escape"},
    {"{\"ptx\": \"\\u12g4\"}", 1, 10, "launch.file.json", "four hex digits"},
    {"{\"ptx\": \"\\u0000\"}", 1, 10, "launch.file.json", "\\u0000"},
    {"{\"ptx\": \"\\ud800x\"}", 1, 10, "launch.file.json", "first half"},
    {"{\"ptx\": \"\\udc00\"}", 1, 10, "launch.file.json", "second half"},
    {"{\"ptx\": \"\xc0\x80\"}", 1, 10, "launch.file.json", "0xc0 is not UTF-8"},
    {"{\"ptx\": \"\xed\xa0\x80\"}", 1, 10, "launch.file.json", "not UTF-8"},
    {"{\"ptx\": \"\xf4\x90\x80\x80\"}", 1, 10, "launch.file.json", "not UTF-8"},
    {"{\"ptx\": \"\xe2\x82\"}", 1, 10, "launch.file.json", "not UTF-8"},
    {"{\"ptx\": 01}", 1, 9, "launch.file.json", "begin with 0"},
    {"{\"ptx\": 1.}", 1, 11, "launch.file.json", "digit after the point"},
    {"{\"ptx\": 1e}", 1, 11, "launch.file.json", "digit of the exponent"},
    {"{\"ptx\": -}", 1, 10, "launch.file.json", "a digit, not '}'"},
    {"{\"ptx\": [1, ]}", 1, 13, "launch.file.json", "a value, not ']'"},
    {"{\"ptx\": 1, \"arch\": 2,\n \"ptx\": 3}", 2, 2, "launch.file.json", "\"ptx\" appears twice"},
    {"{\"p\\u0074x\": 1, \"ptx\": 2}", 1, 17, "launch.file.json", "\"ptx\" appears twice"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1", 1, 33, "launch.file.json", "more than 32 levels"},
    {"[]", 1, 1, "launch.field.wrong", "expected an object"},
    {"{\"ptx\": \"add.ptx\",\n  \"launchs\": 1}", 2, 3, "launch.field.wrong",
     "launchs: unknown field; did you mean 'launches'?"},
    {"{}", 1, 1, "launch.field.wrong", "the field ptx is missing"},
    {"{\"ptx\": \"none\"}", 1, 2, "launch.file.unreadable", "ptx: no file none"},
    {START "\"launches\": [{\"args\": [{\"u32\": 1},\n {\"f32\": 1e39}]}]}", 4, 3,
     "launch.number.range", "launches[0].args[1].f32: 1e39 does not fit in f32"},
    {START "\"launches\": [{\"args\": [{\"u64\": 18446744073709551616}]}]}", 3, 25,
     "launch.number.range", "64 bits"},
    {START "\"launches\": [{\"args\": [{\"buffer\": \"inn\"}]}]}", 3, 25, "launch.name.unknown",
     "unknown buffer 'inn'"},
    {START "\"launches\": [{\"grid\": [1, 0]}]}", 3, 27, "launch.number.range", "at least 1"},
    {START "\"launches\": [{\"grid\": 1}]}", 3, 15, "launch.field.wrong", "1 to 3 numbers"},
    {START "\"launches\": [{}], \"expect\": {\"out\": {\"file\": \"four.bin\"}}}", 3, 38,
     "launch.file.size", "expect.out.file: four.bin has 4 bytes: buffer out has 16"},
    {START "\"launches\": [{}], \"save\": {\"out\": {\"file\": \"x.npy\", \"shape\": [5]}}}", 3, 53,
     "launch.file.size", "5 elements, the buffer 16"},
    {"{\"ptx\": \"add.ptx\", \"buffers\": {\"a\": {\"file\": \"cut.npy\"}}}", 1, 38,
     "launch.file.size", "it ends in its header"},
    {"{\"ptx\": \"add.ptx\", \"buffers\": {\"a\": {\"bytes\": 4294967297}}}", 1, 38,
     "launch.number.range", "0 to 4294967296"},
};

START_TEST(a_mistake_is_refused_where_it_is) {
    struct wsim_launch_file *file = (void *)1;
    struct wsim_diag diag = {.text = ""};
    enum wsim_status status = open_text(refused[_i].json, &file, &diag);
    ck_assert_msg(status == WSIM_SYNTAX, "%s: %s", refused[_i].json, wsim_status_name(status));
    ck_assert_ptr_null(file);
    ck_assert_msg(diag.line == refused[_i].line && diag.col == refused[_i].col, "%s: %u:%u: %s",
                  refused[_i].json, (unsigned)diag.line, (unsigned)diag.col, diag.text);
    ck_assert_str_eq(diag.rule, refused[_i].rule);
    ck_assert_msg(strstr(diag.text, refused[_i].words), "%s: %s", refused[_i].json, diag.text);
    ck_assert_int_eq(open_text(refused[_i].json, &file, NULL), WSIM_SYNTAX);
    ck_assert_int_eq(open_files, 0);
}
END_TEST

/* --- what is read --- */

START_TEST(strings_and_numbers_are_what_stands_there) {
    static const char json[] =
        "{\"ptx\": \"add.ptx\", \"buffers\": {\"\\u00e4\\ud83d\\ude00\\n\": {\"bytes\": "
        "\"0x10\"}},\n"
        "\"launches\": [{\"args\": [{\"u64\": 18446744073709551615}, {\"s64\": "
        "-9223372036854775808},\n"
        "{\"f32\": 0.1}, {\"f64\": \"-inf\"}, {\"bf16\": \"0x7fc1\"}, {\"hex\": \"00fF\"}]}]}";
    static const uint64_t want[] = {
        UINT64_MAX, UINT64_C(1) << 63, 0x3DCCCCCD, UINT64_C(0xFFF) << 52, 0x7FC1, 0xFF00};
    struct wsim_launch_file *file;
    struct wsim_diag diag;
    ck_assert_msg(!open_text(json, &file, &diag), "%s", diag.text);
    ck_assert_str_eq(wsim_launch_parts(file)->buffers[0].name, "\xc3\xa4\xf0\x9f\x98\x80\n");
    ck_assert_uint_eq(wsim_launch_parts(file)->buffers[0].bytes, 16);
    for (size_t i = 0; i < 6; i++) {
        const struct wsim_launch_arg *arg = &wsim_launch_parts(file)->launches[0].args[i];
        uint64_t value = 0;
        for (unsigned k = 0; k < arg->bytes; k++)
            value |= (uint64_t)arg->value[k] << 8 * k;
        ck_assert_msg(value == want[i], "argument %zu is %llx", i, (unsigned long long)value);
    }
    wsim_launch_close(file);
    wsim_launch_close(NULL);
    wsim_session_free(NULL);
}
END_TEST

/* Everything that a launch file can have. */
static const char whole[] =
    "{\"ptx\": [\"add.ptx\"], \"arch\": \"sm_90a\",\n"
    "\"buffers\": {\"in\": {\"file\": \"in.npy\"}, \"out\": {\"bytes\": 16, \"fill\": 1, "
    "\"align\": 512},\n"
    "  \"map\": {\"bytes\": 4096, \"align\": 64}},\n"
    "\"symbols\": {\"counts\": {\"file\": \"four.bin\", \"bytes\": 8, \"fill\": 0}},\n"
    "\"launches\": [{\"kernel\": \"add\", \"block\": [4], \"args\": [{\"buffer\": \"out\"},\n"
    "  {\"buffer\": \"in\", \"offset\": 0}, {\"s32\": 5}], \"counters\": {\"ld_wavefronts\": 0}},\n"
    "  {\"kernel\": \"take\", \"args\": [{\"tensormap\": {\"dtype\": \"FLOAT16\", \"buffer\": "
    "\"map\",\n"
    "  \"dims\": [8, 8], \"box\": [8, 8]}}, {\"size\": 16, \"pack\": [{\"at\": 8, \"buffer\": "
    "\"in\"}]}]}],\n"
    "\"expect\": {\"out\": {\"file\": \"plus5.bin\"}, \"symbol:counts\": {\"file\": "
    "\"seven.bin\"}},\n"
    "\"save\": {\"out\": \"o.bin\", \"in\": {\"file\": \"i.npy\", \"type\": \"s32\", \"shape\": "
    "[2, 2]}},\n"
    "\"stdout\": \"empty.txt\"}";

/* Reads and runs it to the end: WSIM_OK, or the first error. */
static enum wsim_status run_whole(struct wsim_diag *diag) {
    const struct wsim_launch_options options = {.checks = WSIM_CHECK_ALL, .threads = 1};
    struct wsim_launch_comparison comparison;
    struct wsim_session *session = NULL;
    struct wsim_launch_file *file;
    enum wsim_status status = open_text(whole, &file, diag);
    if (!status)
        status = wsim_session_make(file, &options, &session, NULL, diag);
    if (!status)
        status = wsim_session_fill(session, diag);
    if (!status)
        status = wsim_session_check(session, diag);
    while (!status && wsim_session_ran(session) < wsim_launch_parts(file)->nlaunches)
        status = wsim_session_run(session, diag);
    for (size_t i = 0; !status && i < wsim_launch_parts(file)->nexpects; i++) {
        status = wsim_session_compare(session, i, &comparison, diag);
        if (!status && comparison.different)
            status = WSIM_OPERAND;
    }
    wsim_session_free(session);
    wsim_launch_close(file);
    return status;
}

/* Counters of instrumented code replace the others of their kind. */
START_TEST(counters_without_other_traffic) {
    struct wsim_diag diag;
    struct wsim_launch_file *file;
    const struct wsim_totals totals = {.ld = {.wavefronts = 5},
                                       .st = {.wavefronts = 6, .conflicts = 7},
                                       .atom = {.wavefronts = 8}};
    const struct wsim_totals hardware = {.ld = {.wavefronts = 9}},
                             neither = {.ld = {.wavefronts = 6}};
    const struct wsim_launch_one *one;
    const char *text = "{\"ptx\": \"add.ptx\", \"launches\": [{\"kernel\": \"add\", \"counters\": "
                       "{\"ld_wavefronts\": 9, \"ld_conflicts\": 1, \"st_conflicts\": 2, "
                       "\"sass_ld_wavefronts\": 5, \"sass_atom_wavefronts\": 3}}]}";
    ck_assert_int_eq(open_text(text, &file, &diag), WSIM_OK);
    one = &wsim_launch_parts(file)->launches[0];
    for (unsigned c = 0; c < WSIM_LAUNCH_COUNTERS; c++)
        ck_assert_uint_eq(one->counted[c], c == WSIM_LAUNCH_LD_WAVEFRONTS          ? 2
                                           : c == WSIM_LAUNCH_ST_CONFLICTS         ? 1
                                           : c == WSIM_LAUNCH_SASS_LD_WAVEFRONTS   ? 1
                                           : c == WSIM_LAUNCH_SASS_ATOM_WAVEFRONTS ? 1
                                                                                   : 0);
    ck_assert_uint_eq(one->counter[WSIM_LAUNCH_SASS_ATOM_WAVEFRONTS], 3);
    ck_assert_uint_eq(wsim_launch_counter_of(&totals, WSIM_LAUNCH_SASS_LD_WAVEFRONTS), 5);
    ck_assert_uint_eq(wsim_launch_counter_of(&totals, WSIM_LAUNCH_SASS_ST_WAVEFRONTS), 6);
    ck_assert_uint_eq(wsim_launch_counter_of(&totals, WSIM_LAUNCH_SASS_ATOM_WAVEFRONTS), 8);
    ck_assert_uint_eq(wsim_launch_counter_of(&totals, WSIM_LAUNCH_ST_CONFLICTS), 7);
    ck_assert(!wsim_launch_counter_differs(one, &totals, WSIM_LAUNCH_SASS_LD_WAVEFRONTS));
    ck_assert(!wsim_launch_counter_differs(one, &totals, WSIM_LAUNCH_SASS_ST_WAVEFRONTS));
    ck_assert(wsim_launch_counter_differs(one, &totals, WSIM_LAUNCH_SASS_ATOM_WAVEFRONTS));
    ck_assert(wsim_launch_counter_differs(one, &totals, WSIM_LAUNCH_ST_CONFLICTS));
    ck_assert(!wsim_launch_counter_differs(one, &totals, WSIM_LAUNCH_LD_WAVEFRONTS));
    ck_assert(!wsim_launch_counter_differs(one, &hardware, WSIM_LAUNCH_SASS_LD_WAVEFRONTS));
    ck_assert(wsim_launch_counter_differs(one, &neither, WSIM_LAUNCH_SASS_LD_WAVEFRONTS));
    wsim_launch_close(file);
}
END_TEST

START_TEST(a_whole_file_runs) {
    const struct wsim_launch_options options = {.checks = WSIM_CHECK_ALL};
    struct wsim_session *session;
    struct wsim_launch_file *file;
    const struct wsim_launch_parts *parts;
    struct wsim_totals totals;
    struct wsim_diag diag;
    ck_assert_msg(!run_whole(&diag), "%s", diag.text);
    ck_assert_int_eq(open_files, 0);
    ck_assert_int_eq(open_text(whole, &file, &diag), WSIM_OK);
    parts = wsim_launch_parts(file);
    ck_assert_uint_eq(parts->nsaves, 2);
    ck_assert(parts->saves[1].array && parts->saves[1].kind == 'i' && parts->saves[1].rank == 2);
    ck_assert_uint_eq(parts->launches[1].args[1].patches[0].at, 8);
    ck_assert_uint_eq(parts->launches[1].args[0].patches[0].packed, 1);
    ck_assert_uint_eq(parts->launches[1].args[0].patches[0].tensor.strides[0], 16);
    ck_assert_str_eq(wsim_arch_name(parts->arch), "sm_90a");
    ck_assert_int_eq(wsim_session_make(file, &options, &session, NULL, &diag), WSIM_OK);
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(wsim_session_fill(session, &diag), WSIM_OK);
        ck_assert_uint_eq(wsim_session_ran(session), 0);
        ck_assert_ptr_null(wsim_session_report(session, 0));
        ck_assert_int_eq(wsim_session_run(session, &diag), WSIM_OK);
        ck_assert(!wsim_session_stopped(session));
        wsim_report_totals(wsim_session_report(session, 0), &totals);
        ck_assert_uint_eq(totals.findings, 0);
    }
    wsim_session_free(session);
    wsim_launch_close(file);
}
END_TEST

/* --- refusals of a session --- */

static const struct {
    const char *json;
    enum wsim_status status;
    unsigned line, col;
    const char *ptx, *words;
} unfit[] = {
    {"{\"ptx\": \"bad.ptx\", \"launches\": [{}]}", WSIM_ILLEGAL, 5, 11, "bad.ptx", "%q"},
    {"{\"ptx\": \"tex.ptx\",\n\"launches\": [{}]}", WSIM_UNMODELLED, 6, 1, "tex.ptx", "multimem"},
    {START "\"launches\": [{}]}", WSIM_OPERAND, 3, 14, NULL, "name a kernel"},
    {START "\"launches\": [{\"kernel\": \"ad\"}]}", WSIM_OPERAND, 3, 15, NULL,
     "did you mean 'add'?"},
    {START "\"launches\": [{\"kernel\": \"add\"}]}", WSIM_OPERAND, 3, 14, NULL, "0 arguments"},
    {START "\"launches\": [{\"kernel\": \"add\", \"args\": [{\"buffer\": \"in\"}, {\"u32\": 1},\n"
           "{\"u32\": 1}]}]}",
     WSIM_OPERAND, 3, 59, NULL, "args[1]: the argument has 4 bytes, parameter in (u64) has 8"},
    {START "\"symbols\": {\"count\": {\"bytes\": 4, \"fill\": 0}},\n\"launches\": [{\"kernel\": "
           "\"add\",\n"
           "\"args\": [{\"buffer\": \"in\"}, {\"buffer\": \"in\"}, {\"u32\": 1}]}]}",
     WSIM_OPERAND, 3, 13, NULL, "symbols.count: "},
    {START "\"launches\": [{\"kernel\": \"add\",\n"
           "\"args\": [{\"buffer\": \"in\"}, {\"buffer\": \"in\"}, {\"u32\": 1}]}],\n"
           "\"expect\": {\"symbol:counts\": {\"file\": \"four.bin\"}}}",
     WSIM_SYNTAX, 5, 12, NULL, "4 bytes are expected: the variable has 8"},
    {START "\"launches\": [{\"kernel\": \"add\", \"block\": [2000],\n"
           "\"args\": [{\"buffer\": \"in\"}, {\"buffer\": \"in\"}, {\"u32\": 1}]}]}",
     WSIM_OPERAND, 3, 14, NULL, "launches[0]: a block of 2000"},
};

START_TEST(a_session_refuses_at_the_place_of_the_file) {
    const struct wsim_launch_options options = {.checks = WSIM_CHECK_ALL};
    struct wsim_session *session;
    struct wsim_launch_file *file;
    struct wsim_diag diag = {.text = ""};
    const char *ptx = NULL;
    enum wsim_status status;
    ck_assert_msg(!open_text(unfit[_i].json, &file, &diag), "%s", diag.text);
    status = wsim_session_make(file, &options, &session, &ptx, &diag);
    if (!status)
        status = wsim_session_fill(session, &diag);
    if (!status)
        status = wsim_session_check(session, &diag);
    ck_assert_msg(status == unfit[_i].status && diag.line == unfit[_i].line &&
                      diag.col == unfit[_i].col && strstr(diag.text, unfit[_i].words),
                  "%s: %s %u:%u: %s", unfit[_i].json, wsim_status_name(status), (unsigned)diag.line,
                  (unsigned)diag.col, diag.text);
    if (unfit[_i].ptx)
        ck_assert_str_eq(ptx, unfit[_i].ptx);
    else
        ck_assert_ptr_null(ptx);
    ck_assert_int_eq(session != NULL,
                     status != WSIM_SYNTAX || !unfit[_i].ptx ? session != NULL : 0);
    wsim_session_free(session);
    wsim_launch_close(file);
}
END_TEST

/* --- several texts --- */

START_TEST(further_texts_replace_and_add) {
    static const char first[] =
        START "\"arch\": \"sm_80\", \"launches\": [{\"kernel\": \"add\", \"args\": [{\"buffer\": "
              "\"in\"}, {\"buffer\": \"in\"}, {\"u32\": 1}]}],\n"
              "\"expect\": {\"in\": {\"file\": \"in.bin\"}}}";
    static const char second[] =
        "{\"arch\": \"sm_90\", \"ptx\": [\"add.ptx\", \"add.ptx\"], \"expect\":\n"
        "{\"out\": {\"file\": \"plus5.bin\"}}, \"save\": {\"out\": \"/x\"}}";
    struct wsim_launch_text texts[2] = {{first, sizeof first - 1, &files},
                                        {second, sizeof second - 1, &files}};
    struct wsim_launch_file *file;
    static const char symbol[] = "{\"expect\": {\"symbol:counts\": {\"file\": \"four.bin\"}}}";
    const struct wsim_launch_options options = {0};
    struct wsim_session *session;
    const struct wsim_launch_parts *parts;
    struct wsim_diag diag;
    size_t wrong = 9;
    ck_assert_msg(!wsim_launch_open(texts, 2, &file, &wrong, &diag), "%s", diag.text);
    parts = wsim_launch_parts(file);
    ck_assert_str_eq(wsim_arch_name(parts->arch), "sm_90");
    ck_assert_uint_eq(parts->nptx, 2);
    ck_assert_uint_eq(parts->nexpects, 2);
    ck_assert_str_eq(parts->expects[1].name, "out");
    ck_assert_uint_eq(parts->saves[0].text, 1);
    wsim_launch_close(file);
    texts[1] = (struct wsim_launch_text){symbol, sizeof symbol - 1, &files};
    ck_assert_msg(!wsim_launch_open(texts, 2, &file, &wrong, &diag), "%s", diag.text);
    ck_assert_int_eq(wsim_session_make(file, &options, &session, NULL, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_session_fill(session, &diag), WSIM_SYNTAX);
    ck_assert_msg(diag.line == 0 && strstr(diag.text, "the variable has 8"), "%s", diag.text);
    wsim_session_free(session);
    wsim_launch_close(file);
    texts[1] = (struct wsim_launch_text){"{\n\"buffers\": {}}", 15, &files};
    ck_assert_int_eq(wsim_launch_open(texts, 2, &file, &wrong, &diag), WSIM_SYNTAX);
    ck_assert_uint_eq(wrong, 1);
    ck_assert_uint_eq(diag.line, 2);
    texts[1].files = NULL;
    texts[1] = (struct wsim_launch_text){"{\"ptx\": \"add.ptx\"}", 18, NULL};
    ck_assert_int_eq(wsim_launch_open(texts, 2, &file, &wrong, &diag), WSIM_SYNTAX);
    ck_assert_str_eq(diag.rule, "launch.file.unreadable");
}
END_TEST

/* --- limits --- */

/* `count` copies of `piece` between a start and an end; to be freed. */
static char *repeat(const char *start, const char *piece, size_t count, const char *end) {
    size_t n = strlen(start), m = strlen(piece);
    char *text = malloc(n + m * count + strlen(end) + 1), *at = text;
    ck_assert_ptr_nonnull(text);
    memcpy(at, start, n);
    for (at += n; count > 0; count--, at += m)
        memcpy(at, piece, m);
    strcpy(at, end);
    return text;
}

START_TEST(limits_are_kept) {
    static const struct {
        const char *start, *piece, *end;
        size_t good;
    } cases[] = {
        {START "\"launches\": [{}", ",{}", "]}", WSIM_LAUNCH_LAUNCHES - 1},
        {START "\"launches\": [{\"args\": [{\"u8\": 0}", ",{\"u8\": 0}", "]}]}",
         WSIM_LAUNCH_ENTRIES - 1},
        {START "\"launches\": [{\"args\": [{\"hex\": \"", "00", "\"}]}]}", WSIM_LAUNCH_PARAMS},
        {START "\"launches\": [{}]", " ", "}", WSIM_LAUNCH_TEXT - sizeof START + 1 - 17},
    };
    for (int more = 0; more < 2; more++) {
        char *text =
            repeat(cases[_i].start, cases[_i].piece, cases[_i].good + (size_t)more, cases[_i].end);
        struct wsim_launch_file *file;
        struct wsim_diag diag = {.text = ""};
        ck_assert_msg(open_text(text, &file, &diag) == (more ? WSIM_SYNTAX : WSIM_OK),
                      "case %d with %d more: %s", _i, more, diag.text);
        wsim_launch_close(file);
        free(text);
    }
}
END_TEST

/* --- memory --- */

START_TEST(a_heap_may_end_anywhere) {
    enum wsim_status status =
        run_whole(NULL); /* the first run makes everything that is made once */
    long calls = 0;
    ck_assert_int_eq(status, WSIM_OK);
    for (status = WSIM_NO_MEMORY; HEAP_ENDS && status; calls++) {
        struct wsim_diag diag = {.text = ""};
        long before = heap_blocks(), after;
        heap_end_after(calls);
        status = run_whole(&diag);
        heap_end_after(-1);
        after = heap_blocks();
        ck_assert_msg(status == WSIM_OK || status == WSIM_NO_MEMORY, "call %ld: %s", calls,
                      diag.text);
        ck_assert_msg(after == before, "call %ld leaves %ld blocks", calls, after - before);
        ck_assert_int_eq(open_files, 0);
    }
    ck_assert(!HEAP_ENDS || calls > 20);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {a_mistake_is_refused_where_it_is, 0, COUNT(refused)},
        {strings_and_numbers_are_what_stands_there, 0, 1},
        {a_whole_file_runs, 0, 1},
        {counters_without_other_traffic, 0, 1},
        {a_session_refuses_at_the_place_of_the_file, 0, COUNT(unfit)},
        {further_texts_replace_and_add, 0, 1},
        {limits_are_kept, 0, 4},
        {a_heap_may_end_anywhere, 0, 1},
    };
    return every_run("launch", tests, COUNT(tests));
}
