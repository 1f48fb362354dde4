// cp_async.cu - shared memory after cp.async, with random lanes, sizes and places, every
 * source size, ignored sources, and inactive lanes. Standard output is a
// trace. A source size of 0 in the trace is either of the two instructions that say so.
#include "gpu.h"

#include <cstdint>
#include <vector>

enum { WINDOW = 4096, SOURCE = 8192, EACH = 4 };

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// The inputs of the lanes; `how` selects the instruction: plain, with a source size, with ignore-src.
enum { PLAIN, SIZED, IGNORING, HOWS };
struct given {
    uint32_t dst[32], src[32], size[32], mask;
};

#define BODY(how, spelling, bytes)                                                                 \
    if (how == PLAIN)                                                                              \
        asm volatile(spelling " [%0], [%1], " #bytes ";" ::"r"(to), "l"(from) : "memory");         \
    if (how == SIZED)                                                                              \
        asm volatile(spelling " [%0], [%1], " #bytes ", %2;" ::"r"(to), "l"(from), "r"(size)       \
                     : "memory");                                                                  \
    if (how == IGNORING)                                                                           \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; " spelling " [%0], [%1], " #bytes          \
                 ", p; }" ::"r"(to),                                                               \
                 "l"(from), "r"(size)                                                              \
                 : "memory")

#define KERNEL(name, spelling, bytes)                                                              \
    template <int how>                                                                             \
    __global__ void name(const given *g, const uint8_t *source, const uint32_t *before,            \
                         uint32_t *after) {                                                        \
        __shared__ __align__(1024) uint32_t window[WINDOW / 4];                                    \
        const unsigned lane = threadIdx.x;                                                         \
        for (unsigned i = lane; i < WINDOW / 4; i += 32)                                           \
            window[i] = before[i];                                                                 \
        __syncwarp();                                                                              \
        const uint32_t to = (uint32_t)__cvta_generic_to_shared(window) + g->dst[lane];             \
        const uint8_t *from = source + g->src[lane];                                               \
        const uint32_t size = g->size[lane];                                                       \
        if (g->mask >> lane & 1) {                                                                 \
            BODY(how, spelling, bytes);                                                            \
        }                                                                                          \
        asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");                \
        __syncwarp();                                                                              \
        for (unsigned i = lane; i < WINDOW / 4; i += 32)                                           \
            after[i] = window[i];                                                                  \
    }

#define CA "cp.async.ca.shared.global"
#define CG "cp.async.cg.shared.global"
#define FORMS(FORM)                                                                                \
    FORM(ca4, CA, 4)                                                                               \
    FORM(ca8, CA, 8)                                                                               \
    FORM(ca16, CA, 16)                                                                             \
    FORM(cg16, CG, 16)                                                                             \
    FORM(ca16_64, CA ".L2::64B", 16)                                                               \
    FORM(ca4_128, CA ".L2::128B", 4)                                                               \
    FORM(cg16_256, CG ".L2::256B", 16)                                                             \
    FORM(ca8_256, CA ".L2::256B", 8)                                                               \
    FORM(cg16_64, CG ".L2::64B", 16)                                                               \
    FORM(cg16_128, CG ".L2::128B", 16)
FORMS(KERNEL)

#define ROW(name, spelling, bytes) {spelling, bytes, {name<PLAIN>, name<SIZED>, name<IGNORING>}},
typedef void (*kernel)(const given *, const uint8_t *, const uint32_t *, uint32_t *);
static const struct {
    const char *spelling;
    unsigned bytes;
    kernel code[HOWS];
} forms[] = {FORMS(ROW)};

// Destinations are those of a random permutation of pieces, so that no two are the same.
static given draw(unsigned bytes, int how, uint64_t seed) {
    given g;
    const unsigned pieces = WINDOW / bytes, step = 2 * (unsigned)(mix(seed) % (pieces / 2)) + 1;
    g.mask = mix(seed + 1) % 3 ? UINT32_MAX : (uint32_t)(mix(seed + 2) | mix(seed + 3));
    for (unsigned l = 0; l < 32; l++) {
        const uint64_t r = mix(seed + 10 + l);
        g.dst[l] = (l * step + (unsigned)(mix(seed + 4) % pieces)) % pieces * bytes;
        g.src[l] = (uint32_t)(r % (SOURCE / bytes)) * bytes;
        g.size[l] = how == SIZED ? (uint32_t)(r >> 40) % (bytes + 1) : r >> 40 & 1 ? bytes : 0;
    }
    return g;
}

static void put(const char *name, const uint32_t *words) {
    printf("\t%s=", name);
    for (int l = 0; l < 32; l++)
        printf("%08x", words[l]);
}

static void print(unsigned form, int how, const given &g, uint64_t seed, const uint8_t *after) {
    printf("%s\tsize=%u", forms[form].spelling, forms[form].bytes);
    put("addr", g.dst);
    put("src", g.src);
    if (how != PLAIN)
        put("srcsize", g.size);
    printf("\tmask=%08x\tglobal=@mix:%llu:%d\tsmem=@mix:%llu:%d\tsmem_after=", g.mask,
           (unsigned long long)seed, SOURCE, (unsigned long long)(seed + SOURCE), WINDOW);
    for (int i = 0; i < WINDOW; i++)
        printf("%02x", after[i]);
    putchar('\n');
}

static void fill(std::vector<uint64_t> &words, uint64_t seed) {
    for (size_t i = 0; i < words.size(); i++)
        words[i] = mix(seed + 8 * i);
}

static void one(unsigned form, int how, uint64_t seed) {
    const given g = draw(forms[form].bytes, how, seed);
    std::vector<uint64_t> source(SOURCE / 8), window(WINDOW / 8), after(WINDOW / 8);
    given *at;
    uint8_t *from;
    uint32_t *before, *left;
    fill(source, seed);
    fill(window, seed + SOURCE);
    must(cudaMalloc(&at, sizeof g));
    must(cudaMalloc(&from, SOURCE));
    must(cudaMalloc(&before, WINDOW));
    must(cudaMalloc(&left, WINDOW));
    must(cudaMemcpy(at, &g, sizeof g, cudaMemcpyHostToDevice));
    must(cudaMemcpy(from, source.data(), SOURCE, cudaMemcpyHostToDevice));
    must(cudaMemcpy(before, window.data(), WINDOW, cudaMemcpyHostToDevice));
    forms[form].code[how]<<<1, 32>>>(at, from, before, left);
    must(cudaMemcpy(after.data(), left, WINDOW, cudaMemcpyDeviceToHost));
    print(form, how, g, seed, (const uint8_t *)after.data());
    cudaFree(at), cudaFree(from), cudaFree(before), cudaFree(left);
}

int main() {
    trace_head("lab/probes/cp_async.cu");
    for (unsigned form = 0; form < sizeof forms / sizeof *forms; form++)
        for (int how = 0; how < HOWS; how++)
            for (int i = 0; i < EACH; i++)
                one(form, how, 1000003ull * (form * HOWS + how) + 40009ull * i);
    return 0;
}
