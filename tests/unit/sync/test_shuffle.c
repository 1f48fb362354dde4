/* Every way of shfl of a whole warp gives each lane what shuffle_source says. Its numbers are
 * constants, equal in all lanes, or not; a result may take the place of an operand. */
#include "../../../sim/sync/shuffle.h"
#include "../../every.h"

#include <string.h>

enum { A, B, C, D, P = 4 * 4 * RUN_LANES, ROUNDS = 4000 };

static struct run_row row_of(unsigned number, unsigned bits) {
    return (struct run_row){.at = number * 4 * RUN_LANES, .bits = (uint8_t)bits};
}

static uint32_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Numbers of all lanes: one, or each its own. */
static void fill(uint32_t *row, int is_one, uint64_t *state, uint32_t mask) {
    const uint32_t one = draw(state) & mask;
    for (unsigned lane = 0; lane < RUN_LANES; lane++)
        row[lane] = is_one ? one : draw(state) & mask;
}

START_TEST(lanes_get_what_their_source_has) {
    uint64_t state = 5u + (unsigned)_i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        _Alignas(64) uint32_t frame[P / 4 + 1], was[P / 4 + 1], inside = 0;
        const unsigned to = round % 5 ? D : A, is_one = round % 3 != 0;
        struct sync_gather gather = {.what = (uint8_t)(SCALAR_UP + round % 4),
                                     .a = row_of(A, 32),
                                     .b = row_of(B, 32),
                                     .c = row_of(C, 32),
                                     .d = row_of(to, round % 7 ? 32 : 0),
                                     .p = {.at = P, .bits = round % 11 != 0}};
        fill(frame + A * RUN_LANES, 0, &state, UINT32_MAX);
        fill(frame + B * RUN_LANES, is_one, &state, 63);
        fill(frame + C * RUN_LANES, is_one, &state, round & 32 ? 0x1F1F : round & 64 ? 31 : 0);
        if (round & 128 && is_one)
            fill(frame + C * RUN_LANES, 1, &state, 0x1F1F), frame[C * RUN_LANES] |= 31;
        for (unsigned lane = 1; is_one && lane < RUN_LANES; lane++)
            frame[C * RUN_LANES + lane] = frame[C * RUN_LANES];
        fill(frame + D * RUN_LANES, 0, &state, UINT32_MAX);
        frame[P / 4] = 77;
        memcpy(was, frame, sizeof was);
        shuffle_choose(&gather,
                       is_one && round & 256 ? (uint32_t[]){was[B * RUN_LANES], was[C * RUN_LANES]}
                                             : NULL,
                       _i);
        gather.quick(&gather, (uint8_t *)frame);
        for (unsigned lane = 0; lane < RUN_LANES; lane++) {
            uint32_t is_inside;
            const unsigned from = shuffle_source(gather.what, lane, was[B * RUN_LANES + lane],
                                                 was[C * RUN_LANES + lane], &is_inside);
            const uint32_t want = gather.d.bits ? was[from] : was[to * RUN_LANES + lane];
            expect(frame[to * RUN_LANES + lane] == want, "round %u, lane %u: %x, not %x", round,
                   lane, frame[to * RUN_LANES + lane], want);
            inside |= is_inside << lane;
        }
        ck_assert_uint_eq(frame[P / 4], gather.p.bits ? inside : 77);
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{lanes_get_what_their_source_has, 0, 2}};
    return every_run("unit/sync/shuffle", tests, COUNT(tests));
}
