/* digest.c - the digests of many results. The words of one case depend on each other, with a dozen
 * arithmetic steps per word. Eight cases are independent and fill the pipeline. */
#include <wsim/harness/cases.h>

enum { TOGETHER = 8 };

static uint64_t add_together(uint64_t first, const uint32_t *out, uint32_t words) {
    uint64_t hash[TOGETHER], sum = 0;
    for (uint32_t k = 0; k < TOGETHER; k++)
        hash[k] = wsim_case_digest_begin(first + k, words);
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t k = 0; k < TOGETHER; k++)
            hash[k] = wsim_case_digest_word(hash[k], out[k * words + i]);
    for (uint32_t k = 0; k < TOGETHER; k++)
        sum += hash[k];
    return sum;
}

uint64_t wsim_case_digests(uint64_t first, uint32_t cases, const uint32_t *out, uint32_t words) {
    uint64_t sum = 0;
    for (; cases >= TOGETHER; cases -= TOGETHER, first += TOGETHER, out += TOGETHER * words)
        sum += add_together(first, out, words);
    for (; cases > 0; cases--, first++, out += words)
        sum += wsim_case_digest(first, out, words);
    return sum;
}
