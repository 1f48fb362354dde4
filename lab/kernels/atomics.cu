/* atomics.cu - rounding, flushing and NaNs of atomic additions of floats. The additions are `atom` and
 * `red`, scalar and vector, in global and shared memory. Also inc, dec, and integers at their limits.
 * Each lane has its own cell, so the order does not matter. A row is an operation with the cell before,
 * the operand, the result, and the cell after. */
#include "experiment.cuh"

#include <cmath>

#define AT const u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

/* out: what atom returned, the cell after atom, the cell after red. */
#define SCALAR(name, op, type, c, t, store)                                                        \
    extern "C" __global__ void name##_global(const u64 *in, u64 *out, u32 n) {                     \
        AT;                                                                                        \
        t old;                                                                                     \
        u64 *const cells = out + 3 * i;                                                            \
        cells[0] = 0, cells[1] = cells[2] = in[2 * i];                                             \
        asm volatile("atom.global." op "." type " %0, [%1], %2;"                                   \
                     : "=" c(old) : "l"(cells + 1), c((t)in[2 * i + 1]) : "memory");               \
        asm volatile(store ".global." op "." type " [%0], %1;"                                     \
                     :: "l"(cells + 2), c((t)in[2 * i + 1]) : "memory");                           \
        cells[0] = old;                                                                            \
    }                                                                                              \
    extern "C" __global__ void name##_shared(const u64 *in, u64 *out, u32 n) {                     \
        __shared__ u64 memory[2 * 128];                                                            \
        AT;                                                                                        \
        t old;                                                                                     \
        u64 *const cells = memory + 2 * threadIdx.x;                                               \
        const u32 at = (u32)__cvta_generic_to_shared(cells);                                       \
        cells[0] = cells[1] = in[2 * i];                                                           \
        asm volatile("atom.shared." op "." type " %0, [%1], %2;"                                   \
                     : "=" c(old) : "r"(at), c((t)in[2 * i + 1]) : "memory");                      \
        asm volatile(store ".shared." op "." type " [%0], %1;"                                     \
                     :: "r"(at + 8), c((t)in[2 * i + 1]) : "memory");                              \
        out[3 * i] = old, out[3 * i + 1] = cells[0], out[3 * i + 2] = cells[1];                    \
    }

#define SCALARS(X)                                                                                 \
    X(add_f32, "add", "f32", "r", u32, "red") X(add_f64, "add", "f64", "l", u64, "red")            \
    X(add_f16, "add.noftz", "f16", "h", u16, "red")                                                \
    X(add_f16x2, "add.noftz", "f16x2", "r", u32, "red")                                            \
    X(add_bf16, "add.noftz", "bf16", "h", u16, "red")                                              \
    X(add_bf16x2, "add.noftz", "bf16x2", "r", u32, "red")                                          \
    X(inc_u32, "inc", "u32", "r", u32, "red") X(dec_u32, "dec", "u32", "r", u32, "red")            \
    X(min_s32, "min", "s32", "r", u32, "red") X(max_s32, "max", "s32", "r", u32, "red")            \
    X(min_u64, "min", "u64", "l", u64, "red") X(max_s64, "max", "s64", "l", u64, "red")            \
    X(add_u64, "add", "u64", "l", u64, "red")

/* f32 through registers of b32 is what `"r"` gives; the assembler takes either. */
SCALARS(SCALAR)

/* The same through generic addresses of global and of shared memory, f32. */
extern "C" __global__ void add_f32_generic(const u64 *in, u64 *out, u32 n) {
    __shared__ u64 memory[128];
    AT;
    u32 old;
    u64 *const global = out + 3 * i + 1, *const shared = memory + threadIdx.x;
    *global = *shared = in[2 * i];
    asm volatile("atom.add.f32 %0, [%1], %2;" : "=r"(old) : "l"(global), "r"((u32)in[2 * i + 1]) : "memory");
    out[3 * i] = old;
    asm volatile("atom.add.f32 %0, [%1], %2;" : "=r"(old) : "l"(shared), "r"((u32)in[2 * i + 1]) : "memory");
    out[3 * i + 2] = *shared;
}

/* Vectors in global memory: element 0 is the pair of `in`, the others are the next pairs. */
#define ELEMENT(k) in[2 * ((i + k) % n) + 1]
#define VECTOR(name, vec, op, type, c, t, count, ts, d, s, outs, ins)                              \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        AT;                                                                                        \
        t old[8] = {0}, *const cells = (t *)(out + 12 * i + 4), *const reds = (t *)(out + 12 * i + 8); \
        for (int k = 0; k < 12; k++)                                                               \
            out[12 * i + k] = 0;                                                                   \
        for (int k = 0; k < count; k++)                                                            \
            cells[k] = reds[k] = (t)in[2 * ((i + k) % n)];                                         \
        asm volatile("atom.global." op "." vec "." type " {" d "}, [%" #count "], {" s "};"        \
                     : outs : "l"(cells), ins : "memory");                                         \
        asm volatile("red.global." op "." vec "." type " [%0], {" ts "};" :: "l"(reds), ins : "memory"); \
        for (int k = 0; k < count; k++)                                                            \
            ((t *)(out + 12 * i))[k] = old[k];                                                     \
    }
#define O2(c) "=" c(old[0]), "=" c(old[1])
#define O4(c) O2(c), "=" c(old[2]), "=" c(old[3])
#define O8(c) O4(c), "=" c(old[4]), "=" c(old[5]), "=" c(old[6]), "=" c(old[7])
#define I2(c, t) c((t)ELEMENT(0)), c((t)ELEMENT(1))
#define I4(c, t) I2(c, t), c((t)ELEMENT(2)), c((t)ELEMENT(3))
#define I8(c, t) I4(c, t), c((t)ELEMENT(4)), c((t)ELEMENT(5)), c((t)ELEMENT(6)), c((t)ELEMENT(7))
#define V2(name, op, type, c, t) \
    VECTOR(name, "v2", op, type, c, t, 2, "%1, %2", "%0, %1", "%3, %4", O2(c), I2(c, t))
#define V4(name, op, type, c, t) \
    VECTOR(name, "v4", op, type, c, t, 4, "%1, %2, %3, %4", "%0, %1, %2, %3", "%5, %6, %7, %8", O4(c), I4(c, t))
#define V8(name, op, type, c, t)                                                                   \
    VECTOR(name, "v8", op, type, c, t, 8, "%1, %2, %3, %4, %5, %6, %7, %8",                        \
           "%0, %1, %2, %3, %4, %5, %6, %7", "%9, %10, %11, %12, %13, %14, %15, %16", O8(c), I8(c, t))
V2(add_v2_f32, "add", "f32", "r", u32)
V4(add_v4_f32, "add", "f32", "r", u32)
V2(add_v2_f16, "add.noftz", "f16", "h", u16)
V4(add_v4_f16, "add.noftz", "f16", "h", u16)
V8(add_v8_f16, "add.noftz", "f16", "h", u16)
V8(add_v8_bf16, "add.noftz", "bf16", "h", u16)
V8(min_v8_f16, "min.noftz", "f16", "h", u16)
V8(max_v8_f16, "max.noftz", "f16", "h", u16)
V8(min_v8_bf16, "min.noftz", "bf16", "h", u16)
V4(add_v4_f16x2, "add.noftz", "f16x2", "r", u32)
V4(max_v4_bf16x2, "max.noftz", "bf16x2", "r", u32)

#ifndef __CUDA_ARCH__
static u64 seed = 1;
static u64 draw() {
    u64 z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Pairs of a format of `exponent` and `fraction` bits: specials crossed, then any bits, near one
 * another, subnormal, and ties. */
static std::vector<u64> floats(unsigned exponent, unsigned fraction) {
    const u64 one = 1ull << fraction, sign = one << exponent, infinity = sign - one,
              bias = ((1ull << (exponent - 1)) - 1) << fraction;
    const u64 magnitudes[] = {0, 1, 2, one / 2, one - 1, one, one + 1, 2 * one, bias, bias + 1, bias - 1,
                              bias + one, bias + one * (fraction + 1), infinity - 1, infinity - one, infinity,
                              infinity + 1, infinity + one / 2, sign - 1, infinity + one / 2 + 5};
    std::vector<u64> in;
    for (u64 a : magnitudes)
        for (u64 b : magnitudes)
            for (int signs = 0; signs < 4; signs++)
                in.insert(in.end(), {a | (signs & 1 ? sign : 0), b | (signs & 2 ? sign : 0)});
    for (int i = 0; i < 1500; i++) {
        u64 a = draw() & (2 * sign - 1), b = draw() & (2 * sign - 1);
        if (i % 5 == 1) /* near one another: cancels */
            b = (a ^ sign) + draw() % 5 - 2;
        if (i % 5 == 2) /* subnormal */
            a &= sign | (one - 1), b &= sign | (2 * one - 1);
        if (i % 5 == 3) { /* within the width of the fraction: ties and stickies */
            a = (a & (sign | (one - 1))) | bias;
            b = (b & (sign | (one - 1) & ~((1ull << draw() % fraction) - 1))) |
                (bias - (draw() % (fraction + 3) << fraction) % bias);
        }
        in.insert(in.end(), {a & (2 * sign - 1), b & (2 * sign - 1)});
    }
    return in;
}

/* Two of a 16-bit format in a word. */
static std::vector<u64> packed(const std::vector<u64> &in) {
    std::vector<u64> out;
    for (size_t i = 0; i + 3 < in.size(); i += 2)
        out.push_back(in[i] | in[i + 2] << 16), out.push_back(in[i + 1] | in[i + 3] << 16);
    return out;
}

static std::vector<u64> integers(unsigned bits) {
    const u64 all = bits == 64 ? ~0ull : 0xffffffffull, top = 1ull << (bits - 1);
    const u64 v[] = {0, 1, 2, 3, 7, all, all - 1, top, top - 1, top + 1, 0x12345678};
    std::vector<u64> in;
    for (u64 a : v)
        for (u64 b : v)
            in.insert(in.end(), {a, b});
    return in;
}

/* An addition of f32 or f64 with and without flushing, in the floats of this machine. */
struct rule {
    const char *name;
    int in, out; /* flushes operands, results */
};
static const rule RULES[] = {{"subnormals kept", 0, 0}, {"operands flushed", 1, 0}, {"results flushed", 0, 1}, {"all flushed", 1, 1}};

static float number(u64 bits, float) { u32 b = (u32)bits; float f; memcpy(&f, &b, 4); return f; }
static double number(u64 bits, double) { double f; memcpy(&f, &bits, 8); return f; }
template <typename T> static T flush(T x, int on) {
    return on && std::fpclassify(x) == FP_SUBNORMAL ? std::copysign((T)0, x) : x;
}

template <typename T>
static void judge(const char *name, const std::vector<u64> &in, const std::vector<u64> &out) {
    for (const rule &r : RULES) {
        size_t wrong = 0, nans = 0, other = 0;
        u64 nan = 0;
        for (size_t i = 0; i < in.size() / 2; i++) {
            volatile T a = flush(number(in[2 * i], T()), r.in), b = flush(number(in[2 * i + 1], T()), r.in);
            volatile T sum = a + b;
            T want = flush((T)sum, r.out), is = number(out[3 * i + 1], T());
            if (want != want) {
                if (!nans++)
                    nan = out[3 * i + 1];
                wrong += is == is;
                other += out[3 * i + 1] != nan;
            } else
                wrong += memcmp(&want, &is, sizeof want) != 0;
        }
        printf("# %s: %s: %zu of %zu differ; %zu NaNs, the first %llx, %zu others\n", name, r.name, wrong,
               in.size() / 2, nans, (unsigned long long)nan, other);
    }
}

template <typename Kernel>
static std::vector<u64> scalar(const char *name, Kernel kernel, const std::vector<u64> &in) {
    const u32 n = (u32)(in.size() / 2);
    std::vector<u64> out = experiment(name, kernel, dim3((n + 127) / 128), dim3(128), 0, in, 3 * n, n);
    size_t reds = 0;
    for (u32 i = 0; i < n; i++) {
        reds += out[3 * i + 1] != out[3 * i + 2];
        printf("%s\t%llx\t%llx\t%llx\t%llx\t%llx\n", name, (unsigned long long)in[2 * i],
               (unsigned long long)in[2 * i + 1], (unsigned long long)out[3 * i],
               (unsigned long long)out[3 * i + 1], (unsigned long long)out[3 * i + 2]);
    }
    printf("# %s: red differs from atom in %zu of %u\n", name, reds, n);
    return out;
}

template <typename Kernel>
static void vector(const char *name, Kernel kernel, const std::vector<u64> &in, unsigned count, unsigned bytes) {
    const u32 n = (u32)(in.size() / 2);
    std::vector<u64> out = experiment(name, kernel, dim3((n + 127) / 128), dim3(128), 0, in, 12 * n, n);
    size_t reds = 0;
    for (u32 i = 0; i < n; i++) {
        u64 first[3] = {0, 0, 0};
        for (int part = 0; part < 3; part++)
            memcpy(&first[part], &out[12 * i + 4 * part], bytes);
        reds += memcmp(&out[12 * i + 4], &out[12 * i + 8], count * bytes) != 0;
        printf("%s\t%llx\t%llx\t%llx\t%llx\t%llx\n", name, (unsigned long long)in[2 * i],
               (unsigned long long)in[2 * i + 1], (unsigned long long)first[0], (unsigned long long)first[1],
               (unsigned long long)first[2]);
    }
    printf("# %s: red differs from atom in %zu of %u\n", name, reds, n);
}

int main(int argc, char **argv) {
    const std::vector<u64> f32 = floats(8, 23), f64 = floats(11, 52), f16 = floats(5, 10), bf16 = floats(8, 7);
    experiment_begin("atomics", argc, argv);
    printf("operation\tcell\toperand\treturned\tcell after atom\tcell after red\n");
    judge<float>("add_f32_global", f32, scalar("add_f32_global", add_f32_global, f32));
    judge<float>("add_f32_shared", f32, scalar("add_f32_shared", add_f32_shared, f32));
    printf("# add_f32_generic: the cell after `atom` is global, the one after `red` shared, both by atom\n");
    judge<float>("add_f32_generic", f32, scalar("add_f32_generic", add_f32_generic, f32));
    judge<double>("add_f64_global", f64, scalar("add_f64_global", add_f64_global, f64));
    judge<double>("add_f64_shared", f64, scalar("add_f64_shared", add_f64_shared, f64));
#define BOTH(name, in) scalar(#name "_global", name##_global, in), scalar(#name "_shared", name##_shared, in)
    BOTH(add_f16, f16), BOTH(add_f16x2, packed(f16)), BOTH(add_bf16, bf16), BOTH(add_bf16x2, packed(bf16));
    BOTH(inc_u32, integers(32)), BOTH(dec_u32, integers(32)), BOTH(min_s32, integers(32));
    BOTH(max_s32, integers(32)), BOTH(min_u64, integers(64)), BOTH(max_s64, integers(64));
    BOTH(add_u64, integers(64));
    vector("add_v2_f32", add_v2_f32, f32, 2, 4), vector("add_v4_f32", add_v4_f32, f32, 4, 4);
    vector("add_v2_f16", add_v2_f16, f16, 2, 2), vector("add_v4_f16", add_v4_f16, f16, 4, 2);
    vector("add_v8_f16", add_v8_f16, f16, 8, 2), vector("add_v8_bf16", add_v8_bf16, bf16, 8, 2);
    vector("min_v8_f16", min_v8_f16, f16, 8, 2), vector("max_v8_f16", max_v8_f16, f16, 8, 2);
    vector("min_v8_bf16", min_v8_bf16, bf16, 8, 2), vector("add_v4_f16x2", add_v4_f16x2, packed(f16), 4, 4);
    vector("max_v4_bf16x2", max_v4_bf16x2, packed(bf16), 4, 4);
    return experiment_end();
}
#endif
