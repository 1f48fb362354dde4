/* Loops of even registers (step/loop.h) equal the plain interpreter: results, counts of every line,
 * findings. Random loops, and loops of one trait each. WSIM_LOOPS is the number of random ones. */
#include "../../apart.h"
#include "../../every.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

enum { WORDS = 2048, RESULTS = 1024, TEXT = 1 << 15 };

struct text {
    size_t n;
    char s[TEXT];
};
static void put(struct text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text->n += (size_t)vsnprintf(text->s + text->n, sizeof text->s - text->n, format, list);
    va_end(list);
    ck_assert_uint_lt(text->n, sizeof text->s);
}

struct way {
    uint32_t grid, block[2];
    uint32_t checks;
    uint8_t count, threads;
    uint8_t whole; /* all words are written before, with checks too */
    uint8_t stack; /* bytes that lie on the stack before the launch */
    uint8_t apart; /* addresses are no pointers of the host */
    uint64_t seed, most;
};

struct outcome {
    enum wsim_status status;
    uint32_t words[WORDS];
    struct wsim_totals totals;
    uint64_t lines;     /* a digest of the counts of all lines              */
    uint64_t how_often; /* the same of findings: fast steps count some races once a warp */
    char findings[2048];
};

static uint64_t mix(uint64_t digest, uint64_t value) {
    return (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (digest >> 29);
}

static void take(struct outcome *out, const struct wsim_report *report) {
    struct wsim_finding finding;
    struct wsim_line line;
    size_t n = 0;
    wsim_report_totals(report, &out->totals);
    for (size_t i = 0; wsim_report_line(report, i, &line); i++) {
        const uint64_t counts[] = {
            line.ptx_line,          line.executed,         line.threads,  line.requests,
            line.sectors,           line.sectors_ideal,    line.lines,    line.shared.accesses,
            line.shared.wavefronts, line.shared.conflicts, line.uncounted};
        for (unsigned k = 0; k < sizeof counts / sizeof counts[0]; k++)
            out->lines = mix(out->lines, counts[k]);
    }
    for (size_t i = 0; wsim_report_finding(report, i, &finding) && n + 512 < sizeof out->findings;
         i++) {
        n += (size_t)snprintf(out->findings + n, sizeof out->findings - n, "%s %u %u %u %s\n",
                              finding.rule, finding.ptx_line, finding.other_ptx_line,
                              finding.thread[0], finding.text);
        out->how_often = mix(out->how_often, finding.count);
    }
    for (char *at = out->findings; (at = strstr(at, "0x")) != NULL; at++)
        memset(at + 2, '.', strspn(at + 2, "0123456789abcdef")); /* addresses of the host */
}

/* Messages of a test are short: the program goes to stderr. */
#define SAME(condition, ...)                                                                       \
    do {                                                                                           \
        const int holds = (condition);                                                             \
        if (!holds)                                                                                \
            fprintf(stderr, "// %u x %u x %u threads, checks %u, count %u, seed %u, most %u\n%s",  \
                    way->grid, way->block[0], way->block[1], way->checks, way->count,              \
                    (unsigned)way->seed, (unsigned)way->most, ptx);                                \
        ck_assert_msg(holds, __VA_ARGS__);                                                         \
    } while (0)

/* Variables below that are not initialised hold this byte. */
static void fill_stack(uint8_t byte) {
    volatile uint8_t bytes[1 << 15];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = byte;
}

/* Words 0 to RESULTS - 1 are the input. */
static void run(const char *ptx, const struct way *way, uint32_t flags, struct outcome *out) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag;
    struct wsim_launch launch = {.grid = {way->grid},
                                 .block = {way->block[0], way->block[1]},
                                 .checks = way->checks,
                                 .count = way->count,
                                 .seed = way->seed,
                                 .threads = way->threads ? way->threads : 1,
                                 .max_instructions = way->most};
    uint64_t address = APART_BASE;
    void *owned = NULL;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < WORDS; i++)
        out->words[i] = i < RESULTS ? 0x3F000000u + i * 0x1357u : 0;
    SAME(!wsim_module_load(ptx, strlen(ptx), flags, &module, &diag), "%u: %s", diag.line,
         diag.text);
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL), WSIM_OK);
    if (way->apart)
        owned = apart_buffer(device, "data", address, sizeof out->words);
    else
        ck_assert_int_eq(wsim_device_alloc(device, "data", sizeof out->words, 0, &address, NULL),
                         WSIM_OK);
    wsim_device_write(device, address, out->words,
                      way->checks && !way->whole ? RESULTS * 4 : sizeof out->words, NULL);
    launch.params = &address;
    launch.param_bytes = 8;
    fill_stack(way->stack);
    out->status = wsim_launch_run(device, module, &launch, &report, &diag);
    if (report)
        take(out, report);
    wsim_device_read(device, address, out->words, sizeof out->words, NULL);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
    free(owned);
}

static void compare_with(const char *ptx, const struct way *way, const struct outcome *loop,
                         uint32_t flags) {
    static struct outcome other;
    run(ptx, way, flags, &other);
    SAME(other.status == loop->status, "status %d, not %d", loop->status, other.status);
    for (uint32_t i = 0; i < WORDS; i++)
        SAME(other.words[i] == loop->words[i], "word %u is %x, not %x", i, loop->words[i],
             other.words[i]);
    SAME(other.lines == loop->lines, "counts of lines differ");
    if (flags & WSIM_MODULE_PLAIN) {
        /* Checks hear some accesses of fast steps once a warp, and name other lanes. */
        other.totals.findings = loop->totals.findings;
        other.totals.notes = loop->totals.notes;
    }
    SAME((way->checks && flags & WSIM_MODULE_PLAIN) || !strcmp(other.findings, loop->findings),
         "findings\n%.1500s\nnot\n%.1500s", loop->findings, other.findings);
    SAME(flags & WSIM_MODULE_PLAIN || other.how_often == loop->how_often,
         "counts of findings differ");
    SAME(!memcmp(&other.totals, &loop->totals, sizeof other.totals),
         "totals differ: %llu instructions, not %llu",
         (unsigned long long)loop->totals.instructions,
         (unsigned long long)other.totals.instructions);
}

static void compare(const char *ptx, const struct way *way) {
    static struct outcome loop;
    run(ptx, way, 0, &loop);
    compare_with(ptx, way, &loop, WSIM_MODULE_ONE_BY_ONE);
    compare_with(ptx, way, &loop, WSIM_MODULE_PLAIN);
}

/* --- programs --- */

/* %d0 is the buffer. Pointers are %d1 to %d5; %d6 to %d9 are distances. Shared addresses are %r4 to
 * %r7. Other numbers are %r8 to %r15, floats %f0 to %f7, the counter %r16, its end %r17. */
static void begin(struct text *text) {
    text->n = 0;
    put(text, ".version 8.7\n.target sm_90a\n.address_size 64\n"
              ".visible .entry k(.param .u64 data)\n{\n"
              ".reg .b32 %%r<32>;\n.reg .b64 %%d<16>;\n.reg .f32 %%f<8>;\n.reg .pred %%p<8>;\n"
              ".shared .align 16 .b8 box[4096];\n"
              "ld.param.u64 %%d0, [data];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%tid.y;\n"
              "mov.u32 %%r2, %%ntid.x;\nmad.lo.u32 %%r3, %%r1, %%r2, %%r0;\n"
              "mov.u32 %%r16, %%ntid.y;\nmul.lo.u32 %%r2, %%r2, %%r16;\nmov.u32 %%r16, %%ctaid.x;\n"
              "mad.lo.u32 %%r2, %%r16, %%r2, %%r3;\nmov.u32 %%r16, 0;\n"
              "mov.u32 %%r18, box;\nshl.b32 %%r19, %%r3, 2;\nadd.u32 %%r18, %%r18, %%r19;\n"
              "st.shared.u32 [%%r18], %%r2;\nst.shared.u32 [%%r18+2048], %%r2;\nbar.sync 0;\n");
}

/* All registers become one word of each thread. */
static void end(struct text *text) {
    put(text, "mov.u32 %%r20, 17;\n");
    for (unsigned i = 4; i < 17; i++)
        put(text, "mad.lo.u32 %%r20, %%r20, 31, %%r%u;\n", i);
    for (unsigned i = 0; i < 8; i++)
        put(text, "mov.b32 %%r21, %%f%u;\nmad.lo.u32 %%r20, %%r20, 31, %%r21;\n", i);
    for (unsigned i = 1; i < 10; i++)
        put(text,
            "sub.u64 %%d10, %%d%u, %s;\ncvt.u32.u64 %%r21, %%d10;\n"
            "mad.lo.u32 %%r20, %%r20, 31, %%r21;\n",
            i, i < 6 ? "%d0" : "0");
    put(text,
        "and.b32 %%r21, %%r2, 1023;\nmul.wide.u32 %%d10, %%r21, 4;\nadd.u64 %%d10, %%d10, %%d0;\n"
        "st.global.u32 [%%d10+4096], %%r20;\nret;\n}\n");
}

static uint32_t pick(uint64_t *state, uint32_t n) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return (uint32_t)(*state * UINT64_C(0x2545F4914F6CDD1D) >> 32) % n;
}

/* A distance from thread to thread along x and y, in %r19. */
static void draw_offset(struct text *text, uint64_t *state) {
    static const unsigned x[] = {4, 4, 4, 0, 0, 8, 12}, y[] = {0, 64, 128, 32, 64, 4, 256};
    put(text, "mul.lo.u32 %%r19, %%r0, %u;\nmad.lo.u32 %%r19, %%r1, %u, %%r19;\n",
        x[pick(state, 7)], y[pick(state, 7)]);
    if (pick(state, 12) == 0)
        put(text, "xor.b32 %%r19, %%r19, 4;\n");
    put(text, "add.u32 %%r19, %%r19, %u;\n", pick(state, 200) * 4 + (pick(state, 60) ? 0 : 2));
}

static void draw_registers(struct text *text, uint64_t *state) {
    for (unsigned i = 1; i < 6; i++) {
        draw_offset(text, state);
        put(text, "cvt.u64.u32 %%d%u, %%r19;\nadd.u64 %%d%u, %%d%u, %%d0;\n", i, i, i);
    }
    for (unsigned i = 6; i < 10; i++)
        if (pick(state, 8))
            put(text, "mov.u64 %%d%u, %d;\n", i, (int)(4 * pick(state, 17)) - 16);
        else
            put(text, "mul.wide.u32 %%d%u, %%r0, 4;\n", i);
    for (unsigned i = 4; i < 8; i++) {
        draw_offset(text, state);
        put(text, "mov.u32 %%r%u, box;\nadd.u32 %%r%u, %%r%u, %%r19;\n", i, i, i);
    }
    for (unsigned i = 8; i < 16; i++)
        switch (pick(state, 4)) {
        case 0: put(text, "mul.lo.u32 %%r%u, %%r2, %u;\n", i, pick(state, 9)); break;
        case 1: put(text, "mul.lo.u32 %%r%u, %%r3, 0x9E3779B1;\n", i); break;
        case 2: put(text, "sub.u32 %%r%u, %%r0, 2147483640;\n", i); break;
        default: put(text, "mov.u32 %%r%u, %u;\n", i, pick(state, 100)); break;
        }
    for (unsigned i = 0; i < 8; i++)
        put(text, "cvt.rn.f32.u32 %%f%u, %%r%u;\n", i, 8 + i);
    for (unsigned i = 0; i < 4; i++)
        put(text, "setp.lt.u32 %%p%u, %%r%u, %u;\n", 1 + i, pick(state, 2) ? 3 : 9,
            pick(state, 2) ? 1000 : pick(state, 40));
}

static void draw_access(struct text *text, uint64_t *state) {
    const unsigned d = 1 + pick(state, 5), r = 4 + pick(state, 4), offset = 4 * pick(state, 5);
    const unsigned f = pick(state, 8), to = 8 + pick(state, 8);
    switch (pick(state, 12)) {
    case 0:
    case 1:
    case 2: put(text, "ld.global.f32 %%f%u, [%%d%u+%u];\n", f, d, offset); break;
    case 3: put(text, "ld.global.u32 %%r%u, [%%d%u+%u];\n", to, d, offset); break;
    case 4: put(text, "ld.shared.f32 %%f%u, [%%r%u+%u];\n", f, r, offset); break;
    case 5: put(text, "ld.shared.u32 %%r%u, [%%r%u+%u];\n", to, r, offset); break;
    case 6: put(text, "st.global.f32 [%%d%u+%u], %%f%u;\n", d, offset, f); break;
    case 7: put(text, "st.global.u32 [%%d%u+%u], %%r%u;\n", d, offset, to); break;
    case 8: put(text, "st.shared.f32 [%%r%u+%u], %%f%u;\n", r, offset, f); break;
    case 9:
        put(text, "st.shared.u32 [%%r%u+%u], %%r%u;\n", r, offset, pick(state, 3) ? to : r);
        break;
    case 10: put(text, "ld.global.v2.f32 {%%f%u, %%f%u}, [%%d%u];\n", f & 6, f | 1, d); break;
    default: put(text, "ld.global.u16 %%r%u, [%%d%u+%u];\n", to, d, offset + 2 * (f & 1)); break;
    }
}

static void draw_number(struct text *text, uint64_t *state) {
    static const char *const names[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32",
                                        "xor.b32", "min.s32", "max.u32",    "shr.u32"};
    const unsigned a = 8 + pick(state, 8), b = 8 + pick(state, 8), c = 8 + pick(state, 8);
    const unsigned d = 6 + pick(state, 4), p = 1 + pick(state, 4);
    switch (pick(state, 14)) {
    case 0:
    case 1: put(text, "add.s32 %%r%u, %%r%u, %u;\n", a, b, pick(state, 50)); break;
    case 2: put(text, "%s %%r%u, %%r%u, %%r%u;\n", names[pick(state, 8)], a, b, c); break;
    case 3: put(text, "mad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", a, b, c, a); break;
    case 4: put(text, "shl.b32 %%r%u, %%r%u, %u;\n", a, b, pick(state, 5)); break;
    case 5: put(text, "mov.u32 %%r%u, %%r%u;\n", a, b); break;
    case 6:
        put(text, "setp.%s.%s %%p%u, %%r%u, %%r%u;\n", pick(state, 2) ? "lt" : "ne",
            pick(state, 2) ? "u32" : "s32", p, a, b);
        break;
    case 7: put(text, "selp.u32 %%r%u, %%r%u, %%r%u, %%p%u;\n", a, b, c, p); break;
    case 8:
        put(text, "mul.wide.%s %%d%u, %%r%u, %%r%u;\n", pick(state, 2) ? "u32" : "s32", d, b, c);
        break;
    case 9:
        put(text, "cvt.%s %%d%u, %%r%u;\n", pick(state, 2) ? "s64.s32" : "u64.u32", d, b);
        break;
    case 10: put(text, "add.s32 %%r%u, %%r%u, -1;\n", a, a); break;
    case 11: put(text, "cvt.u32.u64 %%r%u, %%d%u;\n", a, d); break;
    case 12:
        put(text, "mad.wide.s32 %%d%u, %%r%u, %%r%u, %%d%u;\n", d, b, c, 6 + pick(state, 4));
        break;
    default: put(text, "sub.s64 %%d%u, %%d%u, %%d%u;\n", d, d, 6 + pick(state, 4)); break;
    }
}

static void draw_body(struct text *text, uint64_t *state) {
    const unsigned n = 3 + pick(state, 14);
    for (unsigned i = 0; i < n; i++) {
        const unsigned what = pick(state, 16), d = 1 + pick(state, 5);
        if (what < 13 && pick(state, 12) == 0)
            put(text, "@%s%%p%u ", pick(state, 2) ? "!" : "", 1 + pick(state, 4));
        if (what < 3)
            put(text, "add.s64 %%d%u, %%d%u, %d;\n", d, pick(state, 3) ? d : 1 + pick(state, 5),
                (int)(4 * pick(state, 12)) - 12);
        else if (what < 4)
            put(text, "add.s64 %%d%u, %%d%u, %%d%u;\n", d, d, 6 + pick(state, 4));
        else if (what < 5)
            put(text, "add.u32 %%r%u, %%r%u, %u;\n", 4 + pick(state, 4), 4 + pick(state, 4),
                4 * pick(state, 6));
        else if (what < 9)
            draw_access(text, state);
        else if (what < 13)
            draw_number(text, state);
        else if (what < 14)
            put(text, "fma.rn.f32 %%f%u, %%f%u, %%f%u, %%f%u;\n", pick(state, 8), pick(state, 8),
                pick(state, 8), pick(state, 8));
        else
            put(text,
                "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d%u];\nld.global.f32 %%b, "
                "[%%d%u+%u];\nfma.rn.f32 %%f%u, %%%c, %%%c, %%f%u; }\n",
                d, 1 + pick(state, 5), 4 * pick(state, 3), pick(state, 8), what & 1 ? 'a' : 'b',
                what & 1 ? 'b' : 'a', pick(state, 8));
    }
}

static void draw_program(struct text *text, uint64_t *state) {
    begin(text);
    draw_registers(text, state);
    if (pick(state, 4))
        put(text, "mov.u32 %%r17, %u;\n", 2 + pick(state, 60));
    else
        put(text, "and.b32 %%r17, %%r3, %u;\nadd.u32 %%r17, %%r17, %u;\n", pick(state, 2) ? 3 : 32,
            5 + pick(state, 9));
    put(text, "$loop:\n");
    draw_body(text, state);
    put(text, "add.u32 %%r16, %%r16, 1;\nsetp.lt.u32 %%p7, %%r16, %%r17;\n");
    if (pick(state, 6) == 0)
        draw_body(text, state);
    put(text, "@%%p7 bra $loop;\n");
    end(text);
}

static const uint32_t shapes[][2] = {{32, 1}, {64, 1}, {16, 4}, {8, 8},  {4, 16},
                                     {48, 1}, {32, 2}, {20, 3}, {1, 32}, {16, 16}};

START_TEST(random_loops) {
    static struct text text;
    const char *asked = getenv("WSIM_LOOPS");
    const int n = asked ? atoi(asked) : 40;
    for (int i = _i * n; i < (_i + 1) * n; i++) {
        uint64_t state = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(i + 1);
        const uint32_t *shape = shapes[pick(&state, sizeof shapes / sizeof shapes[0])];
        struct way way = {.grid = 1 + pick(&state, 2),
                          .block = {shape[0], shape[1]},
                          .checks = i % 2 ? WSIM_CHECK_ALL : 0,
                          .count = i % 5 == 0,
                          .seed = i % 3 ? 0 : (uint64_t)i,
                          .apart = i % 4 / 2,
                          .most = i % 7 == 0 ? 100 + pick(&state, 900) : 1000000};
        draw_program(&text, &state);
        compare(text.s, &way);
    }
}
END_TEST

/* A loop longer than a slice, and than the jumps after which a group gives way. */
START_TEST(slices) {
    static struct text text;
    uint64_t state = 7;
    const struct way way = {.grid = 2, .block = {64, 1}, .seed = (uint64_t)_i, .most = 100000000};
    begin(&text);
    draw_registers(&text, &state);
    put(&text, "mov.u64 %%d1, %%d0;\nmov.u32 %%r4, %%r18;\n$loop:\n"
               "ld.global.u32 %%r8, [%%d1];\nadd.u32 %%r9, %%r9, %%r8;\n");
    if (_i)
        put(&text, "st.shared.u32 [%%r4], %%r16;\n");
    put(&text, "add.u32 %%r16, %%r16, 1;\nsetp.ne.u32 %%p1, %%r16, 90000;\n@%%p1 bra $loop;\n");
    end(&text);
    compare(text.s, &way);
}
END_TEST

/* Factors that are one number, and what they meet: signs, NaNs, subnormals. */
START_TEST(factors) {
    static const uint32_t numbers[] = {0x7F800000, 0xFF800000, 0x7FC00001, 0x80000000, 0,
                                       0x00000001, 0x3F800000, 0xC0490FDB, 0x7F7FFFFF, 0xFFFFFFFF};
    const unsigned n = sizeof numbers / sizeof numbers[0];
    static struct text text;
    uint64_t state = 7;
    const struct way way = {.grid = 1, .block = {_i & 1 ? 16 : 32, _i & 1 ? 2 : 1}, .most = 100000};
    begin(&text);
    draw_registers(&text, &state);
    put(&text, "mul.wide.u32 %%d2, %%r0, 4;\nadd.u64 %%d2, %%d2, %%d0;\nmov.u64 %%d1, %%d0;\n");
    for (unsigned i = 0; i < 64; i++)
        put(&text, "st.global.u32 [%%d0+%u], 0x%08x;\n", 4 * i, numbers[(_i * i + i * i / 3) % n]);
    for (unsigned i = 0; i < 8; i++)
        put(&text, "mov.b32 %%f%u, 0x%08x;\n", i, numbers[(i + (unsigned)_i) % n]);
    put(&text, "$loop:\nld.global.f32 %%f0, [%%d1];\nld.global.f32 %%f1, [%%d2];\n"
               "fma.rn.f32 %%f2, %%f0, %%f1, %%f2;\nfma.rn.f32 %%f7, %%f0, %%f0, %%f1;\n"
               "mov.b32 %%r9, %%f7;\nmad.lo.u32 %%r10, %%r10, 3, %%r9;\n"
               "ld.global.f32 %%f4, [%%d1+4];\nfma.rn.f32 %%f3, %%f2, %%f4, %%f1;\n"
               "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d2+4];\n"
               "ld.global.f32 %%b, [%%d1+8];\nfma.rn.f32 %%f5, %%b, %%a, %%f5; }\n"
               "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d1+12];\n"
               "ld.global.f32 %%b, [%%d2+8];\nfma.rn.f32 %%f6, %%b, %%a, %%f7; }\n"
               "st.global.f32 [%%d2+2048], %%f5;\nadd.u64 %%d1, %%d1, 4;\n"
               "add.u32 %%r16, %%r16, 1;\nsetp.lt.u32 %%p1, %%r16, 30;\n@%%p1 bra $loop;\n");
    end(&text);
    compare(text.s, &way);
}
END_TEST

/* Blocks that only read a buffer, which listeners hear later (watch/reads.h), and one block that
 * writes into it: first, in between, last, or none. */
START_TEST(readers) {
    static const char *const bodies[] = {
        "ld.global.f32 %%f1, [%%d2];\nld.global.u32 %%r8, [%%d1+4];\nadd.u64 %%d1, %%d1, 4;\n"
        "add.u64 %%d2, %%d2, 48;\n",
        "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d2];\nld.global.f32 %%b, [%%d1];\n"
        "fma.rn.f32 %%f5, %%b, %%a, %%f5; }\nadd.u64 %%d1, %%d1, 8;\nadd.u64 %%d2, %%d2, 4;\n",
        "add.u64 %%d3, %%d1, 2048;\nsub.u64 %%d1, %%d1, 4;\nld.global.u32 %%r8, [%%d3];\n"
        "ld.global.u32 %%r9, [%%d2+60];\n@%%p2 ld.global.u32 %%r10, [%%d2];\n",
        "ld.global.u32 %%r8, [%%d2];\nshr.u32 %%r9, %%r16, 3;\nmul.wide.u32 %%d6, %%r9, 8;\n"
        "add.u64 %%d2, %%d2, %%d6;\nld.global.u64 %%d7, [%%d1+16];\nadd.u64 %%d1, %%d1, 8;\n",
        /* no byte twice */
        "ld.global.u32 %%r8, [%%d1];\nld.global.u32 %%r9, [%%d1+8];\nadd.u64 %%d1, %%d1, 16;\n"
        "ld.global.u32 %%r10, [%%d2];\nld.global.u32 %%r11, [%%d1+3200];\nadd.u64 %%d2, %%d2, "
        "128;\n",
        /* a byte of two loads, in two rounds */
        "ld.global.u32 %%r8, [%%d1];\nld.global.u32 %%r9, [%%d1+12];\nadd.u64 %%d1, %%d1, 4;\n"
        "ld.global.u32 %%r10, [%%d1+640];\n"};
    static const uint32_t writers[] = {0, 25, 59, 1000};
    static struct text text;
    static struct outcome loop;
    uint64_t state = 7;
    const unsigned n = COUNT(bodies), shape = (unsigned)_i / n % 3;
    const uint32_t writer = writers[(unsigned)_i / n / 3];
    struct way way = {.grid = 60,
                      .block = {shape ? 16 : 32, shape ? 4 : 2},
                      .checks = WSIM_CHECK_ALL,
                      .whole = shape == 1,
                      .seed = shape == 2 ? 9 : 0,
                      .most = 10000000};
    if (run_skips(_i))
        return;
    begin(&text);
    draw_registers(&text, &state);
    put(&text,
        "mov.u32 %%r20, %%ctaid.x;\nand.b32 %%r21, %%r20, 15;\nmul.wide.u32 %%d9, %%r21, 8;\n"
        "mul.wide.u32 %%d2, %%r0, 4;\nadd.u64 %%d2, %%d2, %%d0;\nadd.u64 %%d2, %%d2, %%d9;\n"
        "mul.wide.u32 %%d1, %%r1, 128;\nadd.u64 %%d1, %%d1, %%d0;\nadd.u64 %%d1, %%d1, %%d9;\n"
        "setp.eq.u32 %%p3, %%r20, %u;\nsetp.ne.u32 %%p2, %%r0, 5;\n$loop:\n",
        writer);
    put(&text, bodies[(unsigned)_i % n]);
    put(&text, "add.u32 %%r16, %%r16, 1;\nsetp.lt.u32 %%p1, %%r16, 40;\n@%%p1 bra $loop;\n"
               "@%%p3 st.global.u32 [%%d2], %%r16;\n@%%p3 st.global.u32 [%%d1+640], %%r16;\n"
               "ret;\n}\n");
    run(text.s, &way, 0, &loop);
    compare_with(text.s, &way, &loop, WSIM_MODULE_ONE_BY_ONE);
    if (_i % 12 == 0)
        compare_with(text.s, &way, &loop, WSIM_MODULE_PLAIN);
    way.threads = 2;
    run(text.s, &way, 0, &loop);
    ck_assert_int_eq(strstr(loop.findings, "race.global") != NULL, writer < way.grid);
}
END_TEST

/* Accesses that leave their window or their alignment in the middle of a loop, and stores of a
 * counter. */
START_TEST(edges) {
    static const char *const bodies[] = {
        "ld.global.u32 %%r8, [%%d2];\nadd.u64 %%d2, %%d2, 132;\n",
        "st.global.u32 [%%d2], %%r16;\nadd.u64 %%d2, %%d2, 132;\n",
        "ld.global.f32 %%f1, [%%d1];\nadd.u64 %%d1, %%d1, 204;\n",
        "ld.shared.u32 %%r8, [%%r18];\nadd.u32 %%r18, %%r18, 100;\n",
        "st.shared.u32 [%%r18], %%r16;\nld.shared.u32 %%r8, [%%r18];\nadd.u32 %%r18, %%r18, 12;\n",
        "shr.u32 %%r9, %%r16, 5;\nmul.wide.u32 %%d6, %%r9, 2;\nadd.u64 %%d2, %%d2, %%d6;\n"
        "ld.global.u32 %%r8, [%%d2];\n",
        "ld.global.u32 %%r8, [%%d2];\nadd.u64 %%d2, %%d2, -68;\n",
        "st.global.u32 [%%d2+4096], %%r16;\nst.global.u32 [%%d2], %%r16;\n"
        "ld.global.u32 %%r8, [%%d1];\nadd.u64 %%d1, %%d1, 4;\n"};
    static struct text text;
    uint64_t state = 7;
    const int shape = _i / COUNT(bodies);
    const struct way way = {.grid = 1,
                            .block = {shape ? 16 : 32, shape ? 2 : 1},
                            .checks = shape == 2 ? WSIM_CHECK_ALL : 0,
                            .apart = (_i ^ shape) & 1,
                            .most = 100000};
    begin(&text);
    draw_registers(&text, &state);
    put(&text, "mov.u64 %%d1, %%d0;\nmul.wide.u32 %%d2, %%r3, 4;\nadd.u64 %%d2, %%d2, %%d0;\n"
               "$loop:\n");
    put(&text, bodies[_i % COUNT(bodies)]);
    put(&text, "add.u32 %%r4, %%r4, %%r8;\nadd.u32 %%r16, %%r16, 1;\n"
               "setp.lt.u32 %%p1, %%r16, 70;\n@%%p1 bra $loop;\n");
    end(&text);
    compare(text.s, &way);
}
END_TEST

/* Rounds that go on in constant steps: ends by each comparison, and what moves otherwise. */
START_TEST(batches) {
    static const char *const ends[] = {
        /* %r16 counts from 0 by 1; %r8, %r9, %d6 are 0 */
        "add.s32 %%r8, %%r8, -7;\nsetp.gt.s32 %%p1, %%r8, -300;\n",
        "add.s32 %%r8, %%r8, -7;\nsetp.ge.s32 %%p1, %%r8, -301;\n",
        "add.u32 %%r8, %%r8, 3;\nsetp.le.u32 %%p1, %%r8, 120;\n",
        "add.u32 %%r8, %%r8, -3;\nsetp.ne.u32 %%p1, %%r8, -120;\n",
        "add.u32 %%r8, %%r8, 5;\nadd.u32 %%r9, %%r9, -1;\nadd.u32 %%r10, %%r9, 200;\n"
        "setp.lt.s32 %%p1, %%r8, %%r10;\n",
        "add.u32 %%r8, %%r8, 0x0C000000;\nsetp.le.u32 %%p1, %%r8, 0xF0000000;\n",
        "add.u32 %%r8, %%r8, 0x04000000;\nsetp.ge.s32 %%p1, %%r8, 0;\n",
        "add.u32 %%r8, %%r8, 0x31000000;\nsetp.ne.u32 %%p1, %%r8, 0x2C000000;\n",
        "add.u64 %%d6, %%d6, 3;\nsetp.lt.u64 %%p1, %%d6, 122;\n",
        "add.u64 %%d6, %%d6, -3;\nsetp.ne.s64 %%p1, %%d6, -99;\n",
        "setp.lt.u32 %%p1|%%p2, %%r16, 40;\n@%%p2 add.u32 %%r9, %%r9, 1;\n",
        "setp.eq.u32 %%p2, %%r16, 30;\n@%%p2 mov.u32 %%r9, 5;\n@!%%p2 add.u32 %%r9, %%r9, 3;\n"
        "setp.lt.u32 %%p1, %%r16, 44;\n",
        "setp.lt.u32 %%p2, %%r16, 44;\nsetp.lt.and.u32 %%p1, %%r16, 50, %%p2;\n",
        "and.b32 %%r11, %%r16, 64;\nsetp.eq.u32 %%p1, %%r11, 0;\n",
        /* lanes differ, and leave one after the other */
        "add.u32 %%r10, %%r16, %%r3;\nsetp.lt.u32 %%p1, %%r10, 70;\n",
        "sub.s32 %%r10, %%r3, %%r16;\nsetp.gt.s32 %%p1, %%r10, -44;\n",
        "mad.lo.s32 %%r10, %%r3, 3, %%r16;\nadd.s32 %%r11, %%r3, %%r3;\nadd.s32 %%r11, %%r11, 44;\n"
        "setp.le.s32 %%p1, %%r10, %%r11;\n",
        "add.u32 %%r10, %%r16, %%r3;\nsetp.ne.u32 %%p1, %%r10, 81;\n",
        "sub.u32 %%r10, 90, %%r16;\nadd.u32 %%r10, %%r10, %%r3;\nsetp.eq.u32 %%p2, %%r10, 81;\n"
        "@%%p2 add.u32 %%r9, %%r9, 1;\nsetp.lt.u32 %%p1, %%r16, 60;\n",
        "add.u32 %%r10, %%r3, 0xFFFFFFD0;\nadd.u32 %%r10, %%r10, %%r16;\n"
        "setp.ge.u32 %%p2, %%r10, 0xFFFFFFF8;\n@%%p2 add.u32 %%r9, %%r9, 1;\n"
        "setp.lt.u32 %%p1, %%r16, 60;\n",
        "sub.s32 %%r10, %%r16, %%r3;\nadd.s32 %%r10, %%r10, 0x7FFFFFE0;\n"
        "setp.lt.s32 %%p2, %%r10, 0;\n@%%p2 add.u32 %%r9, %%r9, 1;\n"
        "setp.lt.u32 %%p1, %%r16, 60;\n",
        "ld.global.u32 %%r11, [%%d1];\nsetp.ne.u32 %%p1, %%r11, %%r17;\n"};
    static const char *const bodies[] = {
        "add.u64 %%d1, %%d1, 4;\nld.global.f32 %%f1, [%%d1];\nadd.f32 %%f2, %%f2, %%f1;\n",
        "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d1];\nld.global.f32 %%b, [%%d2];\n"
        "fma.rn.f32 %%f1, %%a, %%b, %%f1; }\nadd.u64 %%d1, %%d1, 4;\nadd.u64 %%d2, %%d2, 32;\n",
        "{ .reg .f32 %%a, %%b, %%c, %%d, %%s, %%t;\nld.global.f32 %%a, [%%d1];\n"
        "ld.global.f32 %%b, [%%d2];\nfma.rn.f32 %%s, %%a, %%b, %%f1;\nadd.u64 %%d3, %%d2, 64;\n"
        "ld.global.f32 %%c, [%%d3];\nld.global.f32 %%d, [%%d1+4];\n"
        "fma.rn.f32 %%t, %%d, %%c, %%s;\nld.global.f32 %%a, [%%d2+16];\n"
        "ld.global.f32 %%b, [%%d1+8];\nfma.rn.f32 %%f1, %%a, %%b, %%t; }\n"
        "add.u64 %%d1, %%d1, 12;\nadd.u64 %%d2, %%d3, -60;\n",
        "{ .reg .f32 %%a, %%b, %%c, %%d;\nld.global.f32 %%a, [%%d1];\n"
        "ld.global.f32 %%b, [%%d2];\nfma.rn.f32 %%f2, %%a, %%b, %%f1;\n"
        "ld.global.f32 %%c, [%%d2+8];\nld.global.f32 %%d, [%%d1+4];\n"
        "fma.rn.f32 %%f3, %%d, %%c, %%f2;\nfma.rn.f32 %%f1, %%f2, %%f2, %%f3; }\n"
        "add.u64 %%d1, %%d1, 4;\n",
        "{ .reg .f32 %%a, %%b;\nld.global.f32 %%a, [%%d2+4];\nld.global.f32 %%b, [%%d2];\n"
        "fma.rn.f32 %%f1, %%a, %%b, %%f1; }\nadd.u64 %%d2, %%d2, 8;\n",
        "mul.wide.s32 %%d3, %%r16, 4;\nadd.u64 %%d3, %%d3, %%d2;\nld.global.u32 %%r11, [%%d3];\n"
        "mad.lo.s32 %%r12, %%r16, %%r16, %%r12;\nshl.b32 %%r13, %%r16, 3;\n"
        "cvt.rn.f32.s32 %%f4, %%r13;\nadd.u32 %%r12, %%r12, %%r11;\n",
        "cvt.u64.u32 %%d8, %%r14;\ncvt.s64.s32 %%d9, %%r14;\nxor.b64 %%d7, %%d8, %%d9;\n"
        "add.u32 %%r14, %%r14, 0x0FFFFFFF;\n",
        "st.global.u64 [%%d4+4096], %%d7;\nld.global.u64 %%d9, [%%d4];\n"
        "add.u64 %%d4, %%d4, 8;\nadd.u64 %%d7, %%d7, 24;\n",
        "st.shared.f32 [%%r18], %%f1;\nld.shared.f32 %%f2, [%%r18+4];\nadd.f32 %%f1, %%f1, %%f2;\n"
        "st.shared.u32 [%%r18+1024], %%r16;\nadd.u32 %%r18, %%r18, 4;\n",
        "mov.u32 %%r13, %%r12;\nmov.u32 %%r12, %%r16;\nmul.lo.u32 %%r11, %%r13, %%r3;\n"
        "ld.global.u32 %%r14, [%%d2];\nadd.u64 %%d2, %%d2, 4;\n",
        "mul.lo.u32 %%r11, %%r16, %%r3;\nmul.wide.u32 %%d3, %%r11, 4;\nadd.u64 %%d3, %%d3, %%d0;\n"
        "@%%p3 ld.global.u32 %%r14, [%%d3];\nmin.u32 %%r13, %%r16, 20;\n",
        /* a step that differs from lane to lane */
        "ld.global.u32 %%r12, [%%d1];\nadd.u64 %%d1, %%d1, %%d8;\nadd.u32 %%r13, %%r13, %%r12;\n"};
    static struct text text;
    uint64_t state = 11;
    const unsigned body = (unsigned)_i % COUNT(bodies), shape = (unsigned)_i / COUNT(bodies);
    for (unsigned end_by = (body + shape) % 4; end_by < COUNT(ends); end_by += 4) {
        if (run_skips(_i + (int)end_by))
            continue;
        const struct way way = {.grid = 1 + shape % 2,
                                .block = {shape & 1 ? 16 : 32, shape & 1 ? 4 : 1},
                                .checks = shape & 2 ? WSIM_CHECK_ALL : 0,
                                .whole = 1,
                                .apart = end_by / 4 % 2,
                                .most = 100000};
        begin(&text);
        draw_registers(&text, &state);
        put(&text,
            "mov.u64 %%d1, %%d0;\nmul.wide.u32 %%d2, %%r3, 4;\nadd.u64 %%d2, %%d2, %%d0;\n"
            "mul.wide.u32 %%d4, %%r3, 8;\nadd.u64 %%d4, %%d4, %%d0;\nmul.wide.u32 %%d8, %%r0, 4;\n"
            "mov.u32 %%r8, 0;\nmov.u32 %%r9, 0;\nmov.u64 %%d6, 0;\nmov.u32 %%r14, %%r3;\n"
            "mov.u32 %%r17, %u;\nsetp.lt.u32 %%p3, %%r3, 33;\n$loop:\n",
            0x3F000000u + 50 * 0x1357u);
        put(&text, bodies[body]);
        put(&text, "add.u32 %%r16, %%r16, 1;\n");
        put(&text, ends[end_by]);
        put(&text, "@%%p1 bra $loop;\n");
        end(&text);
        compare(text.s, &way);
    }
}
END_TEST

/* A batch of such rounds has no act. */
START_TEST(only_sums) {
    static struct text text;
    uint64_t state = 11;
    const struct way way = {.grid = 1,
                            .block = {32, 1},
                            .checks = _i & 1 ? WSIM_CHECK_ALL : 0,
                            .whole = 1,
                            .stack = _i & 2 ? 0xFF : 0};
    begin(&text);
    draw_registers(&text, &state);
    put(&text, "mov.u32 %%r16, 300;\n$loop: sub.u32 %%r16, %%r16, 1;\n"
               "setp.ne.u32 %%p1, %%r16, 0;\n@%%p1 bra $loop;\n");
    end(&text);
    compare(text.s, &way);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{random_loops, 0, 4}, {slices, 0, 2}, {factors, 0, 8},
                                       {readers, 0, 72},     {edges, 0, 24}, {batches, 0, 48},
                                       {only_sums, 0, 4}};
    return every_run("unit/run/loops", tests, COUNT(tests));
}
