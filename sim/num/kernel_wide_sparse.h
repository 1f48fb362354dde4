/* kernel_wide_sparse.h - the class wide where A is compressed: B is picked by each row
 * (kernel_pick.h) and decoded where that was done. */

/* A column of B as each row of a vector meets it. */
struct wide_picked {
    vec sig[16], field[16], fields[8];
    vec signs, special;
};

/* Two of four are kept, or one of two whose index counts its halves: 4 or 14. The arithmetic is
 * that of the list of what is kept. */
static int wide_sparse_takes(const struct wsim_code_product *how) {
    struct wsim_code_product dense = *how;
    int pairs = how->bits_a == 16 && how->kept == 2 && how->chunk == 4;
    int halves = how->bits_a == 32 && how->kept == 1 && how->chunk == 2 && how->valid == 0x4010;
    dense.kept = 0;
    return (pairs || halves) && how->k_dense == 2 * how->k && wide_takes(&dense);
}

/* Elements in the upper bits of words, 4 * q to 4 * q + 3 along k of column j from [q][4 * j] on.
 */
INLINE void wide_elements(const struct wide_form *form, const uint32_t *const *regs,
                          uint32_t (*to)[32]) {
    for (unsigned i = 0; i < form->words / 2; i++) {
        uint32_t low[32], high[32];
        if (form->per == 1) {
            memcpy(to[i], regs[i], sizeof to[i]);
            continue;
        }
        for (unsigned v = 0; v < 32; v += VL) {
            vec w = vec_load(regs[i] + v);
            vec_store(low + v, w << 16);
            vec_store(high + v, w & 0xFFFF0000);
        }
        pick_in_turns(low, high, 32, to[2 * i], to[2 * i + 1]);
    }
    pick_prepare(to, 16 * form->per * form->words);
    KEEP_MEMORY(to);
}

/* `meta` is that of the rows, `elements` are those of a column. */
INLINE void wide_pick(const struct wide_form *form, vec meta, const uint32_t (*elements)[32],
                      unsigned column, struct wide_picked *b) {
    b->signs = b->special = vec_all(0);
    for (unsigned w = 0; w < form->words; w++) {
        vec z = vec_all(0);
        struct wide_word x;
        for (unsigned h = 0; h < form->per; h++) {
            unsigned k = form->per * w + h;
            struct pick pick = pick_at(meta, k, form->per == 1);
            vec element = pick_word(&pick, &elements[k / 2][4 * column]);
            z |= form->per == 2 && !h ? element >> 16 : element;
        }
        x = wide_decode(form, z, 1);
        for (unsigned h = 0; h < form->per; h++) {
            b->sig[2 * w + h] = x.sig[h];
            b->field[2 * w + h] = x.field[h];
        }
        b->fields[w] = x.fields;
        b->signs |= wide_bits(form, z, x.zero) >> w;
        b->special |= wide_specials(form, z, 1) >> w;
    }
}

/* All steps of one column and the rows of a vector. */
INLINE vec wide_sparse_column(const struct wide_form *form, const struct wide_a *a,
                              const struct wide_picked *b, unsigned r, vec c) {
    unsigned exp_bits = form->how->result->exp_bits;
    vec infinity = vec_all(((1u << exp_bits) - 1) << (31 - exp_bits));
    vec special = a->special[r] | b->special;
    struct wide_masks masks = {a->signs[r], b->signs, a->special[r], b->special,
                               vec_any(vec_test(special, special))};
    for (unsigned first = 0; first < form->words; first += form->step) {
        vec m = vec_all16((uint16_t)form->floor), e, field, sig, sum = vec_all(0);
        masks.specials = masks.specials || vec_any(vec_equal(c & infinity, infinity));
        for (unsigned w = first; w < first + form->step; w++)
            m = vec_max16(m, vec_add16(a->fields[w][r], b->fields[w]));
        wide_split_c(form, c, &field, &sig);
        e = vec_max(vec_shift_signed(m << 16, 16), vec_shift_signed(m, 16));
        e = vec_max(e, field);
        for (unsigned w = first; w < first + form->step; w++)
            for (unsigned h = 0; h < form->per; h++) {
                unsigned i = 2 * w + h;
                sum += wide_term(a->sig[i][r], b->sig[i],
                                 e + form->below - a->field[i][r] - b->field[i]);
            }
        c = wide_result(form, &masks, wide_step_mask(form, first), c, e, sum,
                        wide_addend(form, c, field, sig, e));
    }
    return c;
}

/* A group of 8 columns, where a word has so many elements, known to the compiler. */
#define WIDE_PER(number)                                                                           \
    APART vec wide_sparse_column_##number(struct wide_form form, const struct wide_a *a,           \
                                          const uint32_t(*elements)[32], unsigned j, unsigned r,   \
                                          vec c) {                                                 \
        struct wide_picked b;                                                                      \
        form.per = number;                                                                         \
        wide_pick(&form, a->meta[r], elements, j, &b);                                             \
        return wide_sparse_column(&form, a, &b, r, c);                                             \
    }                                                                                              \
    APART void wide_sparse_group_##number(struct wide_form form, const struct num_strip *strip,    \
                                          unsigned g, const struct wide_a *a) {                    \
        unsigned bits = form.how->result->bits;                                                    \
        uint32_t elements[8][32];                                                                  \
        vec c[8][ROW_VECS];                                                                        \
        form.per = number;                                                                         \
        wide_elements(&form, strip->b + g * (form.words / 2), elements);                           \
        wide_load_c(bits, strip->c + g * (bits / 8), c);                                           \
        for (unsigned j = 0; j < 8; j++)                                                           \
            for (unsigned r = 0; r < ROW_VECS; r++)                                                \
                c[j][r] = wide_sparse_column_##number(form, a, (const uint32_t(*)[32])elements, j, \
                                                      r, c[j][r]);                                 \
        wide_store_d(bits, c, strip->d + g * (bits / 8));                                          \
    }
WIDE_PER(1)
WIDE_PER(2)
#undef WIDE_PER

/* The groups of a mask. */
APART void wide_sparse_groups(const struct wsim_code_product *how, const struct num_strip *strip,
                              uint32_t groups) {
    struct wide_form form = wide_form_of(how);
    struct wide_a a;
    (form.per == 2 ? wide_decode_a_2 : wide_decode_a_1)(form, strip->a, &a);
    for (unsigned r = 0; r < ROW_VECS; r++)
        a.meta[r] = vec_rows(strip->meta, r);
    for (unsigned g = 0; g < strip->groups; g++)
        if (groups >> g & 1)
            (form.per == 2 ? wide_sparse_group_2 : wide_sparse_group_1)(form, strip, g, &a);
}

static void wide_sparse_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    wide_sparse_groups(how, strip, ~UINT32_C(0));
}
