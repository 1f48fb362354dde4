/* Messages for spellings that do not exist: the wrong qualifier, its legal values, and the spelling
 * that was probably meant. The mistakes are typical ones. */
#include "../run.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

static const struct mistake {
    const char *written, *told, *meant;
} mistakes[] = {
    {"mma.sync.m16n8k16.row.col.f32.f16.f16.f32", ".aligned is missing",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32",
     "unknown qualifier '.m16n8k17', nearest is '.m16n8k16'",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32",
     "shape '.m16n8k64' is not allowed here; allowed: .m8n8k4 .m16n8k8 .m16n8k16",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.tf32.tf32.f32",
     "shape '.m16n8k32' is not allowed here; allowed: .m16n8k4 .m16n8k8",
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.s32",
     "type of C '.s32' is not allowed here; allowed: .f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32",
     "type of C '.f32' is not allowed here; allowed: .f16",
     "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.s32",
     "type of C '.s32' is not allowed here; allowed: .f16 .f32",
     "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.bf16",
     "type of C '.bf16' is not allowed here; allowed: .f16 .f32",
     "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u8.f16.s32",
     "type of B '.f16' is not allowed here; allowed: .s8 .u8",
     "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32", "type of A '.bf16' is not allowed here",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
     "layout of A '.col' is not allowed here; allowed: .row",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23",
     "unknown qualifier '.f23', nearest is '.f32'",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f61.f16.f32",
     "unknown qualifier '.f61', nearest is '.f16'",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.m16n8k32.s8", ".sync is missing", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
    {"mma.m16n8k16.row.col.f32.bf16.bf16.f32", ".sync is missing",
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.fp8.fp8.f32",
     "unknown qualifier '.fp8', nearest is '.e4m3'",
     "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.i8.i8.s32", "unknown qualifier '.i8', nearest is '.s8'",
     "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
    {"MMA.SYNC.ALIGNED.M16N8K16.ROW.COL.F32.F16.F16.F32",
     "unknown instruction 'MMA', nearest is 'mma'",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f32.f32.f32",
     "type of A '.f32' is not allowed here; allowed: .f16 .bf16 .tf32;",
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f32.f32.f32",
     "type of A '.f32' is not allowed here; allowed: .f16 .bf16 .e5m2 .e4m3;",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16", "type of C is missing; allowed: .f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.bf16",
     "type of C '.bf16' is not allowed here; allowed: .f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.s32.f16.f16.s32", "type of D '.s32' is not allowed here",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"ldmatrix.x4.trans", ".sync is missing", "ldmatrix.sync.aligned.m8n8.x4.trans.b16"},
    {"ld.shared.v4.f64", "vector width '.v4' is not allowed here; allowed: .v2",
     "ld.shared.v2.f64"},
    {"ld.shared.f16", "type of D '.f16' is not allowed here", "ld.shared.b16"},
    {"ld.shared.v3.f32", "unknown qualifier '.v3', nearest is '.v2'", "ld.shared.v2.f32"},
    {"ld.relaxed.shared.f32", "scope is missing; allowed: .cta .cluster .gpu .sys",
     "ld.relaxed.cta.shared.f32"},
    {"ld.cta.shared.f32", "memory order is missing; allowed: .relaxed .acquire",
     "ld.relaxed.cta.shared.f32"},
    {"st.acquire.cta.shared.f32",
     "memory order '.acquire' is not allowed here; allowed: .relaxed .release",
     "st.relaxed.cta.shared.f32"},
    {"ld.volatile.shared.ca.f32", "memory order '.volatile' is not allowed here; allowed: .weak",
     "ld.shared.ca.f32"},
    {"st.shared.ca.f32", "cache operator '.ca' is not allowed here; allowed: .cg .cs .wb .wt",
     "st.shared.f32"},
    {"atom.shared.inc.f32", "type of D '.f32' is not allowed here; allowed: .u32",
     "atom.shared.inc.u32"},
    {"ld.shared.nc.f32", "'.nc' is not for shared memory", "ld.shared.f32"},
    {"atom.shared.add.f16x2", ".noftz is missing", "atom.shared.add.noftz.f16x2"},
    {"wgmma.mma_async.m64n128k32.e4m3", ".sync is missing",
     "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3"},
    {"cp.async.bulk.tensor.2d.shared.global.mbarrier",
     "cp.async.bulk.tensor has no qualifier '.shared', nearest is '.shared::cluster'",
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.global.shared.bulk_group",
     "cp.async.bulk has no qualifier '.shared', nearest is '.shared::cta'",
     "cp.async.bulk.global.shared::cta.bulk_group"},
    {"wmma.store.sync.aligned.row.m16n16k16.f32",
     "unknown instruction 'wmma.store', nearest is 'wmma.store.d'",
     "wmma.store.d.sync.aligned.row.m16n16k16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f32.f32",
     "type of B '.f32' is not allowed here; allowed: .f16",
     "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
    {"atom.shared.sub.u32", "unknown qualifier '.sub'", "atom.shared.add.u32"},
    {"wgmma", "unknown instruction 'wgmma', nearest is 'wgmma.mma_async'",
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"},
    {"cp.async.bulk_.shared::cta.global.mbarrier::complete_tx::bytes",
     "unknown instruction 'cp.async.bulk_', nearest is 'cp.async.bulk'",
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32",
     "kind is missing; allowed: .kind::f8f6f4",
     "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3",
     "scale vector is missing; allowed: .scale_vec::4X",
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
     ".f32.e2m1.e2m1.f32.ue4m3"},
    {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.popc", "'.popc' must come after the bit",
     "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc"},
    {"mma.sp.sync.aligned.m16n8k128.row.col.f32.e4m3.e4m3.f32",
     "shape '.m16n8k128' is not allowed here; allowed: .m16n8k64",
     "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32"},
    {"ldmatrix.sync.aligned.m8n8.x4.b8", "type of D '.b8' is not allowed here; allowed: .b16",
     "ldmatrix.sync.aligned.m8n8.x4.b16"},
    {"movmatrix.sync.aligned.m8n8.b16", ".trans is missing",
     "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32",
     "type of A '.f16' is not allowed here; allowed: .bf16",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"},
    {"wmma.load.a.sync.aligned.row.m16n16k8.f16",
     "shape '.m16n16k8' is not allowed here; allowed: .m16n16k16 .m8n32k16 .m32n8k16",
     "wmma.load.a.sync.aligned.row.m16n16k16.f16"},
    {"wmma.load.b.sync.aligned.row.m8n8k128.b1", "layout of B '.row' is not allowed here",
     "wmma.load.b.sync.aligned.col.m8n8k128.b1"},
    {"wmma.load.d.sync.aligned.row.m16n16k16.f32",
     "unknown instruction 'wmma.load.d', nearest is 'wmma.load.a'",
     "wmma.load.a.sync.aligned.row.m16n16k16.f16"},
    {"tensormap.replace.tile.rank.global.b1024.b64",
     "type of D '.b64' is not allowed here; allowed: .b32",
     "tensormap.replace.tile.rank.global.b1024.b32"},
    {"tensormap.replace.rank.global.b1024.b32", ".tile is missing",
     "tensormap.replace.tile.rank.global.b1024.b32"},
    {"tensormap.replace.tile.swizzle_mod.b1024.b32", "nearest is '.swizzle_mode'",
     "tensormap.replace.tile.swizzle_mode.b1024.b32"},
    {"stmatrx.sync.aligned.m8n8.x1.b16", "unknown instruction 'stmatrx', nearest is 'stmatrix'",
     "stmatrix.sync.aligned.m8n8.x1.b16"},
};

START_TEST(the_reason_and_the_spelling_that_was_meant) {
    const struct mistake *mistake = &mistakes[_i];
    const struct wsim_op nothing = {0};
    char suggestion[WSIM_SPELLING_MAX];
    struct wsim_diag diag;
    struct wsim_op op;
    memset(&op, 0xFF, sizeof op);
    ck_assert_int_ne(wsim_op_parse(mistake->written, &op, &diag), WSIM_OK);
    ck_assert_mem_eq(&op, &nothing, sizeof op);
    ck_assert_msg(strstr(diag.text, mistake->told) != NULL, "%s: %s", mistake->written, diag.text);
    ck_assert_int_eq(wsim_op_nearest(mistake->written, &op), 1);
    wsim_op_spell(&op, suggestion);
    ck_assert_str_eq(suggestion, mistake->meant);
    snprintf(suggestion, sizeof suggestion, "; nearest legal: %s", mistake->meant);
    ck_assert_msg(strstr(diag.text, suggestion) != NULL, "%s: %s", mistake->written, diag.text);
}
END_TEST

/* Without a near spelling there is no suggestion; unmodelled instructions have no neighbour. */
static const struct {
    const char *written, *told;
} strange[] = {
    {"foo.bar", "unknown instruction 'foo'"},
    {"", "unknown instruction ''"},
    {"@!", "unknown instruction '@!'"},
    {"shf1.sync.down.b32", "unknown instruction 'shf1', nearest is 'shfl'"},
    {"cp.async.wait_grup", "unknown qualifier '.wait_grup', nearest is '.wait_group'; nearest "
                           "legal: cp.async.wait_group"},
    {"bar.sync", "bar.sync is a scalar instruction: wsim_scalar_parse reads it"},
    {"add.f31", "unknown qualifier '.f31', nearest is '.f32'; nearest legal: add.f32"},
    {"mbarrier.shared.b64", ".init is missing; nearest legal: mbarrier.init.shared.b64"},
    {"ld.global.v4.f32", "ld.global.v4.f32 is a scalar instruction: wsim_scalar_parse reads it"},
    {"ld.v4.f32", "ld.v4.f32 is a scalar instruction: wsim_scalar_parse reads it"},
    {"ld.global.v4.f31",
     "unknown qualifier '.f31', nearest is '.f32'; nearest legal: ld.global.v4.f32"},
};

START_TEST(no_neighbour_is_made_up) {
    struct wsim_diag diag;
    struct wsim_op op;
    ck_assert_int_ne(wsim_op_parse(strange[_i].written, &op, &diag), WSIM_OK);
    ck_assert_str_eq(diag.text, strange[_i].told);
    ck_assert_int_eq(wsim_op_nearest(strange[_i].written, &op), 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {the_reason_and_the_spelling_that_was_meant, 0, sizeof mistakes / sizeof *mistakes},
        {no_neighbour_is_made_up, 0, sizeof strange / sizeof *strange}};
    return every_run("legality/suggestions", tests, 2);
}
