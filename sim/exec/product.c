/* Prepares a product: the arithmetic of its row of accum.def, the layouts of its operands. */
#include "door.h"
#include "map.h"
#include "product.h"
#include "strip.h"

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* The arithmetic that the row of accum.def and the operation are. */
static void choose(struct wsim_code_product *how, const struct wsim_op *op,
                   const struct isa_accum *accum) {
    unsigned step = isa_form(op)->step, word = map_unit(how->in_a->bits) / how->in_a->bits;
    int wide = how->result == &isa_formats[FORMAT_F32];
    how->method = accum->method;
    how->k = (uint8_t)(isa_op_stored_k(op) / word);
    how->k_dense = (uint8_t)(isa_op_shape(op).k / word);
    how->split = accum->method == METHOD_SPLIT ? how->k / 2u : 0;
    how->width = (uint8_t)least(accum->width, how->split ? how->split : how->k);
    if (step)
        how->width = (uint8_t)least(how->width, step);
    if (accum->method == METHOD_SCALAR) {
        how->width = isa_runs(how->result)->products;
        how->begins = isa_runs(how->result)->begins;
    }
    how->keep = accum->keep;
    how->floor = wide ? accum->floor32 : accum->floor16;
    how->frac = (uint8_t)(how->in_a->frac_bits + how->in_b->frac_bits);
    how->result_frac = wide ? accum->f32_frac : how->result->frac_bits;
    how->rounding = wide ? WSIM_RZ : WSIM_RN;
    how->direction = (uint8_t)isa_op_rounding(op);
    how->saturate = op->q[PLACE_SATURATE] != 0;
    how->exclusive = op->q[PLACE_BITOP] == Q_XOR;
}

/* The formats of the operands; they enter as they are, or as the row says. */
static void choose_formats(struct wsim_code_product *how, const struct wsim_op *op,
                           const struct isa_accum *accum) {
    const struct wsim_format *c = isa_op_type(op, PLACE_C);
    how->d = isa_op_type(op, PLACE_D);
    how->c = c ? c : how->d;
    how->a = isa_op_type(op, PLACE_A);
    how->b = isa_op_type(op, PLACE_B);
    how->result = how->c->bits > how->d->bits ? how->c : how->d;
    how->in_a = accum->as ? &isa_formats[accum->as] : how->a;
    how->in_b = accum->as ? &isa_formats[accum->as] : how->b;
}

static void prepare_scales(struct wsim_code *code) {
    struct wsim_code_product *how = &work_to(code)->product;
    struct wsim_layout a, b;
    isa_op_layout(&code->op, code->arch, WSIM_SFA, &a, NULL);
    isa_op_layout(&code->op, code->arch, WSIM_SFB, &b, NULL);
    map_compile(&work_to(code)->sfa, &a, MAP_FACTORS, 0, 0, 0);
    map_compile(&work_to(code)->sfb, &b, MAP_FACTORS, 0, 0, 1);
    how->blocks = isa_form(&code->op)->blocks;
    how->threads[0] = (uint8_t)(a.batches * how->blocks / PRODUCT_SCALE_BYTES);
    how->threads[1] = (uint8_t)(b.batches * how->blocks / PRODUCT_SCALE_BYTES);
    how->factor = isa_op_type(&code->op, PLACE_STYPE);
    how->scale_frac = (uint8_t)(2u * how->factor->frac_bits);
}

/* C and D, and with them the extent of the product. */
static void prepare_results(struct wsim_code *code) {
    struct wsim_code_product *how = &work_to(code)->product;
    struct wsim_layout c = isa_factor_layout(&code->op, code->arch, WSIM_C);
    struct wsim_layout d = isa_factor_layout(&code->op, code->arch, WSIM_D);
    map_invert(&work_to(code)->c, &c);
    map_invert(&work_to(code)->d, &d);
    how->rows = (uint16_t)(d.rows * d.batches);
    how->batch_rows = (uint8_t)d.rows;
    how->batch_cols = d.cols;
    how->cols = (uint16_t)(how->batch_cols * d.batches);
}

/* A and B in registers. Returns 0 if there is no room. */
static int prepare_factors(struct wsim_code *code) {
    struct wsim_code_product *how = &work_to(code)->product;
    unsigned dense = how->kept ? 0 : how->split; /* a sparse row puts B in order when it picks */
    struct wsim_layout layout = isa_factor_layout(&code->op, code->arch, WSIM_A);
    how->bits_a = how->bits_b = (uint8_t)map_unit(layout.elem_bits);
    if (!map_compile(&work_to(code)->a, &layout, MAP_ROWS, how->k, how->split, 0))
        return 0;
    if (!isa_op_has(&code->op, WSIM_B))
        return 1;
    layout = isa_factor_layout(&code->op, code->arch, WSIM_B);
    how->bits_b = (uint8_t)map_unit(layout.elem_bits);
    return map_compile(&work_to(code)->b, &layout, MAP_COLUMNS, how->k_dense, dense, 0);
}

static int has_room(const struct wsim_code *code) {
    const struct wsim_code_work *work = work_of(code);
    const struct wsim_code_product *how = &work->product;
    int in_registers = isa_op_has(&code->op, WSIM_B);
    return how->k <= PRODUCT_MAX_K && how->k_dense <= PRODUCT_MAX_DENSE &&
           how->rows * how->k * map_bytes(how->bits_a) <= PRODUCT_MAX_A &&
           (!in_registers || (how->cols * how->k_dense * map_bytes(how->bits_b) <= PRODUCT_MAX_B &&
                              work->d.regs <= PRODUCT_MAX_C)) &&
           (!how->kept || how->k_dense / how->chunk <= PRODUCT_MAX_CHUNKS);
}

enum wsim_status product_prepare(struct wsim_code *code, struct wsim_diag *diag) {
    const struct isa_form *form = isa_form(&code->op);
    const struct isa_accum *accum = isa_accum(&code->op, code->arch);
    const char *because = isa_op_unmodelled(&code->op, code->arch);
    enum wsim_status status = isa_need_fragments(&code->op, code->arch, diag);
    if (status)
        return status;
    if (!accum)
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "no model of the arithmetic of %s on %s%s%s",
                           isa_op_called(&code->op).text, code->arch->name, because ? ": " : "",
                           because ? because : "");
    choose_formats(&work_to(code)->product, &code->op, accum);
    choose(&work_to(code)->product, &code->op, accum);
    if (form->pattern)
        product_prepare_metadata(code);
    if (form->blocks)
        prepare_scales(code);
    prepare_results(code);
    if (!prepare_factors(code) || !has_room(code))
        return base_refuse(diag, RULE_MMA_ARITHMETIC_UNMODELLED, 0,
                           "%s is larger than wsim can execute", isa_op_called(&code->op).text);
    strip_prepare(code);
    return WSIM_OK;
}
