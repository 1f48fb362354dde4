/* byte_tiles.h - decodes the tiles of class byte: A by rows, B by columns, and their scale factors.
 * A part of byte.h. */

/* Stores the factors of register i from number `at` on. */
INLINE void byte_put(const struct byte *y, struct byte_words *b, unsigned i, unsigned at,
                     vec_float x, int normal, int special) {
    (void)special, (void)normal;
#if defined(BYTE_CHAINS)
    if (byte_chains(y->shape)) {
        byte_put_chain(y, b, i, at, x, normal, special);
        return;
    }
#endif
    (void)y;
    vec_store(b->of.narrow[i] + at, (vec)x);
}

INLINE void byte_decode_rows(struct byte *y, const uint32_t *const *a, int normal) {
    vec z[4][ROW_VECS];
    const struct byte_format f = y->in_a;
#if defined(BYTE_CHAINS)
    struct byte_signs signs = {vec_all(0), vec_all(0)};
    vec lifted[BYTE_WORDS];
    y->signs[0] = y->signs[1] = signs;
#endif
    for (unsigned i = 0; i < y->words; i++) {
        if (i % 4 == 0)
            vec_columns(z, a[i / 2], a[i / 2 + 1]);
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec w = byte_lift(z[i % 4][r], &f);
            vec_float value[4];
            y->code[i][r] = normal ? byte_normal_codes(w, &f) : byte_codes(w, &f);
            if (normal)
                byte_normal_values(w, &f, 112, value);
            else
                byte_values(w, &f, value);
            for (unsigned q = 0; q < 4; q++)
                y->a[4 * i + q][r] = value[q];
#if defined(BYTE_CHAINS)
            if (!byte_chains(y->shape))
                continue;
            if (y->shape.sparse)
                lifted[i] = w;
            else
                byte_add_row_signs(&signs, w);
#endif
        }
    }
#if defined(BYTE_CHAINS)
    if (!y->shape.sparse)
        y->signs[0] = byte_end_row_signs(&signs, y->words);
    else if (byte_chains(y->shape))
        byte_picked_signs(y, lifted, normal);
#endif
}

/* Most tiles have only normal numbers. */
APART void byte_decode_a(struct byte *y, const uint32_t *const *a) {
    if (y->normal_a) {
        byte_decode_rows(y, a, 1);
        return;
    }
    byte_decode_rows(y, a, 0);
    for (unsigned i = 0; y->special && i < 4 * y->words; i++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            y->a[i][r] = byte_specials(y->a[i][r], &y->in_a);
}

/* Decodes register i of B to the factors and codes of a step. */
INLINE void byte_decode_register(const struct byte *y, struct byte_columns *g, unsigned i,
                                 const uint32_t *b, int normal) {
    struct byte_words *to = i < 2 ? &g->b : g->more;
    const struct byte_format f = y->in_b;
    uint32_t codes[32];
    for (unsigned at = 0; at < 32; at += VL) {
        vec w = byte_lift(vec_load(b + at), &f), four[4];
        vec_float value[4];
        vec_store(codes + at, normal ? byte_normal_codes(w, &f) : byte_codes(w, &f));
        if (normal)
            byte_normal_values(w, &f, y->bias_b, value);
        else
            byte_values(w, &f, value);
        for (unsigned q = 0; q < 4; q++) {
            value[q] = g->special ? byte_specials(value[q], &f) : value[q];
            four[q] = (vec)(normal ? value[q] : value[q] * vec_number(&y->times));
        }
        if (y->shape.sparse)
            vec_transpose(four);
        for (unsigned q = 0; q < 4; q++)
            byte_put(y, to, i % 2, y->shape.sparse ? 4 * at + q * VL : 32 * q + at,
                     (vec_float)four[q], normal, g->special);
    }
    if (!y->shape.sparse)
        memcpy(to->code[i % 2], codes, sizeof codes);
    else
        pick_bytes_prepare(codes, 32, to->code[i % 2]);
    if (y->shape.sparse)
        pick_prepare(to->of.narrow[i % 2], 128);
}

static void byte_decode_b(const struct byte *y, struct byte_columns *g, const uint32_t *const *b) {
    unsigned regs = y->shape.sparse ? y->words / 2 : y->words / 4;
    g->special = y->special | y->special_b;
    if (y->normal_b)
        for (unsigned i = 0; i < regs; i++)
            byte_decode_register(y, g, i, b[i], 1);
    else
        for (unsigned i = 0; i < regs; i++)
            byte_decode_register(y, g, i, b[i], 0);
#if defined(BYTE_CHAINS)
    for (unsigned i = 0; i < regs && byte_chains(y->shape); i += 2)
        byte_signs_of_columns(y, i ? g->more : &g->b, b + i, regs - i < 2 ? 1 : 2, g->special);
#endif
    KEEP_MEMORY(g);
}

/* --- scale factors --- */

/* Scale factors are powers of two; all ones is NaN. */
static void byte_scales_a(struct byte *y, const uint8_t *scales) {
    uint32_t shifts[16], nans[16];
    for (unsigned i = 0; i < 16; i++) {
        shifts[i] = scales[4 * i] - 127u;
        nans[i] = scales[4 * i] == 255 ? UINT32_MAX : 0;
    }
    for (unsigned r = 0; r < ROW_VECS; r++) {
        y->shifts[r] = vec_rows(shifts, r);
        y->nans[r] = vec_rows(nans, r);
    }
}

static void byte_scales_b(struct byte_columns *g, const uint8_t *scales) {
    for (unsigned n = 0; n < 8; n++) {
        g->shift[n] = scales[4 * n] - 127;
        g->nan[n] = scales[4 * n] == 255;
    }
}
