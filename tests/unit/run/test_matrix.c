/* Matrix instructions of a kernel give the results of wsim_run: every register of
 * every lane is in its place, for every form. */
#include "../../every.h"

#include <stdarg.h>

#include <wsim/kernel.h>

#define MOST 32 /* registers of an operand, words */

/* An operand: words as wsim_run has them, two for a register of 64 bits. */
struct fragment {
    char letter;
    unsigned words, wide;
    unsigned stride; /* elements of 128 bytes */
    uint32_t word[MOST][WSIM_LANES];
    uint32_t *row[MOST];
};

static char text[1 << 16];
static size_t used;

static void put(const char *format, ...) {
    va_list values;
    va_start(values, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, values);
    va_end(values);
    ck_assert_uint_lt(used, sizeof text);
}

static void open_kernel(const char *arch) {
    used = 0;
    put(".version 9.0\n.target %s\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b64 %%x<4>;\n.reg .b32 %%y<8>;\n.shared .align 128 .b8 box[8192];\n"
        "ld.param.u64 %%x0, [in];\nld.param.u64 %%x1, [out];\nmov.u32 %%y0, %%tid.x;\n"
        "mul.wide.u32 %%x2, %%y0, 4;\nadd.u64 %%x2, %%x2, %%x0;\n"
        "mul.wide.u32 %%x3, %%y0, 4;\nadd.u64 %%x3, %%x3, %%x1;\n",
        arch);
}

/* A fragment with random words; 0: the operation has no such operand. */
static int make(struct fragment *f, const struct wsim_op *op, const struct wsim_arch *arch,
                enum wsim_operand operand, char letter, uint64_t *seed) {
    struct wsim_layout layout;
    memset(f, 0, sizeof *f);
    if (wsim_op_layout(op, arch, operand, &layout, NULL))
        return 0;
    f->letter = letter;
    f->words = layout.regs;
    f->wide = layout.elem_bits == 64;
    f->stride = 1024 / layout.elem_bits;
    every_fill(f->word, sizeof f->word, seed);
    for (unsigned r = 0; r < MOST; r++) {
        f->row[r] = f->word[r];
        for (unsigned l = 0; l < WSIM_LANES; l++)
            f->word[r][l] &= 0xBFBFBFBF; /* numbers that are not too large, of any format */
    }
    return 1;
}

/* Declares its registers; loads them from word `first` of the input of each lane on. */
static void declare(const struct fragment *f) {
    put(".reg .b%u %%%c<%u>;\n", f->wide ? 64 : 32, f->letter, f->words + 1);
}

/* Word w of all lanes is at byte 128 w: registers of 64 bits are put together out of two. */
static void load(const struct fragment *f, unsigned first) {
    for (unsigned w = 0; w < f->words; w++) {
        if (!f->wide)
            put("ld.global.b32 %%%c%u, [%%x2+%u];\n", f->letter, w, 128 * (first + w));
        else if (w % 2 == 0)
            put("ld.global.b32 %%y1, [%%x2+%u];\nld.global.b32 %%y2, [%%x2+%u];\n"
                "mov.b64 %%%c%u, {%%y1, %%y2};\n",
                128 * (first + w), 128 * (first + w + 1), f->letter, w / 2);
    }
}

static void store(const struct fragment *f) {
    for (unsigned w = 0; w < f->words; w++) {
        if (!f->wide)
            put("st.global.b32 [%%x3+%u], %%%c%u;\n", 128 * w, f->letter, w);
        else if (w % 2 == 0)
            put("mov.b64 {%%y1, %%y2}, %%%c%u;\nst.global.b32 [%%x3+%u], %%y1;\n"
                "st.global.b32 [%%x3+%u], %%y2;\n",
                f->letter, w / 2, 128 * w, 128 * w + 128);
    }
}

static void list(const struct fragment *f) {
    put("{");
    for (unsigned r = 0; r < f->words >> f->wide; r++)
        put("%s%%%c%u", r ? ", " : "", f->letter, r);
    put("}");
}

/* Runs the text for one warp, with and without listeners. */
static enum wsim_status run(const struct wsim_arch *arch, const void *in, size_t in_bytes,
                            void *out, size_t out_bytes, uint32_t checks, struct wsim_diag *diag) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_launch how = {.block = {WSIM_LANES}, .threads = 1, .checks = checks};
    uint64_t params[2];
    enum wsim_status status;
    how.count = checks != 0;
    how.params = params;
    how.param_bytes = sizeof params;
    expect(!wsim_module_load(text, used, 0, &module, diag), "%s\n%s", diag->text, text);
    ck_assert_int_eq(wsim_device_make(arch, &device, NULL), WSIM_OK);
    wsim_device_alloc(device, "in", in_bytes, 0, &params[0], NULL);
    wsim_device_alloc(device, "out", out_bytes, 0, &params[1], NULL);
    wsim_device_write(device, params[0], in, in_bytes, NULL);
    wsim_device_write(device, params[1], out, out_bytes, NULL);
    status = wsim_launch_run(device, module, &how, &report, diag);
    wsim_device_read(device, params[1], out, out_bytes, NULL);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
    return status;
}

/* The first target on which an operation can be executed. */
static const struct wsim_arch *target(const struct wsim_op *op, struct wsim_code *code) {
    static const char *const names[] = {"sm_90a", "sm_120a", "sm_100a", "sm_75", "sm_80"};
    for (int i = 0; i < COUNT(names); i++)
        if (!wsim_prepare(op, wsim_arch_find(names[i]), 0, code, NULL))
            return wsim_arch_find(names[i]);
    return NULL;
}

/* --- products --- */

struct operands {
    struct fragment d, a, b, c;
    uint32_t e[WSIM_LANES], sfa[WSIM_LANES], sfb[WSIM_LANES];
    unsigned sparse, scaled;
};

/* Some compilers write one register as a list: `braces`. */
static void write_product(const char *spelling, const struct wsim_io *io, const struct operands *o,
                          int braces) {
    const char *open = braces ? "{" : "", *close = braces ? "}" : "";
    const struct fragment *const all[] = {&o->a, &o->b, &o->c};
    unsigned first = 0;
    declare(&o->d);
    for (int i = 0; i < COUNT(all); first += all[i++]->words) {
        declare(all[i]);
        load(all[i], first);
    }
    put("ld.global.b32 %%y3, [%%x2+%u];\nld.global.b32 %%y4, [%%x2+%u];\n"
        "ld.global.b32 %%y5, [%%x2+%u];\n%s ",
        128 * first, 128 * (first + 1), 128 * (first + 2), spelling);
    list(&o->d), put(", "), list(&o->a), put(", "), list(&o->b), put(", "), list(&o->c);
    if (o->sparse)
        put(", %s%%y3%s, %u", open, close, io->mma.selector);
    if (o->scaled)
        put(", %s%%y4%s, {%u, %u}, %s%%y5%s, {%u, %u}", open, close, io->mma.bid_a, io->mma.tid_a,
            open, close, io->mma.bid_b, io->mma.tid_b);
    put(";\n");
    store(&o->d);
    put("ret;\n}\n");
}

/* The same words where write_product reads them. */
static size_t gather(const struct operands *o, uint32_t (*in)[WSIM_LANES]) {
    const struct fragment *const all[] = {&o->a, &o->b, &o->c};
    size_t n = 0;
    for (int i = 0; i < COUNT(all); n += all[i++]->words)
        memcpy(in + n, all[i]->word, all[i]->words * sizeof *in);
    memcpy(in[n++], o->e, sizeof *in);
    memcpy(in[n++], o->sfa, sizeof *in);
    memcpy(in[n++], o->sfb, sizeof *in);
    return n * sizeof *in;
}

/* 1: it was run. */
static int try_product(const struct wsim_op *op, uint64_t seed) {
    static struct operands o;
    static uint32_t in[4 * MOST][WSIM_LANES], out[MOST][WSIM_LANES];
    const uint32_t *e = o.e, *sfa = o.sfa, *sfb = o.sfb;
    struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_io io = {.mma = {.d = o.d.row,
                                 .a = (const uint32_t *const *)o.a.row,
                                 .b = (const uint32_t *const *)o.b.row,
                                 .c = (const uint32_t *const *)o.c.row,
                                 .e = &e,
                                 .sfa = &sfa,
                                 .sfb = &sfb}};
    struct wsim_code code;
    struct wsim_diag diag;
    struct wsim_layout layout;
    char spelling[WSIM_SPELLING_MAX];
    const struct wsim_arch *arch = target(op, &code);
    size_t bytes;
    if ((info.family != WSIM_MMA && info.family != WSIM_WMMA) || !arch)
        return 0;
    wsim_op_spell(op, spelling);
    make(&o.d, op, arch, WSIM_D, 'd', &seed);
    make(&o.a, op, arch, WSIM_A, 'a', &seed);
    make(&o.b, op, arch, WSIM_B, 'b', &seed);
    make(&o.c, op, arch, WSIM_C, 'c', &seed);
    o.sparse = !wsim_op_layout(op, arch, WSIM_E, &layout, NULL);
    o.scaled = !wsim_op_layout(op, arch, WSIM_SFA, &layout, NULL);
    every_fill(o.sfa, sizeof o.sfa, &seed);
    every_fill(o.sfb, sizeof o.sfb, &seed);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        o.e[l] = l % 2 ? 0x44444444u : 0xEEEEEEEEu;
    io.mma.selector = o.sparse; /* 1 where there are two */
    io.mma.tid_b = o.scaled;
    const int braces = (int)(seed >> 40 & 1);
    bytes = gather(&o, in);
    if (wsim_run(&code, &io, NULL)) {
        io.mma.selector = 0;
        expect(!wsim_run(&code, &io, &diag), "%s: %s", spelling, diag.text);
    }
    open_kernel(wsim_arch_name(arch));
    write_product(spelling, &io, &o, braces);
    memset(out, 0, sizeof out);
    expect(!run(arch, in, bytes, out, sizeof out, 0, &diag), "%s: %s", spelling, diag.text);
    expect(!memcmp(out, o.d.word, o.d.words * sizeof *out), "%s: D differs", spelling);
    return 1;
}

START_TEST(products) {
    int n = 0, step = run_sample() > 1 ? 29 : 7;
    for (int i = 0; i < every_warp_op_count(); i += step) {
        struct wsim_op op;
        every_op(i, &op);
        n += try_product(&op, (uint64_t)i + 1);
    }
    ck_assert_int_gt(n, 400 / step);
}
END_TEST

/* Elements that a stride could skip. */
START_TEST(products_of_each_kind) {
    static const char *const spellings[] = {
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        ("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X"
         ".f32.e2m1.e2m1.f32.ue8m0"),
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
        "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64",
        "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16",
    };
    for (int i = 0; i < COUNT(spellings); i++) {
        struct wsim_op op = every_parse(spellings[i]);
        expect(try_product(&op, (uint64_t)i + 1), "%s", spellings[i]);
    }
}
END_TEST

/* --- moves --- */

/* Fills the box with the input, after the words of `f`. */
static void fill_box(unsigned first) {
    put("mov.u32 %%y1, box;\nmad.lo.u32 %%y1, %%y0, 4, %%y1;\n");
    for (unsigned i = 0; i < 64; i++)
        put("ld.global.b32 %%y2, [%%x2+%u];\nst.shared.b32 [%%y1+%u], %%y2;\n", 128 * (first + i),
            128 * i);
    put("bar.sync 0;\n");
}

static void save_box(unsigned first) {
    put("bar.sync 0;\nmov.u32 %%y1, box;\nmad.lo.u32 %%y1, %%y0, 4, %%y1;\n");
    for (unsigned i = 0; i < 64; i++)
        put("ld.shared.b32 %%y2, [%%y1+%u];\nst.global.b32 [%%x3+%u], %%y2;\n", 128 * i,
            128 * (first + i));
}

/* Generic addresses are of shared memory here. */
static int try_move(const struct wsim_op *op, uint64_t seed, uint32_t checks) {
    static struct fragment f;
    static uint32_t in[MOST + 65][WSIM_LANES], out[MOST + 64][WSIM_LANES];
    static uint8_t bytes[8192];
    struct wsim_memory shared = wsim_memory_over(WSIM_SHARED, bytes, sizeof bytes, 1024);
    struct wsim_memory global = wsim_memory_over(WSIM_GLOBAL, bytes, sizeof bytes, 1024);
    struct wsim_op_info info = wsim_op_describe(op);
    int stores = info.family == WSIM_STMATRIX || info.family == WSIM_WMMA_STORE;
    int rows = info.family == WSIM_LDMATRIX || info.family == WSIM_STMATRIX;
    struct wsim_io io = {.shared = &shared};
    struct wsim_code code;
    struct wsim_diag diag;
    uint32_t addr[WSIM_LANES];
    char spelling[WSIM_SPELLING_MAX], address[32];
    const struct wsim_arch *arch = target(op, &code);
    int is_global, is_wmma = info.family == WSIM_WMMA_LOAD_A || info.family == WSIM_WMMA_LOAD_B ||
                             info.family == WSIM_WMMA_LOAD_C || info.family == WSIM_WMMA_STORE;
    if ((!rows && !is_wmma) || !arch)
        return 0;
    wsim_op_spell(op, spelling);
    is_global = strstr(spelling, ".global") != NULL;
    if (is_global) {
        io.shared = NULL;
        io.global = &global;
    }
    make(&f, op, arch, stores ? WSIM_R : WSIM_D, 'f', &seed);
    every_fill(in, sizeof in, &seed);
    memcpy(in, f.word, f.words * sizeof *in);
    memcpy(bytes, in[f.words], sizeof bytes);
    for (unsigned l = 0; l < WSIM_LANES; l++)
        addr[l] = rows ? 1024 + 16 * (l * 11 % 128) : 1024 + 128;
    io.move.addr = addr;
    io.move.stride = is_wmma ? f.stride : 0;
    io.move.d = f.row;
    io.move.r = (const uint32_t *const *)f.row;
    open_kernel(wsim_arch_name(arch));
    declare(&f);
    load(&f, 0);
    fill_box(f.words);
    if (rows)
        put("mov.u32 %%y3, box;\nmul.lo.u32 %%y4, %%y0, 11;\nand.b32 %%y4, %%y4, 127;\n"
            "mad.lo.u32 %%y3, %%y4, 16, %%y3;\n");
    else
        put("mov.u32 %%y3, box;\nadd.u32 %%y3, %%y3, 128;\n");
    put("cvt.u64.u32 %%x0, %%y3;\n");
    strcpy(address, "[%y3]");
    if (is_global)
        put("add.u64 %%x0, %%x1, %u;\n", 128 * (f.words + 1)), strcpy(address, "[%x0]");
    else if (!strstr(spelling, ".shared"))
        put("cvta.shared.u64 %%x0, %%x0;\n"), strcpy(address, "[%x0]");
    if (is_global) { /* it has the bytes of the box, after the words of the fragment */
        save_box(f.words);
        put("bar.sync 0;\n");
    }
    put("mov.u32 %%y5, %u;\n%s ", f.stride, spelling);
    if (stores)
        put("%s, ", address), list(&f);
    else
        list(&f), put(", %s", address);
    put("%s;\n", is_wmma ? ", %y5" : "");
    store(&f);
    if (!is_global)
        save_box(f.words);
    put("ret;\n}\n");
    expect(!wsim_run(&code, &io, &diag), "%s: %s", spelling, diag.text);
    memset(out, 0, sizeof out);
    expect(!run(arch, in, sizeof in, out, sizeof out, checks, &diag), "%s: %s", spelling,
           diag.text);
    expect(!memcmp(out, f.word, f.words * sizeof *out), "%s: registers differ", spelling);
    expect(!memcmp(out + f.words, bytes, sizeof bytes), "%s: memory differs", spelling);
    return 1;
}

START_TEST(moves) {
    int n = 0, step = run_sample() > 1 ? 7 : 1;
    for (int i = 0; i < every_warp_op_count(); i += step) {
        struct wsim_op op;
        every_op(i, &op);
        n += try_move(&op, (uint64_t)i + 1, i / step % 2 ? WSIM_CHECK_ALL : 0);
    }
    ck_assert_int_gt(n, 30);
}
END_TEST

START_TEST(exchanges) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    uint32_t in[WSIM_LANES], out[WSIM_LANES], there[WSIM_LANES], *d = there;
    const uint32_t *a = in;
    struct wsim_io io = {.move = {.d = &d, .a = &a}};
    struct wsim_code code;
    struct wsim_diag diag;
    uint64_t seed = 5;
    every_fill(in, sizeof in, &seed);
    wsim_prepare(&op, arch, 0, &code, NULL);
    ck_assert_int_eq(wsim_run(&code, &io, NULL), WSIM_OK);
    open_kernel("sm_90a");
    put("ld.global.b32 %%y1, [%%x2];\nmovmatrix.sync.aligned.m8n8.trans.b16 %%y2, %%y1;\n"
        "st.global.b32 [%%x3], %%y2;\nret;\n}\n");
    memset(out, 0, sizeof out);
    expect(!run(arch, in, sizeof in, out, sizeof out, 0, &diag), "%s", diag.text);
    ck_assert_mem_eq(out, there, sizeof out);
}
END_TEST

/* The finding names lanes that never arrive. */
START_TEST(warps_come_together) {
    static uint32_t in[WSIM_LANES], out[WSIM_LANES];
    const struct wsim_arch *arch = wsim_arch_find("sm_90a");
    struct wsim_diag diag;
    open_kernel("sm_90a");
    put(".reg .pred %%p;\nld.global.b32 %%y1, [%%x2];\nsetp.lt.u32 %%p, %%y0, 16;\n"
        "@%%p movmatrix.sync.aligned.m8n8.trans.b16 %%y2, %%y1;\nbar.warp.sync -1;\nret;\n}\n");
    ck_assert_int_ne(run(arch, in, sizeof in, out, sizeof out, 0, &diag), WSIM_OK);
    ck_assert_str_eq(diag.rule, "sync.deadlock");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {products, products_of_each_kind, moves, exchanges,
                                  warps_come_together};
    return run_tests("matrix", tests, sizeof tests / sizeof tests[0]);
}
