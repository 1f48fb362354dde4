/* test_spelling.c - a spelling names one operation and an operation has one canonical spelling.
 * Printing then parsing is the identity, and no two operations print alike. The order of qualifiers
 * only matters for layouts, types, the two state spaces of a copy and the operation of .popc. */
#include "../every.h"

#define MAX_WORDS 32

START_TEST(printing_then_parsing_is_the_identity) {
    struct wsim_op op, again;
    char text[WSIM_SPELLING_MAX], second[WSIM_SPELLING_MAX];
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    expect(wsim_op_parse(text, &again, &diag) == WSIM_OK, "%s: %s", text, diag.text);
    expect(memcmp(&op, &again, sizeof op) == 0, "%s parses to another operation", text);
    wsim_op_spell(&again, second);
    ck_assert_str_eq(text, second);
}
END_TEST

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

START_TEST(no_two_operations_are_spelled_alike) {
    int i, n = every_op_count();
    char(*all)[WSIM_SPELLING_MAX] = calloc((size_t)n, sizeof *all);
    struct wsim_op op;
    uint32_t cursor = 0;
    memset(&op, 0, sizeof op);
    ck_assert_ptr_nonnull(all);
    for (i = 0; wsim_op_next(&cursor, &op); i++)
        wsim_op_spell(&op, all[i]);
    qsort(all, (size_t)n, sizeof *all, by_text);
    for (i = 1; i < n; i++)
        expect(strcmp(all[i - 1], all[i]) != 0, "twice: %s", all[i]);
    free(all);
}
END_TEST

/* --- any order --- */

/* Words that must stay in order among themselves get the same class. */
enum order { FREE, TYPES, LAYOUTS, POPCOUNT, SPACES };

static enum order order_of(const char *word) {
    static const char *const popcount[] = {"xor", "and", "popc"};
    int i;
    for (i = 0; i < COUNT(popcount); i++)
        if (strcmp(word, popcount[i]) == 0)
            return POPCOUNT;
    if (strcmp(word, "row") == 0 || strcmp(word, "col") == 0)
        return LAYOUTS;
    if (strncmp(word, "shared", 6) == 0 || strcmp(word, "global") == 0)
        return SPACES;
    return wsim_format_find(word) ? TYPES : FREE;
}

/* Cuts `text` in place at its dots: the name of its family, which may have some, then each word. */
static int split(const struct wsim_op *op, char *text, const char **words) {
    int n = 0;
    words[n++] = text;
    if (strncmp(text, "cp.", 3) == 0)
        text += strlen(wsim_op_describe(op).family_name);
    if (strncmp(text, "tensormap.", 10) == 0)
        text += 10;
    if (strncmp(text, "wgmma.", 6) == 0)
        text += 6;
    if (strncmp(text, "wmma.", 5) == 0)
        text += 5;
    if (strncmp(text, "load.", 5) == 0)
        text += 5;
    if (strncmp(text, "store.", 6) == 0)
        text += 6;
    for (; *text; text++)
        if (*text == '.') {
            *text = 0;
            words[n++] = text + 1;
        }
    return n;
}

/* Exchanges neighbours often; those of one class never pass each other. */
static void shuffle(const char **words, int n, uint64_t *seed) {
    int i, round;
    for (round = 0; round < n; round++)
        for (i = 2; i < n; i++) {
            enum order a = order_of(words[i - 1]), b = order_of(words[i]);
            if ((a == FREE || a != b) && every_random(seed) % 2) {
                const char *word = words[i];
                words[i] = words[i - 1];
                words[i - 1] = word;
            }
        }
}

static void join(const char **words, int n, char out[WSIM_SPELLING_MAX]) {
    int i;
    strcpy(out, words[0]);
    for (i = 1; i < n; i++) {
        strcat(out, ".");
        strcat(out, words[i]);
    }
}

START_TEST(qualifiers_come_in_any_order) {
    struct wsim_op op, again;
    char text[WSIM_SPELLING_MAX], shuffled[WSIM_SPELLING_MAX];
    const char *words[MAX_WORDS];
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    uint64_t seed = (uint64_t)_i;
    int n, round;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    n = split(&op, text, words);
    for (round = 0; round < 4; round++) {
        shuffle(words, n, &seed);
        join(words, n, shuffled);
        expect(wsim_op_parse(shuffled, &again, &diag) == WSIM_OK, "%s: %s", shuffled, diag.text);
        expect(memcmp(&op, &again, sizeof op) == 0, "%s is another operation", shuffled);
    }
}
END_TEST

/* Whether a refusal ends with a spelling of these tables; those of scalar.def have their own. */
static int names_an_operation(const char *refusal) {
    static const char words[] = "; nearest legal: ";
    const char *named = strstr(refusal, words);
    struct wsim_op op;
    return named && wsim_op_parse(named + sizeof words - 1, &op, NULL) == WSIM_OK;
}

/* A prefix of a spelling may be a spelling only if it prints as itself; never crash, never loop. */
START_TEST(a_cut_spelling_is_refused_or_another_operation) {
    struct wsim_op op, cut;
    char text[WSIM_SPELLING_MAX], again[WSIM_SPELLING_MAX];
    struct wsim_diag diag;
    size_t n;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    for (n = strlen(text); n-- > 0;) {
        text[n] = 0;
        memset(&diag, 0, sizeof diag);
        if (wsim_op_parse(text, &cut, &diag) == WSIM_OK) {
            wsim_op_spell(&cut, again);
            ck_assert_str_eq(text, again);
            expect(memcmp(&op, &cut, sizeof op) != 0, "%s says as much as all of it", text);
        } else {
            expect(wsim_op_nearest(text, &cut) == names_an_operation(diag.text), "%s: %s", text,
                   diag.text);
        }
    }
}
END_TEST

/* Every operation that is proposed in place of a wrong spelling is a real one. */
START_TEST(the_nearest_spelling_is_legal) {
    struct wsim_op op, near, again;
    char text[WSIM_SPELLING_MAX], wrong[WSIM_SPELLING_MAX + 16], nearest[WSIM_SPELLING_MAX];
    const char *words[MAX_WORDS];
    uint64_t seed = (uint64_t)_i;
    struct wsim_diag diag;
    int n, drop;
    every_op(_i, &op);
    wsim_op_spell(&op, text);
    n = split(&op, text, words);
    drop = 1 + (int)(every_random(&seed) % (uint64_t)(n - 1));
    words[drop] = "nonsense";
    join(words, n, wrong);
    ck_assert_int_eq(wsim_op_parse(wrong, &near, &diag), WSIM_SYNTAX);
    /* Without their state space accesses are rather instructions of scalar.def. */
    ck_assert_int_eq(wsim_op_nearest(wrong, &near), names_an_operation(diag.text));
    if (!names_an_operation(diag.text)) {

        expect(wsim_op_describe(&op).counting == WSIM_COUNT_ACCESS, "%s: %s", wrong, diag.text);
        return;
    }
    wsim_op_spell(&near, nearest);
    expect(wsim_op_parse(nearest, &again, &diag) == WSIM_OK, "%s -> %s", wrong, nearest);
    expect(memcmp(&near, &again, sizeof near) == 0, "%s -> %s", wrong, nearest);
    expect(every_first_arch(&near) != NULL, "%s -> %s", wrong, nearest);
}
END_TEST

int main(void) {
    int ops = every_op_count();
    const struct every_test tests[] = {{printing_then_parsing_is_the_identity, 0, ops},
                                       {no_two_operations_are_spelled_alike, 0, 1},
                                       {qualifiers_come_in_any_order, 0, ops},
                                       {a_cut_spelling_is_refused_or_another_operation, 0, ops},
                                       {the_nearest_spelling_is_legal, 0, ops}};
    return every_run("rows/spelling", tests, COUNT(tests));
}
