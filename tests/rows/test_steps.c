/* Steps of the engine against the functions of one lane. Covers every instruction that only
 * computes, loads and stores, on raw bits, under full and partial masks. Results go to a new
 * register or to that of a source. Host rounding modes and flushing change nothing. */
#include "../every.h"

#include <stdarg.h>

#include <fenv.h>
#include <wsim/kernel.h>
#include <wsim/scalar.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

enum { THREADS = 256, WORDS = 6, RESULTS = 2, GROUP = 32 };

static struct wsim_scalar *forms;
static int n_forms;

/* One register a source, and one result or two predicates. */
static int is_simple(const struct wsim_scalar_info *info) {
    for (unsigned i = 0; i < info->operands; i++) {
        const struct wsim_scalar_operand *operand = &info->operand[i];
        if (operand->vector > 1 || operand->bits > 64 || operand->parts || !operand->bits)
            return 0;
    }
    return info->computes && info->ptx && info->operands && info->operand[0].result;
}

static void find_forms(void) {
    struct wsim_scalar op = {0};
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    while (wsim_scalar_next(&op)) {
        struct wsim_scalar_info info;
        struct wsim_diag diag;
        char text[WSIM_SPELLING_MAX];
        if (!wsim_scalar_info(&op, &info) || !is_simple(&info) ||
            wsim_scalar_check(&op, arch, &diag))
            continue;
        /* a condition code needs two instructions */
        wsim_scalar_spell(&op, text, sizeof text);
        if (strstr(text, ".cc") || strncmp(text, "addc", 4) == 0 || strncmp(text, "subc", 4) == 0 ||
            strncmp(text, "madc", 4) == 0)
            continue;
        if (n_forms % 1024 == 0)
            forms = realloc(forms, (size_t)(n_forms + 1024) * sizeof *forms);
        expect(forms != NULL, "out of memory");
        forms[n_forms++] = op;
    }
}

/* --- text --- */

struct text {
    char *at;
    size_t used, size;
};

static void put(struct text *text, const char *format, ...) {
    va_list list;
    if (text->size - text->used < 1024) {
        text->size = 2 * text->size + 4096;
        text->at = realloc(text->at, text->size);
        expect(text->at != NULL, "out of memory");
    }
    va_start(list, format);
    text->used += (size_t)vsnprintf(text->at + text->used, text->size - text->used, format, list);
    va_end(list);
}

static char letter(unsigned bits) {
    return bits == 1 ? 'p' : bits == 16 ? 'h' : bits == 64 ? 'l' : 'r';
}

static void put_source(struct text *text, unsigned bits, unsigned number) {
    switch (bits) {
    case 1: put(text, "setp.lt.s64 %%p%u, %%x%u, 0;\n", number, number); break;
    case 16: put(text, "cvt.u16.u64 %%h%u, %%x%u;\n", number, number); break;
    case 64: put(text, "mov.b64 %%l%u, %%x%u;\n", number, number); break;
    default: put(text, "cvt.u32.u64 %%r%u, %%x%u;\n", number, number); break;
    }
}

static void put_result(struct text *text, unsigned bits, unsigned number, unsigned slot) {
    switch (bits) {
    case 1: put(text, "selp.u64 %%y, 1, 0, %%p%u;\n", number); break;
    case 16: put(text, "cvt.u64.u16 %%y, %%h%u;\n", number); break;
    case 64: put(text, "mov.b64 %%y, %%l%u;\n", number); break;
    default: put(text, "cvt.u64.u32 %%y, %%r%u;\n", number); break;
    }
    put(text, "st.global.u64 [%%out+%u], %%y;\n", slot * THREADS * 8);
}

/* Result number i is register 10 + i, which holds something before; source i is register i.
 * `in_place`: the result is in the register of the first source, if there is one as wide. */
static void put_kernel(struct text *text, const struct wsim_scalar *op, int number, int in_place) {
    struct wsim_scalar_info info;
    char spelling[WSIM_SPELLING_MAX];
    unsigned sources = 0, results = 0, first_bits = 0;
    expect(wsim_scalar_info(op, &info), "a row says something");
    put(text,
        ".visible .entry k%d(.param .u64 pin, .param .u64 pout) {\n.reg .pred %%p<20>, %%on;\n"
        ".reg .b16 %%h<20>;\n.reg .b32 %%r<20>, %%t;\n.reg .b64 %%l<20>, %%x<20>, %%in, %%out, "
        "%%at, %%y;\nld.param.u64 %%in, [pin];\nld.param.u64 %%out, [pout];\nmov.u32 %%t, "
        "%%tid.x;\nmul.wide.u32 %%at, %%t, 8;\nadd.u64 %%in, %%in, %%at;\nadd.u64 %%out, %%out, "
        "%%at;\n",
        number);
    for (unsigned w = 0; w < WORDS; w++)
        put(text, "ld.global.u64 %%x%u, [%%in+%u];\n", w, w * THREADS * 8);
    put(text, "and.b64 %%y, %%x%u, 1;\nsetp.ne.u64 %%on, %%y, 0;\n", WORDS - 1);
    for (unsigned i = 0; i < info.operands; i++) {
        const struct wsim_scalar_operand *operand = &info.operand[i];
        if (operand->result) {
            put(text, "mov.u64 %%x%u, 0x5A5A5A5A5A5A5A5A;\n", 10 + results);
            put_source(text, operand->bits, 10 + results++);
        } else {
            if (!sources)
                first_bits = operand->bits;
            put_source(text, operand->bits, sources++);
        }
    }
    in_place = in_place && sources && first_bits == info.operand[0].bits;
    wsim_scalar_spell(op, spelling, sizeof spelling);
    put(text, "@%%on %s ", spelling);
    sources = results = 0;
    for (unsigned i = 0; i < info.operands; i++) {
        const struct wsim_scalar_operand *operand = &info.operand[i];
        put(text, "%s", !i ? "" : operand->pair ? "|" : ", ");
        if (operand->result)
            put(text, "%%%c%u", letter(operand->bits), in_place && !results ? 0 : 10 + results),
                results++;
        else if (operand->immediate == 2)
            put(text, "%d", (number * 37 + 11) & (operand->bits == 8 ? 0xFF : 7)), sources++;
        else
            put(text, "%%%c%u", letter(operand->bits), sources), sources++;
    }
    put(text, ";\n");
    for (unsigned i = 0, r = 0; i < info.operands; i++)
        if (info.operand[i].result) {
            put_result(text, info.operand[i].bits, in_place && !r ? 0 : 10 + r, r);
            r++;
        }
    put(text, "ret;\n}\n");
}

/* --- operands --- */

static uint64_t state;
static uint64_t next(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

/* Raw bits, numbers near one, subnormals, limits, small integers, counts of bits, whole f64. */
static uint64_t draw(void) {
    static const uint64_t words[] = {
        0,          1,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001,
        0x00800000, 0x80800000, 0x007FFFFF, 0x00000001, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
        0xFFFFFFFF, 31,         32,         33,         63,         64,         0x7C00,
        0xFC00,     0x7E00,     0x0400,     0x03FF,     0x3C00,     0x8000,     0x7FFF,
        0x38800000, 0x387FFFFF, 0x33000000, 0x33000001, 0x477FEFFF, 0x477FF000, 0x47800000,
        0x42FE0000, 0xC2FC0000};
    uint64_t bits = next();
    switch (next() % 9) {
    case 0: return words[bits % COUNT(words)];
    case 1: return words[bits % COUNT(words)] << 32 | (uint32_t)next();
    case 2: return bits & 0x807FFFFF807FFFFF;
    case 3: return (bits & 0x80FFFFFF80FFFFFF) | 0x3F0000003F000000;
    case 4: return (bits & 0x87FFFFFF83FFFFFF) | 0x3800000000800000;
    case 5: return bits % 70;
    case 6: /* f64 near whole numbers, their halves, and the ends of integers */
        return (bits & 0x800FFFFFFFFFFFFF & ~UINT64_C(0) << next() % 53) | (1020 + next() % 72)
                                                                               << 52;
    default: return bits;
    }
}

/* Warp 0 is whole, warp 1 has one lane, of warp 2 all but one, of others some. */
static void fill(uint64_t in[WORDS][THREADS]) {
    for (unsigned w = 0; w < WORDS; w++)
        for (unsigned t = 0; t < THREADS; t++)
            in[w][t] = draw();
    for (unsigned t = 0; t < 96; t++)
        in[WORDS - 1][t] =
            (in[WORDS - 1][t] & ~UINT64_C(1)) | (t < 32 || (t < 64 ? t == 45 : t != 77));
    /* products that are rounded up to the least normal number, and down from just above it */
    for (unsigned t = 8; t < 16; t++) {
        in[0][t] = 0x00800000 | (uint64_t)(t & 1) << 31;
        in[1][t] = 0x3F7FFFFF + (t & 2);
        in[2][t] = (uint64_t)(t & 4) << 29;
    }
    /* a product in the middle of two f16, or of two bf16, and a summand that f32 loses beside it */
    for (unsigned t = 16; t < 24; t++) {
        in[0][t] = t & 4 ? 0x3F813F81 : 0x3C013C01;
        in[1][t] = t & 4 ? 0x3FC03FC0 : 0x3E003E00;
        in[2][t] = (t & 4 ? UINT64_C(0x2B802B80) : UINT64_C(0x00010001)) | (uint64_t)(t & 1) << 15 |
                   (uint64_t)(t & 2) << 30;
    }
}

/* --- host modes --- */

static void set_mode(int mode) {
    static const int roundings[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fesetround(roundings[mode & 3]);
#if defined(__SSE2__)
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (mode & 4 ? 0x8040u : 0));
#endif
}

/* --- runs --- */

static void run(const struct text *text, uint32_t flags, int mode, unsigned kernels,
                uint64_t in[WORDS][THREADS], uint8_t *out, size_t bytes) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_diag diag;
    uint64_t params[2];
    expect(wsim_module_load(text->at, text->used, flags, &module, &diag) == WSIM_OK, "%u:%u: %s",
           diag.line, diag.col, diag.text);
    expect(wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag) == WSIM_OK, "%s", diag.text);
    expect(wsim_device_alloc(device, "in", sizeof in[0] * WORDS, 0, &params[0], &diag) == WSIM_OK &&
               wsim_device_alloc(device, "out", bytes, 0, &params[1], &diag) == WSIM_OK &&
               wsim_device_write(device, params[0], in, sizeof in[0] * WORDS, &diag) == WSIM_OK,
           "%s", diag.text);
    memset(out, 0, kernels * bytes);
    for (unsigned k = 0; k < kernels; k++) {
        char name[16];
        struct wsim_report *report;
        struct wsim_launch launch = {.name = name,
                                     .block = {THREADS},
                                     .params = params,
                                     .param_bytes = sizeof params,
                                     .threads = 1};
        enum wsim_status status;
        snprintf(name, sizeof name, "k%u", k);
        wsim_device_write(device, params[1], out + k * bytes, bytes, &diag);
        set_mode(mode);
        status = wsim_launch_run(device, module, &launch, &report, &diag);
        set_mode(0);
        expect(status == WSIM_OK, "kernel %u: %s", k, diag.text);
        wsim_report_free(report);
        wsim_device_read(device, params[1], out + k * bytes, bytes, &diag);
    }
    wsim_device_free(device);
    wsim_module_free(module);
}

static void compare(const struct text *text, unsigned kernels, int seed, size_t bytes,
                    const struct wsim_scalar *ops) {
    static uint64_t in[WORDS][THREADS];
    uint8_t *quick = malloc(kernels * bytes), *plain = malloc(kernels * bytes);
    expect(quick && plain, "out of memory");
    state = 88172645463325252u + (uint64_t)seed * 0x9E3779B97F4A7C15u;
    for (int round = 0; round < 2; round++) {
        fill(in);
        run(text, 0, seed + 4 * round, kernels, in, quick, bytes);
        run(text, WSIM_MODULE_PLAIN, 0, kernels, in, plain, bytes);
        for (size_t i = 0; i < kernels * bytes; i++) {
            char spelling[WSIM_SPELLING_MAX] = "";
            size_t t = i / 8 % THREADS;
            if (quick[i] == plain[i])
                continue;
            if (ops)
                wsim_scalar_spell(&ops[i / bytes], spelling, sizeof spelling);
            ck_abort_msg(
                "kernel %zu %s: thread %zu byte %zu: 0x%02x, plain 0x%02x; operands 0x%llx "
                "0x%llx 0x%llx",
                i / bytes, spelling, t, i % bytes, quick[i], plain[i], (unsigned long long)in[0][t],
                (unsigned long long)in[1][t], (unsigned long long)in[2][t]);
        }
    }
    free(quick);
    free(plain);
}

static const char head[] = ".version 8.6\n.target sm_90a\n.address_size 64\n";

START_TEST(computes) {
    struct text text = {0};
    int from = _i / 2 * GROUP, n = n_forms - from < GROUP ? n_forms - from : GROUP;
    put(&text, "%s", head);
    for (int i = 0; i < n; i++)
        put_kernel(&text, &forms[from + i], i, _i & 1);
    compare(&text, (unsigned)n, _i / 2, RESULTS * THREADS * 8, &forms[from]);
    free(text.at);
}
END_TEST

/* --- memory --- */

static const struct {
    const char *type, *registers;
    unsigned bytes;
} moves[] = {
    {"u8", "%r1", 1},
    {"s8", "%r1", 1},
    {"u16", "%h1", 2},
    {"s16", "%r1", 2},
    {"b32", "%r1", 4},
    {"u64", "%l1", 8},
    {"v2.u16", "{%h1, %h2}", 4},
    {"v2.b32", "{%r1, %r2}", 8},
    {"v4.f32", "{%r1, %r2, %r3, %r4}", 16},
    {"v2.b64", "{%l1, %l2}", 16},
    {"v4.u8", "{%r1, %r2, %r3, %r4}", 4},
    {"s32", "%l1", 4},
};
/* Where memory is, and how its address becomes %base. */
static const struct {
    const char *space, *base;
} spaces[] = {
    {".global", "mov.u64 %base, %out;"},
    {".shared", "mov.u64 %base, tile;"},
    {".local", "mov.u64 %base, depot;"},
    {"", "mov.u64 %base, %out;"},
    {"", "mov.u64 %base, tile; cvta.shared.u64 %base, %base;"},
    {"", "mov.u64 %base, depot; cvta.local.u64 %base, %base;"},
    {"", "mov.u64 %base, %out; mov.u64 %y, tile; cvta.shared.u64 %y, %y; and.b32 %t, %t, 3; "
         "setp.eq.u32 %on, %t, 3; selp.b64 %base, %y, %base, %on;"},
};

/* Adds to the loaded value, so that the store changes memory. Addresses have a `shape`:
 * consecutive, all equal, backwards, arbitrary. */
static void put_moves(struct text *text, unsigned number, unsigned place, unsigned move,
                      unsigned shape) {
    static const char *const shapes[] = {"mov.u32 %t, %tid.x;", "mov.u32 %t, 5;",
                                         "mov.u32 %t, %tid.x; sub.u32 %t, 255, %t;",
                                         "cvt.u32.u64 %t, %x0; and.b32 %t, %t, 255;"};
    const char *space = spaces[place].space;
    put(text,
        ".visible .entry k%u(.param .u64 pin, .param .u64 pout) {\n.shared .align 16 .b8 "
        "tile[4096];\n.local .align 16 .b8 depot[4096];\n"
        ".reg .pred %%on;\n.reg .b16 %%h<5>;\n.reg .b32 %%r<5>, %%t;\n.reg .b64 %%l<5>, %%x<8>, "
        "%%in, %%out, %%at, %%y, %%z, %%base;\nld.param.u64 %%in, [pin];\nld.param.u64 %%out, "
        "[pout];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 8;\nadd.u64 %%in, %%in, %%at;\n"
        "%s\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%z, %%t, 16;\nadd.u64 %%y, %%out, %%z;\n"
        "add.u64 %%z, %%base, %%z;\n",
        number, spaces[place].base);
    for (unsigned w = 0; w < WORDS; w++)
        put(text, "ld.global.u64 %%x%u, [%%in+%u];\n", w, w * THREADS * 8);
    /* all bytes are written first */
    put(text,
        "st.global.v2.u64 [%%y], {%%x1, %%x2};\nst%s.v2.u64 [%%z], {%%x3, %%x4};\n"
        "bar.sync 0;\nand.b64 %%y, %%x%u, 1;\nsetp.ne.u64 %%on, %%y, 0;\n",
        space, WORDS - 1);
    put(text,
        "mov.b32 %%r1, 7; mov.b32 %%r2, 8; mov.b32 %%r3, 9; mov.b32 %%r4, 10;\nmov.b16 %%h1, 11; "
        "mov.b16 %%h2, 12;\nmov.b64 %%l1, 13; mov.b64 %%l2, 14;\n");
    put(text, "%s\nmul.wide.u32 %%at, %%t, %u;\nadd.u64 %%at, %%at, %%base;\n", shapes[shape],
        moves[move].bytes);
    put(text, "@%%on ld%s.%s %s, [%%at];\nbar.sync 0;\n", space, moves[move].type,
        moves[move].registers);
    put(text, "add.u32 %%r1, %%r1, %%t; xor.b32 %%r4, %%r4, %%r1;\nadd.u16 %%h1, %%h1, 3;\nadd.u64 "
              "%%l1, %%l1, %%at;\nsub.u64 %%l1, %%l1, %%base;\n");
    put(text, "@%%on st%s.%s [%%at], %s;\nbar.sync 0;\n", space, moves[move].type,
        moves[move].registers);
    if (strcmp(spaces[place].base, spaces[0].base) != 0)
        put(text,
            "ld%s.v2.u64 {%%x1, %%x2}, [%%z];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, "
            "16;\nadd.u64 %%y, %%out, %%at;\nst.global.v2.u64 [%%y], {%%x1, %%x2};\n",
            space);
    put(text, "ret;\n}\n");
}

START_TEST(moves_memory) {
    struct text text = {0};
    unsigned kernels = 0;
    put(&text, "%s", head);
    for (unsigned place = 0; place < COUNT(spaces); place++)
        for (unsigned shape = 0; shape < 4; shape++)
            put_moves(&text, kernels++, place, (unsigned)_i, shape);
    compare(&text, kernels, _i, THREADS * 16, NULL);
    free(text.at);
}
END_TEST

/* --- instructions with steps of their own --- */

/* Instructions on words in %r, %l, %h, some of them results; the guard is %on. Memory of the block
 * is `tile`, 4 KiB of distinct words. %a and %b are arbitrary multiples of 16 below that in each
 * lane. */
static const char *const others[] = {
    "setp.lt.s32 %q, %r0, 0; @%on setp.gt.and.u32 %q, %r0, %r1, !%q; selp.u32 %r0, 1, 0, %q;",
    "@%on setp.lt.or.s32 %q|%on, %r0, %r1, !%on; selp.u32 %r0, 1, 0, %q; selp.u32 %r1, 3, 2, %on;",
    "@%on setp.ne.xor.s32 %on|%q, %r0, %r1, %on; selp.u32 %r0, 1, 0, %q; selp.u32 %r1, 3, 2, %on;",
    "setp.lt.s32 %q, %r0, 0; @%on selp.b16 %h0, -1, %h1, %q; selp.b16 %h2, %h1, -2, %q;",
    "@%on mov.b64 %l0, {%r0, %r1};",
    "@%on mov.b64 {%r2, %r3}, %l0;",
    "@%on mov.b64 {%r2, _}, %l0;",
    "@%on mov.b64 {_, %r3}, %l0;",
    "@%on mov.b32 %r2, {%h0, %h1};",
    "@%on mov.b32 {%h2, %h3}, %r0;",
    "@%on mov.b32 {_, %h3}, %r0;",
    "@%on mov.b64 {%r0, %r1}, %l1; @%on mov.b64 %l0, {%r1, %r0};",
    "@%on mov.u32 %r0, %tid.x; @%on mov.u32 %r1, %laneid; @%on mov.u32 %r2, %lanemask_gt;",
    "@%on mov.u32 %r0, %ntid.x; @%on mov.u32 %r1, %lanemask_le; @%on mov.u32 %r2, %warpid;",
    "@%on ld.param.u32 %r0, [pin]; @%on ld.param.u8 %r1, [pout+1]; ld.param.u16 %h0, [pout+2]; "
    "sub.u32 %r0, %r0, %r0; mov.u32 %r1, 0; mov.u16 %h0, 0;",
    "@%on ld.const.u32 %r0, [table+4]; @%on ld.const.v2.u16 {%h0, %h1}, [table]; @%on "
    "ld.const.s8 %r2, [%c]; cvt.u64.u32 %l1, %c; @%on ld.const.u64 %l0, [table+8];",
    "@%on cp.async.ca.shared.global [%a], [%g], 4; @%on cp.async.ca.shared.global [%a+8], [%g+8], "
    "8; cp.async.wait_all;",
    "@%on cp.async.cg.shared.global [%a], [%g], 16; cp.async.wait_all;",
    "and.b32 %r0, %r0, 16; @%on cp.async.cg.shared.global [%a], [%g], 16, %r0; cp.async.wait_all;",
    "and.b32 %r0, %r0, 15; @%on cp.async.cg.shared.global [%a], [%g], 16, %r0; cp.async.wait_all;",
    "setp.lt.s32 %q, %r0, 0; @%on cp.async.cg.shared.global [%a], [%g], 16, %q; "
    "cp.async.wait_all;",
    "cvta.to.global.u64 %l0, %x3; @%on cvta.global.u64 %l1, %x4;",
    "@%on cvta.shared.u64 %l0, %x3; cvta.to.shared.u64 %l1, %l0;",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%a];",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r2, %a}, [%a];",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%b+16];",
    "cvt.u64.u32 %l0, %a; cvta.shared.u64 %l0, %l0; ldmatrix.sync.aligned.m8n8.x4.trans.b16 "
    "{%r0, %r1, %r2, %r3}, [%l0];",
};

static void put_other(struct text *text, unsigned number) {
    put(text,
        ".visible .entry k%u(.param .u64 pin, .param .u64 pout) {\n.shared .align 16 .b8 "
        "tile[4096];\n.reg .pred %%on, %%q;\n.reg .b16 %%h<5>;\n.reg .b32 %%r<5>, %%t, %%a, %%b, "
        "%%c;\n.reg .b64 %%l<5>, %%x<8>, %%in, %%out, %%at, %%y, %%g;\nld.param.u64 %%in, [pin];\n"
        "ld.param.u64 %%out, [pout];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 8;\nadd.u64 "
        "%%g, %%in, %%at;\nadd.u64 %%g, %%g, %%at;\nadd.u64 %%in, %%in, %%at;\nadd.u64 %%out, "
        "%%out, %%at;\nadd.u64 %%out, %%out, %%at;\n",
        number);
    for (unsigned w = 0; w < WORDS; w++)
        put(text, "ld.global.u64 %%x%u, [%%in+%u];\n", w, w * THREADS * 8);
    put(text, "mov.u32 %%c, tile;\nshl.b32 %%a, %%t, 4;\nadd.u32 %%a, %%a, %%c;\nst.shared.v2.u64 "
              "[%%a], {%%x3, %%x4};\nbar.sync 0;\n"
              "cvt.u32.u64 %%a, %%x0;\nand.b32 %%a, %%a, 4064;\nadd.u32 %%a, %%a, %%c;\n"
              "cvt.u32.u64 %%b, %%x1;\nand.b32 %%b, %%b, 4064;\nadd.u32 %%b, %%b, %%c;\n"
              "and.b32 %%t, %%t, 15;\nmov.u32 %%c, table;\nadd.u32 %%c, %%c, %%t;\n"
              "cvt.u32.u64 %%r0, %%x1;\ncvt.u32.u64 %%r1, %%x2;\nmov.b32 %%r2, 5;\nmov.b32 %%r3, "
              "6;\nmov.b64 %%l0, %%x3;\nmov.b64 %%l1, %%x4;\ncvt.u16.u64 %%h0, %%x1;\ncvt.u16.u64 "
              "%%h1, %%x2;\nmov.b16 %%h2, 7;\nmov.b16 %%h3, 8;\n");
    put(text, "and.b64 %%y, %%x%u, 1;\nsetp.ne.u64 %%on, %%y, 0;\n%s\nbar.sync 0;\n", WORDS - 1,
        others[number]);
    /* all of it in two words */
    put(text,
        "mov.u32 %%t, %%tid.x;\nshl.b32 %%t, %%t, 4;\nmov.u32 %%c, tile;\nadd.u32 %%t, %%t, %%c;\n"
        "ld.shared.v2.u64 {%%x0, %%x1}, [%%t];\n");
    for (unsigned i = 0; i < 4; i++)
        put(text,
            "cvt.u64.u32 %%y, %%r%u;\nmul.lo.u64 %%x0, %%x0, 31;\nadd.u64 %%x0, %%x0, %%y;\n"
            "cvt.u64.u16 %%y, %%h%u;\nmul.lo.u64 %%x1, %%x1, 31;\nadd.u64 %%x1, %%x1, %%y;\n",
            i, i);
    put(text,
        "xor.b64 %%x0, %%x0, %%l0;\nsub.u32 %%a, %%a, %%c;\ncvt.u64.u32 %%y, %%a;\nmul.lo.u64 "
        "%%y, %%y, 77;\nadd.u64 %%x1, %%x1, %%y;\nst.global.v2.u64 [%%out], {%%x0, %%x1};\n"
        "ret;\n}\n");
}

START_TEST(others_too) {
    struct text text = {0};
    put(&text,
        "%s.const .align 16 .b8 table[32] = {1, 2, 253, 4, 5, 6, 7, 8, 9, 130, 11, 12, 13, "
        "14, 15, 16, 17, 18, 19, 20};\n",
        head);
    for (unsigned i = 0; i < COUNT(others); i++)
        put_other(&text, i);
    compare(&text, COUNT(others), _i, THREADS * 16, NULL);
    free(text.at);
}
END_TEST

int main(void) {
    TCase *tcase = tcase_create("steps");
    int failed;
    find_forms();
    tcase_set_timeout(tcase, 0);
    run_add_loop(tcase, computes, 0, 2 * ((n_forms + GROUP - 1) / GROUP));
    tcase_add_loop_test(tcase, moves_memory, 0, COUNT(moves));
    tcase_add_loop_test(tcase, others_too, 0, 8);
    failed = run_case("rows/steps", tcase);
    free(forms);
    return failed;
}
