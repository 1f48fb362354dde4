/* Neighbouring products with one A, which one step executes, have the registers, findings and looks
 * of products that are executed one by one. */
#include "kernel.h"

#include <stdarg.h>
#include <wsim/look.h>

enum { REGISTERS = 24, MOST = 16, ROUNDS = 36 };

static const struct form {
    const char *words, *others; /* some of the products are of another form */
    unsigned d, a, b, c;        /* registers                                */
} forms[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4},
    {"m16n8k16.row.col.f16.f16.f16.f16", NULL, 2, 4, 2, 2},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", NULL, 4, 4, 2, 4},
    {"m16n8k32.row.col.s32.s8.u8.s32", "m16n8k32.row.col.s32.u8.u8.s32", 4, 4, 2, 4},
    {"m16n8k32.row.col.f32.e4m3.e5m2.f32", NULL, 4, 4, 2, 4},
    {"m8n8k16.row.col.s32.s8.s8.s32", NULL, 2, 1, 1, 2},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

struct text {
    char s[8192];
    size_t used;
};

static void put(struct text *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    text->used +=
        (size_t)vsnprintf(text->s + text->used, sizeof text->s - text->used, format, values);
    va_end(values);
    ck_assert_uint_lt(text->used, sizeof text->s);
}

/* Registers of an operand: others, or those of before. */
static void choose(unsigned *regs, unsigned n, uint64_t *seed, int anew) {
    for (unsigned i = 0; i < n && anew; i++) {
        int is_new;
        do {
            is_new = 1;
            regs[i] = (unsigned)(every_random(seed) % REGISTERS);
            for (unsigned k = 0; k < i; k++)
                is_new = is_new && regs[k] != regs[i];
        } while (!is_new);
    }
}

static void list(struct text *text, const unsigned *regs, unsigned n, const char *end) {
    for (unsigned i = 0; i < n; i++)
        put(text, "%s%%r%u%s", i ? ", " : "{", 1 + regs[i], i + 1 < n ? "" : "}");
    put(text, "%s", end);
}

/* Products of random registers. `apart`: one A, and accumulators of their own, as programs have
 * them, but for some registers. */
static void products(struct text *text, const struct form *form, uint64_t *seed, int apart) {
    const unsigned n = 2 + (unsigned)(every_random(seed) % (MOST - 1));
    unsigned d[4], a[4], b[2], c[4], next = 8;
    choose(a, form->a, seed, 1);
    for (unsigned i = 0; i < n; i++) {
        unsigned *const any[] = {d, b, c};
        const int differs = form->others && every_random(seed) % 6 == 0;
        choose(a, form->a, seed, every_random(seed) % 6 == 0);
        choose(b, form->b, seed, 1);
        choose(c, form->c, seed, 1);
        choose(d, form->d, seed, 1);
        for (unsigned k = 0; apart && k < 4; k++) {
            a[k] = k;
            b[k % 2] = 4 + (i + k) % 4;
            c[k] = d[k] = next++;
            next = next == REGISTERS ? 8 : next;
        }
        if (apart && every_random(seed) % 2)
            any[every_random(seed) % 3][0] = (unsigned)(every_random(seed) % 8);
        if (every_random(seed) % 8 == 0)
            put(text, "add.u32 %%r%u, %%r%u, 1;\n", 1 + d[0], 1 + b[0]);
        put(text, "mma.sync.aligned.%s ", differs ? form->others : form->words);
        list(text, d, form->d, ", ");
        list(text, a, form->a, ", ");
        list(text, b, form->b, ", ");
        list(text, c, form->c, ";\n");
    }
}

/* The words of the buffer are the registers, before and after. `unset`: one of them is not set. */
static void write_kernel(struct text *text, const struct form *form, uint64_t *seed, int apart,
                         int unset) {
    text->used = 0;
    put(text,
        "%s.visible .entry k(.param .u64 data)\n{\n.reg .b32 %%r<%u>;\n.reg .b64 %%rd<4>;\n"
        ".shared .b32 box[32];\n"
        "ld.param.u64 %%rd0, [data];\nmov.u32 %%r0, %%tid.x;\n"
        "mul.wide.u32 %%rd1, %%r0, 4;\nadd.s64 %%rd0, %%rd0, %%rd1;\n",
        KERNEL_HEAD, REGISTERS + 1);
    for (unsigned i = 0; i < REGISTERS; i++)
        put(text, "ld.global.u32 %%r%u, [%%rd0+%u];\n", 1 + i, 128 * i);
    if (unset)
        put(text, "ld.shared.u32 %%r%u, [box];\n", 1 + (unsigned)(every_random(seed) % REGISTERS));
    products(text, form, seed, apart);
    for (unsigned i = 0; i < REGISTERS; i++)
        put(text, "st.global.u32 [%%rd0+%u], %%r%u;\n", 128 * i, 1 + i);
    put(text, "ret;\n}\n");
}

/* Numbers near to one, of any format, and some that a kernel leaves to another one. */
static void fill(struct kernel *kernel, uint64_t seed) {
    every_fill(kernel->words, sizeof kernel->words, &seed);
    for (unsigned i = 0; i < KERNEL_WORDS; i++)
        if (every_random(&seed) % 512)
            kernel->words[i] = (kernel->words[i] & 0xBF3FBF3F) | 0x38003800;
}

START_TEST(a_row_has_the_results_of_its_products) {
    static const uint32_t flags[] = {WSIM_MODULE_PLAIN, WSIM_MODULE_ONE_BY_ONE, 0};
    static struct kernel kernels[3];
    static struct text text;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = round * FORMS + (uint64_t)_i;
        write_kernel(&text, &forms[_i], &seed, round % 3 > 0, round % 4 == 1);
        for (unsigned way = 0; way < 3; way++) {
            kernels[way] = (struct kernel){.text = text.s, .flags = flags[way]};
            kernels[way].launch.checks = round % 4 > 1 ? 0 : WSIM_CHECK_ALL;
            fill(&kernels[way], seed);
            kernel_run(&kernels[way], 1, 32);
            ck_assert_int_eq(kernels[way].status, kernels[0].status);
            ck_assert_uint_eq(kernels[way].totals.findings, kernels[0].totals.findings);
            ck_assert_uint_eq(kernels[way].totals.instructions, kernels[0].totals.instructions);
            expect(!memcmp(kernels[way].words, kernels[0].words, sizeof kernels[0].words),
                   "way %u, round %u:\n%s", way, (unsigned)round, text.s);
        }
    }
}
END_TEST

/* --- a look --- */

static int at(void *context, const struct wsim_site *site) {
    (void)context;
    return strncmp(site->opcode, "mma", 3) == 0 ? WSIM_LOOK_AFTER : 0;
}

/* Counts the accumulators that are no longer 0. */
static int see(void *context, const struct wsim_seen *view) {
    unsigned *seen = context;
    for (unsigned i = 0; i < 4; i++) {
        char name[8];
        uint64_t values[32], high[32];
        uint32_t index;
        snprintf(name, sizeof name, "%%r%u", 10 + i);
        if (wsim_seen_find(view, name, &index) && wsim_seen_values(view, index, values, high))
            *seen += values[0] != 0;
    }
    return 0;
}

START_TEST(a_look_sees_each_product) {
    static struct text text;
    static struct kernel kernel;
    unsigned seen = 0;
    const struct wsim_look look = {.at = at, .see = see, .context = &seen};
    text.used = 0;
    put(&text,
        "%s.visible .entry k(.param .u64 data)\n{\n.reg .b32 %%r<20>;\n.reg .b64 %%rd<4>;\n"
        "ld.param.u64 %%rd0, [data];\nmov.u32 %%r1, 0x3C003C00;\n",
        KERNEL_HEAD);
    for (unsigned i = 0; i < 8; i++)
        put(&text, "mov.u32 %%r%u, 0;\n", 10 + i);
    for (unsigned i = 0; i < 4; i++)
        put(&text,
            "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%%r%u, %%r%u}, {%%r1, %%r1}, "
            "{%%r1}, {%%r%u, %%r%u};\n",
            10 + i, 14 + i, 10 + i, 14 + i);
    for (unsigned i = 0; i < 8; i++)
        put(&text, "st.global.u32 [%%rd0+%u], %%r%u;\n", 4 * i, 10 + i);
    put(&text, "ret;\n}\n");
    kernel = (struct kernel){.text = text.s, .launch = {.look = &look}};
    kernel_good(&kernel, 1, 32);
    ck_assert_uint_eq(seen, 1 + 2 + 3 + 4);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{a_row_has_the_results_of_its_products, 0, FORMS},
                                       {a_look_sees_each_product, 0, 1}};
    return every_run("unit/run/matrix_rows", tests, COUNT(tests));
}
