/* kernel_count.h - b1: D = C + the number of one bits of A and B, or of A xor B. Words of A are
 * columns of 16 rows, words of B come one by one. All of it is integers and wraps. */

static int count_takes(const struct wsim_code_product *how) {
    return how->method == METHOD_COUNT && !how->kept && how->k <= 8;
}

/* Lists of k are counted in words. */
static void count_group(const struct wsim_code_product *how, const vec (*a)[ROW_VECS],
                        const uint32_t *const *b, const uint32_t *const *c, uint32_t *const *d) {
    vec sum[2][4][ROW_VECS];
    vec_columns(sum[0], c[0], c[2]);
    vec_columns(sum[1], c[1], c[3]);
    for (unsigned t = 0; t < 4; t++)
        for (unsigned p = 0; p < 2; p++)
            for (unsigned i = 0; i < how->k; i++) {
                vec word = vec_all(b[i / 4][4 * (2 * t + p) + i % 4]);
                for (unsigned r = 0; r < ROW_VECS; r++)
                    sum[p][t][r] +=
                        vec_count_ones(how->exclusive ? a[i][r] ^ word : a[i][r] & word);
            }
    vec_registers((const vec(*)[ROW_VECS])sum[0], d[0], d[2]);
    vec_registers((const vec(*)[ROW_VECS])sum[1], d[1], d[3]);
}

static void count_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    vec a[8][ROW_VECS];
    unsigned regs = how->k / 4u;
    for (unsigned i = 0; i < regs; i++)
        vec_columns(a + 4 * i, strip->a[2 * i], strip->a[2 * i + 1]);
    for (unsigned g = 0; g < strip->groups; g++)
        count_group(how, (const vec(*)[ROW_VECS])a, strip->b + g * regs, strip->c + g * 4,
                    strip->d + g * 4);
}
