/* Fields of objects and their names; see file.h. */
#include "../../sim/spell/near.h"
#include "file.h"

#include <stdio.h>
#include <string.h>

struct lf_hint lf_near(const char *word, const char *const *names, size_t n) {
    struct lf_hint hint = {""};
    const size_t length = strlen(word);
    unsigned best = 3;
    for (size_t i = 0; i < n; i++) {
        const int begins = length > 1 && strncmp(word, names[i], length) == 0;
        const unsigned edits =
            begins ? 1 : near_edits(word, length, names[i], strlen(names[i]), best);
        if (edits < best && edits < length) {
            best = edits;
            snprintf(hint.text, sizeof hint.text, "; did you mean '%.64s'?", names[i]);
        }
    }
    return hint;
}

enum wsim_status lf_fields(const struct lf_node *at, const char *const *names,
                           struct wsim_diag *diag) {
    size_t n = 0, i;
    if (at->kind != LF_OBJECT)
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG, "expected an object, {\"%s\": ...}",
                         names[0]);
    while (names[n])
        n++;
    for (const struct lf_node *one = at->first; one; one = one->next) {
        for (i = 0; i < n && strcmp(names[i], one->key) != 0; i++)
            ;
        if (i == n)
            return lf_refuse(diag, one, RULE_LAUNCH_FIELD_WRONG, "unknown field%s",
                             lf_near(one->key, names, n).text);
    }
    return WSIM_OK;
}

enum wsim_status lf_text(const struct lf_node *at, const char **out, struct wsim_diag *diag) {
    if (at->kind != LF_STRING)
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG, "expected a string");
    *out = at->text;
    return **out ? WSIM_OK : lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG, "the string is empty");
}

enum wsim_status lf_entries(const struct lf_node *at, size_t most, struct wsim_diag *diag) {
    return at->count <= most ? WSIM_OK
                             : lf_refuse(diag, at, RULE_LAUNCH_NUMBER_RANGE,
                                         "%u entries: the limit is %zu", (unsigned)at->count, most);
}
