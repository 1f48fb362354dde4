// What a line of source costs: each access has a line of its own, and the profiler says what it counted there.
// One warp a block. The assembler keeps all of them: they are volatile, and their results are used.
#include <cstdint>
#include <cuda_fp16.h>
#include <mma.h>

#define LOAD(type, to, from) asm volatile("ld.global." type " %0, [%1];" : "=r"(to) : "l"(from))
#define LOAD2(to, from) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "l"(from))
#define LOAD4(to, from) asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "l"(from))
#define STORE(type, to, value) asm volatile("st.global." type " [%0], %1;" ::"l"(to), "r"(value) : "memory")
#define STORE2(to, value) asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(to), "r"(value) : "memory")
#define STORE4(to, value) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to), "r"(value) : "memory")
#define ATOM(what, got, to, value) asm volatile("atom." what " %0, [%1], %2;" : "=r"(got) : "l"(to), "r"(value) : "memory")
#define RED(what, to, value) asm volatile("red." what " [%0], %1;" ::"l"(to), "r"(value) : "memory")
#define CAS(space, got, to, a, b) asm volatile("atom." space ".cas.b32 %0, [%1], %2, %3;" : "=r"(got) : "l"(to), "r"(a), "r"(b) : "memory")
#define SHARED_ATOM(what, got, to, value) asm volatile("atom.shared." what " %0, [%1], %2;" : "=r"(got) : "r"(to), "r"(value) : "memory")
#define SHARED_RED(what, to, value) asm volatile("red.shared." what " [%0], %1;" ::"r"(to), "r"(value) : "memory")
#define SHARED_LOAD(to, from) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(to) : "r"(from))
#define SHARED_LOAD4(to, from) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from))
#define SHARED_STORE(to, value) asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory")
#define COPY(how, bytes, to, from) asm volatile("cp.async." how ".shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory")
#define LDMATRIX(to, from) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from))
#define STMATRIX(to, value) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(value) : "memory")

extern "C" __global__ void accesses(const char *in, char *out)
{
    __shared__ alignas(128) char tile[16384];
    __shared__ alignas(8) uint64_t bar;
    const unsigned t = threadIdx.x, s = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned r[4] = {0, 0, 0, 0}, sum = 0;
    out += 65536 * blockIdx.x;
    // global loads
    LOAD("u32", r[0], in + 4 * t); sum += r[0];
    LOAD("u32", r[0], in + 8 * t); sum += r[0];
    LOAD("u32", r[0], in + 32 * t); sum += r[0];
    LOAD("u32", r[0], in + 132 * t); sum += r[0];
    LOAD("u32", r[0], in + 4 * (t * 5 % 32)); sum += r[0];
    LOAD("u32", r[0], in); sum += r[0];
    LOAD("u32", r[0], in + 4 + 4 * t); sum += r[0];
    LOAD("u8", r[0], in + t); sum += r[0];
    LOAD("u8", r[0], in + 33 * t); sum += r[0];
    LOAD("u32", r[0], in + 4 * (t / 4)); sum += r[0];
    LOAD2(r, in + 8 * t); sum += r[0] + r[1];
    LOAD2(r, in + 24 * t); sum += r[0] + r[1];
    LOAD4(r, in + 16 * t); sum += r[0] + r[1] + r[2] + r[3];
    LOAD4(r, in + 48 * t); sum += r[0] + r[1] + r[2] + r[3];
    LOAD4(r, in + 16 * (t % 2)); sum += r[0] + r[1] + r[2] + r[3];
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(r[0]) : "l"(in + 16 * t)); sum += r[0];
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r[0]) : "l"(in + 12 * t)); sum += r[0];
    // global stores
    STORE("u32", out + 4 * t, sum);
    STORE("u32", out + 8 * t, sum);
    STORE("u32", out + 128 * t, sum);
    STORE("u32", out + 4 + 4 * t, sum);
    STORE("u32", out, 7);
    STORE("u8", out + t, sum);
    STORE2(out + 8 * t, sum);
    STORE4(out + 16 * t, sum);
    STORE4(out + 64 * t, sum);
    // global atomics
    ATOM("global.add.u32", r[0], out + 4 * t, 1); sum += r[0];
    ATOM("global.add.u32", r[0], out + 64 * t, 1); sum += r[0];
    ATOM("global.add.u32", r[0], out + 4 * (t / 8), sum); sum += r[0];
    ATOM("global.add.u32", r[0], out, 3); sum += r[0];
    ATOM("global.exch.b32", r[0], out + 8 * t, sum); sum += r[0];
    CAS("global", r[0], out + 8 * t, sum, sum + 1); sum += r[0];
    RED("global.add.u32", out + 4 * t, sum);
    RED("global.add.u32", out + 64 * t, sum);
    RED("global.add.u32", out + 4 * (t / 8), sum);
    RED("global.add.u32", out, sum);
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(out + 4 * t), "f"(1.0f) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(out + 16 * t), "f"(1.0f) : "memory");
    // shared memory
    SHARED_STORE(s + 4 * t, sum);
    SHARED_STORE(s + 128 * t, sum);
    SHARED_STORE(s + 8 * t, sum);
    for (unsigned i = 0; i < 128; i++) SHARED_STORE(s + 4 * t + 128 * i, i + t);
    SHARED_LOAD(r[0], s + 4 * t); sum += r[0];
    SHARED_LOAD(r[0], s + 8 * t); sum += r[0];
    SHARED_LOAD(r[0], s + 128 * t); sum += r[0];
    SHARED_LOAD(r[0], s); sum += r[0];
    SHARED_LOAD4(r, s + 16 * t); sum += r[0] + r[1] + r[2] + r[3];
    SHARED_LOAD4(r, s + 128 * t); sum += r[0] + r[1] + r[2] + r[3];
    SHARED_LOAD4(r, s + 16 * (t / 4)); sum += r[0] + r[1] + r[2] + r[3];
    SHARED_ATOM("add.u32", r[0], s + 4 * t, 2); sum += r[0];
    SHARED_ATOM("add.u32", r[0], s + 8 * t, 2); sum += r[0];
    SHARED_ATOM("add.u32", r[0], s, t); sum += r[0];
    SHARED_ATOM("exch.b32", r[0], s + 16 * t, sum); sum += r[0];
    SHARED_RED("add.u32", s + 4 * t, sum);
    SHARED_RED("add.u32", s + 64 * t, sum);
    asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(r[0]) : "r"(s + 8 * t), "r"(sum), "r"(t) : "memory"); sum += r[0];
    asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(s + 8192 + 8 * t), "f"(1.0f) : "memory");
    LDMATRIX(r, s + 16 * t); sum += r[0] + r[1] + r[2] + r[3];
    LDMATRIX(r, s + 128 * t); sum += r[0] + r[1] + r[2] + r[3];
    LDMATRIX(r, s + 64 * t); sum += r[0] + r[1] + r[2] + r[3];
    STMATRIX(s + 16 * t, sum);
    STMATRIX(s + 128 * t, sum);
    // copies
    COPY("ca", 4, s + 4 * t, in + 4 * t);
    COPY("ca", 4, s + 128 * t, in + 4 * t);
    COPY("ca", 4, s + 4 * t, in + 64 * t);
    COPY("ca", 8, s + 8 * t, in + 8 * t);
    COPY("ca", 8, s + 128 * t, in + 40 * t);
    COPY("ca", 16, s + 16 * t, in + 16 * t);
    COPY("ca", 16, s + 128 * t, in + 16 * t);
    COPY("ca", 16, s + 16 * t, in + 64 * t);
    COPY("cg", 16, s + 16 * t, in + 16 * t);
    COPY("cg", 16, s + 128 * t, in + 16 * t);
    COPY("cg", 16, s + 16 * t, in + 64 * t);
    COPY("cg", 16, s + 64 * t, in + 32 * t);
    COPY("cg", 16, s + 128 * (t / 8) + 16 * ((t ^ (t / 8)) % 8), in + 256 * (t / 8) + 16 * (t % 8));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(s), "l"(in), "r"(b) : "memory");
        asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra AGAIN; }" ::"r"(b) : "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(out + 16384), "r"(s) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncwarp();
    // wmma
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, col_major> c;
    fragment<accumulator, 16, 16, 16, float> d;
    fill_fragment(d, 0.0f);
    load_matrix_sync(a, (const half *)in, 16);
    load_matrix_sync(c, (const half *)in, 16);
    mma_sync(d, a, c, d);
    load_matrix_sync(a, (const half *)in, 64);
    mma_sync(d, a, c, d);
    load_matrix_sync(c, (const half *)in, 128);
    mma_sync(d, a, c, d);
    load_matrix_sync(a, (const half *)tile, 16);
    mma_sync(d, a, c, d);
    load_matrix_sync(a, (const half *)tile, 64);
    mma_sync(d, a, c, d);
    load_matrix_sync(a, (const half *)tile, 24);
    mma_sync(d, a, c, d);
    store_matrix_sync((float *)(out + 32768), d, 16, mem_row_major);
    store_matrix_sync((float *)(out + 32768), d, 64, mem_row_major);
    // local memory
    unsigned spill[32];
    for (unsigned i = 0; i < 32; i++) spill[i ^ (sum & 1)] = i * sum;
    sum += spill[(sum >> 3) % 32];
    STORE("u32", out + 49152 + 4 * t, sum);
}
