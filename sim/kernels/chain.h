/* chain.h - f64: D = fma(a, b, ... fma(a, b, C)), k ascending, in one of four rounding
 * modes.
 *
 * The fused multiply-add of the host follows IEEE 754, as does the integer one of the plain path.
 * Both round the exact a * b + c once, keep subnormals, and overflow according to the direction. So
 * they agree in every case but two.
 *
 * The environment: the kernel sets rounding, flushing and traps, and restores them. Operands are
 * read after the first and results written before the second, so no operation moves across.
 *
 * NaN: machines differ in the operand whose payload survives. If any result is a NaN, the chain is
 * computed again with NaNs chosen by hand. (A NaN that enters a chain never leaves it, so results
 * without NaN mean that there was none.)
 *
 * A vector has DOUBLES rows of a column. */

#if defined(VEC_AVX512) || defined(VEC_AVX2)

enum { CHAIN_K = 16, DOUBLES = VL / 2, CHAIN_VECS = 16 / DOUBLES };

typedef double vec_double __attribute__((vector_size(4 * VL)));
typedef uint64_t vec_long __attribute__((vector_size(4 * VL)));
typedef int64_t vec_long_signed __attribute__((vector_size(4 * VL)));

struct chain {
    vec_long a[CHAIN_K][CHAIN_VECS];
    double b[CHAIN_K / 4][32 / VL][2][DOUBLES]; /* in the order of chain_pairs() */
};

/* --- the environment --- */

enum { CHAIN_MASKED = 0x1F80, CHAIN_ROUNDING = 13 };

static unsigned chain_environment(unsigned direction) {
    static const uint8_t modes[] = {[WSIM_RN] = 0, [WSIM_RM] = 1, [WSIM_RP] = 2, [WSIM_RZ] = 3};
    unsigned before = _mm_getcsr();
    _mm_setcsr(CHAIN_MASKED | (unsigned)modes[direction] << CHAIN_ROUNDING);
    __asm__ volatile("" : : : "memory");
    return before;
}

static void chain_restore(unsigned before) {
    __asm__ volatile("" : : : "memory");
    _mm_setcsr(before);
}

/* --- words to doubles --- */

INLINE vec_long long_low(vec_long x, vec_long y) { /* the even lanes, from x and y in turn */
    return (vec_long)INTRINSIC(unpacklo_epi64)((host_int)x, (host_int)y);
}

INLINE vec_long long_high(vec_long x, vec_long y) { /* the odd lanes */
    return (vec_long)INTRINSIC(unpackhi_epi64)((host_int)x, (host_int)y);
}

/* Doubles of the VL lanes from `at` on: lanes 4 * g + t with t = 0, 1, and those with t = 2, 3. */
INLINE void chain_pairs(const uint32_t *const *regs, unsigned at, vec_long pair[2]) {
    vec low = vec_load(regs[0] + at), high = vec_load(regs[1] + at);
    pair[0] = (vec_long)INTRINSIC(unpacklo_epi32)((host_int)low, (host_int)high);
    pair[1] = (vec_long)INTRINSIC(unpackhi_epi32)((host_int)low, (host_int)high);
}

/* The inverse of chain_pairs(). */
INLINE void chain_words(const vec_long pair[2], uint32_t *const *regs, unsigned at) {
    host_float p = (host_float)pair[0], q = (host_float)pair[1];
    vec_store(regs[0] + at, (vec)INTRINSIC(shuffle_ps)(p, q, 0x88));
    vec_store(regs[1] + at, (vec)INTRINSIC(shuffle_ps)(p, q, 0xDD));
}

/* The four columns t of 8 rows. Vector i of CHAIN_VECS / 2 has DOUBLES rows, in the order of the
 * unpack instructions. */
INLINE void chain_columns(const uint32_t *const *regs, vec_long z[4][CHAIN_VECS / 2]) {
    for (unsigned i = 0; i < CHAIN_VECS / 2; i++) {
        vec_long x[2], y[2];
        chain_pairs(regs, 2 * i * VL, x);
        chain_pairs(regs, (2 * i + 1) * VL, y);
        for (unsigned t = 0; t < 4; t++)
            z[t][i] = t % 2 ? long_high(x[t / 2], y[t / 2]) : long_low(x[t / 2], y[t / 2]);
    }
}

INLINE void chain_registers(const vec_long z[4][CHAIN_VECS / 2], uint32_t *const *regs) {
    for (unsigned i = 0; i < CHAIN_VECS / 2; i++) {
        vec_long x[2], y[2];
        for (unsigned s = 0; s < 2; s++) {
            x[s] = long_low(z[2 * s][i], z[2 * s + 1][i]);
            y[s] = long_high(z[2 * s][i], z[2 * s + 1][i]);
        }
        chain_words(x, regs, 2 * i * VL);
        chain_words(y, regs, (2 * i + 1) * VL);
    }
}

static void chain_load(struct chain *chain, unsigned k, const uint32_t *const *a,
                       const uint32_t *const *b) {
    for (unsigned i = 0; i < k / 4; i++) {
        for (unsigned h = 0; h < 2; h++) {
            vec_long z[4][CHAIN_VECS / 2];
            chain_columns(a + 2 * (2 * i + h), z);
            for (unsigned t = 0; t < 4; t++)
                for (unsigned r = 0; r < CHAIN_VECS / 2; r++)
                    chain->a[4 * i + t][h * CHAIN_VECS / 2 + r] = z[t][r];
        }
        for (unsigned at = 0; at < 32; at += VL) {
            vec_long pair[2];
            chain_pairs(b + 2 * i, at, pair);
            vec_store(chain->b[i][at / VL][0], (vec)pair[0]);
            vec_store(chain->b[i][at / VL][1], (vec)pair[1]);
        }
    }
    KEEP_MEMORY(chain);
}

/* Element k of column j, in all rows. */
INLINE vec_long chain_b(const struct chain *chain, unsigned k, unsigned j) {
    const double *from = &chain->b[k / 4][j / (VL / 4)][k / 2 % 2][2 * (j % (VL / 4)) + k % 2];
#if defined(VEC_AVX512)
    return (vec_long)_mm512_set1_pd(*from);
#else
    return (vec_long)_mm256_broadcast_sd(from);
#endif
}

/* --- arithmetic --- */

INLINE vec_long chain_fma(vec_long a, vec_long b, vec_long c) {
    return (vec_long)INTRINSIC(fmadd_pd)((host_double)a, (host_double)b, (host_double)c);
}

/* All ones where x is a NaN. */
INLINE vec_long chain_is_nan(vec_long x) {
    return (vec_long)((vec_long_signed)(x & INT64_MAX) >
                      (vec_long_signed)((vec_long){0} + UINT64_C(0x7FF0000000000000)));
}

/* A NaN operand passes its payload on, quiet: b has priority, then c, then a. A NaN without a NaN
 * operand is the negative NaN of the format. */
INLINE vec_long chain_fma_nan(vec_long a, vec_long b, vec_long c, uint64_t none) {
    vec_long sum = chain_fma(a, b, c), quiet = (vec_long){0} + UINT64_C(0x0008000000000000);
    vec_long of_a = chain_is_nan(a), of_b = chain_is_nan(b), of_c = chain_is_nan(c);
    vec_long nan = (a & of_a) | (((vec_long){0} + none) & ~of_a);
    nan = (c & of_c) | (nan & ~of_c);
    nan = ((b & of_b) | (nan & ~of_b)) | quiet;
    of_a = chain_is_nan(sum);
    return (nan & of_a) | (sum & ~of_a);
}

/* Column j from sum[], DOUBLES rows a vector. */
INLINE void chain_column(const struct chain *chain, unsigned k, unsigned j, vec_long *sum) {
    for (unsigned i = 0; i < k; i++)
        for (unsigned r = 0; r < CHAIN_VECS; r++)
            sum[r] = chain_fma(chain->a[i][r], chain_b(chain, i, j), sum[r]);
}

static void chain_column_nan(const struct chain *chain, unsigned k, unsigned j, uint64_t none,
                             vec_long *sum) {
    for (unsigned i = 0; i < k; i++)
        for (unsigned r = 0; r < CHAIN_VECS; r++)
            sum[r] = chain_fma_nan(chain->a[i][r], chain_b(chain, i, j), sum[r], none);
}

/* The four columns of parity p share the registers 2 * h + p of C and D: z[p][h] has them by
 * columns. */
APART void chain_group(const struct chain *chain, const struct wsim_code_product *how,
                       const uint32_t *const *c, uint32_t *const *d) {
    vec_long z[2][2][4][CHAIN_VECS / 2];
    uint64_t none = how->result->nan | UINT64_C(1) << 63;
    for (unsigned i = 0; i < 4; i++)
        chain_columns(c + 2 * i, z[i % 2][i / 2]);
    for (unsigned j = 0; j < 8; j++) {
        vec_long before[CHAIN_VECS], sum[CHAIN_VECS], nan = {0};
        for (unsigned r = 0; r < CHAIN_VECS; r++)
            sum[r] = before[r] = z[j % 2][2 * r / CHAIN_VECS][j / 2][r % (CHAIN_VECS / 2)];
        chain_column(chain, how->k, j, sum);
        for (unsigned r = 0; r < CHAIN_VECS; r++)
            nan |= chain_is_nan(sum[r]);
        if (vec_any_negative((vec)nan)) {
            for (unsigned r = 0; r < CHAIN_VECS; r++)
                sum[r] = before[r];
            chain_column_nan(chain, how->k, j, none, sum);
        }
        for (unsigned r = 0; r < CHAIN_VECS; r++)
            z[j % 2][2 * r / CHAIN_VECS][j / 2][r % (CHAIN_VECS / 2)] = sum[r];
    }
    for (unsigned i = 0; i < 4; i++)
        chain_registers((const vec_long(*)[CHAIN_VECS / 2]) z[i % 2][i / 2], d + 2 * i);
}

static int chain_takes(const struct wsim_code_product *how) {
    return how->method == METHOD_CHAIN && how->result->bits == 64 && how->d->bits == 64 &&
           how->c->bits == 64 && how->k <= CHAIN_K && how->k % 4 == 0 && !how->kept;
}

static void chain_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    struct chain chain;
    unsigned regs = how->k / 2u, before = chain_environment(how->direction);
    for (unsigned g = 0; g < strip->groups; g++) {
        chain_load(&chain, how->k, strip->a, strip->b + g * regs);
        chain_group(&chain, how, strip->c + 8 * g, strip->d + 8 * g);
    }
    chain_restore(before);
}

#endif
