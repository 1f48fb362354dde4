/* Which step an instruction gets: the row of quick.def that says what its words say, for the best
 * machine that this one is. */
#include "quick.h"
#include "../memory/memory.h"
#include "../decode/build.h"
#include "quick_target.h"
#include "access.h"

#include <wsim/path.h>

/* --- rows --- */

enum width {
    WIDTH_none = 0,
    WIDTH_u8 = 8,
    WIDTH_s8 = 8,
    WIDTH_u16 = 16,
    WIDTH_s16 = 16,
    WIDTH_u32 = 32,
    WIDTH_s32 = 32,
    WIDTH_u64 = 64,
    WIDTH_s64 = 64,
    WIDTH_PRED = 1
};

struct row {
    uint8_t method, which;
    uint8_t out, in[3];     /* bits */
    uint64_t types, second; /* sets of enum scalar_type */
};

#define T(type) (UINT64_C(1) << SCALAR_TYPE_##type)
#define QUICK(id, method, types, second, which, d, a, b, c, ...)                                   \
    {SCALAR_METHOD_##method, which, WIDTH_##d, {WIDTH_##a, WIDTH_##b, WIDTH_##c}, types, second},
#define QUICK_TEST(id, method, types, second, which, a, b, ...)                                    \
    {SCALAR_METHOD_##method, which, WIDTH_PRED, {WIDTH_##a, WIDTH_##b, 0}, types, second},
#define QUICK_FLOAT QUICK
#define QUICK_ODD QUICK
static const struct row rows[] = {
#include "quick.def"
};

enum other {
    FIRST_OTHER = sizeof rows / sizeof rows[0] - 1,
#define OTHER(ID, id) ID,
    QUICK_OTHERS(OTHER)
#undef OTHER
        NO_STEP
};

_Static_assert(SCALAR_TYPES <= 64, "a set of types is a word");
_Static_assert(STORE_GLOBAL_8 == LOAD_GLOBAL_4 + 3 && STORE_SHARED_8 == LOAD_SHARED_4 + 3,
               "steps of one number a lane are in the order of lanes_step");

static run_step *const *table(void) {
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX512))
        return wsim_quick_v4;
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX2))
        return wsim_quick_v3;
    return wsim_quick_plain;
}

/* --- what an instruction says --- */

static unsigned which_of(const struct scalar_meaning *meaning) {
    const unsigned words = (meaning->ftz ? QUICK_FTZ : 0) | (meaning->sat ? QUICK_SAT : 0);
    switch (meaning->method) {
    case SCALAR_METHOD_MUL_INT:
    case SCALAR_METHOD_MAD_INT: return meaning->half | words;
    case SCALAR_METHOD_SETP: return meaning->compare | words;
    case SCALAR_METHOD_SHF:
        return meaning->shift != SCALAR_WRAP ? 0xFF
               : meaning->left               ? QUICK_LEFT_WRAP
                                             : QUICK_RIGHT_WRAP;
    case SCALAR_METHOD_CVT:
        return words | (meaning->integral ? QUICK_WHOLE | (unsigned)meaning->rounding : 0);
    case SCALAR_METHOD_BFIND: return meaning->shiftamt;
    default:
        return words | (meaning->rounding > SCALAR_RN ? meaning->rounding : 0u) |
               (meaning->approx == SCALAR_APPROX || meaning->method == SCALAR_METHOD_TANH
                    ? QUICK_APPROX
                : meaning->approx ? QUICK_FULL
                                  : 0);
    }
}

/* Other methods may use `operation` for their own name. */
static int is_combined(const struct scalar_meaning *meaning) {
    return meaning->operation && meaning->method == SCALAR_METHOD_LOP3;
}

/* Words that no row knows. */
static int is_plain(const struct scalar_meaning *meaning) {
    return !meaning->satfinite && !meaning->relu && !meaning->oob && !meaning->nan &&
           !meaning->xorsign &&
           (!meaning->abs || meaning->method == SCALAR_METHOD_ABS_FLOAT ||
            meaning->method == SCALAR_METHOD_ABS_INT) &&
           !meaning->carry_in && !meaning->carry_out && !is_combined(meaning) &&
           !meaning->permute &&
           meaning->rounding <= (meaning->method == SCALAR_METHOD_CVT && !meaning->integral
                                     ? SCALAR_RN
                                     : SCALAR_RP) &&
           !meaning->vector && meaning->types >= 1 && meaning->types <= 2;
}

/* Rows of 16 bits hold zeros above, so a wider row is read as well; a written row has to fit. */
static int fits_in(struct run_row row, unsigned bits) {
    return bits == 64 ? row.bits == 64 : row.bits > 1 && row.bits <= 32 && row.bits >= bits;
}

static unsigned find(const struct scalar_meaning *meaning, const struct data *data) {
    const uint64_t first = UINT64_C(1) << meaning->type[0];
    const uint64_t second = meaning->types > 1 ? UINT64_C(1) << meaning->type[1] : 0;
    const int is_fused =
        data->function == scalar_quotient_sum || data->function == scalar_scaled_mul;
    const unsigned which = which_of(meaning) | (is_fused ? QUICK_FUSES : 0);
    if (data->function == scalar_scaled_quotient)
        return NO_STEP;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (row->method != meaning->method || row->which != which || !(row->types & first) ||
            (second ? !(row->second & second) : row->second != 0) || data->out[0].bits != row->out)
            continue;
        for (unsigned k = 0; k < 3; k++)
            if (row->in[k] && (k >= data->ins || !fits_in(data->in[k], row->in[k])))
                return NO_STEP;
        return i;
    }
    return NO_STEP;
}

/* Results beyond the first are rows that are not there, or the opposite of a comparison. */
static int has_one_result(const struct data *data) {
    for (unsigned i = 1; i < data->outs; i++)
        if (data->out[i].bits > 1)
            return 0;
    return data->outs >= 1 && data->out[0].bits;
}

static unsigned find_pred(const struct scalar_meaning *meaning, const struct data *data,
                          uint8_t *small) {
    for (unsigned i = 0; i < data->ins; i++)
        *small |= (uint8_t)((data->in[i].flip & 1) << i);
    switch (meaning->method) {
    case SCALAR_METHOD_MOVE: return COPY_PRED;
    case SCALAR_METHOD_NOT: return NOT_PRED;
    case SCALAR_METHOD_AND: return AND_PRED;
    case SCALAR_METHOD_OR: return OR_PRED;
    case SCALAR_METHOD_XOR: return XOR_PRED;
    default: return NO_STEP;
    }
}

static unsigned find_select(const struct scalar_meaning *meaning, const struct data *data,
                            uint8_t *small) {
    const unsigned bits = isa_scalar_types[meaning->type[0]].bits;
    const struct run_row *in = data->in;
    if (data->ins != 3 || in[2].bits != 1 || data->out[0].bits != bits || bits < 16 || bits > 64 ||
        (bits == 64) != (in[0].bits == 64) || (bits == 64) != (in[1].bits == 64))
        return NO_STEP;
    *small = in[2].flip & 1;
    return bits == 64 ? SELECT_64 : bits == 32 ? SELECT_32 : SELECT_16;
}

/* QUICK_WITH ... of a comparison; its second result goes where a fourth operand would be. */
static uint8_t combination(const struct scalar_meaning *meaning, const struct data *data) {
    static const uint8_t how[] = {
        [SCALAR_AND] = QUICK_WITH_AND, [SCALAR_OR] = QUICK_WITH_OR, [SCALAR_XOR] = QUICK_WITH_XOR};
    unsigned all = meaning->operation ? how[meaning->operation] : 0;
    if (all && data->in[2].flip)
        all |= QUICK_WITH_FLIP;
    if (data->outs > 1 && data->out[1].bits)
        all |= QUICK_OPPOSITE;
    return (uint8_t)all;
}

void quick_move_rows(struct run_op *op, const struct data *data) {
    op->at[0] = data->out[0].at;
    for (unsigned i = 0; i < data->ins && i < 4; i++)
        op->at[1 + i] = data->in[i].at;
    if (data->meaning.method == SCALAR_METHOD_SETP && op->immediate & QUICK_OPPOSITE)
        op->at[4] = data->out[1].at;
}

run_step *quick_step(struct run_plan *plan, const struct data *data) {
    const struct scalar_meaning *meaning = &plan->meaning;
    unsigned step;
    uint64_t number;
    uint8_t small = 0;
    if (plan->build->module->flags & WSIM_MODULE_PLAIN || !is_plain(meaning) ||
        !has_one_result(data) || data->ins > 4)
        return NULL;
    if (meaning->type[0] == SCALAR_TYPE_PRED)
        step = find_pred(meaning, data, &small);
    else if (meaning->method == SCALAR_METHOD_SELP)
        step = find_select(meaning, data, &small);
    else
        step = find(meaning, data);
    if (step == NO_STEP)
        return NULL;
    if (meaning->method == SCALAR_METHOD_LOP3) {
        if (!plan_constant(plan, 4, &number))
            return NULL;
        small = (uint8_t)number;
    }
    if (meaning->method == SCALAR_METHOD_SETP)
        small = combination(meaning, data);
    plan->op->immediate = small;
    quick_move_rows(plan->op, data);
    return table()[step];
}

/* --- memory --- */

static int is_plain_module(const struct run_plan *plan) {
    return plan->build->module->flags & WSIM_MODULE_PLAIN || !memory_is_host();
}

/* Registers that hold just the moved bits, with zeros or the sign above. */
static int is_quick_row(const struct reach_plan *reach, struct run_row row) {
    const unsigned bits = 8u * reach->bytes;
    if (reach->kind != RUN_READ)
        return row.bits >= 8 && (bits == 64) == (row.bits == 64);
    return !row.bits ||
           (row.bits >= bits && row.bits <= 64 && (bits == 64) == (row.bits == 64) &&
            !(reach->is_signed && row.bits > bits && row.bits != 16 && row.bits != 32));
}

/* The step of lanes that move one number of 4 or 8 bytes each, at addresses of the usual width;
 * `any` for others. `first` loads 4 bytes; behind it are the steps that store 4, load 8 and
 * store 8. */
static unsigned lanes_step(const struct reach_plan *reach, unsigned any, unsigned first) {
    if (reach->elements != 1 || reach->unused || reach->bytes < 4 ||
        reach->row[0].bits != 8 * reach->bytes ||
        reach->base.bits != (reach->space == PTX_GLOBAL ? 64 : 32))
        return any;
    return first + (reach->kind != RUN_READ) + (reach->bytes == 8 ? 2 : 0);
}

static int is_constant_address(const struct run_plan *plan, const struct reach_plan *reach) {
    uint32_t count;
    const struct ptx_operand *parts = plan_parts(plan, 1, &count);
    return plan->build->source->is_entry && reach->base.bits == 64 && count == 1 &&
           parts[0].kind == PTX_OP_PARAM;
}

run_step *quick_memory_step(const struct run_plan *plan, const struct reach_plan *reach) {
    const int loads = reach->kind == RUN_READ;
    if (is_plain_module(plan) || reach->order || reach->bytes > 8)
        return NULL;
    for (unsigned e = 0; e < reach->elements; e++)
        if (!is_quick_row(reach, reach->row[e]))
            return NULL;
    switch (reach->space) {
    case PTX_GLOBAL: return table()[lanes_step(reach, AT_GLOBAL, LOAD_GLOBAL_4)];
    case PTX_SHARED: return table()[lanes_step(reach, AT_SHARED, LOAD_SHARED_4)];
    case PTX_LOCAL: return table()[AT_LOCAL];
    case PTX_GENERIC: return table()[AT_ANY];
    case PTX_PARAM:
        return !loads ? NULL
                      : table()[!reach->unused && is_constant_address(plan, reach) ? LOAD_PARAM
                                                                                   : AT_PARAM];
    case PTX_CONST: return loads ? table()[AT_CONST] : NULL;
    default: return NULL;
    }
}

run_step *quick_copy_step(const struct run_plan *plan, run_step *otherwise) {
    return is_plain_module(plan) ? otherwise : table()[COPY];
}

run_step *quick_rows_step(const struct run_plan *plan, run_step *otherwise) {
    return is_plain_module(plan) ? otherwise : table()[LOAD_ROWS];
}

run_step *quick_pack_step(const struct run_plan *plan, int joins, unsigned whole_bits) {
    if (is_plain_module(plan) || (whole_bits != 32 && whole_bits != 64))
        return NULL;
    return table()[joins ? (whole_bits == 32 ? JOIN_16 : JOIN_32)
                         : (whole_bits == 32 ? SPLIT_16 : SPLIT_32)];
}

/* --- in loops --- */

loop_rounds *quick_rounds(void) {
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX512))
        return wsim_quick_rounds_v4;
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX2))
        return wsim_quick_rounds_v3;
    return wsim_quick_rounds_plain;
}

run_step *const *quick_tape(void) {
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX512))
        return wsim_quick_tape_v4;
    if (QUICK_X86 && wsim_path_available(WSIM_PATH_AVX2))
        return wsim_quick_tape_v3;
    return wsim_quick_tape_plain;
}

/* The place of a step in the table; NO_STEP: it is another one. */
static unsigned number_of(run_step *step) {
    run_step *const *steps = table();
    unsigned i = 0;
    while (i < NO_STEP && steps[i] != step)
        i++;
    return i;
}

enum quick_sort quick_sort_of(const struct run_op *op, unsigned *bits) {
    const unsigned step = number_of(op->step);
    *bits = step == JOIN_32 || step == SPLIT_32 ? 64 : 32;
    if (op->step == data_step || step <= XOR_PRED)
        return QUICK_DATA;
    switch (step) {
    case COPY:
    case LOAD_ROWS:
    case NO_STEP: return QUICK_UNKNOWN;
    case JOIN_16:
    case JOIN_32: return QUICK_JOIN;
    case SPLIT_16:
    case SPLIT_32: return QUICK_SPLIT;
    default: return QUICK_ACCESS;
    }
}

#define WHOLE_NUMBERS (T(B32) | T(U32) | T(S32) | T(B64) | T(U64) | T(S64))

/* Which results are even, by method. Sums and differences are; products are if one factor is the
 * same in all lanes, and shifts if their count is. */
static struct loop_shape shape_of(const struct row *row) {
    struct loop_shape shape = {0};
    const int wide = row->out == 64 && row->in[0] == 32;
    shape.is_long = row->out == 64;
    shape.is_signed = ((row->types | row->second) & T(S32)) != 0;
    switch (row->method) {
    case SCALAR_METHOD_MOVE:
    case SCALAR_METHOD_ADD_INT:
    case SCALAR_METHOD_SUB_INT:
    case SCALAR_METHOD_NEG_INT: shape.vary = 3; break;
    case SCALAR_METHOD_SHL: shape.vary = 1; break;
    case SCALAR_METHOD_MUL_INT:
    case SCALAR_METHOD_MAD_INT:
        shape.vary = row->which == SCALAR_LO || row->which == SCALAR_WIDE ? 7 : 0;
        shape.is_product = 1;
        shape.extends = (uint8_t)wide;
        break;
    case SCALAR_METHOD_CVT:
        shape.vary = !row->which;
        shape.extends = (uint8_t)wide;
        break;
    default: break;
    }
    if (row->out < 32 || row->in[0] < 32 ||
        (row->method != SCALAR_METHOD_MOVE && (row->types | row->second) & ~WHOLE_NUMBERS))
        shape.vary = 0;
    return shape;
}

static void access_in_loop(const struct run_op *op, unsigned step, struct loop_op *in) {
    const struct reach_plan *reach = op->more;
    const int is_global = step >= AT_GLOBAL && step <= STORE_GLOBAL_8;
    const int is_shared = step >= LOAD_SHARED_4 && step <= AT_SHARED;
    if ((!is_global && !is_shared) || reach->elements != 1 || reach->unused || reach->bytes < 4 ||
        reach->row[0].bits != 8 * reach->bytes || reach->base.bits != (is_global ? 64 : 32))
        return;
    in->kind =
        (uint8_t)(LOOP_LOAD_GLOBAL_4 + (reach->bytes == 8 ? LOOP_WIDE : 0) +
                  (reach->kind != RUN_READ ? LOOP_STORES : 0) + (is_shared ? LOOP_SHARED : 0));
    in->offset = reach->offset;
    in->row = reach->row[0].at;
}

void quick_in_loop(const struct run_op *op, struct loop_op *in) {
    const unsigned step = number_of(op->step);
    const struct row *row;
    in->kind = LOOP_STEP;
    if (step > FIRST_OTHER) {
        if (step != NO_STEP)
            access_in_loop(op, step, in);
        return;
    }
    row = &rows[step];
    while (in->n_in < 3 && row->in[in->n_in])
        in->n_in++;
    in->one = wsim_quick_ones[step];
    if (row->method == SCALAR_METHOD_FMA && row->types == T(F32) && !row->which) {
        in->kind = LOOP_PRODUCT;
    } else if (in->one && row->out == WIDTH_PRED) {
        in->kind = LOOP_TEST;
        in->compare = row->which;
        in->shape.is_signed = ((row->types | row->second) & T(S32)) != 0;
        in->shape.is_long = row->in[0] == 64;
    } else if (in->one) {
        in->shape = shape_of(row);
        in->kind = row->method != SCALAR_METHOD_ADD_INT || !in->shape.vary ? LOOP_ONE
                   : in->shape.is_long                                     ? LOOP_SUM_64
                                                                           : LOOP_SUM_32;
    }
}

/* --- floats of the host --- */

#if defined(QUICK_FLOATS) && defined(__SSE2__)
#include <immintrin.h>
#define NEAREST_AND_KEPT 0x1F80u /* no exception traps */
struct quick_floats quick_floats_begin(void) {
    struct quick_floats before = {_mm_getcsr()};
    _mm_setcsr(NEAREST_AND_KEPT);
    return before;
}
void quick_floats_end(const struct quick_floats *before) {
    _mm_setcsr((unsigned)before->state);
}
#elif defined(QUICK_FLOATS) && defined(__aarch64__)
struct quick_floats quick_floats_begin(void) {
    struct quick_floats before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before.state));
    __asm__ volatile("msr fpcr, %0" : : "r"(0ull) : "memory");
    return before;
}
void quick_floats_end(const struct quick_floats *before) {
    __asm__ volatile("msr fpcr, %0" : : "r"(before->state) : "memory");
}
#else
struct quick_floats quick_floats_begin(void) {
    return (struct quick_floats){0};
}
void quick_floats_end(const struct quick_floats *before) {
    (void)before;
}
#endif
