/* count.h - b1: D = C + the number of one bits of A and B, or of A xor B. Words stay in the order
 * of registers (turn.h). All arithmetic is on integers that wrap.
 *
 * Without an instruction that counts the ones of a word, bytes count them and are added at the end.
 * A row has at most 8 words, so that no byte exceeds 64. */

INLINE vec count_ones(vec x) {
#if defined(VEC_AVX512)
    return vec_count_ones(x);
#elif defined(VEC_AVX2)
    vec of_nibble = vec_table(UINT64_C(0x0302020102010100), UINT64_C(0x0403030203020201));
    return vec_shuffle8(of_nibble, x & 0x0F0F0F0F) + vec_shuffle8(of_nibble, x >> 4 & 0x0F0F0F0F);
#else
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return (x + (x >> 4)) & 0x0F0F0F0F;
#endif
}

INLINE vec count_whole(vec sum) {
#if defined(VEC_AVX512)
    return sum;
#else
    sum = (sum & 0x00FF00FF) + (sum >> 8 & 0x00FF00FF);
    return (sum + (sum >> 16)) & 0xFFFF;
#endif
}

INLINE vec count_and(vec sum, vec a, vec b) {
    return sum + count_ones(a & b);
}
INLINE vec count_xor(vec sum, vec a, vec b) {
    return sum + count_ones(a ^ b);
}

/* k counts words here. */
static int count_takes(const struct wsim_code_product *how) {
    return how->method == METHOD_COUNT && !how->kept && (how->k == 4 || how->k == 8);
}

INLINE void count_group(const vec (*a)[TURN_ROWS], const uint32_t *const *b,
                        const uint32_t *const *c, uint32_t *const *d, unsigned regs,
                        turn_add *add) {
    vec old[2][TURN_ROWS];
    turn_columns columns;
    for (unsigned reg = 0; reg < regs; reg++) {
        vec words[TURN_VECS];
        for (unsigned i = 0; i < TURN_VECS; i++)
            words[i] = vec_load(b[reg] + VL * i);
        turn_order(words, columns[reg]);
    }
    KEEP_MEMORY(columns);
    for (unsigned p = 0; p < 2; p++)
        turn_load(old[p], c[p], c[p + 2]);
    for (unsigned first = 0; first < TURN_ROWS; first += TURN_AT_ONCE) {
        vec sum[2][TURN_AT_ONCE];
        turn_rows rows;
        for (unsigned i = 0; i < TURN_AT_ONCE; i++)
            sum[0][i] = sum[1][i] = vec_all(0);
        for (unsigned reg = 0; reg < regs; reg++)
            memcpy(rows[reg], a[reg] + first, sizeof rows[reg]);
        turn_products(&rows, &columns, 1, regs, add, sum);
        for (unsigned i = 0; i < TURN_AT_ONCE; i++)
            for (unsigned p = 0; p < 2; p++)
                turn_store(d, p, first + i, old[p][first + i] + count_whole(sum[p][i]));
    }
}

INLINE void count_all(const struct num_strip *strip, unsigned regs, turn_add *add) {
    vec a[TURN_REGS][TURN_ROWS];
    for (unsigned reg = 0; reg < regs; reg++)
        turn_load(a[reg], strip->a[2 * reg], strip->a[2 * reg + 1]);
    for (unsigned g = 0; g < strip->groups; g++)
        count_group((const vec(*)[TURN_ROWS])a, strip->b + g * regs, strip->c + 4 * g,
                    strip->d + 4 * g, regs, add);
}

#define COUNT_RUN(name, regs, add)                                                                 \
    static void name(const struct num_strip *strip) {                                              \
        count_all(strip, regs, add);                                                               \
    }
COUNT_RUN(count_and4, 1, count_and)
COUNT_RUN(count_and8, 2, count_and)
COUNT_RUN(count_xor4, 1, count_xor)
COUNT_RUN(count_xor8, 2, count_xor)
#undef COUNT_RUN

static void count_run(const struct wsim_code_product *how, const struct num_strip *strip) {
    if (how->k == 4)
        (how->exclusive ? count_xor4 : count_and4)(strip);
    else
        (how->exclusive ? count_xor8 : count_and8)(strip);
}
