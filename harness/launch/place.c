/* Refusals with the path of a value; see json.h. */
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 160 };

struct lf_words lf_cut(const char *text) {
    struct lf_words words;
    const size_t length = strlen(text), most = sizeof words.text - 4;
    snprintf(words.text, sizeof words.text, "%.*s%s", (int)(length < most ? length : most), text,
             length > most ? "..." : "");
    return words;
}

/* "launches[0].args[2]: ", or "" of the whole text. */
static void put_path(const struct lf_node *at, char out[PATH]) {
    const struct lf_node *steps[LF_DEPTH + 1];
    struct base_text text = {out, PATH, 0};
    unsigned n = 0;
    out[0] = 0;
    for (; at && at->up && n <= LF_DEPTH; at = at->up)
        steps[n++] = at;
    for (unsigned i = n; i-- > 0;)
        if (steps[i]->key)
            base_put(&text, "%s%s", i + 1 < n ? "." : "", lf_cut(steps[i]->key).text);
        else
            base_put(&text, "[%u]", (unsigned)steps[i]->index);
    if (n)
        base_put(&text, ": ");
}

static void put_place(struct wsim_diag *diag, const struct lf_node *at) {
    if (!diag)
        return;
    diag->line = at ? at->line : 0;
    diag->col = at ? at->col : 0;
}

enum wsim_status lf_refuse(struct wsim_diag *diag, const struct lf_node *at, enum base_rule rule,
                           const char *format, ...) {
    char path[PATH], sentence[WSIM_DIAG_TEXT];
    enum wsim_status status;
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    put_path(at, path);
    status = base_refuse(diag, rule, 0, "%s%s", path, sentence);
    put_place(diag, at);
    return status;
}

enum wsim_status lf_repeat(struct wsim_diag *diag, const struct lf_node *at,
                           const struct wsim_diag *why) {
    char path[PATH];
    enum wsim_status status;
    if (why->status == WSIM_NO_MEMORY)
        return lf_no_memory(diag);
    put_path(at, path);
    status = base_repeat(diag, why, 0, "%s%s", path, why->text);
    put_place(diag, at);
    return status;
}

enum wsim_status lf_no_memory(struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "no memory to read a launch file");
}
