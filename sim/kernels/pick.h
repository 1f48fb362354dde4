/* pick.h - sparse A: each row picks its own elements of B. The candidates for a kept element of A
 * are four neighbours along k in a column of B, four words. Two bits of metadata of the row select
 * one word. The other three are not used. */

/* How a kept element picks one word of four, in each of VL rows. */
struct pick {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    vec index; /* in the lowest two bits; the others are ignored */
#else
    vec odd, upper; /* all ones where the index is 1 or 3, and where it is 2 or 3 */
#endif
};

/* Makes picks of indices in the lowest two bits. */
INLINE struct pick pick_of(vec index) {
#if defined(VEC_AVX512) || defined(VEC_AVX2)
    struct pick pick = {index};
#else
    struct pick pick = {vec_shift_signed(index << 31, 31), vec_shift_signed(index << 30, 31)};
#endif
    return pick;
}

/* The pick of element k, from metadata that begins with `word`. 2:4 (two of four are kept): index k
 * of the metadata, 16 in a word. `halves`, 1:2 (one of two is kept): eight nibbles in a word. Bit 1
 * of a nibble selects one of two; two elements share four words. */
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

/* Interleaves two lists of words, four at a time: the first two of both, and the last two. */
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

/* pick_in_turns() of vectors. */
INLINE void pick_turns(vec even, vec odd, vec *first, vec *last) {
#if defined(VEC_AVX512)
    *first = (vec)_mm512_unpacklo_epi32((__m512i)even, (__m512i)odd);
    *last = (vec)_mm512_unpackhi_epi32((__m512i)even, (__m512i)odd);
#elif VL == 8
    *first = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 4, 12, 5, 13);
    *last = __builtin_shufflevector(even, odd, 2, 10, 3, 11, 6, 14, 7, 15);
#else
    *first = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
    *last = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
#endif
}

/* Prepares fours of words for pick_word(). Without an instruction that picks, the first word stays.
 * The second becomes its difference (xor) to the first, and the third likewise. The fourth becomes
 * its difference to the xor of the first three. */
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

/* Picks one of four prepared words. */
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

/* --- bytes: a word of A has four, two of each of two chunks; they pick from two words of B --- */

/* Words of B per word of A, as pick_bytes() reads them. */
#if defined(VEC_SHUFFLE8)
enum { PICK_BYTES = 2 };
#else
enum { PICK_BYTES = 4 };
#endif

/* The two bits of metadata of each byte of word `word`. `meta` has eight chunks. */
INLINE vec pick_twos(vec meta, unsigned word) {
#if defined(VEC_AVX512)
    /* Eight bits from each place, for two lanes together. */
    vec from = vec_all(word % 4 * UINT32_C(0x08080808));
    for (unsigned i = 0; i < VL; i++)
        from[i] += 0x06040200 + i % 2 * 0x20202020;
    return (vec)_mm512_multishift_epi64_epi8((__m512i)from, (__m512i)meta) & 0x03030303;
#else
    vec m = meta >> 8 * (word % 4) & 0xFF;
    return (m | m << 6 | m << 12 | m << 18) & 0x03030303;
#endif
}

/* The four picks of word `word` of A. `meta` has eight chunks. */
INLINE struct pick pick_bytes_at(vec meta, unsigned word) {
    vec m = pick_twos(meta, word);
#if defined(VEC_SHUFFLE8)
    struct pick pick = {m | 0x04040000}; /* indices count over both words */
#else
    vec odd = m & 0x01010101, upper = m >> 1 & 0x01010101;
    struct pick pick = {(odd << 8) - odd, (upper << 8) - upper};
#endif
    return pick;
}

/* The pick of one byte, as an element for pick_word(). */
INLINE struct pick pick_byte(const struct pick *bytes, unsigned byte) {
#if defined(VEC_SHUFFLE8)
    struct pick pick = {bytes->index >> 8 * byte};
#else
    struct pick pick = {vec_shift_signed(bytes->odd << (24 - 8 * byte), 31),
                        vec_shift_signed(bytes->upper << (24 - 8 * byte), 31)};
#endif
    return pick;
}

/* Prepares words of B for pick_bytes(). Without an instruction that shuffles bytes, two words
 * become four. Word i has byte i of the first word twice, and then byte i of the second twice. */
INLINE void pick_bytes_prepare(const uint32_t *words, unsigned count, uint32_t *to) {
#if defined(VEC_SHUFFLE8)
    memcpy(to, words, count * sizeof *to);
#else
    for (unsigned i = 0; i < count / 2; i++)
        for (unsigned byte = 0; byte < 4; byte++) {
            uint32_t low = words[2 * i] >> 8 * byte & 0xFF;
            uint32_t high = words[2 * i + 1] >> 8 * byte & 0xFF;
            to[4 * i + byte] = low * UINT32_C(0x0101) | high * UINT32_C(0x01010000);
        }
    pick_prepare(to, 2 * count);
#endif
}

INLINE vec pick_bytes(const struct pick *pick, const uint32_t *words) {
#if defined(VEC_SHUFFLE8)
    long long two;
    memcpy(&two, words, sizeof two);
#endif
#if defined(VEC_AVX512)
    return (vec)_mm512_shuffle_epi8(_mm512_set1_epi64(two), (__m512i)pick->index);
#elif defined(VEC_AVX2)
    return (vec)_mm256_shuffle_epi8(_mm256_set1_epi64x(two), (__m256i)pick->index);
#else
    return pick_word(pick, words);
#endif
}

/* --- metadata --- */

/* Bit 0 of each nibble that is undefined; ignore the other bits. */
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

/* Half number[i] of the register, in the lower half of lane i. */
INLINE vec pick_half(const uint32_t *e, vec number) {
#if defined(VEC_AVX512)
    vec word = (vec)_mm512_permutex2var_epi32(_mm512_loadu_si512(e), (__m512i)(number >> 1),
                                              _mm512_loadu_si512(e + 16));
#elif defined(VEC_AVX2)
    vec word = (vec)_mm256_i32gather_epi32((const int *)e, (__m256i)(number >> 1), 4);
#else
    vec word = vec_all(0);
    for (unsigned i = 0; i < VL; i++)
        word[i] = e[number[i] >> 1];
#endif
    return vec_shift_each(word, (number & 1) << 4) & 0xFFFF;
}

/* The numbers of VL rows. */
INLINE vec pick_numbers(const struct num_meta *meta, unsigned r) {
#if defined(VEC_AVX512)
    (void)r; /* all of them */
    /* Two loads of 8 bytes, like the stores before: store forwarding needs equal sizes. */
    __m256i low = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)meta->numbers));
    __m256i high = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(meta->numbers + 1)));
    return (vec)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#elif defined(VEC_AVX2)
    return (vec)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(meta->numbers + r)));
#else
    vec numbers = vec_all(0);
    for (unsigned i = 0; i < VL; i++)
        numbers[i] = (uint32_t)(meta->numbers[(VL * r + i) / 8] >> 8 * ((VL * r + i) % 8)) & 0xFF;
    return numbers;
#endif
}

static int pick_meta(const struct num_meta *meta, uint32_t (*to)[16]) {
    vec none = vec_all(0);
    for (unsigned r = 0; r < ROW_VECS; r++) {
        vec numbers = pick_numbers(meta, r);
        for (unsigned block = 0; block < meta->blocks; block++) {
            vec number = numbers ^ meta->flip[block], word = pick_half(meta->e, number);
            word |= pick_half(meta->e, number ^ meta->next) << 16;
            vec_store(to[block] + VL * r, word);
            none |= pick_undefined(meta->valid, word);
        }
    }
    return !vec_any(vec_test(none, vec_all(meta->used & UINT32_C(0x11111111))));
}
