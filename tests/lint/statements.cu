// Statements, each with what has to be said of it: a rule, several, or nothing. The test
// reads the comments.
#include <cstdint>

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "

__device__ void good(float *d, const uint32_t *a, const uint32_t *b, void *smem, uint64_t bar) {
    uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(smem)), r[4], ok;
    // nothing
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    // nothing
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
    // nothing
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t" // a predicate for try_wait
                 "WAIT:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@p bra DONE;\n\t"
                 "bra WAIT;\n\t"
                 "DONE:\n\t"
                 "}" ::"r"(at), "r"(0) : "memory");
    // nothing
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], %3; }"
                 ::"r"(1), "r"(at), "l"(a), "n"(16) : "memory");
    // nothing
    asm("mov.u32 %0, %%laneid;" : "=r"(ok));
    // nothing
    asm volatile("cp.async.wait_group %0;" ::"n"(N_STAGES - 2) : "memory");
    // nothing
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(at), "r"(1), "r"(2) : "memory");
    // nothing
    asm volatile(R"({ .reg .b32 t; mov.b32 t, %1; cvt.rn.f16x2.f32 %0, %2, %2; })" : "=r"(ok) : "r"(1), "f"(d[0]));
    // nothing: a macro hides its instruction
    asm volatile(MMA "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1};" : "+f"(d[0]));
    // nothing
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
    // nothing: some numbers are legal
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, %6, %6, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(bar), "l"(bar), "n"(int32_t(SCALE)));
    // nothing: each number is another
    asm volatile("barrier.cta.arrive %0, %1;" ::"n"(ID), "n"(COUNT) : "memory");
    // sync.registers.range: none of these is legal
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(17));
    // nothing: another one is
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
    // nothing: a macro may be "memory"
    asm volatile("bar.sync 0;" ::: CLOBBERED);
    // nothing
    asm volatile("cp.async.ca.shared.global [%1], [%2], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "r"(at), "l"(a) : "memory");
    // nothing
    asm volatile("mov.f32 %0, 0f00000000; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(bar), "l"(bar));
#if __CUDA_ARCH__ < 800 && defined(OLD)
    // nothing: not for this target, whatever OLD is
    asm volatile("bar.sync;");
#endif
}

// spelling.qualifier.unknown
#define WAIT_FOR(n)                                  \
    asm volatile("cp.async." /* a macro over lines */ \
                 "wait_groups %0;"                   \
                 ::"n"(n)                            \
                 : "memory")

__device__ void spellings(float *d, const uint32_t *a, const uint32_t *b, uint32_t at, const void *g) {
    uint32_t r[4];
    // spelling.qualifier.unknown
    asm volatile("mma.sync.aligned.m16n8k61.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    // ptx.operand.count
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
    // ptx.operand.count
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
    // ptx.operand.count
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    // ptx.operand.type
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "r"(b[0]), "r"(b[1]));
    // ptx.operand.type
    asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=f"(d[0]) : "f"(d[1]));
    // nothing: nvcc makes a .b32 of "r", which every type of 32 bits takes
    asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r[0]) : "r"(a[0]), "f"(d[0]));
    // ptx.operand.kind
    asm volatile("cp.async.wait_group %0;" ::"r"(1) : "memory");
    // ptx.operand.type
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(at), "l"(g), "n"(8) : "memory");
    // ptx.text.missing
    asm volatile("bar.sync 0" ::: "memory");
    // ptx.operand.count
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(0ull), "l"(0ull));
#if __CUDA_ARCH__ >= 1000
    // nothing: not for this target
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    asm volatile("mma.bad;");
#elif __CUDA_ARCH__ >= 900
    // spelling.qualifier.unknown
    asm volatile("stmatrix.sync.aligned.m8n8.x5.shared.b16 [%0], {%1};" ::"r"(at), "r"(1) : "memory");
#endif
}

__device__ void bindings(float *d, const uint32_t *a, float *smem, uint64_t *bar, uint32_t at, const float *const *many) {
    uint32_t r[4];
    __shared__ float2 tile[4][8];
    // spelling.qualifier.foreign
    asm("ex2.approx.ftz.f16x2 %0, %1;" : "=r"(r[0]) : "r"(a[1]));
    // asm.percent.single
    asm("mov.u32 %0, %laneid;" : "=r"(r[0]));
    // asm.percent.modifier
    asm("mov.b32 %0, %r1;" : "=r"(r[0]));
    // asm.percent.double
    asm volatile("{ .reg .u32 t; mov.u32 t, %%laneid; }");
    // asm.constraint.letter
    asm("mov.b32 %0, %1;" : "=r"(r[0]) : "i"(1));
    // asm.constraint.name
    asm("mov.b32 %[to], %1;" : [to] "=r"(r[0]) : "r"(1));
    // asm.operand.missing
    asm("add.u32 %0, %1, %3;" : "=r"(r[0]) : "r"(1), "r"(2));
    // asm.operand.input
    asm volatile("add.u32 %0, %1, 1;" ::"r"(r[0]), "r"(r[1]));
    // asm.operand.unset
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
        : "=r"(r[0]), "=r"(r[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]));
    // asm.operand.sometimes
    asm("{ .reg .pred p; setp.ne.b32 p, %1, 0; @p mov.b32 %0, 1; }" : "=r"(r[0]) : "r"(a[0]));
    // asm.scope.register
    asm(".reg .b32 t; mov.b32 t, %1; mov.b32 %0, t;" : "=r"(r[0]) : "r"(a[0]));
    // asm.scope.label
    asm volatile("AGAIN: bar.sync 0; bra AGAIN;" ::: "memory");
    // asm.volatile
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    // nothing: nvcc neither moves nor leaves out what clobbers memory
    asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at) : "memory");
#ifdef SOME_MACRO
    // nothing: it may be for a PTX that had it
    asm volatile("shfl.up.b32 %0, %1, 1, 0;" : "=r"(r[0]) : "r"(at));
#endif
    // op.version.until
    asm volatile("shfl.up.b32 %0, %1, 1, 0;" : "=r"(r[0]) : "r"(at));
    // asm.memory
    asm volatile("bar.sync 0;");
    // asm.memory
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(r[0]));
    // asm.operand.unset: wgmma adds to them
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "l"(1ull), "l"(1ull));
    // asm.pointer
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "l"(smem) : "memory");
    // asm.pointer: an array is one
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "l"(tile[1] + 2) : "memory");
    // asm.pointer: one of many
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "l"(many[2]) : "memory");
    // nothing: an address that stands in an array
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "l"(bar[1]) : "memory");
    // nothing: the same of 32 bits
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "r"(r[1]) : "memory");
    // asm.pointer
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((uint32_t)(uintptr_t)&bar[1]) : "memory");
}

__device__ void orders(float *d, uint32_t at, uint32_t bar, const void *g, void *out, uint64_t desc) {
    // order.commit
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16; cp.async.wait_group 0;" ::"r"(at), "l"(g) : "memory");
    // order.wait
    asm volatile("cp.async.ca.shared.global [%1], [%2], 4; cp.async.commit_group; ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "r"(at), "l"(g) : "memory");
    // order.commit
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16; cp.async.bulk.wait_group 0;" ::"l"(out), "r"(at) : "memory");
    // order.proxy
    asm volatile("st.shared.f32 [%1], %2; cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(out), "r"(at), "f"(d[0]) : "memory");
    // order.init
    asm volatile("mbarrier.init.shared::cta.b64 [%1], 1; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%2], 16, [%1];" ::"r"(at), "r"(bar), "l"(g) : "memory");
    // order.tested
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; }" ::"r"(bar) : "memory");
    // order.wgmma
    asm volatile("mov.f32 %0, 0f00000000; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc), "l"(desc));
    // order.wait
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; add.f32 %0, %0, %1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(desc), "l"(desc));
}

// What CUDA's own headers have, and CUDA does not refuse.
__device__ void headers(uint32_t *r, uint32_t at, float *d, uint64_t *l, const uint32_t *a) {
    // nothing: two results, and both are used
    asm volatile("{ .reg .pred p, q; mbarrier.try_wait.phase_type::primary.acquire.cta.shared::cta.b64 p|q, [%2], %3; selp.b32 %0, 1, 0, p; selp.b32 %1, 1, 0, q; }"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(at), "l"(l[0]) : "memory"); // wsim-lint: off-line spelling -- PTX 9.4
    // spelling.qualifier.unknown: a note; the address is not judged
    asm("mbarrier.arrive.newer.shared::cta.b64 _, [%0];" ::"l"(l));
    // nothing: this statement opens a scope, and the last one closes it
    asm volatile("{ .reg .b64 q;");
    // nothing
    asm volatile("mov.b64 q, %0;" ::"l"(l[0]));
    // nothing: a name of the scope
    asm volatile(".reg .b64 r; mov.b64 r, q;");
    // nothing
    asm volatile("}");
    // nothing: blanks in a spelling
    asm("{ mov .u32 %0, 1;\n\tadd .u32 %0, %0, 1; }" : "=r"(r[0]));
    // nothing: names of another statement
    asm("{ .reg.b32 %v; .reg.pred %did;");
    // nothing
    asm("shfl.sync.up.b32 %%v|%%did, %0, 1, 0, 0xffffffff;" ::"r"(r[0]));
    // asm.operand.sometimes
    asm("@%%did mov.b32 %0, %%v;" : "=r"(r[0]));
    // nothing
    asm("}");
    // spelling.qualifier.unknown: a note, an instruction of a newer PTX
    asm("tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.abs.f32.b2 {%1}, {%2, %3}, %0, [%4];"
        : "=f"(d[0]), "=r"(r[0]), "=f"(d[1]), "=f"(d[2]) : "r"(at) : "memory");
    // spelling.qualifier.unknown: a note
    asm("cvt.rn.satfinite.ue5m3x2.f32 %0, %1, %2;" : "=h"(r[0]) : "f"(d[0]), "f"(d[1]));
    NV_IF_TARGET(NV_PROVIDES_SM_100, (
    // nothing: for another target
    asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(d[0]) : "f"(d[1]));))
    // arch.feature.missing
    asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(d[0]) : "f"(d[1]));
}

__device__ void sources(float *d) {
    // arch.feature.missing: two sources are for each target, three for newer ones
    asm("max.f32 %0, %1, %2, %3;" : "=f"(d[0]) : "f"(d[1]), "f"(d[2]), "f"(d[3]));
    // nothing
    asm("max.f32 %0, %1, %2;" : "=f"(d[0]) : "f"(d[1]), "f"(d[2]));
}

__device__ void fields(uint32_t *r, uint64_t *l) {
    // operand.address: an offset is added
    asm volatile("{ .reg .b32 a; mov.b32 a, %1; ld.shared.u32 %0, [a-8]; }" : "=r"(x) : "r"(y) : "memory");
    // nothing
    asm volatile("{ .reg .b32 a; mov.b32 a, %1; ld.shared.u32 %0, [a+-8]; }" : "=r"(x) : "r"(y) : "memory");
    // operand.address: a number is an address of local memory alone
    asm volatile("ld.shared.u32 %0, [16];" : "=r"(x) :: "memory");
    // nothing
    asm volatile("ld.local.u32 %0, [16];" : "=r"(x) :: "memory");
    // operand.field
    asm("bfe.u32 %0, %1, 28, 8;" : "=r"(r[0]) : "r"(r[1]));
    // operand.field
    asm("bfe.s64 %0, %1, %2, 1;" : "=l"(l[0]) : "l"(l[1]), "n"(64));
    // operand.field
    asm("bfi.b32 %0, %1, %0, 31, 0x2U;" : "+r"(r[0]) : "r"(r[1]));
    // nothing
    asm("bfe.u32 %0, %1, 24, 8;" : "=r"(r[0]) : "r"(r[1]));
    // nothing
    asm("bfi.b64 %0, %1, %0, 32, 32;" : "+l"(l[0]) : "l"(l[1]));
    // nothing: unknown
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r[0]) : "r"(r[1]), "n"(FIRST), "r"(r[2]));
}

__device__ void guards(uint32_t *r, float *d) {
    // operand.guard: ptxas tests without the guard
    asm("{ .reg .pred p, q; setp.lt.u32 p, %1, 9; setp.eq.u32 q, %1, %1; @p testp.normal.f32 q, %2; selp.u32 %0, 1, 0, q; }"
        : "=r"(r[0]) : "r"(r[1]), "f"(d[0]));
    // operand.guard: ptxas converts the old value
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 9; @!p set.lt.and.ftz.f32.f32 %0, %2, %3, p; }"
        : "+f"(d[1]) : "r"(r[1]), "f"(d[0]), "f"(d[2]));
    // nothing: the result is an integer
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 9; @!p set.lt.u32.f32 %0, %2, %3; }"
        : "+r"(r[0]) : "r"(r[1]), "f"(d[0]), "f"(d[2]));
    // nothing: no guard
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 9; set.lt.and.f32.f32 %0, %2, %3, p; }"
        : "=f"(d[1]) : "r"(r[1]), "f"(d[0]), "f"(d[2]));
}

__device__ void controls() {
    // nothing: a control and a reason
    asm volatile("bar.sync 0;"); // wsim-lint: off-line asm.memory -- nothing is read
    // asm.memory: that was the line before
    asm volatile("bar.sync 0;");
    // wsim-lint: off-next-line asm order.wait
    asm volatile("bar.sync 0;");
    // wsim-lint: off asm.memory
    // nothing
    asm volatile("bar.sync 0;");
    // asm.volatile: another rule
    asm("ld.volatile.global.b32 %0, [%1];" : "=r"(r[0]) : "l"(l[0]));
    /* wsim-lint: on */
    // asm.memory
    asm volatile("bar.sync 0;");
    // asm.memory lint.comment: there is no such rule
    asm volatile("bar.sync 0;"); // wsim-lint: off-line asm.memori
    // nothing: a line of a statement
    asm volatile("bar.sync 0;"
                 "bar.sync 1;" // wsim-lint: off-line
                 "bar.sync 2;");
    // ptx.name.unknown: a special register but for a letter
    asm("mov.u32 %0, %%lanid;" : "=r"(r[0]));
    // nothing: another statement can declare it, and newer versions have more special registers
    asm("mov.u32 %0, %%mine;" : "=r"(r[0]));
    asm("mov.u64 %0, %%clock65;" : "=l"(l[0]));
}
