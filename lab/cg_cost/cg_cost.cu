// cg_cost.cu - the cost of cp.async.cg of 16 bytes with conflicting shared addresses. The counters of
// bank conflicts are always 0 (lab/reports/hardware-notes.md). So it measures the clock, and any other
// counter that run.sh finds.
//
//     cg_cost time       a line of CSV for each pattern and instruction: cycles of an instruction
//     cg_cost count      each pattern and instruction once, for Nsight Compute: one warp, one access,
//                        and a kernel name for each instruction
//     cg_cost list       the patterns in the order of `count`, as CSV with all addresses
//     cg_cost mix        drawn patterns of cp.async.cg, one kernel each: few lines on either side, so
//                        that lanes conflict in all ways; every third omits some lanes
//     cg_cost mix-list   these patterns as CSV: the active lanes, then all addresses
//     cg_cost pairs      drawn patterns of whole sectors, and pairs-list
//
// `mix` and `pairs` take a second word: by how many bytes the sources are shifted.
#include "../probes/gpu.h"

enum { WINDOW = 96 << 10, SOURCE = 64 << 10, EACH = 8, ROUNDS = 64 };

struct addresses {
    uint32_t to[32], from[32];
};

// --- patterns ---

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t step(unsigned l, unsigned bytes) {
    return l * bytes;
}

struct pattern {
    const char *name;
    uint32_t (*at)(unsigned lane);
};

// Destinations. "ways" is how many lanes of each quarter (eight lanes) fall on one group of banks.
static uint32_t to_seq(unsigned l) {
    return step(l, 16);
}
static uint32_t to_32(unsigned l) {
    return step(l, 32);
}
static uint32_t to_64(unsigned l) {
    return step(l, 64);
}
static uint32_t to_128(unsigned l) {
    return step(l, 128);
}
static uint32_t to_2048(unsigned l) {
    return step(l, 2048);
}
static uint32_t to_48(unsigned l) {
    return step(l, 48);
}
static uint32_t to_80(unsigned l) {
    return step(l, 80);
}
static uint32_t to_144(unsigned l) {
    return step(l, 144);
}
static uint32_t to_272(unsigned l) {
    return step(l, 272);
}
static uint32_t to_reverse(unsigned l) {
    return step(31 - l, 16);
}
static uint32_t to_same(unsigned l) {
    return l & 0;
}
static uint32_t to_pairs(unsigned l) {
    return l / 2 * 16;
}
static uint32_t to_fours(unsigned l) {
    return l / 4 * 16;
}
static uint32_t to_rows(unsigned l) {
    return l % 8 * 16 + l / 8 * 2048;
}
static uint32_t to_columns(unsigned l) {
    return l % 8 * 128 + l / 8 * 16;
}
static uint32_t to_columns_far(unsigned l) {
    return l % 8 * 2048 + l / 8 * 16;
}
static uint32_t to_swizzle(unsigned l) {
    return l / 8 * 128 + (l % 8 ^ l / 8) * 16;
}
static uint32_t to_swizzle_columns(unsigned l) {
    return l % 8 * 128 + (l % 8 ^ l / 8) * 16;
}
static uint32_t to_2_ways(unsigned l) {
    return l % 4 * 16 + l / 4 * 128;
}
static uint32_t to_4_ways(unsigned l) {
    return l % 2 * 16 + l / 2 * 128;
}
static uint32_t to_even_odd(unsigned l) {
    return l % 2 * 2048 + l / 2 * 16;
}
static uint32_t to_halves(unsigned l) {
    return l % 16 * 16 + l / 16 * 4096;
}
static uint32_t to_lines_8(unsigned l) {
    return l % 4 * 32 + l / 4 * 128;
}
static uint32_t to_random_1(unsigned l) {
    return (uint32_t)(mix(1000 + l) % 128 + l * 128) * 16;
}
static uint32_t to_random_2(unsigned l) {
    return (uint32_t)(mix(2000 + l) % 128 + l * 128) * 16;
}
static uint32_t to_random_3(unsigned l) {
    return (uint32_t)(mix(3000 + l) % 128 + l * 128) * 16;
}
static uint32_t to_random_4(unsigned l) {
    return (uint32_t)(mix(4000 + l) % 128 + l * 128) * 16;
}

// Sources.
static uint32_t from_seq(unsigned l) {
    return step(l, 16);
}
static uint32_t from_one(unsigned l) {
    return l & 0;
}
static uint32_t from_32(unsigned l) {
    return step(l, 32);
}
static uint32_t from_128(unsigned l) {
    return step(l, 128);
}
static uint32_t from_reverse(unsigned l) {
    return step(31 - l, 16);
}
static uint32_t from_columns(unsigned l) {
    return l % 8 * 128 + l / 8 * 16;
}
static uint32_t from_random(unsigned l) {
    return (uint32_t)(mix(9000 + l) % 4096) * 16;
}

#define P(name)                                                                                    \
    { #name, name }
static const pattern tos[] = {P(to_seq),         P(to_32),       P(to_64),
                              P(to_128),         P(to_2048),     P(to_48),
                              P(to_80),          P(to_144),      P(to_272),
                              P(to_reverse),     P(to_same),     P(to_pairs),
                              P(to_fours),       P(to_rows),     P(to_columns),
                              P(to_columns_far), P(to_swizzle),  P(to_swizzle_columns),
                              P(to_2_ways),      P(to_4_ways),   P(to_even_odd),
                              P(to_halves),      P(to_lines_8),  P(to_random_1),
                              P(to_random_2),    P(to_random_3), P(to_random_4)};
static const pattern froms[] = {P(from_seq),     P(from_one),     P(from_32),    P(from_128),
                                P(from_reverse), P(from_columns), P(from_random)};
enum { TOS = sizeof tos / sizeof *tos, FROMS = sizeof froms / sizeof *froms, ALL_FROM = 5 };

// Every destination with the first two sources, some destinations with all.
static int is_wanted(int t, int f) {
    return f < 2 || t < ALL_FROM || t == 14 || t == 16;
}

static addresses of(int t, int f) {
    addresses a;
    for (unsigned l = 0; l < 32; l++) {
        a.to[l] = tos[t].at(l) % WINDOW;
        a.from[l] = froms[f].at(l);
    }
    return a;
}

// --- kernels ---

#define ASYNC(op)                                                                                  \
    asm volatile("cp.async." op ".shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory")
#define STORE                                                                                      \
    asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(value) : "memory")
#define WAIT asm volatile("cp.async.wait_all;" ::: "memory")

// One access of one warp. The names of the kernels are those of the instructions.
#define ONCE(name, access)                                                                         \
    __global__ void name(const addresses *a, const uint8_t *source) {                              \
        extern __shared__ __align__(1024) uint8_t window[];                                        \
        const uint32_t to = (uint32_t)__cvta_generic_to_shared(window) + a->to[threadIdx.x];       \
        const uint8_t *from = source + a->from[threadIdx.x];                                       \
        const uint32_t value = threadIdx.x;                                                        \
        asm volatile("" ::"l"(from), "r"(value));                                                  \
        access;                                                                                    \
        WAIT;                                                                                      \
    }
ONCE(cg_once, ASYNC("cg"))
ONCE(ca_once, ASYNC("ca"))
ONCE(st_once, STORE)

// EACH accesses and a wait, many times, by all warps of the block; cycles of the slowest. Without a
// conflict the way from L2 is what takes time, with many the banks are. Warps write what others do.
#define TIMED(name, access)                                                                        \
    __global__ void name(const addresses *a, const uint8_t *source, long long *cycles) {           \
        extern __shared__ __align__(1024) uint8_t window[];                                        \
        const unsigned lane = threadIdx.x % 32;                                                    \
        const uint32_t to = (uint32_t)__cvta_generic_to_shared(window) + a->to[lane];              \
        const uint8_t *from = source + a->from[lane];                                              \
        const uint32_t value = lane;                                                               \
        asm volatile("" ::"l"(from), "r"(value));                                                  \
        access;                                                                                    \
        WAIT;                                                                                      \
        __syncthreads();                                                                           \
        const long long start = clock64();                                                         \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            _Pragma("unroll") for (int i = 0; i < EACH; i++) {                                     \
                access;                                                                            \
            }                                                                                      \
            WAIT;                                                                                  \
        }                                                                                          \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0)                                                                      \
            *cycles = clock64() - start;                                                           \
    }
TIMED(cg_timed, ASYNC("cg"))
TIMED(ca_timed, ASYNC("ca"))
TIMED(st_timed, STORE)

typedef void (*once)(const addresses *, const uint8_t *);
typedef void (*timed)(const addresses *, const uint8_t *, long long *);
static const struct {
    const char *name;
    once one;
    timed many;
} codes[] = {{"cg", cg_once, cg_timed}, {"ca", ca_once, ca_timed}, {"st", st_once, st_timed}};
enum { CODES = sizeof codes / sizeof *codes };

// --- drawn patterns ---

enum { MIXES = 450 };

static uint64_t drawn;
static uint32_t draw(uint32_t below) {
    return (uint32_t)(mix(drawn += 0x9e3779b97f4a7c15u) >> 32) % below;
}

struct mixed {
    addresses a;
    uint32_t mask;
};

// Pieces of 16 bytes, one after another, by steps, or anywhere in a number of lines, sometimes an XOR of
// another pattern.
static void draw_side(uint32_t to[32]) {
    const uint32_t kind = draw(5), lines = 1u << draw(6), stride = 1 + draw(12);
    const uint32_t first = draw(64) * 128, turn = draw(8);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t piece = kind == 0   ? l ^ turn
                         : kind == 1 ? l * stride
                         : kind == 2 ? draw(lines * 8)
                         : kind == 3 ? l % lines * 8 + (l / lines ^ turn) % 8
                                     : l / 8 * 8 + ((l % 8) ^ draw(2) * turn);
        to[l] = first + piece * 16;
    }
}

static mixed draw_mixed(int n) {
    mixed m;
    drawn = (uint64_t)n << 32;
    draw_side(m.a.to);
    draw_side(m.a.from);
    m.mask = n % 3 ? ~0u : draw(0xffffffffu) | draw(0xffffffffu);
    return m;
}

// The same of whole sectors: each pair of lanes copies 32 bytes, whose halves may change places.
static mixed draw_pairs(int n) {
    const mixed of = draw_mixed(n + MIXES);
    const uint32_t exchanges = draw(3);
    mixed m;
    m.mask = 0;
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t crossed = exchanges == 0 ? 0 : exchanges == 1 ? l / 2 & 1 : mix(n * 16 + l / 2) & 1;
        m.a.to[l] = of.a.to[l / 2] * 2 + l % 2 * 16;
        m.a.from[l] = of.a.from[l / 2] * 2 + (l % 2 ^ crossed) * 16;
        m.mask |= (of.mask >> l / 2 & 1) << l;
    }
    return m;
}

__global__ void cg_mixed(const mixed *m, const uint8_t *source) {
    extern __shared__ __align__(1024) uint8_t window[];
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(window) + m->a.to[threadIdx.x];
    const uint8_t *from = source + m->a.from[threadIdx.x];
    if (m->mask >> threadIdx.x & 1)
        ASYNC("cg");
    WAIT;
}

// The sources begin `shift` bytes behind their allocation.
static int run_mixed(int lists, int pairs, size_t shift) {
    mixed *there = NULL;
    uint8_t *from = NULL;
    if (!lists) {
        must(cudaMalloc(&there, sizeof *there));
        must(cudaMalloc(&from, SOURCE + shift));
        must(cudaMemset(from, 1, SOURCE + shift));
        from += shift;
        must(cudaFuncSetAttribute(cg_mixed, cudaFuncAttributeMaxDynamicSharedMemorySize, WINDOW));
    }
    for (int n = 0; n < MIXES; n++) {
        const mixed m = pairs ? draw_pairs(n) : draw_mixed(n);
        if (!lists) {
            must(cudaMemcpy(there, &m, sizeof m, cudaMemcpyHostToDevice));
            cg_mixed<<<1, 32, WINDOW>>>(there, from);
            must(cudaDeviceSynchronize());
            continue;
        }
        printf("%08x", (unsigned)m.mask);
        for (int l = 0; l < 32; l++)
            printf("%s%x", l ? " " : ",", (unsigned)m.a.to[l]);
        for (int l = 0; l < 32; l++)
            printf("%s%x", l ? " " : ",", (unsigned)m.a.from[l]);
        putchar('\n');
    }
    return 0;
}

// --- runs ---

static addresses *at;
static uint8_t *source;
static long long *cycles;

// Cycles of one access of the block's warps, the least of five launches.
static double measure(timed code, unsigned warps) {
    long long least = 0, now;
    for (int i = 0; i < 5; i++) {
        code<<<1, warps * 32, WINDOW>>>(at, source, cycles);
        must(cudaMemcpy(&now, cycles, sizeof now, cudaMemcpyDeviceToHost));
        least = i == 0 || now < least ? now : least;
    }
    return (double)least / (ROUNDS * EACH * warps);
}

static void time_one(int c, int t, int f) {
    static const unsigned warps[] = {1, 4, 16, 32};
    printf("%s,%s,%s", codes[c].name, tos[t].name, froms[f].name);
    for (unsigned i = 0; i < sizeof warps / sizeof *warps; i++)
        printf(",%.2f", measure(codes[c].many, warps[i]));
    putchar('\n');
}

static void list_one(int c, int t, int f, const addresses *a) {
    printf("%s,%s,%s", codes[c].name, tos[t].name, froms[f].name);
    for (int l = 0; l < 32; l++)
        printf("%s%x", l ? " " : ",", (unsigned)a->to[l]);
    for (int l = 0; l < 32; l++)
        printf("%s%x", l ? " " : ",", (unsigned)a->from[l]);
    putchar('\n');
}

static void open_gpu(void) {
    must(cudaMalloc(&at, sizeof *at));
    must(cudaMalloc(&source, SOURCE));
    must(cudaMemset(source, 1, SOURCE));
    must(cudaMalloc(&cycles, sizeof *cycles));
    for (int c = 0; c < CODES; c++) {
        must(cudaFuncSetAttribute(codes[c].one, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  WINDOW));
        must(cudaFuncSetAttribute(codes[c].many, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  WINDOW));
    }
}

int main(int argc, char **argv) {
    const char *mode = argc == 2 || argc == 3 ? argv[1] : "";
    const size_t shift = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
    if (strcmp(mode, "mix") == 0 || strcmp(mode, "mix-list") == 0)
        return run_mixed(mode[3] == '-', 0, shift);
    if (strcmp(mode, "pairs") == 0 || strcmp(mode, "pairs-list") == 0)
        return run_mixed(mode[5] == '-', 1, shift);
    if (strcmp(mode, "time") && strcmp(mode, "count") && strcmp(mode, "list")) {
        fprintf(stderr, "usage: cg_cost time|count|list|mix|mix-list|pairs|pairs-list\n");
        return 2;
    }
    if (*mode != 'l')
        open_gpu();
    printf(*mode == 't'   ? "op,to,from,warps_1,warps_4,warps_16,warps_32\n"
           : *mode == 'l' ? "op,to,from,to_addresses,from_addresses\n"
                          : "");
    for (int c = 0; c < CODES; c++)
        for (int t = 0; t < TOS; t++)
            for (int f = 0; f < (c == 2 ? 1 : FROMS); f++) {
                const addresses a = of(t, f);
                if (!is_wanted(t, f))
                    continue;
                if (*mode != 'l')
                    must(cudaMemcpy(at, &a, sizeof a, cudaMemcpyHostToDevice));
                if (*mode == 'c') {
                    codes[c].one<<<1, 32, WINDOW>>>(at, source);
                    must(cudaDeviceSynchronize());
                } else if (*mode == 't') {
                    time_one(c, t, f);
                } else {
                    list_one(c, t, f, &a);
                }
            }
    return 0;
}
