/* wide_sparse.h - class wide with a compressed A. Elements of B are decoded once, and each row
 * picks its own (pick.h). A column has marks for all its elements. The marks of a row are at the
 * places of the elements that it picks. */

/* B of a group by elements: 4 * q to 4 * q + 3 along k of column j from [q][4 * j] on. */
struct wide_elements {
    uint32_t sig[8][32], field[8][32];
    struct wide_columns columns;
    vec special; /* marks of infinities and NaN of B and A, in any lanes */
};

/* The picks of each element of some rows, and the marks of all picked elements. */
struct wide_picks {
    struct pick of[16][ROW_VECS];
    vec kept[ROW_VECS];
};

/* Accepts two kept of four, or one kept of two, whose index counts halves: 4 or 14. The kept
 * elements have the arithmetic of a dense product. */
static int wide_sparse_takes(const struct wsim_code_product *how) {
    struct wsim_code_product dense = *how;
    int pairs = how->bits_a == 16 && how->kept == 2 && how->chunk == 4;
    int halves = how->bits_a == 32 && how->kept == 1 && how->chunk == 2 && how->valid == 0x4010;
    dense.kept = 0;
    return (pairs || halves) && how->k_dense == 2 * how->k && wide_takes(&dense);
}

/* Stores the numbers of vector v of register i of B by elements. */
INLINE void wide_put_elements(const struct wide_form *form, const vec of[2], unsigned i, unsigned v,
                              uint32_t (*to)[32]) {
    if (form->per == 2) {
        vec first, last;
        pick_turns(of[0], of[1], &first, &last);
        vec_store(to[2 * i] + VL * v, first);
        vec_store(to[2 * i + 1] + VL * v, last);
    } else {
        vec_store(to[i] + VL * v, of[0]);
    }
}

/* Decodes B. Returns the marks of infinities and NaN, in any lanes. */
INLINE vec wide_decode_elements(const struct wide_form *form, const uint32_t *const *regs,
                                struct wide_elements *b) {
    vec any = vec_all(0);
    for (unsigned v = 0; v < 32 / VL; v++) {
        struct wide_marks marks = wide_no_marks();
        for (unsigned i = form->words / 2; i-- > 0;) {
            struct wide_word x = wide_decode(form, vec_load(regs[i] + VL * v), 1);
            wide_put_elements(form, x.sig, i, v, b->sig);
            wide_put_elements(form, x.field, i, v, b->field);
            wide_mark(form, &marks, &x.marks, 4);
        }
        any |= wide_collect_marks(&b->columns, &marks, v);
    }
    pick_prepare(b->sig, 16 * form->per * form->words);
    pick_prepare(b->field, 16 * form->per * form->words);
    KEEP_MEMORY(b);
    return any;
}

/* All ones where element h of a word has its mark. */
INLINE vec wide_has_mark(const struct wide_form *form, vec mark, unsigned h) {
    return vec_shift_signed(form->per == 2 && !h ? mark << 16 : mark, 31);
}

/* Sets the picks of element k, half h of its word, and moves its marks to the place of the picked
 * element. `places` are the bits of the four candidates in the first two words, or the first four.
 */
INLINE void wide_mark_kept(const struct wide_form *form, vec meta, const struct wide_word *x,
                           unsigned k, unsigned h, unsigned r, const uint32_t places[4],
                           struct wide_marks *marks, struct wide_picks *picks) {
    vec one;
    picks->of[k][r] = pick_at(meta, k, form->per == 1);
    one = pick_word(&picks->of[k][r], places) >> (form->per == 2 ? 2 : 4) * (k / 2);
    picks->kept[r] |= one;
    marks->negative |= one & wide_has_mark(form, x->marks.negative, h);
    marks->zero |= one & wide_has_mark(form, x->marks.zero, h);
    marks->nan |= one & wide_has_mark(form, x->marks.nan, h);
    marks->infinite |= one & wide_has_mark(form, x->marks.infinite, h);
}

INLINE void wide_decode_sparse_a(const struct wide_form *form, const struct num_strip *strip,
                                 struct wide_a *a, struct wide_picks *picks) {
    static const uint32_t of_halves[4] = {0x8000, 0x80000000, 0x4000, 0x40000000},
                          of_words[4] = {0x80000000, 0x40000000, 0x20000000, 0x10000000};
    uint32_t places[4];
    memcpy(places, form->per == 2 ? of_halves : of_words, sizeof places);
    pick_prepare(places, 4);
    KEEP_MEMORY(places);
    for (unsigned r = 0; r < ROW_VECS; r++) {
        a->marks[r] = wide_no_marks();
        picks->kept[r] = vec_all(0);
    }
    UNROLL(2)
    for (unsigned i = 0; i < form->words / 4; i++) {
        vec z[4][ROW_VECS];
        vec_columns(z, strip->a[2 * i], strip->a[2 * i + 1]);
        UNROLL(4)
        for (unsigned t = 0; t < 4; t++)
            for (unsigned r = 0; r < ROW_VECS; r++) {
                struct wide_word x = wide_decode(form, z[t][r], 0);
                wide_put_a(form, a, 4 * i + t, r, &x);
                for (unsigned h = 0; h < form->per; h++)
                    wide_mark_kept(form, vec_rows(strip->meta, r), &x, form->per * (4 * i + t) + h,
                                   h, r, places, &a->marks[r], picks);
            }
    }
    a->special = vec_all(0);
    for (unsigned r = 0; r < ROW_VECS; r++)
        a->special |= a->marks[r].nan | a->marks[r].infinite;
}

/* All steps of column j in the rows of a vector. special: wide_elements.special. */
INLINE vec wide_sparse_column(const struct wide_form *form, const struct wide_a *a,
                              const struct wide_picks *picks, const struct wide_elements *b,
                              unsigned j, unsigned r, vec special, vec c) {
    struct wide_marks of_b = wide_column(&b->columns, j);
    for (unsigned first = 0; first < form->words; first += form->step) {
        unsigned from = form->per * first, end = from + form->per * form->step;
        vec fields[16], e, top, addend, sum = vec_all(0), bad = vec_all(0), y, step;
        uint32_t of_step = wide_words_marks(form, 2 * first, 2 * form->step);
        enum wide_specials specials = wide_specials_of(form, special, of_step, c);
        int quick = form->quick;
        step = picks->kept[r] & of_step;
        e = vec_all((uint32_t)form->floor);
        UNROLL(16)
        for (unsigned k = from; k < end; k++) {
            fields[k] = a->field[k * 2 / form->per][r] +
                        pick_word(&picks->of[k][r], &b->field[k / 2 % 8][4 * j]);
            e = vec_max(e, fields[k]);
        }
        top = e;
        wide_quick_c(form, c, &top, &addend);
        quick = quick && wide_is_quick(form, top);
        if (!quick)
            wide_any_c(form, c, e, &top, &addend);
        UNROLL(16)
        for (unsigned k = from; k < end; k++) {
            vec sig = pick_word(&picks->of[k][r], &b->sig[k / 2 % 8][4 * j]);
            sum += wide_term(a->sig[k * 2 / form->per][r], sig, top + form->below - fields[k]);
            KEEP(sum);
        }
        if (quick)
            y = wide_quick_result(form, &a->marks[r], &of_b, step, specials, c, top, sum, addend,
                                  &bad);
        if (!quick || vec_any_negative(bad))
            y = wide_result(form, &a->marks[r], &of_b, step, specials, c, top, sum, addend);
        c = y;
    }
    return c;
}

INLINE void wide_sparse_columns(const struct wide_form *form, const struct wide_a *a,
                                const struct wide_picks *picks, const struct wide_elements *b,
                                vec (*c)[ROW_VECS]) {
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            c[j][r] = wide_sparse_column(form, a, picks, b, j, r, b->special, c[j][r]);
}

typedef void wide_sparse_run_columns(const struct wsim_code_product *how, const struct wide_a *a,
                                     const struct wide_picks *picks, const struct wide_elements *b,
                                     vec (*c)[ROW_VECS]);

/* Computes a group of 8 columns. */
INLINE void wide_sparse_group_of(const struct wide_form *form, const struct num_strip *strip,
                                 unsigned g, const struct wide_a *a, const struct wide_picks *picks,
                                 wide_sparse_run_columns *run) {
    unsigned bits = form->how->result->bits;
    struct wide_elements b;
    vec c[8][ROW_VECS];
    b.special = a->special | wide_decode_elements(form, strip->b + g * (form->words / 2), &b);
    wide_load_c(bits, strip->c + g * (bits / 8), c);
    run(form->how, a, picks, &b, c);
    wide_store_d(bits, c, strip->d + g * (bits / 8));
}

/* Instances for each format, and a function for the groups of a mask. They are separate functions
 * to keep frames small. */
#define WIDE_FORM(name, per, frac, exp_bits)                                                       \
    APART void wide_decode_sparse_a_##name(const struct wsim_code_product *how,                    \
                                           const struct num_strip *strip, struct wide_a *a,        \
                                           struct wide_picks *picks) {                             \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_decode_sparse_a(&form, strip, a, picks);                                              \
    }                                                                                              \
    APART void wide_sparse_columns_##name(const struct wsim_code_product *how,                     \
                                          const struct wide_a *a, const struct wide_picks *picks,  \
                                          const struct wide_elements *b, vec(*c)[ROW_VECS]) {      \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_sparse_columns(&form, a, picks, b, c);                                                \
    }                                                                                              \
    APART void wide_sparse_group_of_##name(                                                        \
        const struct wsim_code_product *how, const struct num_strip *strip, unsigned g,            \
        const struct wide_a *a, const struct wide_picks *picks) {                                  \
        struct wide_form form = wide_form_of(how, per, frac, exp_bits);                            \
        wide_sparse_group_of(&form, strip, g, a, picks, wide_sparse_columns_##name);               \
    }                                                                                              \
    APART void wide_sparse_rows_##name(const struct wsim_code_product *how,                        \
                                       const struct num_strip *strip, uint32_t groups,             \
                                       struct wide_picks *picks) {                                 \
        struct wide_a a;                                                                           \
        wide_decode_sparse_a_##name(how, strip, &a, picks);                                        \
        for (unsigned g = 0; g < strip->groups; g++)                                               \
            if (groups >> g & 1)                                                                   \
                wide_sparse_group_of_##name(how, strip, g, &a, picks);                             \
    }                                                                                              \
    APART void wide_sparse_groups_##name(const struct wsim_code_product *how,                      \
                                         const struct num_strip *strip, uint32_t groups) {         \
        struct wide_picks picks;                                                                   \
        wide_sparse_rows_##name(how, strip, groups, &picks);                                       \
    }
WIDE_FORMS(WIDE_FORM)
#undef WIDE_FORM

static void wide_sparse_groups(const struct wsim_code_product *how, const struct num_strip *strip,
                               uint32_t groups) {
    switch (wide_format_of(how)) {
    case WIDE_BF16: wide_sparse_groups_bf16(how, strip, groups); break;
    case WIDE_TF32: wide_sparse_groups_tf32(how, strip, groups); break;
    case WIDE_OTHER: wide_sparse_groups_other(how, strip, groups); break;
    }
}

static void wide_sparse_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    wide_sparse_groups(how, strip, ~UINT32_C(0));
}
