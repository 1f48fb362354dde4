// undefined.cu - behaviour of the GPU that the ISA leaves undefined: row addresses of matrix moves that
 * are misaligned, out of bounds or equal, and instructions by a part of the warp.
//
//   undefined              prints how many experiments there are
//   undefined N            does experiment N; exit status 3 if the GPU trapped
//
// A trap ends the CUDA context, and a part of a warp may hang: one process each (run.sh).
#include "undefined_kernels.h"

enum { MASKS = 8 };

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// Launches; 0, or the CUDA error.
static cudaError_t launch(const instruction *i, words *o) {
    static words *on_gpu;
    cudaError_t error;
    if (!on_gpu)
        must(cudaMalloc(&on_gpu, sizeof *o));
    must(cudaMemcpy(on_gpu, o, sizeof *o, cudaMemcpyHostToDevice));
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
        must(launch(i, &full));
        must(launch(i, &zeros));
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
