/* Any text as an address expression gives an answer, or an error with a column inside the text.
 * Repetitions agree, and there are addresses exactly if all 32 values exist. */
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/address.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check_lane(const char *text, unsigned lane, int *fits) {
    struct wsim_diag error = {0}, again = {0};
    int64_t value = 1, repeated = 1;
    enum wsim_status status = wsim_address_value(NULL, text, (int32_t)lane, &value, &error);
    need(wsim_address_value(NULL, text, (int32_t)lane, &repeated, &again) == status &&
         value == repeated);
    need(error.col == again.col && strcmp(error.text, again.text) == 0);
    need(status == 0 || (error.col >= 1 && error.col <= strlen(text) + 1 && error.text[0]));
    *fits &= status == 0 && value >= 0 && value <= UINT32_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    uint32_t addr[32];
    struct wsim_diag error;
    unsigned lane;
    int fits = 1;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (lane = 0; lane < 32; lane++)
        check_lane(text, lane, &fits);
    need((wsim_address_lanes(NULL, text, addr, &error) == WSIM_OK) == fits);
    free(text);
    return 0;
}
