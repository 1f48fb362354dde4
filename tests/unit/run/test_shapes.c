/* Loads and stores of random shapes: listeners of the fast steps find what those of the plain steps
 * find, with the same words and counts. Warps store and load rows, swizzled rows, columns, groups
 * and single places, of one number or a vector, in part or whole. Some vectors are loaded for a
 * part of their bytes. */
#include "../../every.h"

#include <wsim/kernel.h>

#include <stdarg.h>
#include <stdio.h>

enum { PROGRAMS = 50, BYTES = 8192, TEXT = 1 << 14, TURNS = 2 };

/* --- programs --- */

struct text {
    char at[TEXT];
    size_t n;
};

static void put(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text->n += (size_t)vsnprintf(text->at + text->n, TEXT - text->n, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(text->n, TEXT);
}

static uint64_t state;

static unsigned below(unsigned n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

/* Where lanes access: ((lane ^ flip) & keep) * step + (lane >> shift) * pitch + warp * far + base.
 */
struct place {
    unsigned keep, shift, pitch, step, far, base;
    unsigned type;
    int is_shared;
};

static struct place any_place(unsigned size) {
    static const unsigned shapes[][3] = {
        /* kept bits of the lane, shift, pitch */
        {31, 5, 0}, {31, 5, 0},  {31, 5, 0},  {0, 5, 0},   {15, 4, 128}, {15, 4, 64}, {15, 4, 0},
        {3, 2, 64}, {3, 2, 272}, {7, 3, 132}, {0, 0, 128}, {0, 0, 132},  {0, 1, 16}};
    static const unsigned fars[] = {0, 32, 128, 512}, bases[] = {0, 0, 4, 64, 128, 1024};
    const unsigned *shape = shapes[below(COUNT(shapes))];
    return (struct place){
        .keep = shape[0],
        .shift = shape[1],
        .pitch = shape[2],
        .step = below(8) ? size : 2 * size,
        .far = fars[below(COUNT(fars))] * (below(4) ? 1 : size),
        .base = bases[below(COUNT(bases))] + 512 * below(3),
        .is_shared = (int)below(2),
    };
}

/* Puts the place into %r3, perhaps with other lanes than the last time. */
static void put_place(struct text *text, unsigned size, struct place *place) {
    const unsigned flip = below(3) ? below(32) : 0;
    put(text, "xor.b32 %%r3, %%r1, %u;\nand.b32 %%r3, %%r3, %u;\nmul.lo.u32 %%r3, %%r3, %u;\n",
        flip, place->keep, place->step);
    put(text, "shr.u32 %%r4, %%r1, %u;\nmad.lo.u32 %%r3, %%r4, %u, %%r3;\n", place->shift,
        place->pitch);
    put(text, "mad.lo.u32 %%r3, %%r2, %u, %%r3;\nadd.u32 %%r3, %%r3, %u;\n", place->far,
        place->base);
    put(text, "and.b32 %%r3, %%r3, %u;\n", (BYTES / 2 - 1) & ~(size - 1));
}

/* `small`: numbers of one or two bytes too. */
static void put_access(struct text *text, struct place *place, int small) {
    static const char *const types[] = {"u8",  "s8",     "u16",    "u32",   "u32",
                                        "u64", "v2.u32", "v4.u32", "v2.u64"};
    static const unsigned sizes[] = {1, 1, 2, 4, 4, 8, 8, 16, 16};
    static const char *const registers[] = {
        "%r7",         "%h7", "%r7", "%r7", "%r7", "%rd7", "{%r7, %r8}", "{%r7, %r8, %r9, %r10}",
        "{%rd7, %rd6}"};
    enum { S8 = 1, WORDS = 3, U64 = 5, LONGS = 8 };
    const unsigned any = small ? below(COUNT(types)) : WORDS + below(COUNT(types) - WORDS);
    unsigned type, used;
    const int writes = below(2);
    const char *space;
    int is_shared;
    if (!place->step ||
        below(2)) { /* others have the place of the one before, and often its type */
        *place = any_place(sizes[any]);
        place->type = any;
    }
    type = below(3) ? place->type : any;
    put_place(text, sizes[type], place);
    is_shared = place->is_shared;
    space = is_shared ? "shared" : "global";
    if (is_shared)
        put(text, "add.u32 %%r5, %%r3, %%r11;\n");
    else
        put(text, "cvt.u64.u32 %%rd3, %%r3;\nadd.s64 %%rd5, %%rd3, %%rd0;\n");
    if (writes && below(3)) { /* otherwise the last loaded words */
        put(text, "mad.lo.u32 %%r7, %%r1, %u, %u;\n", below(3) ? 0 : 3, below(2));
        put(text, "mov.u32 %%r8, %%r7;\nmov.u32 %%r9, 5;\nmov.u32 %%r10, %%r1;\n");
        put(text, "cvt.u64.u32 %%rd7, %%r7;\n");
    }
    if (writes && type == S8)
        put(text, "cvt.u16.u32 %%h7, %%r7;\n");
    used = writes || sizes[type] < 8 || type == U64 || type == LONGS || below(2)
               ? 0
               : sizes[type] / 4 - 1;
    if (used)
        put(text, ".pragma \"used_bytes_mask %u\";\n", (1u << 4 * used) - 1);
    if (!below(5))
        put(text, "setp.lt.u32 %%p1, %%r1, %u;\n@%%p1 ", 1 + below(31));
    if (writes)
        put(text, "st.%s.%s [%s], %s;\n", space, types[type], is_shared ? "%r5" : "%rd5",
            registers[type]);
    else
        put(text, "ld.%s.%s %s, [%s];\n", space, types[type], registers[type],
            is_shared ? "%r5" : "%rd5");
    if (!writes && type == S8)
        put(text, "cvt.u32.u16 %%r7, %%h7;\n");
}

static void put_program(struct text *text, int small) {
    static const char *const between[] = {
        "", "", "", "bar.sync 0;\n", "bar.sync 0;\n", "bar.warp.sync -1;\n", "membar.cta;\n"};
    struct place place = {.step = 0};
    text->n = 0;
    put(text,
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 data)\n{\n.reg .pred %%p<4>;\n.reg .b32 %%r<12>;\n.reg .b16 "
        "%%h<8>;\n"
        ".reg .b64 %%rd<8>;\n.shared .align 128 .b8 tile[%d];\n",
        BYTES);
    put(text,
        "ld.param.u64 %%rd0, [data];\nmov.u32 %%r0, %%tid.x;\nand.b32 %%r1, %%r0, 31;\n"
        "shr.u32 %%r2, %%r0, 5;\nmov.u32 %%r6, %d;\nmov.u32 %%r11, tile;\n",
        TURNS);
    put(text, "mov.u32 %%r7, 1;\nmov.u32 %%r8, 2;\nmov.u32 %%r9, 3;\nmov.u32 %%r10, 4;\n"
              "mov.u64 %%rd7, 7;\nmov.u64 %%rd6, 6;\nmov.u16 %%h7, 8;\nagain:\n");
    for (unsigned n = 4 + below(10); n--;) {
        put_access(text, &place, small);
        put(text, "%s", between[below(COUNT(between))]);
    }
    put(text, "sub.u32 %%r6, %%r6, 1;\nsetp.ne.u32 %%p2, %%r6, 0;\n@%%p2 bra again;\nret;\n}\n");
}

/* --- findings --- */

/* Lanes whose bytes are in one word are one access of a row: any of them may stand for it. */
static void say(struct text *out, const struct wsim_finding *finding, int small) {
    put(out, "%s %u/%u %u block %u thread %u count %llu of %u %u %u %u cause %u: %s\n",
        finding->rule, finding->ptx_line, finding->other_ptx_line, finding->severity,
        finding->block[0], small ? finding->thread[0] / 4 : finding->thread[0],
        (unsigned long long)finding->count, finding->addresses, finding->blocks, finding->warps,
        finding->ptx_lines, finding->cause, finding->text);
}

/* The findings of a program, and its memory. */
static void find(const struct text *text, int small, uint32_t flags, uint32_t threads,
                 struct text *out) {
    static uint8_t bytes[BYTES];
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_finding finding;
    struct wsim_diag diag;
    struct wsim_launch how = {
        .grid = {2}, .block = {64}, .checks = WSIM_CHECK_ALL, .threads = threads, .param_bytes = 8};
    uint64_t address, sum = 0;
    memset(bytes, 1, sizeof bytes);
    ck_assert_msg(!wsim_module_load(text->at, text->n, flags, &module, &diag), "%u: %s", diag.line,
                  diag.text);
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag));
    ck_assert(!wsim_device_alloc(device, "data", BYTES, 0, &address, &diag));
    ck_assert(!wsim_device_write(device, address, bytes, BYTES / 4, &diag));
    how.params = &address;
    wsim_launch_run(device, module, &how, &report, &diag);
    ck_assert_msg(report != NULL, "%s", diag.text);
    out->n = 0;
    for (size_t i = 0; wsim_report_finding(report, i, &finding); i++)
        say(out, &finding, small);
    ck_assert(!wsim_device_read(device, address, bytes, BYTES, &diag));
    for (size_t i = 0; i < BYTES; i++)
        sum = sum * 31 + bytes[i];
    put(out, "memory %016llx\n", (unsigned long long)sum);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
}

/* The first line that differs is in the message. */
static void expect_same(const struct text *program, const struct text *plain,
                        const struct text *fast, const char *how) {
    size_t i = 0, line = 0;
    for (; plain->at[i] && plain->at[i] == fast->at[i]; i++)
        line = plain->at[i] == '\n' ? i + 1 : line;
    ck_assert_msg(plain->at[i] == fast->at[i], "%s: plain %.200s\nfast %.200s\n%.3000s", how,
                  plain->at + line, fast->at + line, program->at);
}

START_TEST(fast_listeners_find_what_plain_ones_find) {
    static struct text text, plain, fast;
    unsigned lines = 0;
    state = UINT64_C(0x9E3779B97F4A7C15) + (unsigned)_i;
    for (int i = 0; i < PROGRAMS; i++) {
        const int small = i % 3 == 0;
        put_program(&text, small);
        find(&text, small, WSIM_MODULE_PLAIN, 1, &plain);
        find(&text, small, 0, 1, &fast);
        expect_same(&text, &plain, &fast, "one thread");
        find(&text, small, 0, 2, &fast);
        expect_same(&text, &plain, &fast, "two threads");
        for (const char *at = plain.at; (at = strchr(at, '\n')) != NULL; at++)
            lines++;
    }
    ck_assert_uint_gt(lines, 4 * PROGRAMS); /* one each is that of the memory */
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{fast_listeners_find_what_plain_ones_find, 0, 4}};
    return every_run("shapes", tests, (int)(sizeof tests / sizeof tests[0]));
}
