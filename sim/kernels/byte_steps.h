/* byte_steps.h - one step of class byte: an accumulator and the products of 8 columns. A part of
 * byte.h. */

/* A tile is special if some C is infinite, NaN or far above all products. Returns 0 if a product
 * was cut that was assumed whole. */
INLINE int byte_step_as(const struct byte *y, const struct byte_shape k, struct byte_columns *g,
                        unsigned step) {
    vec e[8][ROW_VECS], x[8][ROW_VECS], most = vec_all(0);
    int special;
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            e[n][r] = byte_align(y, k, g, step, n, r, &x[n][r]);
            most = vec_max_float(most, e[n][r]);
        }
    special = !k.whole && (g->special || vec_any(vec_less(vec_all(BYTE_HIGH << 23), most)));
#if defined(BYTE_CHAINS)
    if (k.whole && !byte_whole_sums(y, k, g, step, e, most, x))
        return 0;
#endif
    if (!k.whole)
        byte_sums(y, k, g, step, e, special, x);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++)
            x[n][r] = byte_result(y, k, x[n][r]);
    if (BYTE_RARELY(g->empty && !k.half))
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_empty(y, g->acc[n][r], byte_products(g, step, n, r), x[n][r]);
    if (BYTE_RARELY(special))
        for (unsigned n = 0; n < 8; n++)
            for (unsigned r = 0; r < ROW_VECS; r++)
                x[n][r] = byte_or_special(x[n][r], e[n][r]);
    memcpy(g->acc, x, sizeof x);
    return 1;
}

INLINE int byte_step_scaled_as(const struct byte *y, const struct byte_shape k,
                               struct byte_columns *g, unsigned step) {
    vec e[8][ROW_VECS], at[8][ROW_VECS], x[8][ROW_VECS], most = vec_all(0), high = vec_all(0);
    int special;
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            e[n][r] = byte_align_scaled(y, g, step, n, r, &x[n][r]);
            at[n][r] = byte_within(y, e[n][r]) << 23;
            most = vec_max(most, g->acc[n][r] & 0x7FFFFFFF);
            high = vec_max(high, at[n][r]);
        }
    special = g->special || vec_any(vec_less(vec_all(0x7F7FFFFF), most));
#if defined(BYTE_CHAINS)
    if (k.whole && (special || !byte_whole_sums(y, k, g, step, at, high, x)))
        return 0;
#endif
    if (!k.whole)
        byte_sums(y, k, g, step, at, special, x);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned r = 0; r < ROW_VECS; r++) {
            vec d = byte_result_scaled(y, g, n, r, x[n][r], e[n][r]);
            d = BYTE_RARELY(special) ? byte_or_special(d, at[n][r]) : d;
            g->acc[n][r] = byte_or_nan(y, g, n, r, d);
        }
    return 1;
}

/* Each common shape has compiled code of its own; byte_step_any() takes all others. */
#define BYTE_STEP(name, step_as, ...)                                                              \
    APART int name(const struct byte *y, struct byte_columns *g, unsigned step) {                  \
        const struct byte_shape k = __VA_ARGS__;                                                   \
        return step_as(y, k, g, step);                                                             \
    }
#define BYTE_EXPONENTS(name, ...)                                                                  \
    APART void name(const struct byte *y, struct byte_columns *g) {                                \
        const struct byte_shape k = __VA_ARGS__;                                                   \
        byte_exponents_as(y, k, g);                                                                \
    }
/* Split steps of fewer than 8 words are of 4. */
BYTE_EXPONENTS(byte_exponents_any, {4, 1, 0, 0, y->shape.sparse, 0})
BYTE_STEP(byte_step_any, byte_step_as, y->shape)
/* Steps whose products may be whole. */
#define BYTE_STEPS_OF(kind, sparse, whole)                                                         \
    BYTE_STEP(byte_##kind##_32, byte_step_as, {8, 0, 0, 0, sparse, whole})                         \
    BYTE_STEP(byte_##kind##_half, byte_step_as, {8, 0, 1, 0, sparse, whole})                       \
    BYTE_STEP(byte_##kind##_scaled, byte_step_scaled_as, {8, 0, 0, 0, sparse, whole})              \
    static int byte_##kind##_joined(const struct byte *y, struct byte_columns *g, unsigned step) { \
        if (y->scaled)                                                                             \
            return byte_##kind##_scaled(y, g, step);                                               \
        return (y->shape.half ? byte_##kind##_half : byte_##kind##_32)(y, g, step);                \
    }
#define BYTE_STEPS(kind, sparse)                                                                   \
    BYTE_STEPS_OF(kind, sparse, 0)                                                                 \
    BYTE_STEP(byte_##kind##_16_narrow, byte_step_as, {4, 0, 0, 1, sparse, 0})                      \
    BYTE_STEP(byte_##kind##_32_narrow, byte_step_as, {8, 0, 0, 1, sparse, 0})                      \
    BYTE_STEP(byte_##kind##_split, byte_step_as, {8, 1, 0, 0, sparse, 0})                          \
    BYTE_STEP(byte_##kind##_split_half, byte_step_as, {8, 1, 1, 0, sparse, 0})                     \
    BYTE_EXPONENTS(byte_##kind##_exponents_16, {4, 0, 0, 0, sparse, 0})                            \
    BYTE_EXPONENTS(byte_##kind##_exponents_32, {8, 0, 0, 0, sparse, 0})                            \
    BYTE_EXPONENTS(byte_##kind##_exponents_split, {8, 1, 0, 0, sparse, 0})                         \
    static void byte_##kind##_exponents(const struct byte *y, struct byte_columns *g) {            \
        const struct byte_shape k = y->shape;                                                      \
        if (k.split)                                                                               \
            (k.words == 8 ? byte_##kind##_exponents_split : byte_exponents_any)(y, g);             \
        else                                                                                       \
            (k.words == 8 ? byte_##kind##_exponents_32 : byte_##kind##_exponents_16)(y, g);        \
    }                                                                                              \
    static int byte_##kind##_step(const struct byte *y, struct byte_columns *g, unsigned step) {   \
        const struct byte_shape k = y->shape;                                                      \
        int wide = k.words == 8;                                                                   \
        if (BYTE_WHOLE(k.whole))                                                                   \
            return byte_##kind##_whole_joined(y, g, step);                                         \
        if (k.narrow ? k.half || k.split : !wide)                                                  \
            return byte_step_any(y, g, step);                                                      \
        if (k.narrow)                                                                              \
            return (wide ? byte_##kind##_32_narrow : byte_##kind##_16_narrow)(y, g, step);         \
        if (k.split)                                                                               \
            return (k.half ? byte_##kind##_split_half : byte_##kind##_split)(y, g, step);          \
        return byte_##kind##_joined(y, g, step);                                                   \
    }
#if defined(BYTE_CHAINS)
#define BYTE_WHOLE(whole) (whole)
BYTE_STEPS_OF(dense_whole, 0, 1)
BYTE_STEPS_OF(sparse_whole, 1, 1)
#else
#define BYTE_WHOLE(whole) 0
#define byte_dense_whole_joined byte_step_any
#define byte_sparse_whole_joined byte_step_any
#endif
BYTE_STEPS(dense, 0)
BYTE_STEPS(sparse, 1)
#undef BYTE_WHOLE
#undef BYTE_STEPS
#undef BYTE_STEPS_OF
#undef BYTE_STEP
#undef BYTE_EXPONENTS
