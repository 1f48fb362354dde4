/* edges.cu - integer instructions where the manual is open or easy to misread. Cases: divisors of
 * zero, the one quotient that overflows, counts, positions and lengths out of range. A row is an
 * instruction with its operands and its result. */
#include "experiment.cuh"

#define AT const u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
#define HEX(v) (unsigned long long)(v)

/* KIND(name, "ptx", constraint and C type of d, a, b, c) */
#define BINARY(name, ptx, cd, td, ca, ta, cb, tb)                                                  \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        AT;                                                                                        \
        td d;                                                                                      \
        asm volatile(ptx " %0, %1, %2;" : "=" cd(d) : ca((ta)in[3 * i]), cb((tb)in[3 * i + 1]));   \
        out[i] = d;                                                                                \
    }
#define TERNARY(name, ptx, cd, td, ca, ta, cb, tb, cc, tc)                                         \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        AT;                                                                                        \
        td d;                                                                                      \
        asm volatile(ptx " %0, %1, %2, %3;"                                                        \
                     : "=" cd(d)                                                                   \
                     : ca((ta)in[3 * i]), cb((tb)in[3 * i + 1]), cc((tc)in[3 * i + 2]));           \
        out[i] = d;                                                                                \
    }

#define DIVISIONS(X)                                                                               \
    X(div_u16, "div.u16", "h", u16, 16) X(rem_u16, "rem.u16", "h", u16, 16)                        \
    X(div_s16, "div.s16", "h", u16, 16) X(rem_s16, "rem.s16", "h", u16, 16)                        \
    X(div_u32, "div.u32", "r", u32, 32) X(rem_u32, "rem.u32", "r", u32, 32)                        \
    X(div_s32, "div.s32", "r", u32, 32) X(rem_s32, "rem.s32", "r", u32, 32)                        \
    X(div_u64, "div.u64", "l", u64, 64) X(rem_u64, "rem.u64", "l", u64, 64)                        \
    X(div_s64, "div.s64", "l", u64, 64) X(rem_s64, "rem.s64", "l", u64, 64)

#define SHIFTS(X)                                                                                  \
    X(shl_b16, "shl.b16", "h", u16, 16) X(shr_u16, "shr.u16", "h", u16, 16)                        \
    X(shr_s16, "shr.s16", "h", u16, 16) X(shl_b32, "shl.b32", "r", u32, 32)                        \
    X(shr_u32, "shr.u32", "r", u32, 32) X(shr_s32, "shr.s32", "r", u32, 32)                        \
    X(shl_b64, "shl.b64", "l", u64, 64) X(shr_u64, "shr.u64", "l", u64, 64)                        \
    X(shr_s64, "shr.s64", "l", u64, 64)                                                            \
    X(szext_clamp_u32, "szext.clamp.u32", "r", u32, 32) X(szext_wrap_u32, "szext.wrap.u32", "r", u32, 32) \
    X(szext_clamp_s32, "szext.clamp.s32", "r", u32, 32) X(szext_wrap_s32, "szext.wrap.s32", "r", u32, 32) \
    X(bmsk_clamp, "bmsk.clamp.b32", "r", u32, 32) X(bmsk_wrap, "bmsk.wrap.b32", "r", u32, 32)

#define FIELDS(X)                                                                                  \
    X(bfe_u32, "bfe.u32", "r", u32, 32) X(bfe_s32, "bfe.s32", "r", u32, 32)                        \
    X(bfe_u64, "bfe.u64", "l", u64, 64) X(bfe_s64, "bfe.s64", "l", u64, 64)

#define FUNNELS(X)                                                                                 \
    X(shf_l_clamp, "shf.l.clamp.b32") X(shf_l_wrap, "shf.l.wrap.b32")                              \
    X(shf_r_clamp, "shf.r.clamp.b32") X(shf_r_wrap, "shf.r.wrap.b32")

#define DIVISION(name, ptx, c, t, bits) BINARY(name, ptx, c, t, c, t, c, t)
#define SHIFT(name, ptx, c, t, bits) BINARY(name, ptx, c, t, c, t, "r", u32)
#define FIELD(name, ptx, c, t, bits) TERNARY(name, ptx, c, t, c, t, "r", u32, "r", u32)
#define FUNNEL(name, ptx) TERNARY(name, ptx, "r", u32, "r", u32, "r", u32, "r", u32)
DIVISIONS(DIVISION)
SHIFTS(SHIFT)
FIELDS(FIELD)
FUNNELS(FUNNEL)
TERNARY(fns_b32, "fns.b32", "r", u32, "r", u32, "r", u32, "r", u32)

/* a is inserted into b; c holds the position, and above it the length. */
#define INSERTION(name, ptx, c, t)                                                                 \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        AT;                                                                                        \
        t d;                                                                                       \
        asm volatile(ptx " %0, %1, %2, %3, %4;"                                                    \
                     : "=" c(d)                                                                    \
                     : c((t)in[3 * i]), c((t)in[3 * i + 1]), "r"((u32)in[3 * i + 2]),              \
                       "r"((u32)(in[3 * i + 2] >> 32)));                                           \
        out[i] = d;                                                                                \
    }
INSERTION(bfi_b32, "bfi.b32", "r", u32)
INSERTION(bfi_b64, "bfi.b64", "l", u64)

/* The carry after a subtraction, and its effect on a subtraction: an addition and a
 * subtraction of zero follow each. */
#define CARRIES(X)                                                                                 \
    X(add_addc, "add.cc.u32", "addc.u32") X(add_subc, "add.cc.u32", "subc.u32")                    \
    X(sub_addc, "sub.cc.u32", "addc.u32") X(sub_subc, "sub.cc.u32", "subc.u32")                    \
    X(addc_subc, "addc.cc.u32", "subc.u32") X(subc_addc, "subc.cc.u32", "addc.u32")
#define CARRY(name, first, second)                                                                 \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        AT;                                                                                        \
        u32 d, c;                                                                                  \
        asm volatile("add.cc.u32 %0, %4, -1; " first " %0, %2, %3; " second " %1, 0, 0;"            \
                     : "=&r"(d), "=&r"(c)                                                          \
                     : "r"((u32)in[3 * i]), "r"((u32)in[3 * i + 1]), "r"((u32)in[3 * i + 2]));     \
        out[i] = d | (u64)c << 32;                                                                 \
    }
CARRIES(CARRY)

#ifndef __CUDA_ARCH__
static const u64 COUNTS[] = {0,  1,  2,  15,  16,  17,  31,  32,  33,  47,         63,        64,
                             65, 95, 96, 127, 128, 129, 255, 256, 257, 0x80000000, 0xffffffff};

template <typename Kernel>
static void table(const char *name, const char *ptx, Kernel kernel, const std::vector<u64> &in) {
    const u32 n = (u32)(in.size() / 3);
    std::vector<u64> out =
        experiment(name, kernel, dim3((n + 127) / 128), dim3(128), 0, in, n, n);
    for (u32 i = 0; i < n; i++)
        printf("%s\t%llx\t%llx\t%llx\t%llx\n", ptx, HEX(in[3 * i]), HEX(in[3 * i + 1]),
               HEX(in[3 * i + 2]), HEX(out[i]));
}

static std::vector<u64> numbers(unsigned bits) {
    const u64 all = bits == 64 ? ~0ull : (1ull << bits) - 1, top = 1ull << (bits - 1);
    return {0, 1, 7, all, all - 6, top, top - 1, 0x123456789abcdef5ull & all};
}

static std::vector<u64> pairs(const std::vector<u64> &as, const std::vector<u64> &bs) {
    std::vector<u64> in;
    for (u64 a : as)
        for (u64 b : bs)
            in.insert(in.end(), {a, b, 0});
    return in;
}

int main(int argc, char **argv) {
    const std::vector<u64> counts(COUNTS, COUNTS + sizeof COUNTS / sizeof *COUNTS);
    std::vector<u64> fields, funnels, find, insert32, insert64;
    experiment_begin("edges", argc, argv);
    printf("instruction\ta\tb\tc\td\n");
#define DO_DIVISION(name, ptx, c, t, bits) table(#name, ptx, name, pairs(numbers(bits), numbers(bits)));
    DIVISIONS(DO_DIVISION)
#define DO_SHIFT(name, ptx, c, t, bits) table(#name, ptx, name, pairs(numbers(bits), counts));
    SHIFTS(DO_SHIFT)
#define DO_FIELD(name, ptx, c, t, bits)                                                            \
    fields.clear();                                                                                \
    for (u64 a : {0x9a3c5e7f8f2e4d6bull, 0x65c3a1807123c5a9ull})                                   \
        for (u64 at : counts)                                                                      \
            for (u64 length : counts)                                                              \
                fields.insert(fields.end(), {bits == 64 ? a : a & 0xffffffff, at, length});         \
    table(#name, ptx, name, fields);
    FIELDS(DO_FIELD)
    for (u64 a : {0x8f2e4d6bu, 0x7123c5a9u})
        for (u64 b : {0x13579bdfu, 0xfedcba98u})
            for (u64 c : counts)
                funnels.insert(funnels.end(), {a, b, c});
#define DO_FUNNEL(name, ptx) table(#name, ptx, name, funnels);
    FUNNELS(DO_FUNNEL)
    for (u64 at : counts)
        for (u64 length : counts) {
            insert32.insert(insert32.end(), {0x8f2e4d6bu, 0x13579bdfu, at | length << 32});
            insert64.insert(insert64.end(),
                            {0x9a3c5e7f8f2e4d6bull, 0x0123456789abcdefull, at | length << 32});
        }
    table("bfi_b32", "bfi.b32", bfi_b32, insert32);
    table("bfi_b64", "bfi.b64", bfi_b64, insert64);
    for (u64 mask : {0u, 1u, 0x80000000u, 0xffffffffu, 0x00ff00f0u, 0x8421u})
        for (u64 base : {0u, 1u, 4u, 5u, 15u, 16u, 30u, 31u, 32u, 33u, 255u, 0xffffffffu})
            for (long offset : {0l, 1l, 2l, 3l, 7l, 31l, 32l, 33l, 100l, -1l, -2l, -3l, -7l, -31l,
                                -32l, -33l, -2147483647l - 1, 2147483647l})
                find.insert(find.end(), {mask, base, (u64)(u32)offset});
    table("fns_b32", "fns.b32", fns_b32, find);
    std::vector<u64> carries;
    for (u64 a : numbers(32))
        for (u64 b : numbers(32))
            for (u64 carry : {0, 1})
                carries.insert(carries.end(), {a, b, carry});
    printf("# c: the carry before the first of two; d: the second's result above the first's\n");
#define DO_CARRY(name, first, second) table(#name, first "; " second, name, carries);
    CARRIES(DO_CARRY)
    return experiment_end();
}
#endif
