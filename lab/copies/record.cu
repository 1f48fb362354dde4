/* record.cu - wsim-copies-gpu: tensor copies on a GPU. Reads cases in the trace format without
 * expectations and writes them with what the GPU did. Runs of cases share a process; a case that
 * traps ends its process, and the next one starts in another. Knows nothing of the model. */
#include "device.cuh"
#include "line.h"

#include <cuda_runtime.h>

#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

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

/* A comment if the barrier counted other bytes than expected. */
static void print_told(FILE *out, const answer &got, uint32_t tx) {
    if (got.missed || got.beyond || !got.known)
        fprintf(out, "# %u bytes expected, %u missing, %u beyond%s\n", tx, got.missed, got.beyond,
                got.known ? "" : " and more");
}

static void print_loaded(FILE *out, const std::string &line, const answer &got, uint32_t tx,
                         const bytes &window) {
    print_told(out, got, tx);
    fprintf(out, "%s%s", got.known ? "" : "# ", line.c_str());
    print_bytes(out, "smem_after", window);
    fprintf(out, "\ttx=%u\n", tx - got.missed + got.beyond);
}

static void print_stored(FILE *out, const std::string &line, const bytes &global) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (uint8_t x : global)
        hash = (hash ^ x) * 0x100000001b3ull;
    fprintf(out, "%s\tglobal_fnv=%016llx\n", line.c_str(), (unsigned long long)hash);
    if (getenv("WSIM_COPIES_GLOBAL") && global.size() <= 16384) {
        fputc('#', out);
        print_bytes(out, "global", global);
        fputc('\n', out);
    }
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
    o.expected = o.tx % (1 << 20); /* more than a barrier can count */
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
    if (o.what == LOAD || o.what == PLAIN_LOAD)
        print_loaded(out, line, got, o.expected, window);
    else
        print_stored(out, line, global);
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
