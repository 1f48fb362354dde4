/* The library without the optional table of recordings: it says hardware of nothing, whatever the
 * rows claim. The functions of the table are defined here, so none is taken from the library. */
#define WSIM_NO_RECORDINGS
#include "../../../sim/evidence/recorded.c"

#include "../../every.h"

START_TEST(nothing_is_said_to_be_of_hardware) {
    const struct wsim_arch *h200 = wsim_arch_find("sm_90a");
    struct wsim_op op = {0};
    uint32_t cursor = 0, claims = 0;
    while (wsim_op_next(&cursor, &op))
        for (int claim = 0; claim <= WSIM_COUNTS; claim++) {
            const char *word = wsim_op_evidence(&op, h200, (enum wsim_claim)claim, NULL);
            enum isa_evidence evidence;
            struct wsim_recording recording;
            uint32_t at = 0;
            if (!word)
                continue;
            evidence_claimed(&op, h200, (enum wsim_claim)claim, &evidence);
            claims += evidence == EVIDENCE_HARDWARE;
            ck_assert_str_ne(word, "hardware");
            ck_assert(!wsim_op_recording(&op, h200, (enum wsim_claim)claim, &at, &recording));
        }
    ck_assert_uint_gt(claims, 0);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{nothing_is_said_to_be_of_hardware, 0, 1}};
    return every_run("evidence/unrecorded", tests, COUNT(tests));
}
