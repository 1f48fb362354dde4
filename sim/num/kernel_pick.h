/* kernel_pick.h - sparse A: each row meets elements of B of its own. What a kept element of A may
 * meet in a column of B are four neighbours along k, four words; two bits of metadata of its row
 * say which of them it does meet. The other three never enter anything. */

/* How a kept element of so many rows picks one word of four. */
struct pick {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    vec index; /* in the lowest two bits; those above have no meaning */
#else
    vec odd, upper; /* all ones where the index is 1 or 3; where it is 2 or 3 */
#endif
};

/* From indices in the lowest two bits. */
INLINE struct pick pick_of(vec index) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    struct pick pick = {index};
#else
    struct pick pick = {vec_shift_signed(index << 31, 31), vec_shift_signed(index << 30, 31)};
#endif
    return pick;
}

/* Of element k, by metadata that begins with `word`. Two of four are kept (2:4): index k of the
 * metadata, 16 in a word. `halves`, one of two (1:2): eight nibbles in a word, of which bit 1 says
 * which it is of its two; four words are those of two elements. */
INLINE struct pick pick_at(vec word, unsigned k, int halves) {
    return pick_of(halves ? (word >> (4 * k + 1) & 1) + 2 * (k % 2) : word >> 2 * k);
}

INLINE void pick_rows(struct pick (*picks)[ROW_VECS], const struct wsim_code_product *how,
                      const uint32_t *meta) {
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec word = vec_rows(meta, r);
        for (unsigned k = 0; k < how->k; k++)
            picks[k][r] = pick_at(word, k, how->kept == 1);
    }
}

typedef uint32_t pick_quad __attribute__((vector_size(16)));

/* Two lists of words in turns, in each four of them: the first two of both, and the last two. */
INLINE void pick_in_turns(const uint32_t *even, const uint32_t *odd, unsigned count,
                          uint32_t *first, uint32_t *last) {
    for (unsigned i = 0; i < count; i += 4) {
        pick_quad x, y, z;
        memcpy(&x, even + i, sizeof x);
        memcpy(&y, odd + i, sizeof y);
        z = __builtin_shufflevector(x, y, 0, 4, 1, 5);
        memcpy(first + i, &z, sizeof z);
        z = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        memcpy(last + i, &z, sizeof z);
    }
}

/* Makes words ready to be picked, in fours. Without an instruction that picks: the first one, and
 * what it takes to make it the second, the third, and the fourth out of what both of these do. */
INLINE void pick_prepare(void *words, unsigned count) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    (void)words, (void)count;
#else
    for (unsigned i = 0; i < count; i += 4) {
        const pick_quad none = {0, 0, 0, 0};
        pick_quad x, first, second, third;
        memcpy(&x, (char *)words + 4 * i, sizeof x);
        first = __builtin_shufflevector(x, none, 4, 0, 0, 0);
        second = __builtin_shufflevector(x, none, 4, 4, 4, 1);
        third = __builtin_shufflevector(x, none, 4, 4, 4, 2);
        x ^= first ^ second ^ third;
        memcpy((char *)words + 4 * i, &x, sizeof x);
    }
#endif
}

/* One of four words that are ready. */
INLINE vec pick_word(const struct pick *pick, const void *words) {
#if defined(VEC_AVX512)
    __m512 four = _mm512_broadcast_f32x4(_mm_loadu_ps(words));
    return (vec)_mm512_permutevar_ps(four, (__m512i)pick->index);
#elif defined(VEC_AVX2)
    __m256 four = _mm256_broadcast_ps(words);
    return (vec)_mm256_permutevar_ps(four, (__m256i)pick->index);
#else
    const char *from = words;
    vec more = vec_word(from + 8) ^ (pick->odd & vec_word(from + 12));
    return vec_word(from) ^ (pick->odd & vec_word(from + 4)) ^ (pick->upper & more);
#endif
}

/* --- metadata --- */

/* Bit 0 of each nibble that is undefined, and other bits. */
#if defined(VEC_SHUFFLE8)
/* Byte i is 1 if bit i is set. */
INLINE uint64_t pick_bytes_of_bits(unsigned bits) {
    uint64_t x = (bits & 0xFF) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    return (x + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
}
INLINE vec pick_undefined(unsigned valid, vec word) {
    vec table = vec_table(pick_bytes_of_bits(valid), pick_bytes_of_bits(valid >> 8));
    vec low = vec_shuffle8(table, word & 0x0F0F0F0F);
    return ~(low | vec_shuffle8(table, word >> 4 & 0x0F0F0F0F) << 4);
}
#else
INLINE vec pick_undefined(unsigned valid, vec word) {
    vec none = vec_all(0);
    for (unsigned value = 0; value < 16; value++)
        if (!(valid >> value & 1)) {
            vec x = word ^ vec_all(value * UINT32_C(0x11111111));
            x |= x >> 1 & 0x77777777;
            none |= ~(x | (x >> 2 & 0x33333333));
        }
    return none;
}
#endif

static int pick_are_defined(unsigned valid, uint32_t used, const uint32_t words[16]) {
    vec none = vec_all(0);
    for (unsigned r = 0; r < ROW_VECS; r++)
        none |= pick_undefined(valid, vec_load(words + VL * r));
    return !vec_any(vec_test(none, vec_all(used & UINT32_C(0x11111111))));
}
