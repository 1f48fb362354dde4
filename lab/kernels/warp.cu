/* warp.cu - answers of warp instructions at open points of the manual. Shuffles read lanes that do
 * not take part (divergent or exited), or out of range, with odd clamps and segments. Also match,
 * redux, vote, elect and activemask of parts of a warp. A row is a lane of a case; `in` has three words a lane:
 * its value, and what the case needs. */
#include "experiment.cuh"

#define LANE const u32 lane = threadIdx.x % 32, at = blockIdx.x * 32 + lane; if (at >= n) return
#define VALUE (u32)in[3 * at]

/* in[1]: lane b in the low half, c in the high one. in[2]: the member mask; lanes outside of it
 * wait elsewhere. out: value | predicate << 32; lanes outside leave nothing. */
#define SHUFFLE(mode)                                                                              \
    extern "C" __global__ void shfl_##mode(const u64 *in, u64 *out, u32 n) {                       \
        LANE;                                                                                      \
        const u32 mask = (u32)in[3 * at + 2], b = (u32)in[3 * at + 1], c = (u32)(in[3 * at + 1] >> 32); \
        u32 d = 0xdeadbeef, p = 7;                                                                 \
        if (mask >> lane & 1)                                                                      \
            asm volatile("{ .reg .pred q; shfl.sync." #mode ".b32 %0|q, %2, %3, %4, %5; selp.u32 %1, 1, 0, q; }" \
                         : "=r"(d), "=r"(p) : "r"(VALUE), "r"(b), "r"(c), "r"(mask));              \
        __syncwarp();                                                                              \
        out[at] = d | (u64)p << 32;                                                                \
    }                                                                                              \
    /* The same where the others have returned. */                                                 \
    extern "C" __global__ void shfl_##mode##_gone(const u64 *in, u64 *out, u32 n) {                \
        LANE;                                                                                      \
        const u32 mask = (u32)in[3 * at + 2], b = (u32)in[3 * at + 1], c = (u32)(in[3 * at + 1] >> 32); \
        u32 d = 0xdeadbeef, p = 7;                                                                 \
        if (!(mask >> lane & 1)) {                                                                 \
            out[at] = 0;                                                                           \
            return;                                                                                \
        }                                                                                          \
        asm volatile("{ .reg .pred q; shfl.sync." #mode ".b32 %0|q, %2, %3, %4, %5; selp.u32 %1, 1, 0, q; }" \
                     : "=r"(d), "=r"(p) : "r"(VALUE), "r"(b), "r"(c), "r"(mask));                  \
        out[at] = d | (u64)p << 32;                                                                \
    }
SHUFFLE(up)
SHUFFLE(down)
SHUFFLE(bfly)
SHUFFLE(idx)

/* in[1]: the predicate. in[2]: the member mask. */
#define PART(name, text)                                                                           \
    extern "C" __global__ void name(const u64 *in, u64 *out, u32 n) {                              \
        LANE;                                                                                      \
        const u32 mask = (u32)in[3 * at + 2], v = VALUE, p = (u32)in[3 * at + 1] & 1;              \
        u32 d = 0xdeadbeef, e = 0;                                                                 \
        if (mask >> lane & 1)                                                                      \
            asm volatile("{ .reg .pred q, p; .reg .b64 w; setp.ne.u32 p, %4, 0; cvt.u64.u32 w, %2; " text " }" \
                         : "=r"(d), "+r"(e) : "r"(v), "r"(mask), "r"(p));                          \
        __syncwarp();                                                                              \
        out[at] = d | (u64)e << 32;                                                                \
    }
#define PARTS(X)                                                                                   \
    X(match_any, "match.any.sync.b32 %0, %2, %3;")                                                 \
    X(match_any_b64, "match.any.sync.b64 %0, w, %3;")                                              \
    X(match_all, "match.all.sync.b32 %0|q, %2, %3; selp.u32 %1, 1, 0, q;")                         \
    X(match_all_b64, "match.all.sync.b64 %0|q, w, %3; selp.u32 %1, 1, 0, q;")                      \
    X(redux_add, "redux.sync.add.u32 %0, %2, %3;")                                                 \
    X(redux_add_s, "redux.sync.add.s32 %0, %2, %3;")                                               \
    X(redux_min, "redux.sync.min.u32 %0, %2, %3;")                                                 \
    X(redux_min_s, "redux.sync.min.s32 %0, %2, %3;")                                               \
    X(redux_max, "redux.sync.max.u32 %0, %2, %3;")                                                 \
    X(redux_max_s, "redux.sync.max.s32 %0, %2, %3;")                                               \
    X(redux_and, "redux.sync.and.b32 %0, %2, %3;")                                                 \
    X(redux_or, "redux.sync.or.b32 %0, %2, %3;")                                                   \
    X(redux_xor, "redux.sync.xor.b32 %0, %2, %3;")                                                 \
    X(vote_all, "vote.sync.all.pred q, p, %3; selp.u32 %0, 1, 0, q;")                              \
    X(vote_any, "vote.sync.any.pred q, p, %3; selp.u32 %0, 1, 0, q;")                              \
    X(vote_uni, "vote.sync.uni.pred q, p, %3; selp.u32 %0, 1, 0, q;")                              \
    X(vote_ballot, "vote.sync.ballot.b32 %0, p, %3;")                                              \
    X(elect, "elect.sync %0|q, %3; selp.u32 %1, 1, 0, q;")                                         \
    X(active, "activemask.b32 %0;")
PARTS(PART)

#ifndef __CUDA_ARCH__
static u64 seed = 3;
static u64 draw() {
    u64 z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

template <typename Kernel>
static void table(const char *name, Kernel kernel, const std::vector<u64> &in) {
    const u32 n = (u32)(in.size() / 3);
    std::vector<u64> out = experiment(name, kernel, dim3(n / 32), dim3(32), 0, in, n, n);
    for (u32 i = 0; i < n; i++)
        printf("%s\t%u\t%u\t%llx\t%llx\t%llx\t%llx\n", name, i / 32, i % 32, (unsigned long long)in[3 * i],
               (unsigned long long)in[3 * i + 1], (unsigned long long)in[3 * i + 2],
               (unsigned long long)out[i]);
}

int main(int argc, char **argv) {
    const u32 masks[] = {0xffffffffu, 0xffffu, 0xffff0000u, 0x55555555u, 1u, 0x80000000u, 0x80000001u, 0x00f0f0ffu};
    const u32 lanes[] = {0, 1, 15, 16, 31, 33, 0xffffffffu};
    const u32 clamps[] = {31, 0, 0x1f00, 0x101f, 0x181f, 0x1c1f, 0x1e03, 7, 0x1807, 0x1c00, 0xffffffe0u, 0x201f, 0x3f3f};
    std::vector<u64> shuffles, parts, mixed;
    experiment_begin("warp", argc, argv);
    printf("instruction\tcase\tlane\tvalue\tb and c, or predicate\tmask\tresult\n");
    for (u32 mask : {masks[0], masks[1], masks[3], masks[7]})
        for (u32 c : clamps)
            for (u32 b : lanes)
                for (u32 lane = 0; lane < 32; lane++)
                    shuffles.insert(shuffles.end(), {0x1000 + lane, b | (u64)c << 32, mask});
    for (int i = 0; i < 64; i++) { /* a source of its own in every lane */
        const u32 mask = masks[i % 8], c = clamps[draw() % 13];
        for (u32 lane = 0; lane < 32; lane++)
            shuffles.insert(shuffles.end(), {0x2000 + lane, (draw() & 63) | (u64)c << 32, mask});
    }
    table("shfl_up", shfl_up, shuffles), table("shfl_down", shfl_down, shuffles);
    table("shfl_bfly", shfl_bfly, shuffles), table("shfl_idx", shfl_idx, shuffles);
    table("shfl_up_gone", shfl_up_gone, shuffles), table("shfl_down_gone", shfl_down_gone, shuffles);
    table("shfl_bfly_gone", shfl_bfly_gone, shuffles), table("shfl_idx_gone", shfl_idx_gone, shuffles);
    for (u32 mask : masks)
        for (int kind = 0; kind < 5; kind++)
            for (u32 lane = 0; lane < 32; lane++) {
                const u64 v = kind == 0 ? 5 : kind == 1 ? draw() % 3 : kind == 2 ? (u32)draw() : kind == 3 ? 0x7ffffff0u + lane : lane < 16 ? -1 : 1;
                parts.insert(parts.end(), {(u32)v, kind == 0 ? 1ull : kind == 3 ? 0ull : draw() & 1, mask});
            }
#define DO(name, text) table(#name, name, parts);
    PARTS(DO)
    return experiment_end();
}
#endif
