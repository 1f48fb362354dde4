/* cluster.cu - shared addresses in a cluster of four blocks: of the block's variables, and of mapa for
 * each rank, as 32 bits and generic. Shows the results of getctarank and isspacep, and a load through
 * each address. A row is a rank and a name with its value. */
#include "experiment.cuh"

enum { WORDS = 64 };

/* The first thread of each block. Generic addresses count from the window, which is that of the address 0. */
extern "C" __global__ void __cluster_dims__(4) cluster(const u64 *in, u64 *out, u32 n) {
    __shared__ u64 word;
    u64 *to = out + (u64)blockIdx.x * WORDS;
    if (threadIdx.x == 0) {
        u32 own, v;
        u64 window;
        asm volatile("{ .reg .u64 a; mov.u64 a, 0; cvta.shared.u64 %0, a; }" : "=l"(window));
        own = (u32)__cvta_generic_to_shared(&word);
        word = 1000 + blockIdx.x;
        *to++ = own;
        *to++ = (u64)&word - window;
        asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(v) : "r"(own));
        *to++ = v;
        asm volatile("getctarank.u64 %0, %1;" : "=r"(v) : "l"(&word));
        *to++ = v;
        asm volatile("{ .reg .pred p, q, r; isspacep.shared p, %1; isspacep.shared::cta q, %1; isspacep.shared::cluster r, %1;\n"
                     "  .reg .u32 a, b, c; selp.u32 a, 1, 0, p; selp.u32 b, 2, 0, q;\n"
                     "  selp.u32 c, 4, 0, r; add.u32 a, a, b; add.u32 %0, a, c; }"
                     : "=r"(v) : "l"(&word));
        *to++ = v;
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        u32 own = (u32)__cvta_generic_to_shared(&word), v, w;
        u64 window, at, b;
        asm volatile("{ .reg .u64 a; mov.u64 a, 0; cvta.shared.u64 %0, a; }" : "=l"(window));
        for (u32 rank = 0; rank < 4; rank++) {
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(w) : "r"(own), "r"(rank));
            asm volatile("mapa.u64 %0, %1, %2;" : "=l"(at) : "l"(&word), "r"(rank));
            *to++ = w;
            *to++ = at - window;
            asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(v) : "r"(w));
            *to++ = v;
            asm volatile("getctarank.u64 %0, %1;" : "=r"(v) : "l"(at));
            *to++ = v;
            asm volatile("{ .reg .pred p, q, r; isspacep.shared p, %1; isspacep.shared::cta q, %1; isspacep.shared::cluster r, %1;\n"
                         "  .reg .u32 a, b, c; selp.u32 a, 1, 0, p; selp.u32 b, 2, 0, q;\n"
                     "  selp.u32 c, 4, 0, r; add.u32 a, a, b; add.u32 %0, a, c; }"
                         : "=r"(v) : "l"(at));
            *to++ = v;
            asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(b) : "r"(w));
            *to++ = b;
            asm volatile("ld.u64 %0, [%1];" : "=l"(b) : "l"(at));
            *to++ = b;
            /* An address that is another block's already. */
            asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(v) : "r"(w), "r"((rank + 1) % 4));
            *to++ = v;
            asm volatile("{ .reg .u64 a; cvt.u64.u32 a, %1; cvta.shared::cluster.u64 %0, a; }" : "=l"(at) : "r"(w));
            *to++ = at - window;
        }
        /* The block's own address without its rank. */
        asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(b) : "r"(own & 0xffffff));
        *to++ = b;
    }
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

#ifndef __CUDA_ARCH__
int main(int argc, char **argv) {
    static const char *const names[] = {"mapa.u32", "mapa.u64 - window", "getctarank.u32", "getctarank.u64", "isspacep shared +1 cta +2 cluster +4",
                                        "ld.shared::cluster", "ld generic", "mapa of that, next rank", "cvta.shared::cluster - window"};
    experiment_begin("cluster", argc, argv);
    std::vector<u64> out = experiment("cluster", cluster, dim3(8), dim3(32), 0, {0}, 8 * WORDS, 0);
    for (u32 block = 0; block < 8; block++) {
        const u64 *at = &out[block * WORDS];
        for (u32 i = 0; i < 5; i++)
            printf("%u\t%s\t%llx\n", block, i == 0 ? "own" : i == 1 ? "own generic - window" : names[i], (unsigned long long)*at++);
        for (u32 rank = 0; rank < 4; rank++)
            for (u32 i = 0; i < 9; i++)
                printf("%u\t%u: %s\t%llx\n", block, rank, names[i], (unsigned long long)*at++);
        printf("%u\town without its rank, ld.shared::cluster\t%llx\n", block, (unsigned long long)*at++);
    }
    return experiment_end();
}
#endif
