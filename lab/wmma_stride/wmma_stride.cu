// wmma_stride.cu - which addresses and strides a wmma.load or wmma.store runs with, and whether it
// then moves the right elements.
//
//     wmma_stride PART PARTS    forms PART, PART + PARTS ... of the table
//
// A form is right with a base and a stride if its registers (for a store: memory) equal those
 * with both at multiples of 256 bytes. Base and stride go down from 16 bytes by halves, each until it traps. Then odd
 * multiples of the least stride are tried, with odd multiples of the least base. A trap ends the process that met it; the next goes on behind it.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forms.cuh"

enum { MEMORY = 40960, REGS = 16, LANES = 32, START = 1024 };

typedef void operation(const void *, uint32_t *, unsigned);

template <operation *run, bool shared>
__global__ void kernel(uint8_t *memory, uint32_t *registers, unsigned base, unsigned stride) {
    extern __shared__ __align__(1024) uint8_t window[];
    uint32_t regs[REGS] __attribute__((aligned(16)));
    for (unsigned i = 0; i < REGS; i++)
        regs[i] = registers[i * LANES + threadIdx.x];
    if (shared)
        for (unsigned i = threadIdx.x; i < MEMORY; i += LANES)
            window[i] = memory[i];
    __syncwarp();
    run((shared ? window : memory) + START + base, regs, stride);
    __syncwarp();
    if (shared)
        for (unsigned i = threadIdx.x; i < MEMORY; i += LANES)
            memory[i] = window[i];
    for (unsigned i = 0; i < REGS; i++)
        registers[i * LANES + threadIdx.x] = regs[i];
}

typedef void kernel_function(uint8_t *, uint32_t *, unsigned, unsigned);

struct form {
    const char *spelling;
    int stores;
    unsigned regs, bits, across, along; // elements of a line of memory, and how many lines
    kernel_function *global, *shared;
};

#define FORM(number, spelling, stores, regs, bits, across, along)                                  \
    {spelling,                                                                                     \
     stores,                                                                                       \
     regs,                                                                                         \
     bits,                                                                                         \
     across,                                                                                       \
     along,                                                                                        \
     kernel<form_##number, false>,                                                                 \
     kernel<form_##number, true>},
static const form forms[] = {FORMS};
enum { COUNT = sizeof forms / sizeof *forms };

enum outcome { UNTRIED, RUNNING, RIGHT, WRONG, TRAPPED, STATES };

// The steps of one form; in memory that parent and child share.
enum { HALVES = 5, MORE = 12 };
struct progress {
    uint8_t reference, base[HALVES], stride[HALVES], more[MORE];
    char error[64];
};

static uint32_t mix(uint32_t z) {
    z = (z ^ z >> 16) * 0x7feb352du;
    z = (z ^ z >> 15) * 0x846ca68bu;
    return z ^ z >> 16;
}

static unsigned line_bytes(const form *f) {
    return f->across * f->bits / 8;
}

static unsigned legal_stride(const form *f) {
    return (line_bytes(f) + 255) / 256 * 256;
}

// Where byte `i` of line `line` of the matrix lies.
static unsigned place(unsigned base, unsigned stride, unsigned line, unsigned i) {
    return START + base + line * stride + i;
}

struct run {
    uint8_t memory[MEMORY];
    uint32_t regs[REGS * LANES];
};

// The matrix at base and stride (bytes), registers full of something; a store finds neither.
static void fill(const form *f, run *r, unsigned base, unsigned stride) {
    for (unsigned i = 0; i < MEMORY; i++)
        r->memory[i] = (uint8_t)mix(i + 0x10000);
    for (unsigned i = 0; i < REGS * LANES; i++)
        r->regs[i] = mix(i + 0x20000);
    for (unsigned line = 0; line < f->along && !f->stores; line++)
        for (unsigned i = 0; i < line_bytes(f); i++)
            r->memory[place(base, stride, line, i)] = (uint8_t)mix(line * 1024 + i);
}

static cudaError_t execute(const form *f, run *r, int shared, unsigned base, unsigned stride) {
    static uint8_t *memory;
    static uint32_t *regs;
    kernel_function *go = shared ? f->shared : f->global;
    if (!memory) {
        cudaMalloc(&memory, MEMORY);
        cudaMalloc(&regs, sizeof r->regs);
    }
    cudaMemcpy(memory, r->memory, MEMORY, cudaMemcpyHostToDevice);
    cudaMemcpy(regs, r->regs, sizeof r->regs, cudaMemcpyHostToDevice);
    go<<<1, LANES, MEMORY>>>(memory, regs, base, stride * 8 / f->bits);
    cudaError_t error = cudaDeviceSynchronize();
    if (!error)
        error = cudaMemcpy(r->memory, memory, MEMORY, cudaMemcpyDeviceToHost);
    if (!error)
        error = cudaMemcpy(r->regs, regs, sizeof r->regs, cudaMemcpyDeviceToHost);
    return error;
}

// Whether the matrix that `a` left is that of `b`, and nothing else of memory has changed.
static int same(const form *f, const run *a, unsigned base_a, unsigned stride_a, const run *b,
                unsigned base_b, unsigned stride_b) {
    static run before;
    if (memcmp(a->regs, b->regs, sizeof a->regs))
        return 0;
    fill(f, &before, base_a, stride_a);
    for (unsigned line = 0; line < f->along; line++)
        for (unsigned i = 0; i < line_bytes(f); i++) {
            unsigned at = place(base_a, stride_a, line, i);
            if (a->memory[at] != b->memory[place(base_b, stride_b, line, i)])
                return 0;
            before.memory[at] = a->memory[at];
        }
    return !memcmp(before.memory, a->memory, MEMORY);
}

static void attempt(const form *f, int shared, unsigned base, unsigned stride, uint8_t *outcome,
                    progress *p) {
    static run reference, other;
    if (*outcome != UNTRIED)
        return;
    *outcome = RUNNING;
    fill(f, &reference, 0, legal_stride(f));
    fill(f, &other, base, stride);
    cudaError_t error = execute(f, &reference, shared, 0, legal_stride(f));
    if (!error)
        error = execute(f, &other, shared, base, stride);
    if (error) {
        *outcome = TRAPPED;
        snprintf(p->error, sizeof p->error, "%s", cudaGetErrorString(error));
        _exit(1);
    }
    *outcome = same(f, &other, base, stride, &reference, 0, legal_stride(f)) ? RIGHT : WRONG;
}

static unsigned least_ran(const uint8_t *outcomes) {
    unsigned least = 16;
    for (unsigned i = 0; i < HALVES; i++)
        if (outcomes[i] == RIGHT)
            least = 16u >> i;
    return least;
}

// All of a form, as far as `p` does not hold it. An element starts at a whole byte.
static void measure(const form *f, int shared, progress *p) {
    unsigned element = f->bits < 8 ? 1 : f->bits / 8, legal = legal_stride(f), n = 0;
    attempt(f, shared, 0, legal, &p->reference, p);
    for (unsigned i = 0; i < HALVES && 16u >> i >= element; i++) {
        if (i && p->base[i - 1] == TRAPPED)
            break;
        attempt(f, shared, 16u >> i, legal, &p->base[i], p);
    }
    for (unsigned i = 0; i < HALVES && 16u >> i >= element; i++) {
        if (i && p->stride[i - 1] == TRAPPED)
            break;
        attempt(f, shared, 0, legal + (16u >> i), &p->stride[i], p);
    }
    unsigned base = least_ran(p->base), step = least_ran(p->stride);
    unsigned tight = (line_bytes(f) + step - 1) / step * step;
    for (unsigned odd = 0; odd < 6; odd++) {
        unsigned stride = tight + step * (1 + 2 * odd + (odd > 3 ? 24 : 0));
        attempt(f, shared, base, stride, &p->more[n++], p);
        attempt(f, shared, base * (2 * odd + 3), stride, &p->more[n++], p);
    }
}

static void print_axis(const char *name, const uint8_t *outcomes) {
    static const char *const words[STATES] = {"untried", "died", "right", "wrong", "trap"};
    printf("\t%s", name);
    for (unsigned i = 0; i < HALVES && outcomes[i] != UNTRIED; i++)
        printf(" %u:%s", 16u >> i, words[outcomes[i]]);
}

static void print(const form *f, const char *space, const progress *p) {
    unsigned count[STATES] = {0};
    for (unsigned i = 0; i < MORE; i++)
        count[p->more[i]]++;
    printf("%s%s", f->spelling, space);
    print_axis("base", p->base);
    print_axis("stride", p->stride);
    printf("\tmore right:%u wrong:%u trap:%u%s%s\n", count[RIGHT], count[WRONG], count[TRAPPED],
           *p->error ? "\t" : "", p->error);
    fflush(stdout);
}

static void survey(const form *f, int shared, const char *space) {
    progress *p = (progress *)mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 1;
    for (unsigned tries = 0; status && tries < 32; tries++) {
        pid_t child = fork();
        if (child == 0) {
            measure(f, shared, p);
            _exit(0);
        }
        waitpid(child, &status, 0);
    }
    print(f, space, p);
    munmap(p, sizeof *p);
}

int main(int argc, char **argv) {
    unsigned part = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    unsigned parts = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (unsigned i = part; i < COUNT; i += parts) {
        int is_shared = strstr(forms[i].spelling, ".shared") != NULL;
        int is_global = strstr(forms[i].spelling, ".global") != NULL;
        if (!is_global)
            survey(&forms[i], 1, is_shared ? "" : " (generic, of shared)");
        if (!is_shared)
            survey(&forms[i], 0, is_global ? "" : " (generic, of global)");
    }
    return 0;
}
