/* gpu SEED COUNT [FOLDER] - runs random programs (tests/random) on a GPU and on the model. Each program that differs
 * is made small: lines go as long as it still differs, and checks on the model find nothing. The small one goes
 * to FOLDER/SEED.ptx with a comment of what differs. Needs libcuda alone; README.md says how to build it. */
#include "../../tests/random/program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/kernel.h>

enum { JIT_OPTIMIZATION = 7, LIMIT = 3000000, STACK = 32768 }; /* bytes of a thread: one function calls itself */

static int (*module_load)(void **, const void *, unsigned, int *, void **);
static int (*module_unload)(void *);
static int (*module_function)(void **, void *, const char *);
static int (*launch_kernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                            void **, void **);
static int (*synchronize)(void);
static int (*upload)(uint64_t, const void *, size_t);
static int (*download)(void *, uint64_t, size_t);
static uint64_t on_gpu[2];
static uint32_t input[PROGRAM_INPUT / 4];
static int level = 4;
static unsigned long long compared; /* programs that ran on both */

static void *find(void *driver, const char *name) {
    void *found = dlsym(driver, name);
    if (!found) {
        fprintf(stderr, "libcuda has no %s\n", name);
        exit(2);
    }
    return found;
}

static void open_gpu(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int (*start)(unsigned), (*make)(void **, unsigned, int), (*allocate)(uint64_t *, size_t), (*limit)(int, size_t);
    if (!driver) {
        fprintf(stderr, "no libcuda.so.1\n");
        exit(77);
    }
    *(void **)&start = find(driver, "cuInit");
    *(void **)&make = find(driver, "cuCtxCreate_v2");
    *(void **)&allocate = find(driver, "cuMemAlloc_v2");
    *(void **)&limit = find(driver, "cuCtxSetLimit");
    *(void **)&module_load = find(driver, "cuModuleLoadDataEx");
    *(void **)&module_unload = find(driver, "cuModuleUnload");
    *(void **)&module_function = find(driver, "cuModuleGetFunction");
    *(void **)&launch_kernel = find(driver, "cuLaunchKernel");
    *(void **)&synchronize = find(driver, "cuCtxSynchronize");
    *(void **)&upload = find(driver, "cuMemcpyHtoD_v2");
    *(void **)&download = find(driver, "cuMemcpyDtoH_v2");
    if (start(0) || make(&context, 0, 0) || limit(0, STACK) || allocate(&on_gpu[0], PROGRAM_INPUT) || allocate(&on_gpu[1], 1 << 20) ||
        upload(on_gpu[0], input, PROGRAM_INPUT)) {
        fprintf(stderr, "no GPU\n");
        exit(77);
    }
}

/* 0: it ran. */
static int run_on_gpu(const struct program *program, uint8_t *output) {
    int option = JIT_OPTIMIZATION;
    void *value = (void *)(size_t)level, *module, *function, *arguments[] = {&on_gpu[0], &on_gpu[1]};
    size_t bytes = program_output(program);
    int bad, error;
    memset(output, 0, bytes);
    if (upload(on_gpu[1], output, bytes))
        exit(2);
    if (module_load(&module, program->text, 1, &option, &value))
        return 1;
    bad = module_function(&function, module, "k") ||
          launch_kernel(function, program->grid, 1, 1, program->block, 1, 1, 0, NULL, arguments, NULL);
    if ((error = synchronize()) != 0) {
        fprintf(stderr, "the GPU stopped: error %d\n%s", error, program->text);
        exit(2);
    }
    module_unload(module);
    return bad || download(output, on_gpu[1], bytes);
}

/* 0: it ran, and nothing was found. */
static int run_on_model(const struct program *program, uint8_t *output) {
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report = NULL;
    struct wsim_diag diag;
    struct wsim_totals totals = {0};
    uint64_t at[2];
    size_t bytes = program_output(program);
    struct wsim_launch launch = {.grid = {program->grid}, .block = {program->block}, .params = at,
                                 .param_bytes = sizeof at, .checks = WSIM_CHECK_ALL, .threads = 1,
                                 .max_instructions = LIMIT};
    int bad;
    if (wsim_module_load(program->text, strlen(program->text), 0, &module, &diag))
        return 1;
    memset(output, 0, bytes);
    bad = wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL) ||
          wsim_device_alloc(device, "in", sizeof input, 0, &at[0], NULL) ||
          wsim_device_alloc(device, "out", bytes, 0, &at[1], NULL) ||
          wsim_device_write(device, at[0], input, sizeof input, NULL) ||
          wsim_device_write(device, at[1], output, bytes, NULL) ||
          wsim_launch_run(device, module, &launch, &report, &diag) ||
          wsim_device_read(device, at[1], output, bytes, NULL);
    if (report)
        wsim_report_totals(report, &totals);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
    return bad || totals.findings;
}

/* The first byte that differs, plus 1; 0: equal or not to be compared. */
static size_t differs(const struct program *program) {
    static uint8_t model[1 << 20], gpu[1 << 20];
    size_t bytes = program_output(program);
    if (run_on_model(program, model) || run_on_gpu(program, gpu))
        return 0;
    compared++;
    for (size_t i = 0; i < bytes; i++)
        if (model[i] != gpu[i])
            return i + 1;
    return 0;
}

/* Takes lines out while it differs. */
static void shrink(struct program *program) {
    static struct program trial;
    static char *lines[20000];
    static char text[PROGRAM_TEXT], kept[20000], body[20000]; /* of each line: it stays, it may go */
    int n = 0, again = 1, inside = 0;
    strcpy(text, program->text);
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
        lines[n++] = at;
    for (int i = 0; i < n; i++) {
        inside &= strcmp(lines[i], "// end") != 0;
        body[i] = (char)inside;
        inside |= !strcmp(lines[i], "// body");
    }
    memset(kept, 1, sizeof kept);
    trial.grid = program->grid;
    trial.block = program->block;
    for (int chunk = n / 4 + 1; chunk && again; chunk = chunk > 1 ? chunk / 2 : (again = 0, 1)) {
        for (int round = 0, found = 1; found && round < (chunk == 1 ? 3 : 1); round++) {
            found = 0;
            for (int i = 0; i < n; i += chunk) {
                size_t size = 0;
                int some = 0;
                for (int k = 0; k < n; k++) {
                    if (!kept[k] || (k >= i && k < i + chunk && body[k])) {
                        some |= kept[k];
                        continue;
                    }
                    size += (size_t)snprintf(trial.text + size, sizeof trial.text - size, "%s\n", lines[k]);
                }
                if (!some || !differs(&trial))
                    continue;
                for (int k = i; k < i + chunk && k < n; k++)
                    kept[k] &= (char)!body[k];
                *program = trial;
                found = 1;
            }
        }
        if (chunk == 1)
            break;
    }
}

int main(int argc, char **argv) {
    static struct program program;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 0) : 100;
    uint64_t different = 0;
    unsigned long long ran = 0;
    int optimized = level;
    program_input(input);
    open_gpu();
    for (uint64_t i = 0; i < count; i++, seed++) {
        size_t at;
        program_draw(seed, &program);
        compared = 0;
        at = differs(&program);
        ran += compared;
        if (i % 50 == 49)
            fprintf(stderr, "%llu programs, %llu ran\n", (unsigned long long)i + 1, ran);
        if (!at)
            continue;
        different++;
        printf("seed %llu: byte %zu of the output differs\n", (unsigned long long)seed, at - 1);
        if (argc > 3) {
            char path[4096];
            FILE *file;
            shrink(&program);
            snprintf(path, sizeof path, "%s/%llu.ptx", argv[3], (unsigned long long)seed);
            file = fopen(path, "w");
            if (!file)
                return 2;
            at = differs(&program);
            level = 0;
            fprintf(file, "// byte %zu, grid %u, block %u, %s with -O0\n%s", at - 1, program.grid, program.block,
                    differs(&program) ? "different too" : "equal", program.text);
            level = optimized;
            fclose(file);
        }
        fflush(stdout);
    }
    printf("programs %llu ran %llu different %llu\n", (unsigned long long)count, ran,
           (unsigned long long)different);
    return different > 0;
}
