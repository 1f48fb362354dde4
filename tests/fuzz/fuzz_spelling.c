/* Any text as a spelling. If accepted, its canonical spelling means the same operation. If
 * refused, there is a rule and a column inside the text, and the operation is empty. The nearest
 * operation is documented, and its spelling parses to it. */
#include <stdlib.h>
#include <string.h>
#include <wsim/isa.h>
#include <wsim/wgmma.h>

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
    const unsigned threads = wsim_op_describe(op).threads;
    const unsigned most = threads == WSIM_GROUP_THREADS ? WSIM_GROUP_REGS : WSIM_MAX_REGS;
    struct wsim_layout layout;
    struct wsim_diag diag;
    int operand;
    for (operand = 0; operand < WSIM_OPERANDS; operand++)
        if (wsim_op_layout(op, NULL, (enum wsim_operand)operand, &layout, &diag) == WSIM_OK)
            need(layout.rows && layout.cols && layout.batches && layout.regs <= most);
}

static void check_operation(const struct wsim_op *op) {
    check_spelling(op);
    if (wsim_op_describe(op).documented)
        check_layouts(op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    struct wsim_diag diag = {0};
    const struct wsim_op nothing = {0};
    struct wsim_op op;
    enum wsim_status status;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    status = wsim_op_parse(text, &op, &diag);
    if (status) {
        need(diag.status == status && diag.rule && diag.col <= strlen(text) + 1 && diag.text[0]);
        need(memcmp(&op, &nothing, sizeof op) == 0);
    } else {
        check_operation(&op);
    }
    if (wsim_op_nearest(text, &op)) {
        need(status != WSIM_UNMODELLED && wsim_op_describe(&op).documented);
        check_operation(&op);
    } else {
        need(status && memcmp(&op, &nothing, sizeof op) == 0);
    }
    free(text);
    return 0;
}
