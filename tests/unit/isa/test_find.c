/* test_find.c - names other than spellings: some words, atoms of CuTe, machine code. The expected
 * meanings come from CUTLASS and disassemblies, not from the table. */
#include "../../every.h"

static const struct {
    const char *name, *spelling;
} names[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    /* words */
    {"m16n8k16.f32.f16.f16.f32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"m16n8k16.f32.f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"mma.m16n8k32.s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
    {"MMA.M16N8K32.S8.U8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"},
    {"m16n8k32.satfinite.s8", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32"},
    {"m16n8k16.f32.half", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"m8n8k4.f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
    {"mma.sp.m16n8k32.f32.f16", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
    {"mma.m8n8k4.col.row.f32.f16.f16.f32", "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32"},
    {"m16n8k64.kind::mxf4.f32.e2m1",
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"},
    {"ldmatrix.x4", "ldmatrix.sync.aligned.m8n8.x4.b16"},
    {"ldmatrix.x4.trans.shared", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"wgmma.m64n128k16.f32.bf16", "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"},
    {"cp.async.cg", "cp.async.cg.shared.global"},
    /* CuTe: the PTX in include/cute/arch */
    {"SM80_16x8x16_F32F16F16F32_TN", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"cute::SM80_16x8x8_F32TF32TF32F32_TN", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
    {"SM80_16x8x16_F32BF16BF16F32_TN", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
    {"SM70_8x8x4_F32F16F16F32_NT", "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32"},
    {"SM70_8x8x4_F16F16F16F16_TT", "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"},
    {"SM75_8x8x16_S32S8S8S32_TN", "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"},
    {"SM80_16x8x64_S32U4S4S32_TN_SATURATE",
     "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32"},
    {"SM80_16x8x256_S32U1U1S32_TN_XORPOPC",
     "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"},
    {"SM80_8x8x4_F64F64F64F64_TN", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
    {"SM89_16x8x32_F16E4M3E5M2F16_TN", "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16"},
    {"SM90_64x128x16_F32F16F16_SS", "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
    {"SM90::GMMA::MMA_64x128x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::K>",
     "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
    {"SM90_64x64x32_S32S8S8_SS_TN_SATURATE",
     "wgmma.mma_async.sync.aligned.m64n64k32.satfinite.s32.s8.s8"},
    {"SM90_64x96x32_F32E4M3E5M2_SS_TN", "wgmma.mma_async.sync.aligned.m64n96k32.f32.e4m3.e5m2"},
    {"SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_SS",
     "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"},
    {"SM120_16x8x32_TN<float_e4m3_t, float_e2m1_t, float>",
     "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32"},
    {"SM75_U32x4_LDSM_N", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"SM75_U16x2_LDSM_T", "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"},
    {"SM90_U32x2_STSM_N", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"SM90_U16x8_STSM_T", "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"SM100_U8x16_LDSM_T", "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"},
    {"SM100_SU6_DU8x16_x2_LDSM_N", "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32"},
    {"SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>", "cp.async.cg.shared.global.L2::128B"},
    {"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<float>", "cp.async.ca.shared.global.L2::128B"},
    {"SM75_U32x1_MOVM_T", "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"SM90_TMA_LOAD_2D",
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"},
    {"SM90_TMA_LOAD_MULTICAST_3D",
     "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes."
     "multicast::cluster.L2::cache_hint"},
    {"SM90_TMA_LOAD_IM2COL_4D",
     "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"},
    {"SM90_TMA_STORE_5D", "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group"},
    {"SM90_TMA_STORE_IM2COL_3D",
     "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group"},
    {"SM90_TMA_REDUCE_ADD_1D", "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group"},
    {"SM90_BULK_COPY_S2G", "cp.async.bulk.global.shared::cta.bulk_group"},
    {"SM100_TMA_2SM_LOAD_2D",
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2."
     "L2::cache_hint"},
    {"SM100_TMA_STORE_2D_SCATTER4",
     "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"},
    {"SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<cutlass::float_e3m2_t, float_e4m3_t, float, "
     "float_ue8m0_t, 32>",
     "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2.e4m3."
     "f32.ue8m0"},
    {"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>",
     "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
     "f32.ue4m3"},
    {"SM120::SPARSE::SM120_SPARSE_16x8x64_TN<float_e5m2_t, float_e2m1_t, half_t>",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f16.e5m2.e2m1.f16"},
    {"SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS<float_e2m1_t, float_e2m1_t, float, "
     "float_ue8m0_t, 64>",
     "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale."
     "scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"},
    {"SM80_8x8x4_C64C64C64C64_TN", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
    {"SM90::MMA_16x8x16_C64C64C64C64_TN", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64"},
    /* machine code */
    {"HMMA.16816.F32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {"HMMA.16816.F32.BF16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
    {"HMMA.1684.F32.TF32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"},
    {"HMMA.1688.F16", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"},
    {"HMMA.SP.16832.F32", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
    {"IMMA.16832.S8.U8.SAT", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32"},
    {"IMMA.8832.U4.U4", "mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32"},
    {"BMMA.168256.AND.POPC", "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc"},
    {"BMMA.88128.XOR.POPC", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc"},
    {"DMMA.884", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
    {"QMMA.16832.F32.E4M3.E5M2", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"},
    {"HGMMA.64x128x16.F32", "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
    {"HGMMA.64x8x8.F32.TF32", "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32"},
    {"QGMMA.64x224x32.F32.E4M3.E4M3", "wgmma.mma_async.sync.aligned.m64n224k32.f32.e4m3.e4m3"},
    {"IGMMA.64x64x32.U8.U8", "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8"},
    {"LDSM.16.M88.4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"LDSM.16.MT88.2", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"},
    {"LDSM.16.M88", "ldmatrix.sync.aligned.m8n8.x1.shared.b16"},
    {"STSM.16.M88.2", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"MOVM.16.MT88", "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"LDS.128", "ld.shared.v4.b32"},
    {"LDGSTS.E.BYPASS.LTC128B.128", "cp.async.cg.shared.global.L2::128B"},
    {"LDGSTS.E.64", "cp.async.ca.shared.global"},
    {"UTMALDG.2D", "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"},
};

START_TEST(a_name_means_one_operation) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_diag diag = {.text = ""};
    struct wsim_op op;
    size_t count;
    ck_assert_msg(wsim_op_find(names[_i].name, &op, 1, &count, &diag) == WSIM_OK, "%s: %s",
                  names[_i].name, diag.text);
    wsim_op_spell(&op, spelling);
    ck_assert_str_eq(spelling, names[_i].spelling);
    ck_assert_msg(count == 1, "%s: %d", names[_i].name, (int)count);
}
END_TEST

static const struct {
    const char *name;
    struct wsim_atom atom;
} used[] = {
    {"SM90_64x8x16_F32F16F16_SS", {.times = 1, .a_in = WSIM_ATOM_SHARED}},
    {"SM90_64x8x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>",
     {.times = 1, .a_in = WSIM_ATOM_REGISTERS, .trans_b = 1}},
    {"cute::SM90::GMMA::MMA_64x8x16_F32BF16BF16_SS<cute::SM90::GMMA::Major::MN, GMMA::Major::K>",
     {.times = 1, .a_in = WSIM_ATOM_SHARED, .trans_a = 1}},
    {"SM90_64x8x32_F32E4M3E4M3_SS_TN<GMMA::ScaleIn::One, GMMA::ScaleIn::Neg>{}",
     {.times = 1, .a_in = WSIM_ATOM_SHARED, .negate_b = 1}},
    {"SM90::GMMA::SPARSE::GMMA_64x8x64_S32S8S8_SS_TN<GMMA::ScaleIn::Neg, GMMA::ScaleIn::One, "
     "GMMA::SparseSel::One>",
     {.times = 1, .a_in = WSIM_ATOM_SHARED, .negate_a = 1, .selector = 1}},
    {"SM80_8x8x4_C64C64C64C64_TN", {.times = 4}},
    {"SM80_8x8x4_GC64C64C64GC64_TN", {.times = 3}},
    {"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", {.times = 1, .bytes = 8}},
    {"m16n8k16.f32.f16", {.times = 1}},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", {.times = 1}},
};

START_TEST(an_atom_says_how_it_is_used) {
    struct wsim_atom atom;
    struct wsim_diag diag = {.text = ""};
    struct wsim_op op;
    size_t count;
    memset(&atom, 0xA5, sizeof atom);
    ck_assert_msg(wsim_atom_find(used[_i].name, &atom, &op, 1, &count, &diag) == WSIM_OK, "%s: %s",
                  used[_i].name, diag.text);
    ck_assert_msg(memcmp(&atom, &used[_i].atom, sizeof atom) == 0, "%s", used[_i].name);
    memset(&atom, 0xA5, sizeof atom);
    wsim_atom_find("SM80_", &atom, &op, 1, &count, &diag);
    for (size_t i = 0; i < sizeof atom; i++)
        ck_assert_uint_eq(((const uint8_t *)&atom)[i], 0xA5);
}
END_TEST

/* Names as large as memory has room for, and templates as deep: refused, in a blink. */
START_TEST(no_name_is_too_long_to_refuse) {
    static const char *const begins[] = {"SM90_64x8x16_F32F16F16_SS<",
                                         "SM80_16x8x16_F32",
                                         "cute::",
                                         "HMMA.16816",
                                         "m16n8k16.",
                                         "SM90_TMA_LOAD_"};
    static const char fill[] = "<>2F:,.";
    enum { LONG = 200000 };
    char *name = malloc(LONG + 1);
    for (size_t i = 0; i < COUNT(begins); i++)
        for (const char *c = fill; *c; c++) {
            struct wsim_op op;
            size_t count = 7;
            const size_t n = strlen(begins[i]);
            memset(name, *c, LONG);
            memcpy(name, begins[i], n);
            name[LONG] = '\0';
            ck_assert_int_ne(wsim_op_find(name, &op, 1, &count, NULL), WSIM_OK);
            ck_assert_uint_eq(count, 0);
            for (size_t end = n + 40; end < 540; end += (size_t)run_sample()) {
                name[end] = '\0';
                wsim_op_find(name, &op, 1, &count, NULL);
                name[end] = *c;
            }
        }
    free(name);
}
END_TEST

static const struct {
    const char *name;
    size_t count;
} several[] = {{"SM90_TMA_LOAD", 5},
               {"SM90_TMA_LOAD_IM2COL", 3},
               {"SM120_16x8x32_TN", 50},
               {"SM90_TMA_REDUCE_ADD", 5},
               {"m16n8k16.f16", 2},
               {"m16n8k16.bf16", 1},
               {"wgmma.m64n64k16.f16", 2},
               {"m16n8k32.e4m3", 2},
               {"m16n8k32.fp8.fp8", 8},
               {"m8n8k128.b1", 2},
               {"ldmatrix.m8n8.b16", 3},
               {"ldmatrix.x2.trans", 2},
               {"m16n8k16.f32.f16.f16.f32.f16", 0}};

START_TEST(candidates_are_counted_and_no_more_are_written) {
    struct wsim_op op[3];
    size_t count = 99, again;
    memset(op, 0xA5, sizeof op);
    wsim_op_find(several[_i].name, op, 1, &count, NULL);
    ck_assert_msg(count == several[_i].count, "%s: %d", several[_i].name, (int)count);
    for (size_t i = 0; i < 2 * sizeof op[0]; i++)
        ck_assert_uint_eq(((const uint8_t *)(op + 1))[i], 0xA5);
    wsim_op_find(several[_i].name, NULL, 0, &again, NULL);
    ck_assert(again == count);
}
END_TEST

static const struct {
    const char *name, *rule;
} wrong[] = {
    {"", "name.word.unknown"},
    {"m16n8k99.f16", "name.word.unknown"},
    {"mma..f16", "name.word.unknown"},
    {"HMMA.99.F32", "name.word.unknown"},
    {"HMMA", "name.word.unknown"},
    {"HMMA.16816", "name.word.unknown"},
    {"HMMA.16816.F32.F16.F16.F16.F16.F16.F16", "name.word.unknown"},
    {"SM80_", "name.word.unknown"},
    {"SM80_16x8_F32F16F16F32_TN", "name.word.unknown"},
    {"SM80_16x8x16_F32F17F16F32_TN", "name.word.unknown"},
    {"SM80_16x8x99999999999999999999999999999999999999999_F16", "name.word.unknown"},
    {"LDSM.16.M88.99999999999999999999999999999999999999999", "name.word.unknown"},
    {"SM50_Shuffle_U32_2x2Trans_XOR1", "name.atom.several"},
    {"SM90_BULK_COPY_AUTO", "name.atom.several"},
    {"SM61_DP4A", "name.atom.lanes"},
    {"SM90_TMA_LOAD_2D::PREFETCH", "name.atom.lanes"},
    {"SM100_MMA_MXF8F6F4_SS<float_e4m3_t, float_e4m3_t, float>", "name.atom.beyond"},
    {"SM100::TMEM::LOAD::SM100_TMEM_LOAD_32dp32b32x", "name.atom.beyond"},
    {"SM100_UTCCP_128dp256bit_1cta", "name.atom.beyond"},
    {"UTCHMMA.2CTA", "name.atom.beyond"},
    {"LDTM.x32", "name.atom.beyond"},
    {"SM90_TMA_LOAD_IM2COL_2D", "name.match.none"},
    {"SM90_64x8x16_F32F16F16_SS<GMMA::Major::K>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN, GMMA::Major::MN>",
     "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::KN>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_RS<GMMA::Major::MN, GMMA::Major::K>", "name.argument.wrong"},
    {"SM90_64x8x32_F32E4M3E4M3_SS_TN<GMMA::Major::K, GMMA::Major::K>", "name.argument.wrong"},
    {"SM120_16x8x32_TN<float_e4m3_t, float>", "name.argument.wrong"},
    {"SM120_16x8x32_TN<float_e4m3_t, float_e9m9_t, float>", "name.argument.wrong"},
    {"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,0>",
     "name.argument.wrong"},
    {"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,48>",
     "name.argument.wrong"},
    {"SM80_16x8x16_F32F16F16F32_TN<float>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<GMMA::Major::K", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<<<>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<>>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<,,,,,,,,,,>", "name.argument.wrong"},
    {"SM90_64x8x16_F32F16F16_SS<\xff>", "name.argument.wrong"},
    {"SM90_64x8x16_\xc3\xa9_SS", "name.word.unknown"},
    {"SM80_16x8x99_F32F16F16F32_TN", "name.match.none"},
    {"LDSM.16.M88.3", "name.match.none"},
    {"m16n8k16.f32.f16.bf16.f32", "name.match.none"},
    {"f16.f16.f16.f16.f16.f16", "name.word.unknown"},
    {"mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma.mma", "name.word.unknown"},
};

START_TEST(what_is_no_name_is_refused) {
    struct wsim_diag diag = {.rule = ""};
    struct wsim_op op;
    size_t count = 99;
    ck_assert_int_ne(wsim_op_find(wrong[_i].name, &op, 1, &count, &diag), WSIM_OK);
    ck_assert_msg(strcmp(diag.rule, wrong[_i].rule) == 0, "'%s': %s", wrong[_i].name, diag.rule);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* The name of an operation in messages finds that operation, for every two hundredth one. */
START_TEST(every_operation_has_short_names) {
    struct wsim_op op, found[64];
    for (int i = 0; every_op(i, &op); i += 211) {
        struct wsim_op_info info = wsim_op_describe(&op);
        char spelling[WSIM_SPELLING_MAX], text[WSIM_SPELLING_MAX];
        size_t count, k = 0;
        wsim_op_spell(&op, spelling);
        ck_assert_int_eq(wsim_op_find(spelling, found, 1, &count, NULL), WSIM_OK);
        ck_assert(count == 1 && memcmp(&op, found, sizeof op) == 0);
        if (info.threads < WSIM_LANES || !strstr(spelling, ".sync.aligned"))
            continue;
        snprintf(text, sizeof text, "%.*s%s", (int)(strstr(spelling, ".sync") - spelling), spelling,
                 strstr(spelling, ".aligned") + strlen(".aligned"));
        ck_assert_msg(wsim_op_find(text, found, COUNT(found), &count, NULL) == WSIM_OK, "%s", text);
        while (k < count && memcmp(&op, &found[k], sizeof op) != 0)
            k++;
        ck_assert_msg(k < count && count <= 2, "%s: %d", text, (int)count);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {
        {a_name_means_one_operation, 0, COUNT(names)},
        {an_atom_says_how_it_is_used, 0, COUNT(used)},
        {no_name_is_too_long_to_refuse, 0, 1},
        {candidates_are_counted_and_no_more_are_written, 0, COUNT(several)},
        {what_is_no_name_is_refused, 0, COUNT(wrong)},
        {every_operation_has_short_names, 0, 1}};
    return every_run("unit/isa/find", tests, COUNT(tests));
}
