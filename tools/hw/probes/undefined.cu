// undefined.cu - what the GPU does where the ISA leaves it undefined: row addresses of matrix moves
// that are misaligned, outside of shared memory or equal, and instructions by a part of the warp.
//
//   undefined              prints how many experiments there are
//   undefined N            does experiment N; exit status 3 if the GPU trapped
//
// A trap ends the CUDA context, and a part of a warp may hang: one process each (run.sh).
#include "gpu.h"

enum { WINDOW = 4096, MASKS = 8, WAIT = 1 << 22 };

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// ---- one instruction, all of its registers in words ---------------------------------------------

// What lanes outside the mask do: their predicate is false; they have left; they wait elsewhere.
enum part { PREDICATE, EXIT, BRANCH, PARTS };
static const char *const part_names[PARTS] = {"predicate", "exit", "branch"};

struct words {
    uint32_t in[12][32], out[4][32], addr[32];
    uint8_t window[WINDOW];
    uint32_t mask, part, cycles[32];
};

#define OUT1 "+r"(d[0])
#define OUT2 OUT1, "+r"(d[1])
#define OUT4 OUT2, "+r"(d[2]), "+r"(d[3])
#define IN1 "r"(x[0])
#define IN2 IN1, "r"(x[1])
#define IN4 IN2, "r"(x[2]), "r"(x[3])
#define IN8 IN4, "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7])
#define IN10 IN8, "r"(x[8]), "r"(x[9])

// The instruction stands behind a predicate, which keeps what was in its result registers: the
// compiler cannot know that the predicate is true; it is asm operand `p`. All is loaded before
// lanes part.
#define KERNEL(name, p, text, outputs, ...)                                                        \
    __global__ void name(words *o) {                                                               \
        __shared__ __align__(1024) uint8_t window[WINDOW];                                         \
        const unsigned lane = threadIdx.x;                                                         \
        volatile words *v = o;                                                                     \
        uint32_t x[12], d[4];                                                                      \
        for (unsigned i = lane; i < WINDOW; i += 32)                                               \
            window[i] = o->window[i];                                                              \
        for (int i = 0; i < 12; i++)                                                               \
            x[i] = v->in[i][lane];                                                                 \
        for (int i = 0; i < 4; i++)                                                                \
            d[i] = v->out[i][lane];                                                                \
        const uint32_t at = (uint32_t)__cvta_generic_to_shared(window) + v->addr[lane];            \
        const uint32_t active = v->mask >> lane & 1, part = v->part;                               \
        (void)at, (void)x[0];                                                                      \
        __syncwarp();                                                                              \
        const long long start = clock64();                                                         \
        if (active || part == PREDICATE)                                                           \
            asm volatile("{.reg .pred p;\n setp.ne.u32 p, %" #p ", 0;\n" text ";}"                 \
                         : outputs                                                                 \
                         : __VA_ARGS__, "r"(active)                                                \
                         : "memory");                                                              \
        else if (part == EXIT)                                                                     \
            return;                                                                                \
        else                                                                                       \
            while (clock64() - start < WAIT)                                                       \
                ;                                                                                  \
        o->cycles[lane] = (uint32_t)(clock64() - start);                                           \
        for (int i = 0; i < 4; i++)                                                                \
            v->out[i][lane] = d[i];                                                                \
        for (unsigned i = 0; i < WINDOW; i++)                                                      \
            o->window[i] = window[i];                                                              \
    }

#define ROW "mma.sync.aligned."
#define LD "ldmatrix.sync.aligned.m8n8."
#define ST "stmatrix.sync.aligned.m8n8."
#define F16 ROW "m16n8k16.row.col.f16.f16.f16.f16"
#define FP8 ROW "m16n8k32.row.col.f16.e4m3.e4m3.f16"
#define S8 ROW "m16n8k32.row.col.s32.s8.s8.s32"
#define QUAD ROW "m8n8k4.row.col.f16.f16.f16.f16"
#define F64 ROW "m8n8k4.row.col.f64.f64.f64.f64"
#define MOV "movmatrix.sync.aligned.m8n8.trans.b16"

#define OPERANDS_2422 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9}"
#define OPERANDS_4424 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13}"
#define OPERANDS_4224 " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11}"
#define FOUR "{%0, %1, %2, %3}"

KERNEL(mma_f16, 10, "@p " F16 OPERANDS_2422, OUT2, IN8)
KERNEL(mma_fp8, 10, "@p " FP8 OPERANDS_2422, OUT2, IN8)
KERNEL(mma_s8, 14, "@p " S8 OPERANDS_4424, OUT4, IN10)
KERNEL(mma_quad, 12, "@p " QUAD OPERANDS_4224, OUT4, IN8)
KERNEL(mma_f64, 12,
       ".reg .f64 a, b, c<2>, d<2>;\n mov.b64 a, {%4, %5};\n mov.b64 b, {%6, %7};\n"
       "mov.b64 c0, {%8, %9};\n mov.b64 c1, {%10, %11};\n"
       "mov.b64 d0, {%0, %1};\n mov.b64 d1, {%2, %3};\n @p " F64 " {d0, d1}, {a}, {b}, {c0, c1};\n"
       "mov.b64 {%0, %1}, d0;\n mov.b64 {%2, %3}, d1",
       OUT4, IN8)
KERNEL(movmatrix, 2, "@p " MOV " %0, %1", OUT1, IN1)
KERNEL(ld_x1, 2, "@p " LD "x1.shared.b16 {%0}, [%1]", OUT1, "r"(at))
KERNEL(ld_x2, 3, "@p " LD "x2.shared.b16 {%0, %1}, [%2]", OUT2, "r"(at))
KERNEL(ld_x4, 5, "@p " LD "x4.shared.b16 " FOUR ", [%4]", OUT4, "r"(at))
KERNEL(ld_x4_trans, 5, "@p " LD "x4.trans.shared.b16 " FOUR ", [%4]", OUT4, "r"(at))
KERNEL(st_x1, 3, "@p " ST "x1.shared.b16 [%1], {%2}", OUT1, "r"(at), IN1)
KERNEL(st_x2, 5, "@p " ST "x2.shared.b16 [%2], {%3, %4}", OUT2, "r"(at), IN2)
KERNEL(st_x4, 9, "@p " ST "x4.shared.b16 [%4], {%5, %6, %7, %8}", OUT4, "r"(at), IN4)
KERNEL(st_x4_trans, 9, "@p " ST "x4.trans.shared.b16 [%4], {%5, %6, %7, %8}", OUT4, "r"(at), IN4)

struct instruction {
    const char *spelling;
    void (*kernel)(words *);
    int outputs, store, matrices; // registers of the result; moves: matrices, else 0
};
static const instruction instructions[] = {
    {LD "x1.shared.b16", ld_x1, 1, 0, 1},
    {LD "x2.shared.b16", ld_x2, 2, 0, 2},
    {LD "x4.shared.b16", ld_x4, 4, 0, 4},
    {LD "x4.trans.shared.b16", ld_x4_trans, 4, 0, 4},
    {ST "x1.shared.b16", st_x1, 0, 1, 1},
    {ST "x2.shared.b16", st_x2, 0, 1, 2},
    {ST "x4.shared.b16", st_x4, 0, 1, 4},
    {ST "x4.trans.shared.b16", st_x4_trans, 0, 1, 4},
    {MOV, movmatrix, 1, 0, 0},
    {F16, mma_f16, 2, 0, 0},
    {FP8, mma_fp8, 2, 0, 0},
    {S8, mma_s8, 4, 0, 0},
    {QUAD, mma_quad, 4, 0, 0},
    {F64, mma_f64, 4, 0, 0},
};
enum { MOVES = 8, STORES = 4, INSTRUCTIONS = sizeof instructions / sizeof *instructions };

// Launches; 0, or the CUDA error.
static cudaError_t launch(const instruction *i, words *o) {
    static words *on_gpu;
    cudaError_t error;
    if (!on_gpu)
        check(cudaMalloc(&on_gpu, sizeof *o));
    check(cudaMemcpy(on_gpu, o, sizeof *o, cudaMemcpyHostToDevice));
    i->kernel<<<1, 32>>>(on_gpu);
    error = cudaDeviceSynchronize();
    return error ? error : cudaMemcpy(o, on_gpu, sizeof *o, cudaMemcpyDeviceToHost);
}

static void fill(words *o, uint64_t seed) {
    memset(o, 0, sizeof *o);
    for (unsigned i = 0; i < 12 * 32; i++) // floats of every type, of moderate size
        o->in[i / 32][i % 32] = ((uint32_t)mix(seed + i) & 0x801bbbf7u) | 0x3fe00000;
    for (unsigned i = 0; i < 4 * 32; i++)
        o->out[i / 32][i % 32] = 0xdeadbeef;
    for (unsigned lane = 0; lane < 32; lane++)
        o->addr[lane] = lane * 16 * 7 % WINDOW;
    for (unsigned i = 0; i < WINDOW; i++)
        o->window[i] = (uint8_t)(mix(seed + (i & ~7u)) >> 8 * (i % 8));
    o->mask = 0xffffffff;
}

// ---- row addresses ------------------------------------------------------------------------------

static void put_bytes(const char *name, const uint8_t *bytes) {
    printf("\t%s=", name);
    for (int i = 0; i < WINDOW; i++)
        printf("%02x", bytes[i]);
}

static void put_words(const char *name, const uint32_t (*words)[32], int rows) {
    printf("\t%s=", name);
    for (int i = 0; i < rows * 32; i++)
        printf("%08x", words[i / 32][i % 32]);
}

// The window is fill(SEED)'s.
static int run_case(const instruction *i, words *o, uint64_t seed, const char *comment) {
    const words before = *o;
    const cudaError_t error = launch(i, o);
    printf("# %s: %s\n%s", comment, error ? cudaGetErrorString(error) : "no trap", i->spelling);
    printf("\tsmem=@mix:%llu:%d", (unsigned long long)seed, WINDOW);
    put_words("addr", &before.addr, 1);
    if (i->store)
        put_words("r", before.in, i->matrices);
    if (error)
        printf("\ttrap=1");
    else if (i->store)
        put_bytes("smem_after", o->window);
    else
        put_words("d", o->out, i->outputs);
    printf("\n");
    return error ? 3 : 0;
}

// A bad address in the first or in the last lane that names a row.
struct bad {
    const char *words;
    uint32_t add;
    int absolute;
};
static const bad bads[] = {
    {"1 byte past a row", 1, 0},
    {"2 bytes past a row", 2, 0},
    {"4 bytes past a row", 4, 0},
    {"8 bytes past a row", 8, 0},
    {"at the end of the window", WINDOW, 1},
    {"256 bytes past the window", WINDOW + 256, 1},
    {"64 KiB", 1 << 16, 1},
    {"227 KiB", 227 << 10, 1},
    {"256 KiB", 1 << 18, 1},
    {"16 MiB", 1 << 24, 1},
    {"16 bytes below the window", 0xfffffff0, 1},
    {"2 KiB below the window", 0xfffff800, 1},
};
enum { BADS = sizeof bads / sizeof *bads };

static int run_bad(unsigned number) {
    static words o;
    const instruction *i = &instructions[number / (2 * BADS)];
    const bad *b = &bads[number / 2 % BADS];
    const unsigned lane = number % 2 ? 8 * (unsigned)i->matrices - 1 : 0;
    char comment[120];
    fill(&o, number);
    o.addr[lane] = b->absolute ? b->add : o.addr[lane] + b->add;
    snprintf(comment, sizeof comment, "row address of lane %u %s", lane, b->words);
    return run_case(i, &o, number, comment);
}

// Lanes whose addresses name no row hold anything.
static int run_unused(unsigned number) {
    static words o;
    const instruction *i = &instructions[number];
    fill(&o, number);
    for (unsigned lane = 8 * (unsigned)i->matrices; lane < 32; lane++)
        o.addr[lane] = (uint32_t)mix(lane) | 1;
    return run_case(i, &o, number, "addresses that name no row are odd and outside");
}

// Stores whose rows meet: 5 places for all rows.
static int run_equal(unsigned number) {
    static words o;
    for (unsigned i = 0; i < 8; i++) {
        fill(&o, number * 100 + i);
        for (unsigned lane = 0; lane < 32; lane++)
            o.addr[lane] = (uint32_t)(mix(number * 1000 + i * 32 + lane) % 5 * 16);
        run_case(&instructions[STORES + number], &o, number * 100 + i, "equal row addresses");
    }
    return 0;
}

// ---- a part of the warp -------------------------------------------------------------------------

static int equal_lanes(const words *a, const words *b, int outputs, uint32_t mask) {
    int equal = 0;
    for (int lane = 0; lane < 32; lane++) {
        int same = mask >> lane & 1;
        for (int i = 0; i < outputs; i++)
            same &= a->out[i][lane] == b->out[i][lane];
        equal += same;
    }
    return equal;
}

static void report_window(const words *part, const words *full, const words *start) {
    const int as_full = memcmp(part->window, full->window, WINDOW) == 0;
    const int as_before = memcmp(part->window, start->window, WINDOW) == 0;
    printf("\tmemory %s\n", as_full     ? "as by a full warp"
                            : as_before ? "unchanged"
                                        : "partly changed");
}

static void report_lanes(const words *part, const words *full, const words *zeros,
                         const words *start, int outputs, uint32_t mask) {
    printf("\tof %d: %d as in a full warp, %d as if the others held zeros, %d unchanged; of the "
           "others %d unchanged\n",
           __builtin_popcount(mask), equal_lanes(part, full, outputs, mask),
           equal_lanes(part, zeros, outputs, mask), equal_lanes(part, start, outputs, mask),
           equal_lanes(part, start, outputs, ~mask));
}

// One instruction by the lanes of several masks; compared with a full warp, and with a full warp
// where the other lanes hold zeros.
static int run_part(unsigned number) {
    static const uint32_t masks[MASKS] = {0x0000ffff, 0xffff0000, 0x55555555, 0x00000001,
                                          0x7fffffff, 0xfffffffe, 0x0f0f0f0f, 0x000000ff};
    static words start, full, zeros, part;
    const instruction *i = &instructions[number / PARTS];
    for (int m = 0; m < MASKS; m++) {
        fill(&start, number);
        full = zeros = part = start;
        for (int lane = 0; lane < 32; lane++)
            for (int r = 0; r < 12 && !(masks[m] >> lane & 1); r++)
                zeros.in[r][lane] = 0;
        check(launch(i, &full));
        check(launch(i, &zeros));
        part.mask = masks[m];
        part.part = number % PARTS;
        printf("%s\t%s\tmask=%08x", i->spelling, part_names[part.part], masks[m]);
        fflush(stdout);
        const cudaError_t error = launch(i, &part);
        printf("\t%s",
               part.cycles[__builtin_ctz(masks[m])] < WAIT ? "at once" : "after the others");
        if (error) {
            printf("\t%s\n", cudaGetErrorString(error));
            return 3;
        }
        if (i->store)
            report_window(&part, &full, &start);
        else
            report_lanes(&part, &full, &zeros, &start, i->outputs, masks[m]);
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct {
        unsigned count;
        int (*run)(unsigned);
    } kinds[] = {{MOVES * 2 * BADS, run_bad},
                 {2, run_unused},
                 {2, NULL},
                 {4, run_equal},
                 {PARTS * INSTRUCTIONS, run_part}};
    unsigned number, total = 0;
    for (const auto &kind : kinds)
        total += kind.count;
    if (argc < 2) {
        printf("%u\n", total);
        return 0;
    }
    number = (unsigned)strtoul(argv[1], NULL, 10);
    for (const auto &kind : kinds) {
        if (number < kind.count)
            return kind.run ? kind.run(number) : run_unused(STORES + number);
        number -= kind.count;
    }
    return 2;
}
