/* spellings.c - every spelling of a bulk copy that sm_90a executes in one block, a case each. */
#include "draw.h"

#include <stddef.h>
#include <string.h>

/* Steps to the next; starts again after the last. */
static void next_spelling(char text[WSIM_SPELLING_MAX]) {
    static struct wsim_op op;
    static uint32_t cursor;
    do {
        if (!wsim_op_next(&cursor, &op)) {
            memset(&op, 0, sizeof op);
            cursor = 0;
            continue;
        }
        wsim_op_spell(&op, text);
    } while (cursor == 0 || !strstr(text, "async.bulk") || strstr(text, "multicast") ||
             strstr(text, "cluster.shared::cta") ||
             wsim_op_check(&op, wsim_arch_find("sm_90a"), NULL));
}

static void tensor_case(const char *text) {
    struct set s = fresh(LOAD);
    int pixels = strstr(text, "im2col") != NULL;
    unsigned rank = (unsigned)(strstr(text, "tensor.")[7] - '0');
    s.word = text;
    if (strstr(text, "d.global."))
        s.what = strncmp(text, "cp.reduce", 9) == 0 ? REDUCE : STORE;
    do
        if (pixels)
            draw_pixels(&s, draw(4) == 0, s.what != LOAD);
        else
            draw_tile(&s, draw(4) == 0, 1);
    while (s.t.rank != rank || !make_integer(&s) || wsim_tensor_measure(&s.t).room > 1024);
    if (pixels)
        draw_pixel(&s, 0);
    else
        draw_place(&s, s.what == LOAD);
    print_set(&s);
}

static void spellings(void) {
    char text[WSIM_SPELLING_MAX];
    next_spelling(text);
    if (strstr(text, "tensor"))
        tensor_case(text);
    else
        print_plain(text, 16 * draw(500), 16 * draw(32), 16 * (1 + draw(8)),
                    strstr(text, "complete_tx") != NULL);
}

const struct kind spelling_kinds[] = {
    {"spellings", spellings},
    {NULL, NULL},
};
