/* Any text as a spelling: accepted, and then its canonical spelling means the same operation; or
 * refused with a column inside the text and a nearest operation that is accepted itself. */
#include <stdlib.h>
#include <string.h>
#include <wsim/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check_spelling(const struct wsim_op *op) {
    char spelling[WSIM_SPELLING_MAX], again[WSIM_SPELLING_MAX];
    struct wsim_op read;
    struct wsim_diag diag;
    wsim_op_spell(op, spelling);
    need(wsim_op_parse(spelling, &read, &diag) == WSIM_OK);
    wsim_op_spell(&read, again);
    need(strcmp(spelling, again) == 0);
    need(wsim_op_describe(op).row != NULL &&
         wsim_op_describe(op).row == wsim_op_describe(&read).row);
}

static void check_layouts(const struct wsim_op *op) {
    struct wsim_layout layout;
    struct wsim_diag diag;
    int operand;
    for (operand = 0; operand < WSIM_OPERANDS; operand++)
        if (wsim_op_layout(op, (enum wsim_operand)operand, &layout, &diag) == WSIM_OK)
            need(layout.rows && layout.cols && layout.batches && layout.regs <= WSIM_MAX_REGS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    struct wsim_diag diag = {0};
    struct wsim_op op;
    enum wsim_status status;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    status = wsim_op_parse(text, &op, &diag);
    if (status)
        need(diag.status == status && diag.col <= strlen(text) + 1 && diag.text[0]);
    if (status == WSIM_UNMODELLED) { /* a family without rows: there is no operation to look at */
        free(text);
        return 0;
    }
    check_spelling(&op);
    if (wsim_op_describe(&op).documented)
        check_layouts(&op);
    free(text);
    return 0;
}
