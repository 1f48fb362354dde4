/* What a reader is told who wrote something that does not exist: the qualifier that is wrong, what
 * it can be instead, and the spelling that was probably meant. Mistakes as people make them. */
#include "../run.h"

#include <check.h>
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
     "shape '.m16n8k64' is illegal here, it can be .m8n8k4 .m16n8k8 .m16n8k16",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.tf32.tf32.f32",
     "shape '.m16n8k32' is illegal here, it can be .m16n8k4 .m16n8k8",
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.s32",
     "type of C '.s32' is illegal here, it can be .f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32",
     "type of C '.f32' is illegal here, it can be .f16",
     "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.s32",
     "type of C '.s32' is illegal here, it can be .f16 .f32",
     "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u8.f16.s32",
     "type of B '.f16' is illegal here, it can be .s8 .u8",
     "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32", "type of A '.bf16' is illegal here",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
     "shape '.m16n8k16' is illegal here, it can be .m8n8k4",
     "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32",
     "kind is missing, it can be .kind::f8f6f4",
     "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32"},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3",
     "scale vector is missing, it can be .scale_vec::4X",
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
     ".f32.e2m1.e2m1.f32.ue4m3"},
    {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.popc", "'.popc' must come after the bit",
     "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc"},
    {"mma.sp.sync.aligned.m16n8k128.row.col.f32.e4m3.e4m3.f32",
     "shape '.m16n8k128' is illegal here, it can be .m16n8k64",
     "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32"},
    {"ldmatrix.sync.aligned.m8n8.x4.b8", "type of D '.b8' is illegal here, it can be .b16",
     "ldmatrix.sync.aligned.m8n8.x4.b16"},
    {"movmatrix.sync.aligned.m8n8.b16", ".trans is missing",
     "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32",
     "type of A '.f16' does not go with these qualifiers",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"},
    {"wmma.load.a.sync.aligned.row.m16n16k8.f16",
     "type of D '.f16' is illegal here, it can be .tf32",
     "wmma.load.a.sync.aligned.row.m16n16k8.tf32"},
    {"wmma.load.b.sync.aligned.row.m8n8k128.b1", "layout of B '.row' is illegal here",
     "wmma.load.b.sync.aligned.col.m8n8k128.b1"},
    {"wmma.load.d.sync.aligned.row.m16n16k16.f32",
     "unknown instruction 'wmma.load.d', nearest is 'wmma.load.a'",
     "wmma.load.a.sync.aligned.row.m16n16k16.f16"},
    {"tensormap.replace.tile.rank.global.b1024.b64",
     "type of D '.b64' is illegal here, it can be .b32",
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
    char suggestion[WSIM_SPELLING_MAX];
    struct wsim_diag diag;
    struct wsim_op op;
    ck_assert_int_ne(wsim_op_parse(mistake->written, &op, &diag), WSIM_OK);
    wsim_op_spell(&op, suggestion);
    ck_assert_str_eq(suggestion, mistake->meant);
    ck_assert_msg(strstr(diag.text, mistake->told) != NULL, "%s: %s", mistake->written, diag.text);
    ck_assert_msg(strstr(diag.text, mistake->meant) != NULL, "%s: %s", mistake->written, diag.text);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {the_reason_and_the_spelling_that_was_meant, 0, sizeof mistakes / sizeof *mistakes}};
    return every_run("legality/suggestions", tests, 1);
}
