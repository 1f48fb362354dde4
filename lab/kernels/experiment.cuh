/* experiment.cuh - kernels of (in, out, n). Runs them, prints a table, and writes a launch file
 * (PROGRAM.json, PROGRAM.in.bin, PROGRAM.out.expected.bin) as a test:
 * `wsim run --launch PROGRAM.json` must leave the same bytes. */
#ifndef EXPERIMENT_CUH
#define EXPERIMENT_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("FAILED: %s: %s\n", #call, cudaGetErrorString(error_));                         \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#ifndef __CUDA_ARCH__
static std::string folder, program, launches; /* of the launch file; no folder: none */
static std::vector<u64> all_in, all_out;
static bool dry; /* only the launch file, without what is expected: needs no GPU */

/* PROGRAM [FOLDER [--dry]] */
static void experiment_begin(const char *name, int argc, char **argv) {
    program = name;
    if (argc > 1)
        folder = argv[1];
    dry = argc > 2 && strcmp(argv[2], "--dry") == 0;
}

static void experiment_file(const std::string &name, const void *bytes, size_t size) {
    FILE *file = fopen((folder + "/" + name).c_str(), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        printf("FAILED: cannot write %s/%s\n", folder.c_str(), name.c_str());
        exit(2);
    }
}

/* Writes the launch file of all that ran. */
static int experiment_end() {
    char text[1024];
    if (folder.empty())
        return 0;
    snprintf(text, sizeof text,
             "{\n \"ptx\": \"%s.ptx\",\n \"arch\": \"sm_90a\",\n \"buffers\": {\n"
             "  \"in\": {\"bytes\": %zu, \"file\": \"%s.in.bin\"},\n"
             "  \"out\": {\"bytes\": %zu, \"fill\": 165}\n },\n \"launches\": [\n",
             program.c_str(), all_in.size() * 8, program.c_str(), all_out.size() * 8);
    std::string json = text + launches + "\n ]";
    if (!dry)
        json += ",\n \"expect\": {\"out\": {\"file\": \"" + program + ".out.expected.bin\"}}";
    json += "\n}\n";
    experiment_file(program + ".json", json.data(), json.size());
    experiment_file(program + ".in.bin", all_in.data(), all_in.size() * 8);
    if (!dry)
        experiment_file(program + ".out.expected.bin", all_out.data(), all_out.size() * 8);
    return 0;
}

static const u64 UNTOUCHED = 0xa5a5a5a5a5a5a5a5u;

/* Runs kernel(in, out, n) three times on fresh memory: equal each time, or said so. A caller can keep it out
 * of the launch file. */
template <typename Kernel>
static std::vector<u64> experiment(const char *name, Kernel kernel, dim3 grid, dim3 block,
                                   size_t shared, const std::vector<u64> &in, size_t out_words,
                                   u32 n, bool keep = true) {
    std::vector<u64> out(out_words, UNTOUCHED), again(out_words);
    u64 *device_in = nullptr, *device_out = nullptr;
    if (!dry) {
        CHECK(cudaMalloc(&device_in, in.size() * 8 + 8));
        CHECK(cudaMalloc(&device_out, out_words * 8));
    }
    for (int round = 0; round < 3 && !dry; round++) {
        CHECK(cudaMemcpy(device_in, in.data(), in.size() * 8, cudaMemcpyHostToDevice));
        CHECK(cudaMemset(device_out, 0xa5, out_words * 8));
        kernel<<<grid, block, shared>>>(device_in, device_out, n);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(again.data(), device_out, out_words * 8, cudaMemcpyDeviceToHost));
        if (round && again != out)
            printf("NOTE: %s: round %d differs from the first\n", name, round);
        if (!round)
            out = again;
    }
    if (!dry) {
        CHECK(cudaFree(device_in));
        CHECK(cudaFree(device_out));
    }
    if (!keep)
        return out;
    char text[512];
    snprintf(text, sizeof text,
             "%s  {\"kernel\": \"%s\", \"grid\": [%u], \"block\": [%u], \"shared\": %zu, \"args\": "
             "[{\"buffer\": \"in\", \"offset\": %zu}, {\"buffer\": \"out\", \"offset\": %zu}, {\"u32\": %u}]}",
             launches.empty() ? "" : ",\n", name, grid.x, block.x, shared, all_in.size() * 8,
             all_out.size() * 8, n);
    launches += text;
    all_in.insert(all_in.end(), in.begin(), in.end());
    all_out.insert(all_out.end(), out.begin(), out.end());
    return out;
}
#endif
#endif
