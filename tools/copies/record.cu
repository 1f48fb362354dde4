/* record.cu - wsim-copies-gpu: tensor copies on a GPU. Reads cases in the trace format without
 * expectations and writes them with what the GPU did. Runs of cases share a process; a case that
 * traps ends its process, and the next one starts in another. Knows nothing of the model. */
#include <cuda.h>
#include <cuda_runtime.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/* --- the GPU --- */

enum { LOAD, STORE, REDUCE, PLAIN_LOAD, PLAIN_STORE };
enum { TILE, PIXELS };

struct order {
    int what, mode, dims, op;
    int32_t coord[5];
    uint16_t offset[3];
    uint32_t window, at, tx;
    uint64_t global;
};

struct answer {
    uint32_t late, differs;
};

#define C1 "{%2}"
#define C2 "{%2, %3}"
#define C3 "{%2, %3, %4}"
#define C4 "{%2, %3, %4, %5}"
#define C5 "{%2, %3, %4, %5, %6}"
#define COORDS                                                                                     \
    "r"(o.coord[0]), "r"(o.coord[1]), "r"(o.coord[2]), "r"(o.coord[3]), "r"(o.coord[4])

#define DONE ".mbarrier::complete_tx::bytes"
#define LOAD_TILE(n)                                                                               \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.tile" DONE " [%0], [%1, " C##n \
                 "], [%7];" ::"r"(at),                                                             \
                 "l"(map), COORDS, "r"(barrier)                                                    \
                 : "memory")
#define LOAD_PIXELS(n, offsets)                                                                    \
    asm volatile("cp.async.bulk.tensor." #n "d.shared::cluster.global.im2col" DONE                 \
                 " [%0], [%1, " C##n "], [%7], " offsets ";" ::"r"(at),                            \
                 "l"(map), COORDS, "r"(barrier), "h"(o.offset[0]), "h"(o.offset[1]),               \
                 "h"(o.offset[2])                                                                  \
                 : "memory")
#define STORE_AS(word, n, mode)                                                                    \
    asm volatile(word "." #n "d.global.shared::cta" mode ".bulk_group [%1, " C##n "], [%0];" ::"r"( \
                     at),                                                                          \
                 "l"(map), COORDS                                                                  \
                 : "memory")

__device__ void load(const order &o, const CUtensorMap *map, uint32_t at, uint32_t barrier) {
    switch (o.mode * 10 + o.dims) {
    case 1: LOAD_TILE(1); break;
    case 2: LOAD_TILE(2); break;
    case 3: LOAD_TILE(3); break;
    case 4: LOAD_TILE(4); break;
    case 5: LOAD_TILE(5); break;
    case 13: LOAD_PIXELS(3, "{%8}"); break;
    case 14: LOAD_PIXELS(4, "{%8, %9}"); break;
    case 15: LOAD_PIXELS(5, "{%8, %9, %10}"); break;
    }
}

#define STORES(word, op)                                                                           \
    switch (o.mode * 10 + o.dims) {                                                                \
    case 1: STORE_AS(word, 1, op ".tile"); break;                                                  \
    case 2: STORE_AS(word, 2, op ".tile"); break;                                                  \
    case 3: STORE_AS(word, 3, op ".tile"); break;                                                  \
    case 4: STORE_AS(word, 4, op ".tile"); break;                                                  \
    case 5: STORE_AS(word, 5, op ".tile"); break;                                                  \
    case 13: STORE_AS(word, 3, op ".im2col_no_offs"); break;                                       \
    case 14: STORE_AS(word, 4, op ".im2col_no_offs"); break;                                       \
    case 15: STORE_AS(word, 5, op ".im2col_no_offs"); break;                                       \
    }

__device__ void store(const order &o, const CUtensorMap *map, uint32_t at) {
    STORES("cp.async.bulk.tensor", "")
}

#define RED "cp.reduce.async.bulk.tensor"
__device__ void reduce(const order &o, const CUtensorMap *map, uint32_t at) {
    switch (o.op) {
    case 0: STORES(RED, ".add") break;
    case 1: STORES(RED, ".min") break;
    case 2: STORES(RED, ".max") break;
    case 3: STORES(RED, ".inc") break;
    case 4: STORES(RED, ".dec") break;
    case 5: STORES(RED, ".and") break;
    case 6: STORES(RED, ".or") break;
    case 7: STORES(RED, ".xor") break;
    }
}

#define PLAIN_LOAD_WORD "cp.async.bulk.shared::cluster.global" DONE
#define GROUP_WORD ".global.shared::cta.bulk_group"
#define PLAIN_STORES(X)                                                                            \
    X("cp.async.bulk" GROUP_WORD) X(ADDED "add.u32") X(ADDED "add.s32") X(ADDED "add.u64")         \
    X(ADDED "add.f32") X(ADDED "add.f64") X(ADDED "add.noftz.f16") X(ADDED "add.noftz.bf16")       \
    X(ADDED "min.u32") X(ADDED "min.s32") X(ADDED "min.u64") X(ADDED "min.s64")                    \
    X(ADDED "min.f16") X(ADDED "min.bf16") X(ADDED "max.u32") X(ADDED "max.s32")                   \
    X(ADDED "max.u64") X(ADDED "max.s64") X(ADDED "max.f16") X(ADDED "max.bf16")                   \
    X(ADDED "inc.u32") X(ADDED "dec.u32") X(ADDED "and.b32") X(ADDED "and.b64")                    \
    X(ADDED "or.b32") X(ADDED "or.b64") X(ADDED "xor.b32") X(ADDED "xor.b64")
#define ADDED "cp.reduce.async.bulk" GROUP_WORD "."

__device__ void plain(const order &o, uint32_t at, uint32_t barrier) {
    int i = 0;
    if (o.what == PLAIN_LOAD)
        asm volatile(PLAIN_LOAD_WORD " [%0], [%1], %2, [%3];" ::"r"(at), "l"(o.global), "r"(o.tx),
                     "r"(barrier)
                     : "memory");
#define X(word)                                                                                    \
    if (o.what == PLAIN_STORE && o.op == i++)                                                      \
        asm volatile(word " [%0], [%1], %2;" ::"l"(o.global), "r"(at), "r"(o.tx) : "memory");
    PLAIN_STORES(X)
#undef X
}

__device__ uint64_t clock_ns() {
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ uint64_t word_at(uint32_t shared) {
    uint64_t w;
    asm volatile("ld.volatile.shared.u64 %0, [%1];" : "=l"(w) : "r"(shared));
    return w;
}

__device__ void prepare(uint32_t barrier, uint32_t tx) {
    uint64_t token;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"(barrier), "r"(tx)
                 : "memory");
}

/* A copy completed exactly `tx` bytes if its barrier ends as one does that was told so. */
__device__ void wait_exact(uint32_t barrier, uint32_t tx, answer *out) {
    uint64_t start = clock_ns(), settled;
    uint32_t done = 0, twin = barrier + 8;
    while (!done && clock_ns() - start < 50000000)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
    settled = clock_ns();
    while (clock_ns() - settled < 20000)
        ;
    prepare(twin, tx);
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(twin), "r"(tx)
                 : "memory");
    out->late = !done;
    out->differs = word_at(barrier) != word_at(twin);
}

__global__ void run(const __grid_constant__ CUtensorMap map, const order o, uint8_t *image,
                    answer *out) {
    extern __shared__ uint8_t raw[];
    uint32_t start = (uint32_t)__cvta_generic_to_shared(raw), base = (start + 1023) / 1024 * 1024;
    uint8_t *window = raw + (base - start);
    uint32_t barrier = base + (o.window + 7) / 8 * 8;
    for (uint32_t i = threadIdx.x; i < o.window; i += blockDim.x)
        window[i] = image[i];
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier));
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier + 8));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (o.what == LOAD || o.what == PLAIN_LOAD) {
            prepare(barrier, o.tx);
            if (o.what == LOAD)
                load(o, &map, base + o.at, barrier);
            else
                plain(o, base + o.at, barrier);
            wait_exact(barrier, o.tx, out);
        } else {
            if (o.what == STORE)
                store(o, &map, base + o.at);
            else if (o.what == REDUCE)
                reduce(o, &map, base + o.at);
            else
                plain(o, base + o.at, barrier);
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < o.window; i += blockDim.x)
        image[i] = window[i];
}

/* --- a line --- */

typedef std::vector<uint8_t> bytes;

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static bytes memory_of(const std::string &text) {
    bytes out;
    unsigned long long a, n;
    unsigned b;
    if (sscanf(text.c_str(), "@mix:%llu:%llu", &a, &n) == 2) {
        out.resize(n);
        for (uint64_t i = 0; i < n; i++)
            out[i] = (uint8_t)(mix(a + i / 8 * 8) >> i % 8 * 8);
    } else if (sscanf(text.c_str(), "@fill:%2x:%llu", &b, &n) == 2) {
        out.assign(n, (uint8_t)b);
    } else {
        for (size_t i = 0; i + 1 < text.size(); i += 2)
            out.push_back((uint8_t)strtoul(text.substr(i, 2).c_str(), NULL, 16));
    }
    return out;
}

static std::string field(const std::string &line, const char *name) {
    std::string key = std::string("\t") + name + "=";
    size_t at = line.find(key), end;
    if (at == std::string::npos)
        return "";
    at += key.size();
    end = line.find('\t', at);
    return line.substr(at, end == std::string::npos ? end : end - at);
}

static std::vector<long long> list(const std::string &line, const char *name) {
    std::vector<long long> out;
    std::string text = field(line, name);
    const char *at = text.c_str();
    while (*at) {
        char *end;
        out.push_back(strtoll(at, &end, 10));
        at = *end ? end + 1 : end;
    }
    return out;
}

static int index_in(const std::string &word, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (word == names[i])
            return i;
    return -1;
}

static const char *const types[] = {"UINT8",    "UINT16",      "UINT32",   "INT32",       "UINT64",
                                    "INT64",    "FLOAT16",     "FLOAT32",  "FLOAT64",     "BFLOAT16",
                                    "FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", NULL};
static const int type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
static const char *const interleaves[] = {"NONE", "16B", "32B", NULL};
static const char *const swizzles[] = {"NONE", "32B", "64B", "128B", NULL};
static const char *const fills[] = {"ZERO", "NAN", NULL};
static const char *const operations[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", NULL};

template <class T> static void fill(T *out, const std::vector<long long> &in) {
    for (size_t i = 0; i < in.size(); i++)
        out[i] = (T)in[i];
}

/* The driver's answer; *tx: bytes of the tile. */
static int encode(const std::string &line, uint8_t *global, CUtensorMap *map, uint32_t *tx,
                  int *pixels) {
    cuuint64_t dims[8] = {1, 1, 1, 1, 1}, strides[8] = {0};
    cuuint32_t box[8] = {1, 1, 1, 1, 1}, steps[8] = {1, 1, 1, 1, 1};
    int lower[8] = {0}, upper[8] = {0};
    uint32_t rank = (uint32_t)atoi(field(line, "rank").c_str());
    int type = index_in(field(line, "dtype"), types), slices = index_in(field(line, "interleave"), interleaves);
    int swizzle = index_in(field(line, "swizzle"), swizzles), oob = index_in(field(line, "oob"), fills);
    int l2 = atoi(field(line, "l2").c_str());
    uint32_t channels = (uint32_t)atoi(field(line, "channels").c_str());
    uint32_t count = (uint32_t)atoi(field(line, "pixels").c_str());
    void *base = global + strtoull(field(line, "base").c_str(), NULL, 10);
    fill(dims, list(line, "dims"));
    fill(strides, list(line, "strides"));
    fill(box, list(line, "box"));
    fill(steps, list(line, "estrides"));
    fill(lower, list(line, "lower"));
    fill(upper, list(line, "upper"));
    *pixels = channels != 0;
    *tx = (uint32_t)(slices ? 16 * slices : type_bytes[type]);
    if (*pixels) {
        *tx *= (slices ? 1 : channels) * count;
        return (int)cuTensorMapEncodeIm2col(map, (CUtensorMapDataType)type, rank, base, dims, strides,
                                            lower, upper, channels, count, steps,
                                            (CUtensorMapInterleave)slices, (CUtensorMapSwizzle)swizzle,
                                            (CUtensorMapL2promotion)l2, (CUtensorMapFloatOOBfill)oob);
    }
    for (uint32_t i = 0; i < rank; i++)
        if (!(slices && i + 2 == rank))
            *tx *= i == 0 && !slices ? box[0] : (box[i] + steps[i] - 1) / steps[i];
    return (int)cuTensorMapEncodeTiled(map, (CUtensorMapDataType)type, rank, base, dims, strides, box,
                                       steps, (CUtensorMapInterleave)slices,
                                       (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)l2,
                                       (CUtensorMapFloatOOBfill)oob);
}

static order order_of(const std::string &line) {
    order o = {};
    std::string word = line.substr(0, line.find('\t'));
    static const char *const plain_stores[] = {
#define X(word) word,
        PLAIN_STORES(X)
#undef X
        NULL};
    size_t d = word.find("tensor.");
    o.at = (uint32_t)atoi(field(line, "smem_at").c_str());
    if (d == std::string::npos) {
        o.what = word == PLAIN_LOAD_WORD ? PLAIN_LOAD : PLAIN_STORE;
        o.op = index_in(word, plain_stores);
        o.tx = (uint32_t)atoi(field(line, "bytes").c_str());
        return o;
    }
    o.dims = word[d + 7] - '0';
    o.mode = word.find(".im2col") != std::string::npos ? PIXELS : TILE;
    o.what = word.compare(0, 9, "cp.reduce") == 0 ? REDUCE
             : word.find("d.global.") != std::string::npos ? STORE
                                                            : LOAD;
    for (int i = 0; operations[i]; i++)
        if (word.find(std::string("cta.") + operations[i] + ".") != std::string::npos)
            o.op = i;
    fill(o.coord, list(line, "coord"));
    fill(o.offset, list(line, "offsets"));
    o.at = (uint32_t)atoi(field(line, "smem_at").c_str());
    return o;
}

#define NEED(call)                                                                                 \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "wsim-copies-gpu: %s: %s\n", #call, cudaGetErrorName(e_));             \
            _exit(2);                                                                              \
        }                                                                                          \
    } while (0)

enum { ROOM = 8 << 20, SHARED_ROOM = 200 << 10, TRAPPED = 3 };

struct machine {
    uint8_t *global, *image;
    answer *out;
};

static machine start() {
    machine m;
    NEED(cudaMalloc(&m.global, ROOM));
    NEED(cudaMalloc(&m.image, SHARED_ROOM));
    NEED(cudaMalloc(&m.out, sizeof(answer)));
    NEED(cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_ROOM));
    return m;
}

static void print_bytes(FILE *out, const char *name, const bytes &b) {
    fprintf(out, "\t%s=", name);
    for (uint8_t x : b)
        fprintf(out, "%02x", x);
}

/* Runs a case and writes it; does not return from a trap. */
static void one(const machine &m, const std::string &line, FILE *out) {
    order o = order_of(line);
    bytes global = memory_of(field(line, "global")), window = memory_of(field(line, "smem"));
    CUtensorMap map;
    answer got = {};
    int pixels, code = 0;
    if (o.what < PLAIN_LOAD)
        code = encode(line, m.global, &map, &o.tx, &pixels);
    o.global = (uint64_t)m.global + strtoull(field(line, "global_at").c_str(), NULL, 10);
    if (code) {
        fprintf(out, "# the driver answers %d: %s\n", code, line.c_str());
        fflush(out);
        return;
    }
    o.window = (uint32_t)window.size();
    NEED(cudaMemcpy(m.global, global.data(), global.size(), cudaMemcpyHostToDevice));
    NEED(cudaMemcpy(m.image, window.data(), window.size(), cudaMemcpyHostToDevice));
    NEED(cudaMemset(m.out, 0, sizeof got));
    run<<<1, 128, o.window + 1024 + 64>>>(map, o, m.image, m.out);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(out, "# %s\n%s\ttrap=1\n", cudaGetErrorName(error), line.c_str());
        fflush(out);
        _exit(TRAPPED);
    }
    NEED(cudaMemcpy(global.data(), m.global, global.size(), cudaMemcpyDeviceToHost));
    NEED(cudaMemcpy(window.data(), m.image, window.size(), cudaMemcpyDeviceToHost));
    NEED(cudaMemcpy(&got, m.out, sizeof got, cudaMemcpyDeviceToHost));
    if (got.late || got.differs)
        fprintf(out, "# late %u, bytes differ from %u: %u\n# ", got.late, o.tx, got.differs);
    fputs(line.c_str(), out);
    if (o.what == LOAD || o.what == PLAIN_LOAD) {
        print_bytes(out, "smem_after", window);
        fprintf(out, "\ttx=%u\n", o.tx);
    } else {
        uint64_t hash = 0xcbf29ce484222325ull;
        for (uint8_t x : global)
            hash = (hash ^ x) * 0x100000001b3ull;
        fprintf(out, "\tglobal_fnv=%016llx\n", (unsigned long long)hash);
        if (getenv("WSIM_COPIES_GLOBAL") && global.size() <= 16384) {
            fputc('#', out);
            print_bytes(out, "global", global);
            fputc('\n', out);
        }
    }
    fflush(out);
}

static std::string release() {
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[256] = "";
    std::string found = "unknown";
    if (file && fgets(line, sizeof line, file))
        for (char *at = strtok(line, " \t\n"); at; at = strtok(NULL, " \t\n"))
            if (strspn(at, "0123456789.") == strlen(at)) {
                found = at;
                break;
            }
    if (file)
        fclose(file);
    return found;
}

static void header(FILE *out, const char *seed) {
    cudaDeviceProp p;
    char date[16];
    time_t now = time(NULL);
    NEED(cudaGetDeviceProperties(&p, 0));
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(out,
            "#wsim-trace 1\n#gpu: %s\n#arch: sm_%d%d%s\n#driver: %s\n#toolkit: %d.%d\n"
            "#generator: wsim-copies\n#seed: %s\n#date: %s\n",
            p.name, p.major, p.minor, p.major >= 9 ? "a" : "", release().c_str(),
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, seed, date);
    fflush(out);
}

/* The cases from `first` on, in a process of its own; answers where to go on. */
static size_t batch(const std::vector<std::string> &lines, size_t first, FILE *out, const char *seed) {
    int pipes[2], status;
    size_t reached = first;
    if (pipe(pipes))
        return lines.size();
    fflush(out);
    pid_t child = fork();
    if (child == 0) {
        if (first == 0)
            header(out, seed);
        machine m = start();
        for (size_t i = first; i < lines.size(); i++) {
            if (write(pipes[1], &i, sizeof i) != sizeof i)
                _exit(2);
            alarm(20);
            one(m, lines[i], out);
        }
        _exit(0);
    }
    close(pipes[1]);
    size_t i;
    while (read(pipes[0], &i, sizeof i) == (ssize_t)sizeof i)
        reached = i;
    close(pipes[0]);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return lines.size();
    if (WIFSIGNALED(status))
        fprintf(out, "# signal %d: %s\n", WTERMSIG(status), lines[reached].c_str());
    else if (WEXITSTATUS(status) != TRAPPED)
        return lines.size();
    return reached + 1;
}

int main(int argc, char **argv) {
    std::vector<std::string> lines;
    std::string line;
    FILE *in = argc == 3 ? fopen(argv[1], "r") : NULL, *out = in ? fopen(argv[2], "a") : NULL;
    std::string seed = "0";
    int c;
    if (!out) {
        fprintf(stderr, "usage: wsim-copies-gpu OPERANDS TRACE\n");
        return 2;
    }
    while ((c = fgetc(in)) != EOF)
        if (c != '\n')
            line += (char)c;
        else {
            if (line.compare(0, 7, "#seed: ") == 0)
                seed = line.substr(7);
            else if (!line.empty() && line[0] != '#')
                lines.push_back(line);
            line.clear();
        }
    for (size_t at = 0; at < lines.size();)
        at = batch(lines, at, out, seed.c_str());
    return fclose(out) ? 2 : 0;
}
