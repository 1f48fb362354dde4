/* The measured patterns. Each kind of access has its number, and every spelling that the model
 * counts has patterns. All can be launched and have the meaning of their line; all fixed ones are
 * present. Lines that are wrong are refused. */
#include "../../tools/hw/access_launch.h"
#include "../../tools/hw/access_line.h"
#include "../../tools/hw/pattern_kind.h"
#include "../every.h"

enum { COUNT_EACH = 130, LINE_BYTES = 1024 };

static FILE *draw(const char *filter, uint64_t count, uint64_t seed, unsigned *kinds) {
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    *kinds = hw_patterns_print(file, wsim_arch_find("sm_90a"), filter, count, seed);
    rewind(file);
    return file;
}

static void check_line(const char *line, struct hw_pattern *pattern) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_diag diag;
    const char *why = hw_pattern_read(line, pattern);
    expect(!why, "%s: %s", why, line);
    why = hw_pattern_check(pattern, arch, &diag);
    expect(!why, "%s: %s", why, line);
}

/* The operations of the tables, and how many patterns each has. */
struct tally {
    struct wsim_op op;
    int count;
};

static int list_ops(struct tally *list, int room) {
    uint32_t cursor = 0;
    struct wsim_op op;
    int n = 0;
    memset(&op, 0, sizeof op);
    while (wsim_op_next(&cursor, &op)) {
        ck_assert_int_lt(n, room);
        list[n].op = op;
        list[n++].count = 0;
    }
    return n;
}

static int count_lines(FILE *file, struct tally *list, int n) {
    char line[LINE_BYTES];
    struct hw_pattern pattern;
    int lines = 0;
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        lines++;
        check_line(line, &pattern);
        for (int i = 0; i < n; i++)
            list[i].count += memcmp(&pattern.op, &list[i].op, sizeof pattern.op) == 0;
    }
    return lines;
}

START_TEST(test_every_counted_access) {
    static struct tally list[4096];
    unsigned kinds;
    FILE *file = draw(NULL, COUNT_EACH, 7, &kinds);
    int n = list_ops(list, COUNT(list));
    ck_assert_uint_gt(kinds, 50);
    ck_assert_int_eq(count_lines(file, list, n), (int)kinds * COUNT_EACH);
    for (int i = 0; i < n; i++) {
        int counted = hw_access_sizes(&list[i].op) && every_legal(&list[i].op, "sm_90a");
        expect(counted ? list[i].count >= COUNT_EACH / 4 : list[i].count == 0, "row %u has %d",
               list[i].op.form, list[i].count);
    }
    fclose(file);
}
END_TEST

/* COUNT_EACH is large enough for all fixed patterns of each kind. */
START_TEST(test_fixed_patterns) {
    static const char *const fixed[] = {
#define PATTERN(name, least, most, mask, address) "# " #name "\n",
#define ROWS(name, address) "# " #name "\n",
#include "../../tools/hw/patterns.def"
    };
    unsigned kinds;
    FILE *file = draw(NULL, COUNT_EACH, 1, &kinds);
    char line[LINE_BYTES];
    for (size_t i = 0; i < COUNT(fixed); i++) {
        int found = 0;
        for (rewind(file); fgets(line, sizeof line, file);)
            found += strcmp(line, fixed[i]) == 0;
        expect(found > 0, "nowhere: %s", fixed[i]);
    }
    fclose(file);
}
END_TEST

static void take(FILE *file, char *text, size_t room) {
    size_t length = fread(text, 1, room - 1, file);
    text[length] = 0;
    fclose(file);
}

START_TEST(test_the_seed_decides) {
    static char first[1 << 16], again[1 << 16], other[1 << 16];
    unsigned kinds;
    take(draw("ld.shared.v4.*", 60, 3, &kinds), first, sizeof first);
    ck_assert_uint_eq(kinds, 3);
    take(draw("ld.shared.v4.*", 60, 3, &kinds), again, sizeof again);
    take(draw("ld.shared.v4.*", 60, 4, &kinds), other, sizeof other);
    ck_assert_str_eq(first, again);
    ck_assert_str_ne(first, other);
}
END_TEST

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define COPY "cp.async.ca.shared.global"
#define FRAGMENT "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"
#define LANES ZEROS ZEROS ZEROS ZEROS

START_TEST(test_lines_that_are_refused) {
    static const struct {
        const char *line, *why;
    } refused[] = {
        {"ld.shared.u99\taddr=" LANES "\n", "no such instruction"},
        {"ld.shared.u32\n", "addr is missing"},
        {"ld.shared.u32\tmask=ffffffff\n", "addr is missing"},
        {"ld.shared.u32\taddr=" ZEROS "\n", "addr is not 32 lanes of 8 hex digits"},
        {"ld.shared.u32\taddr=" LANES "0\n", "addr is not 32 lanes of 8 hex digits"},
        {"ld.shared.u32\taddr=" LANES "\tmask=FFFFFFFF\n", "mask is not 8 hex digits"},
        {"ld.shared.u32\taddr=" LANES "\tmask=fff\n", "mask is not 8 hex digits"},
        {"ld.shared.u32\taddr=" LANES "\tsize=4\n",
         "size, src and lines are of cp.async, stride of wmma"},
        {"ld.shared.u32\taddr=" LANES "\tlines=warm\n",
         "size, src and lines are of cp.async, stride of wmma"},
        {FRAGMENT "\taddr=" LANES "\n", "a fragment has addr and stride"},
        {FRAGMENT "\taddr=" LANES "\tstride=x\n", "stride is not a number of elements"},
        {COPY "\taddr=" LANES "\n", "size is missing"},
        {COPY "\taddr=" LANES "\tsize=x\n", "size is not 4, 8 or 16"},
        {COPY "\taddr=" LANES "\tsize=5\n", "size is not 4, 8 or 16"},
        {COPY "\taddr=" LANES "\tsize=16 \n", "size is not 4, 8 or 16"},
        {COPY "\taddr=" LANES "\tsize=4\tsrc=" ZEROS "\n", "src is not 32 lanes of 8 hex digits"},
        {COPY "\taddr=" LANES "\tsize=4\tlines=hot\n", "lines are cold or warm"},
        {COPY "\taddr=" LANES "\tsize=4\tlines=warmer\n", "lines are cold or warm"},
        {"ld.shared.u32\taddr=" LANES "\tsmem=00\n",
         "a field that is not addr, mask, size, src, lines, stride, wavefronts or conflicts"},
    };
    struct hw_pattern pattern;
    for (size_t i = 0; i < COUNT(refused); i++)
        ck_assert_str_eq(hw_pattern_read(refused[i].line, &pattern), refused[i].why);
    ck_assert_ptr_null(hw_pattern_read("ld.shared.u32\taddr=" LANES "\tmask=00000001\twavefronts=1"
                                       "\tconflicts=0\n",
                                       &pattern));
    ck_assert_uint_eq(pattern.mask, 1);
}
END_TEST

/* Patterns outside the window, misaligned ones and lines without an access are not launched. */
START_TEST(test_patterns_that_are_refused) {
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct hw_pattern pattern;
    struct wsim_diag diag;
    memset(&pattern, 0, sizeof pattern);
    ck_assert_int_eq(wsim_op_parse("ld.shared.u64", &pattern.op, NULL), WSIM_OK);
    pattern.mask = 2;
    pattern.addr[1] = HW_ACCESS_WINDOW - 8;
    ck_assert_ptr_null(hw_pattern_check(&pattern, arch, &diag));
    pattern.addr[0] = HW_ACCESS_WINDOW; /* inactive */
    ck_assert_ptr_null(hw_pattern_check(&pattern, arch, &diag));
    pattern.addr[1] = HW_ACCESS_WINDOW;
    ck_assert_ptr_nonnull(hw_pattern_check(&pattern, arch, &diag));
    pattern.addr[1] = 4;
    ck_assert_ptr_nonnull(hw_pattern_check(&pattern, arch, &diag));
    ck_assert_int_eq(diag.status, WSIM_ALIGN);
    ck_assert_int_eq(wsim_op_parse("atom.shared.add.f32", &pattern.op, NULL), WSIM_OK);
    ck_assert_ptr_nonnull(hw_pattern_check(&pattern, arch, &diag));
    ck_assert_int_eq(diag.status, WSIM_UNMODELLED);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{test_every_counted_access, 0, 1},
                                       {test_fixed_patterns, 0, 1},
                                       {test_the_seed_decides, 0, 1},
                                       {test_lines_that_are_refused, 0, 1},
                                       {test_patterns_that_are_refused, 0, 1}};
    return every_run("hw/patterns", tests, COUNT(tests));
}
