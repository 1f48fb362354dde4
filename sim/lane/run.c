/* From a method to what executes it. */
#include "scalar.h"

#include "../base/base.h"

static scalar_function *const functions[SCALAR_METHODS] = {
    [SCALAR_METHOD_MOVE] = scalar_move,
    [SCALAR_METHOD_ADD_INT] = scalar_add_int,
    [SCALAR_METHOD_SUB_INT] = scalar_sub_int,
    [SCALAR_METHOD_MUL_INT] = scalar_mul_int,
    [SCALAR_METHOD_MAD_INT] = scalar_mad_int,
    [SCALAR_METHOD_MUL24] = scalar_mul24,
    [SCALAR_METHOD_MAD24] = scalar_mad24,
    [SCALAR_METHOD_SAD] = scalar_sad,
    [SCALAR_METHOD_DIV_INT] = scalar_div_int,
    [SCALAR_METHOD_REM_INT] = scalar_rem_int,
    [SCALAR_METHOD_ABS_INT] = scalar_abs_int,
    [SCALAR_METHOD_NEG_INT] = scalar_neg_int,
    [SCALAR_METHOD_MIN_INT] = scalar_min_int,
    [SCALAR_METHOD_MAX_INT] = scalar_max_int,
    [SCALAR_METHOD_AND] = scalar_and,
    [SCALAR_METHOD_OR] = scalar_or,
    [SCALAR_METHOD_XOR] = scalar_xor,
    [SCALAR_METHOD_NOT] = scalar_not,
    [SCALAR_METHOD_CNOT] = scalar_cnot,
    [SCALAR_METHOD_LOP3] = scalar_lop3,
    [SCALAR_METHOD_SHL] = scalar_shl,
    [SCALAR_METHOD_SHR] = scalar_shr,
    [SCALAR_METHOD_SHF] = scalar_shf,
    [SCALAR_METHOD_PRMT] = scalar_prmt,
    [SCALAR_METHOD_BFE] = scalar_bfe,
    [SCALAR_METHOD_BFI] = scalar_bfi,
    [SCALAR_METHOD_BFIND] = scalar_bfind,
    [SCALAR_METHOD_BMSK] = scalar_bmsk,
    [SCALAR_METHOD_SZEXT] = scalar_szext,
    [SCALAR_METHOD_FNS] = scalar_fns,
    [SCALAR_METHOD_POPC] = scalar_popc,
    [SCALAR_METHOD_CLZ] = scalar_clz,
    [SCALAR_METHOD_BREV] = scalar_brev,
    [SCALAR_METHOD_DP4A] = scalar_dp4a,
    [SCALAR_METHOD_DP2A] = scalar_dp2a,
    [SCALAR_METHOD_SETP] = scalar_setp,
    [SCALAR_METHOD_SET] = scalar_set,
    [SCALAR_METHOD_SELP] = scalar_selp,
    [SCALAR_METHOD_SLCT] = scalar_slct,
    [SCALAR_METHOD_TESTP] = scalar_testp,
    [SCALAR_METHOD_COPYSIGN] = scalar_copysign,
    [SCALAR_METHOD_CVT] = scalar_cvt,
    [SCALAR_METHOD_CVT_PACK] = scalar_cvt_pack,
    [SCALAR_METHOD_ADD_FLOAT] = scalar_add_float,
    [SCALAR_METHOD_SUB_FLOAT] = scalar_sub_float,
    [SCALAR_METHOD_MUL_FLOAT] = scalar_mul_float,
    [SCALAR_METHOD_FMA] = scalar_fma,
    [SCALAR_METHOD_DIV_FLOAT] = scalar_div_float,
    [SCALAR_METHOD_RCP] = scalar_rcp,
    [SCALAR_METHOD_SQRT] = scalar_sqrt,
    [SCALAR_METHOD_RSQRT] = scalar_rsqrt,
    [SCALAR_METHOD_EX2] = scalar_ex2,
    [SCALAR_METHOD_LG2] = scalar_lg2,
    [SCALAR_METHOD_SIN] = scalar_sin,
    [SCALAR_METHOD_COS] = scalar_cos,
    [SCALAR_METHOD_TANH] = scalar_tanh,
    [SCALAR_METHOD_ABS_FLOAT] = scalar_abs_float,
    [SCALAR_METHOD_NEG_FLOAT] = scalar_neg_float,
    [SCALAR_METHOD_MIN_FLOAT] = scalar_min_float,
    [SCALAR_METHOD_MAX_FLOAT] = scalar_max_float,
    [SCALAR_METHOD_MIN_SIZES] = scalar_min_sizes,
    [SCALAR_METHOD_MAX_SIZES] = scalar_max_sizes,
    [SCALAR_METHOD_VADD] = scalar_video,
    [SCALAR_METHOD_VSUB] = scalar_video,
    [SCALAR_METHOD_VABSDIFF] = scalar_video,
    [SCALAR_METHOD_VAVRG] = scalar_video,
    [SCALAR_METHOD_VMIN] = scalar_video,
    [SCALAR_METHOD_VMAX] = scalar_video,
    [SCALAR_METHOD_VSHL] = scalar_video,
    [SCALAR_METHOD_VSHR] = scalar_video,
    [SCALAR_METHOD_VMAD] = scalar_vmad,
    [SCALAR_METHOD_VSET] = scalar_video,
};

scalar_function *scalar_find(enum scalar_method method) {
    return functions[method];
}

/* Executes an operation of a method that only computes. */
static void scalar_run(const struct scalar_meaning *meaning, const uint64_t *in, uint64_t *out) {
    functions[meaning->method](meaning, in, out);
}

/* The operation's meaning, if it only computes. */
static enum wsim_status look_up(const struct wsim_scalar *op, struct scalar_meaning *meaning,
                                struct wsim_diag *diag) {
    if (!isa_scalar_meaning(op, meaning))
        return base_refuse(
            diag, RULE_OP_TABLES_FOREIGN, 0,
            "not an operation of the tables: make one with wsim_scalar_parse or wsim_scalar_next");
    if (!functions[meaning->method])
        return base_refuse(diag, RULE_OP_DOOR_ELSEWHERE, 0,
                           "%s does more than compute on the registers of one lane",
                           isa_scalar_method_name((enum scalar_method)meaning->method));
    return WSIM_OK;
}

/* A video instruction can write a part of a register and merge it with c. An H200 merges otherwise
 * than the manual says, so wsim refuses such words. `parts` names the parts. */
static enum wsim_status refuse_part(const struct scalar_meaning *meaning, uint64_t parts,
                                    struct wsim_diag *diag) {
    if (meaning->method < SCALAR_METHOD_VADD || meaning->method > SCALAR_METHOD_VSET ||
        !(parts & 0xFF))
        return WSIM_OK;
    return base_refuse(diag, RULE_LAUNCH_INSTRUCTION_UNMODELLED, 0,
                       "%s into a part of a register is not modelled: write the whole register",
                       isa_scalar_method_name((enum scalar_method)meaning->method));
}

enum wsim_status wsim_scalar_run(const struct wsim_scalar *op, const uint64_t *in, uint64_t *out,
                                 struct wsim_diag *diag) {
    struct scalar_meaning meaning;
    enum wsim_status status = look_up(op, &meaning, diag);
    if (status == WSIM_OK && meaning.method >= SCALAR_METHOD_VADD)
        status = refuse_part(&meaning, in[SCALAR_PARTS_AT], diag);
    if (status == WSIM_OK)
        scalar_run(&meaning, in, out);
    return status;
}

enum wsim_status wsim_scalar_run_lanes(const struct wsim_scalar *op, size_t lanes,
                                       const uint64_t *in, unsigned sources, uint64_t *out,
                                       unsigned results, struct wsim_diag *diag) {
    uint64_t one[WSIM_SCALAR_IN] = {0}, left[WSIM_SCALAR_OUT] = {0};
    struct scalar_meaning meaning;
    scalar_function *run;
    enum wsim_status status = look_up(op, &meaning, diag);
    if (status != WSIM_OK)
        return status;
    run = functions[meaning.method];
    sources = sources < WSIM_SCALAR_IN ? sources : WSIM_SCALAR_IN;
    results = results < WSIM_SCALAR_OUT ? results : WSIM_SCALAR_OUT;
    for (size_t lane = 0; lane < lanes; lane++) {
        for (unsigned w = 0; w < sources; w++)
            one[w] = in[w * lanes + lane];
        status = refuse_part(&meaning, one[SCALAR_PARTS_AT], diag);
        if (status != WSIM_OK)
            return status;
        run(&meaning, one, left);
        for (unsigned r = 0; r < results; r++)
            out[r * lanes + lane] = left[r];
    }
    return WSIM_OK;
}
