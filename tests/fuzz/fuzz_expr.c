/* Any text as an address expression: an answer or an error with a column inside the text, the same
 * one every time, and addresses exactly where all 32 values are. */
#include "../../tools/wsim/banks/declare.c"
#include "../../tools/wsim/banks/expr.c"
#include "../../tools/wsim/banks/expr_names.c"
#include "../../tools/wsim/banks/expr_primary.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check_lane(const char *text, unsigned lane, int *fits) {
    struct expr_error error = {0, 0, ""}, again = {0, 0, ""};
    int64_t value = 1, repeated = 1;
    int status = expr_value(text, lane, &value, &error);
    need(expr_value(text, lane, &repeated, &again) == status && value == repeated);
    need(error.col == again.col && strcmp(error.text, again.text) == 0);
    need(status == 0 || (error.col >= 1 && error.col <= strlen(text) + 1 && error.text[0]));
    *fits &= status == 0 && value >= 0 && value <= UINT32_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    uint32_t addr[32];
    struct expr_error error;
    unsigned lane;
    int fits = 1;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (lane = 0; lane < 32; lane++)
        check_lane(text, lane, &fits);
    need((expr_addresses(text, addr, &error) == 0) == fits);
    free(text);
    return 0;
}
