/* Accesses cost what their lanes say, whatever the last one of their operation was: wavefronts as
 * wsim_banks_count has them, and distinct sectors and lines. Each round changes one of the places
 * of the first lane, the lanes that take part, and the distances between lanes, or nothing. */
#include "../../every.h"
#include "launched.h"

#include <stdlib.h>
#include <wsim/banks.h>

enum { ROUNDS = 160, LANES = 32 };
#define OFF 0x80000000u /* the lane takes no part */

/* Offsets of all lanes and rounds, then bytes that are accessed. */
struct data {
    uint32_t offset[ROUNDS][LANES], bytes[1024];
};

/* %s: the instructions between a table entry in r6, in bytes below 1024 or OFF, and the next one.
 */
static const char text[] =
    ".version 8.7\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 data)\n{\n"
    ".reg .b32 %%r<16>;\n.reg .b64 %%d<8>;\n.reg .pred %%p<4>;\n"
    ".shared .align 128 .b8 box[1024];\n"
    "ld.param.u64 %%d0, [data];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r5, %u;\n"
    "mul.wide.u32 %%d1, %%r0, 4;\nadd.u64 %%d1, %%d0, %%d1;\nadd.u64 %%d2, %%d0, %u;\n"
    "mov.u32 %%r7, box;\nmov.u32 %%r13, 0;\n"
    "$on: ld.global.u32 %%r6, [%%d1];\nsetp.lt.s32 %%p0, %%r6, 0;\n"
    "@%%p0 bra $next;\n"
    "add.u32 %%r8, %%r7, %%r6;\ncvt.u64.u32 %%d3, %%r6;\nadd.u64 %%d4, %%d2, %%d3;\n"
    "%s\n"
    "$next: add.u64 %%d1, %%d1, 128;\nsub.u32 %%r5, %%r5, 1;\nsetp.ne.u32 %%p1, %%r5, 0;\n"
    "@%%p1 bra $on;\nst.global.u32 [%%d0], %%r13;\nret;\n}\n";

/* Lanes in a row, at one place, apart, in two halves, anywhere; from `first` on, in words of
 * `bytes`. */
static uint32_t place(unsigned kind, unsigned lane, uint32_t first, uint32_t bytes) {
    static const uint8_t far[] = {3, 11, 5, 2};
    switch (kind) {
    case 0: return first + lane % 16 * bytes;
    case 1: return first;
    case 2: return first + lane * bytes * 2 % 512;
    case 3: return first + (lane / 16 * far[kind & 3] + lane % 16) * bytes % 512;
    default: return first + lane * 7 % 29 * bytes;
    }
}

static void draw_rounds(struct data *data, uint64_t seed, uint32_t bytes) {
    uint64_t state = seed;
    uint32_t first = 0, lanes = UINT32_MAX;
    unsigned kind = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        switch (draw(&state) % 6) {
        case 0: first = draw(&state) % (256 / bytes) * bytes; break;
        case 1:
            lanes = draw(&state) % 3 ? UINT32_MAX : draw(&state) | 1u << draw(&state) % LANES;
            break;
        case 2: kind = draw(&state) % 5; break;
        default: break;
        }
        for (unsigned lane = 0; lane < LANES; lane++)
            data->offset[round][lane] = lanes >> lane & 1 ? place(kind, lane, first, bytes) : OFF;
        if (draw(&state) % 8 == 0) /* one of the last lanes alone is elsewhere */
            data->offset[round][LANES - 1 - draw(&state) % 8] = 512;
    }
}

/* How many units of `size` bytes the lanes of a round touch. */
static uint64_t distinct(const struct data *data, unsigned round, uint64_t base, uint64_t size) {
    uint64_t seen[LANES], n = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t unit = (base + data->offset[round][lane]) / size;
        uint64_t i = 0;
        if (data->offset[round][lane] & OFF)
            continue;
        while (i < n && seen[i] != unit)
            i++;
        seen[n] = unit;
        n += i == n;
    }
    return n;
}

struct counted {
    uint64_t wavefronts, conflicts, sectors, lines;
};

/* The destination of a copy, in shared memory: lanes lie twice as far apart in every other round.
 */
static uint32_t destination(unsigned lane, unsigned round) {
    return lane * 16 << round % 2;
}

/* The sectors that L2 delivers for a .cg copy: once for each destination, in one of two orders. */
static uint64_t delivered(const struct data *data, unsigned round, uint64_t base) {
    uint64_t seen[LANES], n = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t from = base + (data->offset[round][lane] & ~OFF);
        const uint32_t to = destination(lane, round);
        const uint64_t way = from / 32 << 32 | to / 32 << 1 | ((from ^ to) / 16 & 1);
        uint64_t i = 0;
        if (data->offset[round][lane] & OFF)
            continue;
        while (i < n && seen[i] != way)
            i++;
        seen[n] = way;
        n += i == n;
    }
    return n;
}

/* Counts of one copy in each round. The source page has no wavefronts of .cg copies. */
static void count_copies(const struct data *data, const char *spelling, uint64_t base,
                         struct counted *counted) {
    struct wsim_op op;
    *counted = (struct counted){0, 0, 0, 0};
    ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t from[LANES], to[LANES];
        struct wsim_copy copy = {.bytes = 16, .dst = to, .src = from, .counters = WSIM_SOURCE_PAGE};
        struct wsim_copy_banks banks;
        for (unsigned lane = 0; lane < LANES; lane++) {
            from[lane] = data->offset[round][lane] & ~OFF;
            to[lane] = destination(lane, round);
            copy.mask |= (uint32_t) !(data->offset[round][lane] & OFF) << lane;
        }
        if (!copy.mask)
            continue;
        if (!wsim_banks_copy(&op, wsim_arch_find("sm_90a"), &copy, &banks, NULL)) {
            counted->wavefronts += banks.wavefronts;
            counted->conflicts += banks.conflicts;
        }
        counted->lines += distinct(data, round, base, 128);
        counted->sectors += strstr(spelling, ".cg") ? delivered(data, round, base)
                                                    : distinct(data, round, base, 32);
    }
}

/* Counts of one access in each round. */
static void count_rounds(const struct data *data, const char *spelling, uint64_t base,
                         struct counted *counted) {
    struct wsim_op op;
    *counted = (struct counted){0, 0, 0, 0};
    if (!base)
        ck_assert_int_eq(wsim_op_parse(spelling, &op, NULL), WSIM_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct wsim_banks banks;
        uint32_t addr[LANES], mask = 0;
        for (unsigned lane = 0; lane < LANES; lane++) {
            addr[lane] = data->offset[round][lane] & ~OFF;
            mask |= (uint32_t) !(data->offset[round][lane] & OFF) << lane;
        }
        if (base) {
            counted->sectors += distinct(data, round, base, 32);
            counted->lines += distinct(data, round, base, 128);
        } else if (mask) {
            ck_assert_int_eq(
                wsim_banks_count(&op, wsim_arch_find("sm_90a"), addr, mask, &banks, NULL), WSIM_OK);
            counted->wavefronts += banks.wavefronts;
            counted->conflicts += banks.conflicts;
        }
    }
}

#define TO                                                                                         \
    "and.b32 %r9, %r5, 1;\nadd.u32 %r9, %r9, 4;\nshl.b32 %r9, %r0, %r9;\nadd.u32 %r9, %r9, %r7;\n"
/* An access, and the word of the text that its line has. */
static const struct access {
    const char *ptx, *word, *spelling; /* no spelling: of global memory */
    uint32_t bytes;
} accesses[] = {
    {"ld.shared.u32 %r9, [%r8];\nadd.u32 %r13, %r13, %r9;", "ld.shared", "ld.shared.u32", 4},
    {"ld.shared.v2.u32 {%r9, %r10}, [%r8];\nadd.u32 %r13, %r13, %r9;\nadd.u32 %r13, %r13, %r10;",
     "ld.shared", "ld.shared.v2.u32", 8},
    {"st.shared.v4.u32 [%r8], {%r0, %r0, %r0, %r0};", "st.shared", "st.shared.v4.u32", 16},
    {"st.shared.u8 [%r8], %r0;", "st.shared", "st.shared.u8", 1},
    {"atom.shared.add.u32 %r9, [%r8], %r0;\nadd.u32 %r13, %r13, %r9;", "atom.shared",
     "atom.shared.add.u32", 4},
    {"ld.global.u32 %r9, [%d4];", "[%d4]", NULL, 4},
    {"ld.global.v4.u32 {%r9, %r10, %r11, %r12}, [%d4];", "[%d4]", NULL, 16},
    {"st.global.u32 [%d4], %r0;", "[%d4]", NULL, 4},
    {TO "cp.async.ca.shared.global [%r9], [%d4], 16;", "[%d4]", "cp.async.ca.shared.global", 16},
    {TO "cp.async.cg.shared.global [%r9], [%d4], 16;", "[%d4]", "cp.async.cg.shared.global", 16},
};

START_TEST(rounds) {
    const struct access *access = &accesses[_i % COUNT(accesses)];
    const uint32_t checks = _i / COUNT(accesses) & 1 ? WSIM_CHECK_MEMORY : 0;
    static struct data data;
    char ptx[sizeof text + 256];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_launch launch = {
        .grid = {1}, .block = {32}, .checks = checks, .count = 1, .threads = 1};
    struct counted counted;
    struct wsim_line line;
    uint64_t address;
    size_t i = 0;
    memset(&data, 0, sizeof data);
    draw_rounds(&data, 77 + (uint64_t)_i, access->bytes);
    snprintf(ptx, sizeof ptx, text, (unsigned)ROUNDS, (unsigned)sizeof data.offset, access->ptx);
    ck_assert_msg(!wsim_module_load(ptx, strlen(ptx), 0, &module, &diag), "%s", diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", sizeof data, 0, &address, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_write(device, address, &data, sizeof data, NULL), WSIM_OK);
    launch.params = &address;
    launch.param_bytes = 8;
    ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, &diag), WSIM_OK);
    while (wsim_report_line(report, i, &line) && line.ptx_line != line_of(ptx, access->word))
        i++;
    if (strstr(access->ptx, "cp.async"))
        count_copies(&data, access->spelling, address + sizeof data.offset, &counted);
    else
        count_rounds(&data, access->spelling, access->spelling ? 0 : address + sizeof data.offset,
                     &counted);
    ck_assert_uint_eq(line.shared.wavefronts, counted.wavefronts);
    ck_assert_uint_eq(line.shared.conflicts, counted.conflicts);
    ck_assert_uint_eq(line.sectors, counted.sectors);
    ck_assert_uint_eq(line.lines, counted.lines);
    ck_assert_uint_gt(counted.wavefronts + counted.sectors, ROUNDS);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* Loads of a loop that go on in constant steps. Each has 32 lanes in a row, or two halves that may
 * share sectors. */
START_TEST(runs) {
    static const struct {
        uint32_t n, step, far, first; /* bytes; far: from lane 0 to lane 16 */
    } cases[] = {{40, 4, 64, 0},  {100, 4, 64, 4},  {99, 12, 64, 8},   {50, 20, 64, 0},
                 {77, 4, 48, 0},  {77, 4, 16, 12},  {60, 8, 0, 4},     {61, 36, 68, 0},
                 {33, 128, 0, 0}, {90, 4, 1000, 4}, {200, 16, 100, 20}};
    static uint8_t data[65536];
    char ptx[2048];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_launch launch = {.grid = {1}, .block = {32}, .count = 1, .threads = 1};
    struct wsim_line line;
    uint64_t address, sectors = 0, lines = 0;
    size_t i = 0;
    snprintf(ptx, sizeof ptx,
             ".version 8.7\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 data)\n{\n"
             ".reg .b32 %%r<16>;\n.reg .b64 %%d<8>;\n.reg .pred %%p<4>;\n.reg .f32 %%f<4>;\n"
             "ld.param.u64 %%d0, [data];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r5, %u;\n"
             "and.b32 %%r1, %%r0, 15;\nshr.u32 %%r2, %%r0, 4;\nmul.lo.u32 %%r2, %%r2, %u;\n"
             "mad.lo.u32 %%r2, %%r1, 4, %%r2;\nadd.u32 %%r2, %%r2, %u;\ncvt.u64.u32 %%d1, %%r2;\n"
             "add.u64 %%d1, %%d0, %%d1;\nmov.f32 %%f1, 0f00000000;\n"
             "$on: ld.global.f32 %%f0, [%%d1];\nadd.f32 %%f1, %%f1, %%f0;\n"
             "add.u64 %%d1, %%d1, %u;\nsub.u32 %%r5, %%r5, 1;\nsetp.ne.u32 %%p1, %%r5, 0;\n"
             "@%%p1 bra $on;\nst.global.f32 [%%d0], %%f1;\nret;\n}\n",
             cases[_i].n, cases[_i].far, cases[_i].first, cases[_i].step);
    ck_assert_msg(!wsim_module_load(ptx, strlen(ptx), 0, &module, &diag), "%s", diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "data", sizeof data, 0, &address, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_write(device, address, data, sizeof data, NULL), WSIM_OK);
    launch.params = &address;
    launch.param_bytes = 8;
    ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, &diag), WSIM_OK);
    while (wsim_report_line(report, i, &line) && line.ptx_line != line_of(ptx, "$on:"))
        i++;
    for (uint32_t k = 0; k < cases[_i].n; k++) {
        static struct data one;
        for (unsigned lane = 0; lane < LANES; lane++)
            one.offset[0][lane] =
                cases[_i].first + k * cases[_i].step + lane / 16 * cases[_i].far + lane % 16 * 4;
        sectors += distinct(&one, 0, address, 32);
        lines += distinct(&one, 0, address, 128);
    }
    ck_assert_uint_eq(line.requests, cases[_i].n);
    ck_assert_uint_eq(line.sectors, sectors);
    ck_assert_uint_eq(line.lines, lines);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{rounds, 0, 2 * COUNT(accesses)}, {runs, 0, 11}};
    return every_run("unit/run/counted", tests, COUNT(tests));
}
