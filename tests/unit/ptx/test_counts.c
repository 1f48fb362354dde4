/* The number of operands and the legal numbers: answers of the assembler of CUDA 13.0, for
 * sm_90a or, if sm_90a lacks the statement, sm_120a. It takes selectors 2 and 3
 * of m16n8k32, which the ISA does not define: here they are refused. */
#include "text.h"

#include <wsim/kernel.h>

#define W16 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4},"
#define WSP16 "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1,%f2,%f3,%f4},%d1,%d2,"
#define MSP                                                                                        \
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "                      \
    "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r3,%r4,%r5,%r6},{%f1,%f2,%f3,%f4}"
#define MXF8                                                                                       \
    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32."              \
    "ue8m0 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4}"
#define MXF8SP                                                                                     \
    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4."                       \
    "block_scale.f32.e4m3.e4m3.f32.ue8m0 "                                                         \
    "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6,%r7,%r8},{%f1,%f2,%f3,%f4}"
#define MXF4                                                                                       \
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1."             \
    "e2m1.f32.ue8m0 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4}"
#define NVF4                                                                                       \
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32."              \
    "e2m1.e2m1.f32.ue4m3 "                                                                         \
    "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4}"
#define MMA(b)                                                                                     \
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "                                           \
    "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4}," b ",{%f1,%f2,%f3,%f4};"
#define BULK "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define TENSOR "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
#define CA "cp.async.ca.shared.global "

/* A statement, and the rule of the first problem; "": there is none. */
static const struct {
    const char *text, *rule;
} statements[] = {
    {W16 "%d1,%d2,%p1,1,1,0,0;", ""},
    {W16 "%d1,%d2,%p1;", "ptx.operand.count"},
    {W16 "%d1,%d2,%p1,1,1,0;", "ptx.operand.count"},
    {W16 "{%r1,%r2,%r3,%r4},%d2,%p1,1,1,0;", ""},
    {W16 "{%r1,%r2,%r3,%r4},%d2,%p1,1,1,0,0;", "ptx.operand.count"},
    {W16 "{%r1,%r2,%r3,%r4},%d2,%p1,1,1;", "ptx.operand.count"},
    {W16 "%d1,%d2,%p1,%r1,1,0,0;", "ptx.operand.kind"},
    {W16 "%d1,%d2,%r1,1,1,0,0;", "ptx.operand.type"},
    {W16 "%d1,%d2,!%p1,1,1,0,0;", ""},
    {W16 "%d1,%d2,1,1,1,0,0;", ""},
    {W16 "%d1,%d2,2,1,1,0,0;", "ptx.operand.range"},
    {W16 "%r1,%d2,%p1,1,1,0,0;", "ptx.operand.type"},
    {W16 "%d1,%d2,%p1,0,1,0,0;", "ptx.operand.range"},
    {W16 "5,%d2,%p1,1,1,0,0;", ""},
    {W16 "%d1,%d2,%p1,1,-1,2,0;", "ptx.operand.range"},
    {W16 "%d1,%d2,%p1,1,-1,0,1;", ""},
    {WSP16 "%r1,0,%p1,1,1,0,0;", ""},
    {WSP16 "%r1,1,%p1,1,1,0,0;", ""},
    {WSP16 "%r1,2,%p1,1,1,0,0;", "ptx.operand.range"},
    {WSP16 "%p1,1,1,0,0;", "ptx.operand.count"},
    {WSP16 "%d1,0,%p1,1,1,0,0;", "ptx.operand.type"},
    {"wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3 "
     "{%f1,%f2,%f3,%f4},%d1,%d2,%r1,0,%p1,1,1;",
     ""},
    {"wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3 "
     "{%f1,%f2,%f3,%f4},%d1,%d2,%r1,1,%p1,1,1;",
     "ptx.operand.range"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1,%r2,%r3,%r4}, %d1, %d2, %p1, 1, 1;",
     "ptx.operand.count"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1,%r2,%r3,%r4}, %d1, %d2, %p1;", ""},
    {MSP ",%r5,0;", ""},
    {MSP ",%r5,1;", ""},
    {MSP ",%r5,2;", "ptx.operand.range"},
    {MSP ",%r5,3;", "ptx.operand.range"},
    {MSP ",%r5,4;", "ptx.operand.range"},
    {MSP ",%r5,%r1;", "ptx.operand.kind"},
    {MSP ",%f5,0;", ""},
    {MSP ",%d1,0;", "ptx.operand.type"},
    {MSP ",7,0;", "ptx.operand.kind"},
    {MSP ";", "ptx.operand.count"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
     "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4},%r1;",
     "ptx.operand.count"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2], %r3;", "ptx.operand.count"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1};", "ptx.operand.count"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, %r2;", "ptx.operand.kind"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r1}, 3;", "ptx.operand.count"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1,%r2,%r3;", "ptx.operand.count"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1,%r2;", ""},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[%d1],%r1,%r2;",
     "ptx.operand.count"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[%d1],15;", ""},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},[%d1];", ""},
    {"wmma.store.d.sync.aligned.row.m16n16k16.f32 [%d1],{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8},%r1;",
     ""},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1,%r2},{%r3},{%r4},{%r1,%r2};", ""},
    {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1,%r2},%r3,{%r4},{%r1,%r2};",
     "ptx.operand.kind"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 {%r1},%r2;", "ptx.operand.kind"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], %r1;", "ptx.operand.kind"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, s;", "ptx.operand.kind"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, s[4];", "ptx.operand.kind"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [s+4];", ""},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
     "{%f1,_,%f3,%f4},{%r1,%r2,%r3,%r4},{1,%r6},{%f1,%f2,%f3,%f4};",
     ""},
    {MMA("{%f1,%f2}"), "ptx.operand.type"},
    {MMA("{%f1,%r1}"), ""},
    {MMA("{%r1,%f1}"), ""},
    {MMA("{%i1,%i2}"), "ptx.operand.type"},
    {MMA("{%i1,%u1}"), ""},
    {MMA("{%i1,%r1}"), ""},
    {MMA("{%i1,1}"), ""},
    {MMA("{%i1,_}"), "ptx.operand.kind"},
    {MMA("{%f1,%i1}"), "ptx.operand.type"},
    {MMA("{%i1,%h1}"), "ptx.operand.type"},
    {MSP ",{%r5},0;", ""},
    {MSP ",{%r5,%r6},0;", "ptx.operand.kind"},
    {MXF8 ",{%r1},{0,0},{%r2},{0,0};", ""},
    {"bar.sync 16;", "ptx.operand.range"},
    {"bar.sync 15;", ""},
    {"bar.red.popc.u32 %r1, 16, %p1;", "ptx.operand.range"},
    {"bar.red.popc.u32 %r1, 1, 16, %p1;", "ptx.operand.range"},
    {"bar.red.popc.u32 %r1, 1, 32, %p1;", ""},
    {"bar.cta.sync 16;", "ptx.operand.range"},
    {"barrier.sync 16;", "ptx.operand.range"},
    {"barrier.sync 1, 16;", "ptx.operand.range"},
    {"barrier.cta.sync.aligned 1, 16;", "ptx.operand.range"},
    {"barrier.arrive 1, 33;", "ptx.operand.range"},
    {"barrier.red.and.pred %p1, 17, %p2;", "ptx.operand.range"},
    {"bar.sync -1;", "ptx.operand.range"},
    {"bar.sync 1,-32;", ""},
    {"bar.sync 1, 4096;", ""},
    {"bar.arrive 1, 0;", "ptx.operand.range"},
    {"bar.sync 1,0;", ""},
    {"bar.warp.sync 77;", ""},
    {"bfe.u32 %r1,%r2,255,255;", ""},
    {"bfe.u32 %r1,%r2,%r3,256;", "ptx.operand.range"},
    {"bfe.u64 %d1,%d2,256,3;", "ptx.operand.range"},
    {"bfi.b32 %r1,%r2,%r3,256,1;", "ptx.operand.range"},
    {"bfi.b32 %r1,%r2,%r3,1,256;", "ptx.operand.range"},
    {"bfi.b32 %r1,300,%r3,1,2;", ""},
    {"bfe.u32 %r1,%r2,-1,1;", "ptx.operand.range"},
    {"applypriority.global.L2::evict_normal [%d1], 64;", "ptx.operand.range"},
    {"applypriority.global.L2::evict_normal [%d1], 128;", ""},
    {"discard.global.L2 [%d1], 128;", ""},
    {"discard.global.L2 [%d1], 64;", "ptx.operand.range"},
    {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;", "ptx.operand.range"},
    {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;", ""},
    {CA "[s], [%d1], 16, 17;", "ptx.operand.range"},
    {CA "[s], [%d1], 16, 3;", ""},
    {CA "[s], [%d1], 4, -1;", "ptx.operand.range"},
    {CA "[s], [%d1], 4, %r1;", ""},
    {BULK "[s], [%d1], 0, [s];", ""},
    {BULK "[s], [%d1], -16, [s];", "ptx.operand.range"},
    {BULK "[s], [%d1], %r1, [s];", ""},
    {BULK "[s], [%d1], 17, [s];", "ptx.operand.range"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 24;", "ptx.operand.range"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 32;", ""},
    {"cp.async.bulk.prefetch.L2.global [%d1], 24;", "ptx.operand.range"},
    {"cp.async.bulk.prefetch.L2.global [%d1], 2000000;", "ptx.operand.range"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [s], 24;",
     "ptx.operand.range"},
    {"cp.async.bulk.wait_group 3;", ""},
    {"mbarrier.arrive.shared.b64 %d1,[s],0;", "ptx.operand.range"},
    {"mbarrier.arrive.shared.b64 %d1,[s],1;", ""},
    {"mbarrier.arrive.shared.b64 %d1,[s],-1;", "ptx.operand.range"},
    {"mbarrier.arrive.noComplete.shared.b64 %d1,[s],0;", "ptx.operand.range"},
    {"mbarrier.arrive_drop.shared.b64 %d1,[s],0;", "ptx.operand.range"},
    {"mbarrier.arrive.expect_tx.shared.b64 %d1,[s],0;", ""},
    {"mbarrier.arrive.shared.b64 %d1,[s];", ""},
    {"bfe.u32 %r1,%r2,%r3,%r4;", ""},
    {CA "[s],[%d1];", "ptx.operand.count"},
    {CA "[s],[%d1],16,%r1,%d1,%d2;", "ptx.operand.count"},
    {CA "[s],[%d1],16,%r1,%d1;", "ptx.operand.count"},
    {"cp.async.ca.shared.global.L2::cache_hint [s],[%d1],16,%d2;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [s],[%d1],16,0x14F0000000000000;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [s],[%d1],16,4,0;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [s],[%d1],16,%r1;", "ptx.operand.type"},
    {"cp.async.ca.shared.global.L2::cache_hint [s],[%d1],16,1.0;", "ptx.operand.kind"},
    {"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%d1],[s],16,0;", ""},
    {CA "[s],[%d1],%r1;", "ptx.operand.kind"},
    {CA "[s],[%d1],16,%p1;", ""},
    {TENSOR "[s], [%d1, {%r1}], [s];", "ptx.operand.count"},
    {TENSOR "[s], [%d1, {%r1,%r2}], [s];", ""},
    {TENSOR "[s], [%d1, {%r1,%r2}];", "ptx.operand.count"},
    {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d1,{%r1,%r2}], [s];", ""},
    {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d1,{%r1,%r2}], [s], [s];",
     "ptx.operand.count"},
    {BULK "[s], [%d1], 16;", "ptx.operand.count"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [s];", "ptx.operand.count"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%d1], [s], 16, %d2;", "ptx.operand.count"},
    {MXF8 ";", "ptx.operand.count"},
    {MXF8 ",%r1;", "ptx.operand.count"},
    {MXF8 ",%r1,{0,0},%r2,{0,0};", ""},
    {MXF8 ",%r1,{%h1,%h2},%r2,{%h1,%h2};", ""},
    {MXF8 ",%r1,{0,1},%r2,{0,3};", ""},
    {MXF8 ",%r1,{4,0},%r2,{0,0};", "ptx.operand.range"},
    {MXF8 ",%r1,{0,2},%r2,{0,0};", "ptx.operand.range"},
    {MXF8 ",%r1,%r2;", "ptx.operand.count"},
    {MXF8 ",%r1,{0,0},%r2,{0,0},%r3;", "ptx.operand.count"},
    {MXF8 ",%r1,{3,0},%r2,{3,0};", ""},
    {MXF8 ",%f1,{0,0},%r2,{0,0};", ""},
    {MXF8 ",%r1,{%r1,%r2},%r2,{0,0};", "ptx.operand.type"},
    {MXF8 ",5,{0,0},%r2,{0,0};", "ptx.operand.kind"},
    {MXF8 ",%h1,{0,0},%r2,{0,0};", "ptx.operand.type"},
    {MXF8 ",%r1,{%h1,0},%r2,{0,0};", ""},
    {MXF8 ",%r1,{%p1,0},%r2,{0,0};", "ptx.operand.type"},
    {MXF8 ",%r1,{0,0},%r2,{0,4};", "ptx.operand.range"},
    {MXF8SP ",%r1,0,%r1,{0,0},%r2,{0,0};", ""},
    {MXF8SP ",%r1,1,%r1,{0,0},%r2,{0,0};", "ptx.operand.range"},
    {MXF8SP ",%r1,0;", "ptx.operand.count"},
    {MXF4 ",%r1,{0,0},%r2,{0,0};", ""},
    {MXF4 ",%r1,{1,0},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,1},%r2,{0,0};", ""},
    {MXF4 ",%r1,{0,0},%r2,{0,1};", ""},
    {MXF4 ",%r1,{2,0},%r2,{0,0};", ""},
    {MXF4 ",%r1,{0,2},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,0},%r2,{0,2};", ""},
    {MXF4 ",%r1,{3,0},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,3},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,0},%r2,{0,3};", ""},
    {MXF4 ",%r1,{4,0},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,4},%r2,{0,0};", "ptx.operand.range"},
    {MXF4 ",%r1,{0,0},%r2,{0,4};", "ptx.operand.range"},
    {NVF4 ",%r1,{0,0},%r2,{0,0};", ""},
    {NVF4 ",%r1,{1,0},%r2,{0,0};", "ptx.operand.range"},
    {NVF4 ",%r1,{2,0},%r2,{0,0};", "ptx.operand.range"},
    {NVF4 ",%r1,{3,0},%r2,{0,0};", "ptx.operand.range"},
    {NVF4 ",%r1,{4,0},%r2,{0,0};", "ptx.operand.range"},
};

START_TEST(statement) {
    char text[1024];
    struct wsim_module *module;
    struct wsim_problem problem = {.rule = ""};
    struct wsim_diag diag;
    snprintf(text, sizeof text,
             HEADER
             ".visible .entry k()\n{\n.reg .b32 %%r<40>; .reg .pred %%p<3>; .reg .f32 %%f<9>;"
             ".reg .s32 %%i<3>; .reg .u32 %%u<3>; .reg .b64 %%d<4>; .reg .b16 %%h<4>; .shared "
             ".align 16 .b8 s[64];\n%s\nret;\n}\n",
             statements[_i].text);
    wsim_module_load(text, strlen(text), WSIM_MODULE_DIAGNOSE, &module, &diag);
    ck_assert_ptr_nonnull(module);
    wsim_module_problem(module, 0, &problem);
    ck_assert_msg(strcmp(problem.rule, statements[_i].rule) == 0, "%s: '%s' instead of '%s'", text,
                  problem.rule, statements[_i].rule);
    wsim_module_free(module);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {statement, 0, (int)(sizeof statements / sizeof statements[0])}};
    return every_run("unit/ptx/counts", tests, 1);
}
