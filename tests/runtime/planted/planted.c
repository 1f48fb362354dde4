/* planted CASE wrong|right - a program with one mistake, and the same program without it. It has
 * declarations of its own for the public API of CUDA, and its kernels are PTX. */
#include "planted.h"

#include "cuda_runtime_calls.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TO_DEVICE = 1, TO_HOST = 2 };

int cudaMemcpy(void *, const void *, size_t, int);
int cudaMallocHost(void **, size_t), cudaFreeHost(void *), cudaGetLastError(void);
int cudaMallocManaged(void **, size_t, unsigned);
int cudaMemcpyAsync(void *, const void *, size_t, int, void *), cudaMemset(void *, int, size_t);
int cudaMemPoolCreate(void **, const void *), cudaMemPoolSetAccess(void *, const void *, size_t);
int cudaMallocFromPoolAsync(void **, size_t, void *, void *),
    cudaMemset2D(void *, size_t, int, size_t, size_t);
int cudaStreamCreateWithFlags(void **, unsigned);
int cudaEventCreate(void **), cudaEventRecord(void *, void *), cudaEventDestroy(void *);
int cudaStreamWaitEvent(void *, void *, unsigned);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *);
int cuMemsetD32_v2(uint64_t, unsigned, size_t),
    cuMemsetD2D8_v2(uint64_t, size_t, unsigned char, size_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

/* out[tid] = in[tid] + 1; with `race` all threads write the same word.
 * The store of `add` is inlined twice, from a header of the toolkit and from one of the program.
 * `pair` loads two neighbouring words of shared memory, which the rule joins. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>;\n"
    ".loc 3 30 1\n"
    "ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in]; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; add.u64 %a1, %a1, %a2;\n"
    "ld.global.u32 %r1, [%a1]; add.u32 %r1, %r1, 1;\n"
    ".loc 1 20 1, function_name $L__put, inlined_at 3 30 1\n"
    ".loc 2 112 1, function_name $L__put, inlined_at 1 20 1\n"
    "st.global.u32 [%a0], %r1; ret; }\n"
    ".file 1 \"add.cuh\"\n.file 2 \"/usr/local/cuda/targets/x86_64-linux/include/cuda_fp16.hpp\"\n"
    ".file 3 \"add.cu\"\n.section .debug_str {\n$L__put: .b8 112,117,116,0 }\n"
    ".visible .entry race(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>;\n"
    "ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x; st.global.u32 [%a0], %r0; ret; }\n"
    ".visible .entry pair(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<8>; .shared .align 16 .b8 box[4096];\n"
    "ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, box;\n"
    "mad.lo.u32 %r1, %r0, 8, %r1;\n"
    "st.shared.v2.u32 [%r1], {%r0, %r0};\n"
    "bar.sync 0; xor.b32 %r1, %r1, 8;\n"
    "ld.shared.u32 %r2, [%r1];\n"
    "ld.shared.u32 %r3, [%r1+4];\n"
    "add.u32 %r2, %r2, %r3; mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2;\n"
    "st.global.u32 [%a0], %r2; ret; }\n"
    ".visible .entry turns(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>; .reg .pred %p;\n"
    "ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, 0;\n"
    "next: add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 5000; @%p bra next;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; st.global.u32 [%a0], %r1; ret; }\n"
    ".file 4 \"na\\303\\257f\\033[1m.cu\"\n"
    ".visible .entry named(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>;\n.loc 4 7 1\n"
    "ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x; st.global.u32 [%a0], %r0; ret; }\n"
    ".visible .entry count(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>;\nld.param.u64 %a0, [out]; red.global.add.u32 [%a0], 1; ret; }\n"
    ".visible .entry endless(.param .u64 out, .param .u64 in) {\n"
    ".reg .u32 %r<4>;\nmov.u32 %r0, %tid.x;\nL: add.u32 %r0, %r0, 1; bra L; }\n";

void must(int error) {
    if (error) {
        printf("error %d\n", error);
        exit(9);
    }
}

void launch(const char *name, void *stream, void *out, const void *in) {
    static void *module;
    void *function, *params[] = {&out, &in};
    if (!module)
        must(cuModuleLoadData(&module, text));
    must(cuModuleGetFunction(&function, module, name));
    must(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, stream, params, NULL));
}

void *device(void) {
    void *memory;
    must(cudaMalloc(&memory, BYTES));
    must(cudaMemset(memory, 0, BYTES));
    must(cudaDeviceSynchronize());
    return memory;
}

/* --- the cases --- */

static void shared(int wrong) {
    void *a = device();
    (void)wrong;
    launch("pair", NULL, a, a);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
}

static void turns(int wrong) {
    void *a = device();
    (void)wrong;
    launch("turns", NULL, a, a);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
}

static void leak(int wrong) {
    void *a = take(BYTES);
    if (!wrong)
        must(cudaFree(a));
}

static void noted(int wrong) {
    void *a = take(2 * BYTES); // wsim-lint: off-line api.leak -- the system takes it back
    if (!wrong)
        must(cudaFree(a));
}

/* Two calls of one line, and one of another. */
static void leaks(int wrong) {
    void *at[3];
    take_to(&at[0], BYTES), take_to(&at[1], BYTES);
    take_to(&at[2], BYTES);
    for (int i = 0; !wrong && i < 3; i++)
        must(cudaFree(at[i]));
}

static void freed(int wrong) {
    void *a = device();
    char host[16];
    if (!wrong)
        must(cudaMemcpy(host, a, sizeof host, TO_HOST));
    must(cudaFree(a));
    if (wrong && cudaMemcpy(host, a, sizeof host, TO_HOST))
        cudaGetLastError();
}

static void freed_kernel(int wrong) {
    void *a = device(), *b = device();
    if (wrong)
        must(cudaFree(a));
    launch("add", NULL, a, b);
    cudaDeviceSynchronize();
    if (!wrong)
        must(cudaFree(a));
    cudaFree(b);
}

/* One word behind the end: the page is mapped, so a GPU goes on. */
static void outside(int wrong) {
    char *a = device(), *b = device();
    launch("add", NULL, a + (wrong ? 4 : 0), b);
    must(cudaDeviceSynchronize());
    puts("goes on");
    must(cudaFree(a));
    must(cudaFree(b));
}

static void inside(int wrong) {
    char *a = device();
    cudaFree(a + (wrong ? 16 : 0));
}

static void twice(int wrong) {
    void *a = device();
    must(cudaFree(a));
    if (wrong && cudaFree(a))
        cudaGetLastError();
}

/* A kernel reads the end of large memory, which a fill with zeros reaches or not. */
static void zeros(int wrong) {
    enum { LARGE = 8 << 20, LAST = 7 << 20 };
    char *a = take(LARGE);
    void *b = device();
    must(cudaMemset(a, 0, wrong ? LAST : LARGE));
    launch("add", NULL, b, a + LAST);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
    must(cudaFree(b));
}

static void unchecked(int wrong) {
    void *a = NULL;
    const int error = cudaMalloc(&a, (size_t)1 << 60);
    if (!wrong && error)
        printf("%d\n", cudaGetLastError());
}

struct dim {
    unsigned x, y, z;
};
int cudaLaunchKernel(const void *, struct dim, struct dim, void **, size_t, void *);

/* A block that is too large, and a copy beyond the end. */
static void unchecked_launch(int wrong) {
    static char host[2 * BYTES];
    void *module, *function, *a = device(), *params[] = {&a, &a};
    must(cuModuleLoadData(&module, text));
    must(cuModuleGetFunction(&function, module, "add"));
    cudaLaunchKernel(function, (struct dim){1, 1, 1}, (struct dim){wrong ? 2048 : N, 1, 1}, params,
                     0, NULL);
    cudaMemcpy(host, a, wrong ? 2 * BYTES : BYTES, TO_HOST);
    must(cudaFree(a));
}

/* A kernel that the compiler named. */
static void mangled(int wrong) {
    static const char other[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".visible .entry _ZN2ns5scaleILi4EEEvPf(.param .u64 out) {\n"
                                "ret; }\n";
    void *module, *function, *a = device(), *params[] = {&a};
    must(cuModuleLoadData(&module, other));
    must(cuModuleGetFunction(&function, module, "_ZN2ns5scaleILi4EEEvPf"));
    cudaLaunchKernel(function, (struct dim){1, 1, 1}, (struct dim){wrong ? 2048 : N, 1, 1}, params,
                     0, NULL);
    must(cudaFree(a));
}

static void null(int wrong) {
    void *a = device();
    launch("add", NULL, wrong ? NULL : a, a);
    cudaDeviceSynchronize();
    cudaFree(a);
}

static void host_heap(int wrong) {
    void *a = device(), *heap = malloc(BYTES);
    launch("add", NULL, wrong ? heap : a, a);
    cudaDeviceSynchronize();
    cudaFree(a);
    free(heap);
}

static void race(int wrong) {
    void *a = device(), *b = device();
    launch(wrong ? "race" : "add", NULL, a, b);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
    must(cudaFree(b));
}

/* The name of its source has a letter that is no ASCII, and a control character. */
static void named(int wrong) {
    void *a = device();
    launch(wrong ? "named" : "add", NULL, a, a);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
}

void *stream(void) {
    void *made;
    must(cudaStreamCreateWithFlags(&made, 1));
    return made;
}

/* A kernel reads what a copy of another stream writes; an event orders them. */
static void streams(int wrong) {
    void *a = device(), *b = device(), *one = stream(), *two = stream(), *event, *host;
    must(cudaMallocHost(&host, BYTES));
    memset(host, 1, BYTES);
    must(cudaEventCreate(&event));
    must(cudaMemcpyAsync(a, host, BYTES, TO_DEVICE, one));
    must(cudaEventRecord(event, one));
    if (!wrong)
        must(cudaStreamWaitEvent(two, event, 0));
    launch("add", two, b, a);
    must(cudaDeviceSynchronize());
    must(cudaEventDestroy(event));
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFreeHost(host));
}

/* The stream without a handle does not order work of a stream that does not block. */
static void legacy(int wrong) {
    void *a = device(), *b = device(), *one = stream();
    launch("add", one, b, a);
    if (!wrong)
        must(cudaStreamSynchronize(one));
    must(cudaMemsetAsync(b, 0, BYTES, NULL));
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
    must(cudaFree(b));
}

/* The functions that nvcc makes of a kernel for the host. Their lines are those of the kernel. */
__attribute__((noinline, AS_WRITTEN)) static int __device_stub__add(void *function, void *stream,
                                                                    void *out, void *in) {
    void *params[] = {&out, &in};
    return cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, stream, params, NULL);
}

__attribute__((noinline, AS_WRITTEN)) static int add(void *function, void *stream, void *out,
                                                     void *in) {
    return __device_stub__add(function, stream, out, in);
}

/* A free in one stream does not wait for a kernel in another one. Two streams may get the same
 * bytes one after the other. */
static void freed_later(int wrong) {
    void *a = device(), *one = stream(), *two = stream(), *event, *pool, *module, *function;
    must(cuModuleLoadData(&module, text));
    must(cuModuleGetFunction(&function, module, "add"));
    must(cudaEventCreate(&event));
    must(cudaMemset(a, 0, BYTES));
    must(cudaDeviceSynchronize());
    must(cudaMallocAsync(&pool, BYTES, one));
    must(cudaMemsetAsync(pool, 0, BYTES, one));
    must(cudaEventRecord(event, one));
    must(cudaStreamWaitEvent(two, event, 0));
    must(add(function, two, a, pool)); /* the place of the launch */
    must(cudaEventRecord(event, two));
    if (!wrong)
        must(cudaStreamWaitEvent(one, event, 0));
    must(cudaFreeAsync(pool, one));
    for (int i = 0; i < 8; i++) {
        void *const own = i % 2 ? one : two;
        must(cudaMallocAsync(&pool, BYTES, own));
        must(cudaMemsetAsync(pool, i, BYTES, own));
        must(cudaFreeAsync(pool, own));
    }
    must(cudaDeviceSynchronize());
    must(cudaEventDestroy(event));
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
    must(cudaFree(a));
}

/* Halves of a buffer in two streams are no conflict; one byte too many is. */
static void halves(int wrong) {
    char *a = device();
    void *one = stream(), *two = stream();
    must(cudaMemsetAsync(a, 1, BYTES / 2, one));
    must(cudaMemsetAsync(a + BYTES / 2 - (wrong != 0), 2, BYTES / 2, two));
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(one));
    must(cudaStreamDestroy(two));
    must(cudaFree(a));
}

/* The host reads the target of a copy before it waits. */
static void host_read(int wrong) {
    void *a = device(), *one = stream();
    volatile int *host;
    must(cudaMallocHost((void **)&host, BYTES));
    must(cudaMemcpyAsync((void *)host, a, BYTES, TO_HOST, one));
    if (!wrong)
        must(cudaStreamSynchronize(one));
    printf("%d\n", host[5]);
    must(cudaDeviceSynchronize());
    must(cudaFreeHost((void *)host));
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
}

/* The host changes the source of a copy before it waits; reading it is fine. */
static void host_write(int wrong) {
    void *a = device(), *one = stream();
    volatile int *host;
    must(cudaMallocHost((void **)&host, BYTES));
    host[3] = 4;
    must(cudaMemcpyAsync(a, (void *)host, BYTES, TO_DEVICE, one));
    if (!wrong)
        printf("%d\n", host[3]);
    else
        host[3] = 5;
    must(cudaDeviceSynchronize());
    must(cudaFreeHost((void *)host));
    must(cudaStreamDestroy(one));
    must(cudaFree(a));
}

/* The host reads managed memory that a kernel writes. */
static void managed(int wrong) {
    volatile int *a, *b;
    must(cudaMallocManaged((void **)&a, BYTES, 1));
    must(cudaMallocManaged((void **)&b, BYTES, 1));
    for (int i = 0; i < N; i++)
        a[i] = i;
    launch("add", NULL, (void *)b, (void *)a);
    if (!wrong)
        must(cudaDeviceSynchronize());
    printf("%d\n", b[7]);
    must(cudaFree((void *)a));
    must(cudaFree((void *)b));
}

/* The same of a managed variable, beside another one that the host reads meanwhile. */
static void managed_variable(int wrong) {
    static const char variables[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                    ".global .attribute(.managed) .align 4 .b8 mine[1024];\n"
                                    ".global .attribute(.managed) .align 4 .b8 other[1024];\n";
    void *a, *module;
    uint64_t mine, other;
    size_t bytes;
    must(cudaMalloc(&a, BYTES));
    must(cudaMemset(a, 0, BYTES));
    must(cuModuleLoadData(&module, variables));
    must(cuModuleGetGlobal_v2(&mine, &bytes, module, "mine"));
    must(cuModuleGetGlobal_v2(&other, &bytes, module, "other"));
    launch("add", NULL, (void *)(uintptr_t)mine, a);
    if (!wrong)
        printf("%d\n", ((volatile int *)(uintptr_t)other)[7]);
    if (!wrong)
        must(cudaDeviceSynchronize());
    printf("%d\n", ((volatile int *)(uintptr_t)mine)[7]);
    must(cudaFree(a));
}

/* The host reads memory that a fill of the stream writes. It waits for other fills itself. */
static void fills(int wrong) {
    volatile unsigned *pinned, *both;
    uint64_t address;
    must(cudaMallocHost((void **)&pinned, BYTES));
    must(cudaMallocManaged((void **)&both, BYTES, 1));
    address = (uint64_t)(uintptr_t)both;
    must(wrong ? cudaMemsetAsync((void *)both, 1, BYTES, NULL)
               : cudaMemset((void *)both, 1, BYTES));
    printf("%x", both[7]);
    if (!wrong) {
        must(cudaMemset2D((void *)pinned, 64, 2, 32, 4));
        printf(" %x", pinned[7]);
        must(cuMemsetD32_v2(address, 3, N));
        printf(" %x", both[7]);
        must(cuMemsetD2D8_v2(address, 64, 4, 32, 4));
        printf(" %x", both[7]);
    }
    printf("\n");
    must(cudaFreeHost((void *)pinned));
    must(cudaFree((void *)both));
}

/* A kernel reads memory of a pool of the host, to which the device has no access. */
static void host_pool(int wrong) {
    const struct {
        int type, handles, place[2];
        void *security;
        size_t most;
        unsigned char rest[56];
    } properties = {.type = 1, .place = {2, 0}};
    const int access[3] = {1, 0, 3}; /* device 0 reads and writes */
    void *pool = NULL, *memory = NULL;
    must(cudaMemPoolCreate(&pool, &properties));
    if (!wrong)
        must(cudaMemPoolSetAccess(pool, access, 1));
    must(cudaMallocFromPoolAsync(&memory, BYTES, pool, NULL));
    memset(memory, 1, BYTES);
    launch("add", NULL, memory, memory);
    must(wrong ? cudaDeviceSynchronize() != 700 : cudaDeviceSynchronize());
    if (!wrong)
        must(cudaFree(memory));
}

/* A kernel with an instruction that wsim does not model, and a program that asks for no errors. */
static void unmodelled(int wrong) {
    static const char other[] = ".version 8.1\n.target sm_90\n.address_size 64\n"
                                ".visible .entry multi(.param .u64 out) {\n"
                                ".reg .u64 %a; ld.param.u64 %a, [out];\n"
                                "multimem.red.relaxed.sys.global.add.u32 [%a], 1; ret; }\n";
    void *module, *function, *a = device(), *params[] = {&a};
    launch("add", NULL, a, a);
    must(cuModuleLoadData(&module, other));
    must(cuModuleGetFunction(&function, module, "multi"));
    for (int i = 0; wrong && i < 2; i++)
        cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, params, NULL);
    cudaFree(a);
}

/* A kernel that is launched again and again, with and without work between that matters. */
static void repeats(int wrong) {
    void *a = device(), *b = device(), *c = device();
    int host[N];
    unsigned sum = 0;
    for (int i = 0; i < 20; i++) {
        launch("add", NULL, b, a);
        if (i % 7 == 6)
            must(cudaMemset(a, i, 4));
        if (i % 5 == 4)
            must(cudaMemset(c, i, 4)); /* the kernel does not use it */
        if (i == 18)
            must(cudaMemset(b, 9, BYTES));
        if (wrong)
            launch("race", NULL, c, NULL);
        must(cudaMemcpy(host, b, BYTES, TO_HOST));
        sum = 31 * sum + (unsigned)host[0] + (unsigned)host[1];
    }
    for (int i = 0; i < 20; i++) {
        launch("add", NULL, a, a); /* never the same bytes */
        must(cudaMemcpy(host, a, BYTES, TO_HOST));
        sum = 31 * sum + (unsigned)host[0] + (unsigned)host[255];
    }
    printf("%u\n", sum);
    must(cudaFree(a));
    must(cudaFree(b));
    must(cudaFree(c));
}

/* The children of a process are its tree: each has a race. */
static void children(int wrong) {
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            race(wrong);
            exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

/* Device memory is none of the host; managed and pinned memory are, and stay so after a kernel. */
static void host_device(int wrong) {
    volatile int *device = NULL, *managed = NULL, *pinned = NULL;
    must(cudaMalloc((void **)&device, BYTES));
    must(cudaMallocManaged((void **)&managed, BYTES, 1));
    must(cudaMallocHost((void **)&pinned, BYTES));
    managed[3] = pinned[3] = 5;
    must(cudaMemcpy((void *)device, (void *)pinned, BYTES, TO_DEVICE));
    launch("add", NULL, (void *)managed, (void *)device);
    must(cudaDeviceSynchronize());
    printf("%d\n", managed[3]);
    fflush(stdout);
    if (wrong)
        device[3] = 7;
    must(cudaMemcpy((void *)pinned, (void *)managed, BYTES, TO_HOST));
    printf("%d\n", pinned[3]);
    must(cudaFree((void *)device));
    must(cudaFree((void *)managed));
    must(cudaFreeHost((void *)pinned));
}

/* A program's own handler stays: it hears of the access, and the address. */
static void *hit;
static void on_hit(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    _exit(info->si_addr == (char *)hit + 12 ? 3 : 4);
}
static void host_handler(int wrong) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_hit;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    must(cudaMalloc(&hit, BYTES));
    must(cudaMemset(hit, 0, BYTES));
    if (wrong)
        printf("%d\n", ((volatile int *)hit)[3]);
    must(cudaFree(hit));
}

/* A kernel without an end, and the clock of the process. */
static void endless(int wrong) {
    void *a = device();
    alarm(3);
    launch(wrong ? "endless" : "add", NULL, a, a);
    must(cudaDeviceSynchronize());
    must(cudaFree(a));
}

static void killed(int wrong) {
    race(wrong);
    raise(SIGTERM);
}

static void status(int wrong) {
    race(wrong);
    exit(7);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(int wrong);
    } cases[] = {{"leak", leak},
                 {"freed", freed},
                 {"freed_kernel", freed_kernel},
                 {"outside", outside},
                 {"twice", twice},
                 {"unchecked", unchecked},
                 {"race", race},
                 {"named", named},
                 {"streams", streams},
                 {"legacy", legacy},
                 {"dependent", dependent},
                 {"over", over},
                 {"chain", chain},
                 {"edges", edges},
                 {"nodes", nodes},
                 {"captured", captured},
                 {"halves", halves},
                 {"freed_later", freed_later},
                 {"host_read", host_read},
                 {"host_write", host_write},
                 {"managed", managed},
                 {"managed_variable", managed_variable},
                 {"fills", fills},
                 {"host_pool", host_pool},
                 {"repeats", repeats},
                 {"recurs", recurs},
                 {"revisits", revisits},
                 {"children", children},
                 {"killed", killed},
                 {"unchecked_launch", unchecked_launch},
                 {"mangled", mangled},
                 {"null", null},
                 {"endless", endless},
                 {"host_heap", host_heap},
                 {"host_device", host_device},
                 {"host_handler", host_handler},
                 {"status", status},
                 {"leaks", leaks},
                 {"noted", noted},
                 {"inside", inside},
                 {"given", given},
                 {"updated", updated},
                 {"again", again},
                 {"shared", shared},
                 {"unmodelled", unmodelled},
                 {"turns", turns},
                 {"zeros", zeros}};
    for (size_t i = 0; argc > 2 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            puts("begins");
            cases[i].run(strcmp(argv[2], "wrong") == 0);
            puts("ends");
            return 0;
        }
    return 99;
}
