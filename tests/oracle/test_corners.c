/* The corners of docs/numerics.md where a published model says otherwise: what wsim gives, on every
 * architecture that has the form. The page has the same numbers. */
#include "../every.h"

#include <math.h>

struct corner {
    const char *spelling;
    double a[4], b[4]; /* A[0][k], B[k][0], the rest zero */
    uint64_t c, d;     /* bits of C[0][0] and D[0][0] */
    unsigned scale;    /* block scale: every factor; else 0 */
};

static const struct corner corners[] = {
    {.spelling = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
     .a = {0, 0x1p-63},
     .b = {0x1p127, 1.0078125},
     .d = 0x20010000},
    {.spelling = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
     .a = {0},
     .b = {0x1p15},
     .c = 0x00800001,
     .d = 0x00800001},
    {.spelling = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
     .a = {0x1p-11, 0x1p-23},
     .b = {0x1p-14, 0x1p-24}},
    {.spelling = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
     .a = {0x1p-23, -0x1p-26},
     .b = {0x1p-126, 0x1p-126}},
    {.spelling = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32."
                 "e2m1.e2m1.f32.ue4m3",
     .c = 0x3f800001,
     .d = 0x3f800001,
     .scale = 0x7e},
};

/* Exact in every format used here. */
static uint64_t bits_of(const struct wsim_format *format, double x) {
    struct wsim_value value = {WSIM_ZERO, signbit(x) != 0, 0, 0};
    int exp;
    double sig = frexp(fabs(x), &exp);
    if (sig != 0)
        value = (struct wsim_value){WSIM_FINITE, value.negative, (int16_t)(exp - 53),
                                    (uint64_t)ldexp(sig, 53)};
    return wsim_format_encode(format, value, WSIM_RN);
}

static struct wsim_regs operand(const struct wsim_op *op, enum wsim_operand which,
                                const struct corner *corner) {
    static uint64_t matrix[256 * 256];
    struct wsim_regs regs = {0};
    struct wsim_layout layout;
    ck_assert_int_eq(wsim_op_layout(op, NULL, which, &layout, NULL), WSIM_OK);
    memset(matrix, 0, sizeof matrix);
    for (unsigned k = 0; k < 4 && which != WSIM_C; k++)
        matrix[which == WSIM_A ? k : k * layout.cols] =
            bits_of(layout.format, which == WSIM_A ? corner->a[k] : corner->b[k]);
    if (which == WSIM_C)
        matrix[0] = corner->c;
    wsim_fragment_pack(&layout, matrix, &regs);
    return regs;
}

START_TEST(corners_are_as_the_page_has_them) {
    const struct corner *corner = &corners[_i];
    struct wsim_op op = every_parse(corner->spelling);
    struct wsim_regs a = operand(&op, WSIM_A, corner), b = operand(&op, WSIM_B, corner),
                     c = operand(&op, WSIM_C, corner), d;
    const struct wsim_arch *arch;
    uint32_t scales[WSIM_LANES];
    int met = 0;
    for (int lane = 0; lane < WSIM_LANES; lane++)
        scales[lane] = corner->scale * 0x01010101u;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        struct wsim_operands io = {
            .d = &d, .a = &a, .b = &b, .c = &c, .sfa = scales, .sfb = scales};
        if (wsim_op_check(&op, arch, NULL))
            continue;
        memset(&d, 0, sizeof d);
        ck_assert_int_eq(wsim_exec(&op, arch, &io, NULL), WSIM_OK);
        expect(d.r[0][0] == corner->d, "%s on %s: 0x%08x, not 0x%08x", corner->spelling,
               wsim_arch_name(arch), (unsigned)d.r[0][0], (unsigned)corner->d);
        met++;
    }
    ck_assert_int_gt(met, 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{corners_are_as_the_page_has_them, 0, COUNT(corners)}};
    return every_run("oracle/corners", tests, COUNT(tests));
}
