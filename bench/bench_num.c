/* How long the adder takes for one m16n8k16 f16: 128 results of 16 products each. Prints
 * microseconds; asserts nothing. */
#include <stdio.h>
#include <time.h>

#include "../sim/num/num.h"

#define RESULTS 128
#define K 16
#define ROUNDS 2000

static const struct wsim_format f16 = {"f16", WSIM_BINARY,        16, 0,     1, 5,
                                       10,    WSIM_SPECIALS_IEEE, 15, 0x7FFF};
static const struct wsim_format f32 = {"f32", WSIM_BINARY,        32,  0,         1, 8,
                                       23,    WSIM_SPECIALS_IEEE, 127, 0x7FFFFFFF};

int main(void) {
    static const struct num_fused fused = {
        .frac = 20, .keep = 25, .floor = -133, .width = 16, .result = {&f32, 23, WSIM_RZ}};
    static struct num_elem a[16][K], b[8][K];
    uint64_t d[RESULTS], check = 0;
    unsigned i, k, round;
    clock_t start;
    double decode, total;

    start = clock();
    for (round = 0; round < ROUNDS; round++)
        for (k = 0; k < K; k++) {
            for (i = 0; i < 16; i++)
                a[i][k] = num_decode(&f16, 16, (i * 2654435761u + k * 40503u + round) >> 3);
            for (i = 0; i < 8; i++)
                b[i][k] = num_decode(&f16, 16, (i * 40503u + k * 2654435761u + round) >> 5);
        }
    decode = (double)(clock() - start) / CLOCKS_PER_SEC / ROUNDS * 1e6;
    for (i = 0; i < RESULTS; i++)
        d[i] = 0x3F800000;
    for (i = 0; i < 16 * K; i++) /* finite operands, near one */
        a[i / K][i % K] = num_decode(&f16, 16, 0x3000 + i * 37 % 0x1000);
    for (i = 0; i < 8 * K; i++)
        b[i / K][i % K] = num_decode(&f16, 16, (i & 1) << 15 | (0x3000 + i * 91 % 0x1000));
    start = clock();
    for (round = 0; round < ROUNDS; round++)
        for (i = 0; i < RESULTS; i++)
            d[i] = num_fused_chain(&fused, K, a[i / 8], b[i % 8], 0, d[i]);
    total = (double)(clock() - start) / CLOCKS_PER_SEC / ROUNDS * 1e6;
    for (i = 0; i < RESULTS; i++)
        check ^= d[i];
    printf("decode of A and B %.2f us, 128 sums of 16 products %.2f us (%08llx)\n", decode, total,
           (unsigned long long)check);
    return 0;
}
