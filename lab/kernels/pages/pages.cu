// Where cudaMalloc puts buffers, and how far from a buffer an access still works.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <sys/wait.h>
__global__ void poke(char *p, int write) { if (write) *p = 1; else if (*p == 77) printf("x"); }
static size_t sizes[] = {4, 1024, 1<<20, (1<<20)+512, 2<<20, (2<<20)+512, 3<<20, 10<<20};
int main(int argc, char **argv) {
    if (argc == 1) {
        size_t s[] = {1, 512, 513, 4096, 65536, 1<<19, (1<<20)-512, 1<<20, (1<<20)+1, (1<<20)+1, 3<<19, 2<<20, 2<<20, (2<<20)+1, 3<<20, 10<<20, 4, 4, 1<<20, 1<<20, 1u<<30, 4, 4};
        char *first = 0;
        for (size_t i = 0; i < sizeof s / sizeof *s; i++) { char *p; cudaMalloc(&p, s[i]); if (!first) first = p; printf("malloc %zu at %+lld mod2M %llu\n", s[i], (long long)(p - first), (unsigned long long)p % (2u<<20)); }
        char *a, *b, *c; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaFree(a); cudaMalloc(&c, 1024); printf("reuse %+lld of a, b %+lld\n", (long long)(c - a), (long long)(b - a));
        return 0;
    }
    size_t n = sizes[atoi(argv[1])]; long long off = atoll(argv[2]); int w = atoi(argv[3]), freed = argc > 4;
    char *p; cudaMalloc(&p, n); if (freed) cudaFree(p);
    poke<<<1, 1>>>(p + off, w);
    printf("size %zu offset %lld %s%s: %s\n", n, off, w ? "write" : "read", freed ? " freed" : "", cudaGetErrorName(cudaDeviceSynchronize()));
}
