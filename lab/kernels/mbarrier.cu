/* mbarrier.cu - the bits of an mbarrier after each operation, and the results of arrive, pending_count and
 * the waits. Uses one thread. A case is a list of operations in `in`. For each operation, `out` has the
 * result and the eight bytes of the barrier. The bits of a barrier and of a token are private, so the
 * launch file has only the other results. */
#include "experiment.cuh"

enum { END, INIT, ARRIVE, ARRIVE_N, NO_COMPLETE, DROP, DROP_N, EXPECT, ARRIVE_EXPECT, DROP_EXPECT, COMPLETE,
       TEST, TEST_PARITY, TRY, TRY_PARITY, PENDING, INVAL, OPS };

/* in: pairs of operation and operand. With operand ~k, TEST, TRY and PENDING use the result of
 * operation k. RAW in n: also write the bits of barriers and tokens. */
enum { RAW = 1u << 31 };

extern "C" __global__ void operations(const u64 *in, u64 *out, u32 n) {
    __shared__ u64 barrier, answers[128];
    const bool raw = n & RAW;
    const u32 at = (u32)__cvta_generic_to_shared(&barrier);
    volatile u64 *const memory = &barrier;
    if (threadIdx.x)
        return;
    *memory = 0x1122334455667788u;
    n &= ~RAW;
    for (u32 i = 0; i < n; i++) {
        const u64 op = in[2 * i];
        u64 a = in[2 * i + 1], d = 0;
        u32 p = 0, count = (u32)a;
        if ((long long)a < 0)
            a = answers[~a];
        const u64 token = a;
        switch (op) {
        case INIT: asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(count) : "memory"); break;
        case ARRIVE: asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(d) : "r"(at) : "memory"); break;
        case ARRIVE_N: asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(d) : "r"(at), "r"(count) : "memory"); break;
        case NO_COMPLETE: asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(d) : "r"(at), "r"(count) : "memory"); break;
        case DROP: asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(d) : "r"(at) : "memory"); break;
        case DROP_N: asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], %2;" : "=l"(d) : "r"(at), "r"(count) : "memory"); break;
        case EXPECT: asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at), "r"(count) : "memory"); break;
        case ARRIVE_EXPECT: asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(d) : "r"(at), "r"(count) : "memory"); break;
        case DROP_EXPECT: asm volatile("mbarrier.arrive_drop.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(d) : "r"(at), "r"(count) : "memory"); break;
        case COMPLETE: asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at), "r"(count) : "memory"); break;
        case TEST: asm volatile("{ .reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(at), "l"(token) : "memory"); break;
        case TEST_PARITY: asm volatile("{ .reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(at), "r"(count) : "memory"); break;
        case TRY: asm volatile("{ .reg .pred q; mbarrier.try_wait.shared.b64 q, [%1], %2, 100; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(at), "l"(token) : "memory"); break;
        case TRY_PARITY: asm volatile("{ .reg .pred q; mbarrier.try_wait.parity.shared.b64 q, [%1], %2, 100; selp.u32 %0, 1, 0, q; }" : "=r"(p) : "r"(at), "r"(count) : "memory"); break;
        case PENDING: asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(p) : "l"(token)); break;
        case INVAL: asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at) : "memory"); break;
        default: break;
        }
        answers[i] = d | p;
        out[2 * i] = raw ? d | p : p;
        out[2 * i + 1] = raw ? *memory : 0;
    }
}

#ifndef __CUDA_ARCH__
static const char *const names[OPS] = {"end", "init", "arrive", "arrive.count", "arrive.noComplete", "arrive_drop", "arrive_drop.count", "expect_tx",
                                       "arrive.expect_tx", "arrive_drop.expect_tx", "complete_tx", "test_wait", "test_wait.parity",
                                       "try_wait", "try_wait.parity", "pending_count", "inval"};

/* Uses of tokens of long completed phases are only in the table. */
static void play(const char *title, const std::vector<u64> &in, bool keep = true) {
    const u32 n = (u32)(in.size() / 2);
    std::vector<u64> out = experiment("operations", operations, dim3(1), dim3(32), 0, in, 2 * n, n | RAW, false);
    if (keep)
        experiment("operations", operations, dim3(1), dim3(32), 0, in, 2 * n, n);
    printf("# %s\n", title);
    for (u32 i = 0; i < n; i++)
        printf("%s\t%lld\t%llx\t%016llx\n", names[in[2 * i]], (long long)in[2 * i + 1],
               (unsigned long long)out[2 * i], (unsigned long long)out[2 * i + 1]);
}

#define AFTER(k) ~(u64)(k)

int main(int argc, char **argv) {
    experiment_begin("mbarrier", argc, argv);
    printf("operation\toperand (negative: ~k is the answer of operation k)\tanswer\tbarrier\n");
    for (u64 count : {1ull, 2ull, 3ull, 5ull, 128ull, 1048575ull}) {
        std::vector<u64> in = {INIT, count};
        for (u64 i = 0; i < (count < 6 ? 2 * count + 1 : 3); i++)
            in.insert(in.end(), {ARRIVE, 0, PENDING, AFTER(in.size() / 2), TEST, AFTER(in.size() / 2), TRY, AFTER(in.size() / 2),
                                 TEST_PARITY, 0, TEST_PARITY, 1, TRY_PARITY, 0, TRY_PARITY, 1});
        in.insert(in.end(), {INVAL, 0});
        play("arrivals", in);
    }
    play("counts of arrivals", {INIT, 10, ARRIVE_N, 3, PENDING, AFTER(1), NO_COMPLETE, 4, PENDING, AFTER(3), TEST, AFTER(3), ARRIVE_N, 3,
                                PENDING, AFTER(6), TEST, AFTER(6), TEST, AFTER(3), ARRIVE_N, 10, TEST, AFTER(10), ARRIVE_N, 9, ARRIVE, 0,
                                PENDING, AFTER(12), TEST, AFTER(13)});
    play("drops", {INIT, 6, DROP, 0, PENDING, AFTER(1), DROP_N, 2, PENDING, AFTER(3), ARRIVE_N, 3, TEST, AFTER(3), ARRIVE_N, 3, TEST, AFTER(7),
                   DROP_N, 2, ARRIVE, 0, ARRIVE, 0, ARRIVE, 0, TEST, AFTER(12), TEST_PARITY, 0, TEST_PARITY, 1});
    play("transactions", {INIT, 1, EXPECT, 100, ARRIVE, 0, TEST, AFTER(2), COMPLETE, 60, TEST, AFTER(2), COMPLETE, 40, TEST, AFTER(2),
                          ARRIVE_EXPECT, 16, TEST, AFTER(8), COMPLETE, 16, TEST, AFTER(8), EXPECT, 7, COMPLETE, 7, ARRIVE, 0, TEST, AFTER(14)});
    play("transactions before they are expected", {INIT, 2, COMPLETE, 32, ARRIVE, 0, TEST_PARITY, 0, EXPECT, 32, ARRIVE, 0, TEST_PARITY, 0});
    play("the most transactions", {INIT, 1, EXPECT, 1048575, ARRIVE, 0, COMPLETE, 1048575, TEST, AFTER(2)});
    play("transactions with drops", {INIT, 2, DROP_EXPECT, 8, ARRIVE, 0, TEST, AFTER(1), COMPLETE, 8, TEST, AFTER(1), ARRIVE, 0, TEST, AFTER(6)});
    play("tokens of other phases", {INIT, 1, ARRIVE, 0, ARRIVE, 0, ARRIVE, 0, TEST, AFTER(1), TEST, AFTER(2), TEST, AFTER(3), TRY, AFTER(1), TRY, AFTER(2),
                                    TRY, AFTER(3), ARRIVE, 0, TEST, AFTER(3), TEST, AFTER(10), TEST, 0, TRY, 0}, false);
    play("again on the same memory", {INIT, 3, ARRIVE, 0, INVAL, 0, INIT, 2, ARRIVE, 0, ARRIVE, 0, TEST_PARITY, 0});
    experiment_end();
    /* A surplus arrival ends the program on an H200. */
    play("drops to nothing", {INIT, 1, DROP, 0, TEST, AFTER(1), TEST_PARITY, 0, TEST_PARITY, 1, ARRIVE, 0, TEST_PARITY, 0}, false);
    return 0;
}
#endif
