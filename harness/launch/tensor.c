/* The parameters of a tensor map as JSON; see file.h. Only what is no set of parameters is refused
 * here; wsim_tensor_encode refuses what the driver refuses. */
#include "file.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    "dtype", "dims",     "strides", "box",  "estrides",   "elementStrides", "lower", "upper",
    "l2",    "channels", "pixels",  "base", "interleave", "swizzle",        "oob",   NULL};

static enum wsim_status check_members(const struct lf_node *at, const char *const *others,
                                      struct wsim_diag *diag) {
    for (const struct lf_node *one = at->first; one; one = one->next) {
        size_t i = 0, k = 0;
        while (names[i] && strcmp(names[i], one->key) != 0)
            i++;
        while (others[k] && strcmp(others[k], one->key) != 0)
            k++;
        if (!names[i] && !others[k])
            return lf_refuse(diag, one, RULE_LAUNCH_FIELD_WRONG,
                             "unknown parameter of a tensor map%s",
                             lf_near(one->key, names, sizeof names / sizeof *names - 1).text);
    }
    return WSIM_OK;
}

/* --- lists --- */

/* The driver would read past the end of a list that is too short. */
static enum wsim_status find_list(const struct lf_node *at, const char *name, uint32_t rank,
                                  uint32_t want, const struct lf_node **list,
                                  struct wsim_diag *diag) {
    *list = lf_member(at, name);
    if (!*list)
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "%s is missing: %u number%s, as there are %u dims", name, (unsigned)want,
                         want == 1 ? "" : "s", (unsigned)rank);
    if ((*list)->kind != LF_ARRAY)
        return lf_refuse(diag, *list, RULE_LAUNCH_FIELD_WRONG, "expected a list of numbers");
    if ((*list)->count != want)
        return lf_refuse(diag, *list, RULE_LAUNCH_FIELD_WRONG,
                         "%u number%s: with %u dims it has %u", (unsigned)(*list)->count,
                         (*list)->count == 1 ? "" : "s", (unsigned)rank, (unsigned)want);
    return WSIM_OK;
}

static enum wsim_status read_wide(const struct lf_node *at, const char *name, uint32_t rank,
                                  uint32_t n, uint64_t most, uint64_t *out,
                                  struct wsim_diag *diag) {
    const struct lf_node *list, *one = NULL;
    enum wsim_status status = find_list(at, name, rank, n, &list, diag);
    if (!status)
        one = list->first;
    for (; one && !status; one = one->next)
        status = lf_whole(one, most, out++, diag);
    return status;
}

static enum wsim_status read_words(const struct lf_node *at, const char *name, uint32_t rank,
                                   uint32_t *out, struct wsim_diag *diag) {
    uint64_t wide[WSIM_TENSOR_RANK] = {0};
    enum wsim_status status = read_wide(at, name, rank, rank, UINT32_MAX, wide, diag);
    for (uint32_t i = 0; i < rank && !status; i++)
        out[i] = (uint32_t)wide[i];
    return status;
}

static enum wsim_status read_corners(const struct lf_node *at, const char *name,
                                     const struct wsim_tensor *t, int32_t *out,
                                     struct wsim_diag *diag) {
    const uint32_t spatial = t->rank > 2 ? t->rank - 2 : 0;
    const struct lf_node *list, *one = NULL;
    enum wsim_status status = find_list(at, name, t->rank, spatial, &list, diag);
    if (!status)
        one = list->first;
    for (; one && !status; one = one->next) {
        uint64_t bits;
        status = lf_integer(one, 's', 32, &bits, diag);
        if (!status)
            *out++ = (int32_t)((int64_t)bits - (bits >> 31 ? (INT64_C(1) << 32) : 0));
    }
    return status;
}

/* --- names and numbers --- */

/* A name of a list, in capitals or not; *out stays as it is without the field. */
static enum wsim_status read_name(const struct lf_node *at, const char *name,
                                  enum wsim_tensor_list list, int *out, struct wsim_diag *diag) {
    const struct lf_node *value = lf_member(at, name);
    char known[224] = "";
    struct base_text text = {known, sizeof known, 0};
    for (unsigned i = 0; wsim_tensor_name(list, i); i++)
        base_put(&text, " %s", wsim_tensor_name(list, i));
    if (!value)
        return *out >= 0
                   ? WSIM_OK
                   : lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG, "%s is missing:%s", name, known);
    if (value->kind != LF_STRING)
        return lf_refuse(diag, value, RULE_LAUNCH_FIELD_WRONG, "expected a string");
    *out = wsim_tensor_called(list, value->text);
    return *out >= 0 ? WSIM_OK
                     : lf_refuse(diag, value, RULE_LAUNCH_NAME_UNKNOWN,
                                 "unknown name '%s': known are%s", lf_cut(value->text).text, known);
}

static enum wsim_status read_names(const struct lf_node *at, struct wsim_tensor *t,
                                   struct wsim_diag *diag) {
    int dtype = -1, interleave = 0, swizzle = 0, oob = 0;
    enum wsim_status status = read_name(at, "dtype", WSIM_TENSOR_LIST_DTYPE, &dtype, diag);
    if (!status)
        status = read_name(at, "interleave", WSIM_TENSOR_LIST_INTERLEAVE, &interleave, diag);
    if (!status)
        status = read_name(at, "swizzle", WSIM_TENSOR_LIST_SWIZZLE, &swizzle, diag);
    if (!status)
        status = read_name(at, "oob", WSIM_TENSOR_LIST_OOB, &oob, diag);
    if (status)
        return status;
    t->dtype = (enum wsim_tensor_type)dtype;
    t->interleave = (enum wsim_tensor_interleave)interleave;
    t->swizzle = (enum wsim_swizzle)swizzle;
    t->oob = (enum wsim_tensor_fill)oob;
    return WSIM_OK;
}

static enum wsim_status read_number(const struct lf_node *at, const char *name, uint64_t most,
                                    uint64_t *out, struct wsim_diag *diag) {
    const struct lf_node *value = lf_member(at, name);
    *out = 0;
    return value ? lf_whole(value, most, out, diag) : WSIM_OK;
}

static int same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a >= 'a' && *a <= 'z' ? *a - 32 : *a) != *b)
            return 0;
    return *a == *b;
}

/* Whether `*at` begins with a word in capitals, which is skipped. */
static void skip_word(const char **at, const char *word) {
    size_t i = 0;
    while (word[i] && ((*at)[i] >= 'a' && (*at)[i] <= 'z' ? (*at)[i] - 32 : (*at)[i]) == word[i])
        i++;
    *at += word[i] ? 0 : i;
}

/* The promotion: a number, or its name with or without the prefixes of the driver. */
static enum wsim_status read_l2(const struct lf_node *at, uint64_t *out, struct wsim_diag *diag) {
    static const char *const known[] = {"NONE", "64B", "128B", "256B"};
    const struct lf_node *value = lf_member(at, "l2");
    const char *word = value && value->kind == LF_STRING ? value->text : NULL;
    if (!word)
        return read_number(at, "l2", UINT32_MAX, out, diag);
    skip_word(&word, "CU_TENSOR_MAP_");
    skip_word(&word, "L2_PROMOTION_");
    skip_word(&word, "L2_");
    for (*out = 0; *out < 4; ++*out)
        if (same_word(word, known[*out]))
            return WSIM_OK;
    return lf_refuse(diag, value, RULE_LAUNCH_NAME_UNKNOWN,
                     "unknown promotion '%s': expected 0 to 3, NONE, 64B, 128B or 256B",
                     lf_cut(value->text).text);
}

static enum wsim_status read_numbers(const struct lf_node *at, struct wsim_tensor *t,
                                     struct wsim_diag *diag) {
    uint64_t l2 = 0, channels = 0, pixels = 0;
    enum wsim_status status = read_l2(at, &l2, diag);
    if (!status)
        status = read_number(at, "channels", UINT32_MAX, &channels, diag);
    if (!status)
        status = read_number(at, "pixels", UINT32_MAX, &pixels, diag);
    if (!status)
        status = read_number(at, "base", INT64_MAX, &t->base, diag);
    t->l2 = (uint32_t)l2;
    t->channels = (uint32_t)channels;
    t->pixels = (uint32_t)pixels;
    return status;
}

/* --- the whole --- */

static enum wsim_status read_box(const struct lf_node *at, struct wsim_tensor *t,
                                 struct wsim_diag *diag) {
    const struct lf_node *box = lf_member(at, "box");
    enum wsim_status status;
    if (t->mode == WSIM_TENSOR_TILED)
        return read_words(at, "box", t->rank, t->box, diag);
    if (box)
        return lf_refuse(diag, box, RULE_LAUNCH_FIELD_WRONG,
                         "an im2col map has channels and pixels instead of a box");
    if (!lf_member(at, "channels") || !lf_member(at, "pixels"))
        return lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG,
                         "%s is missing: an im2col map has lower, upper, channels and pixels",
                         lf_member(at, "channels") ? "pixels" : "channels");
    status = read_corners(at, "lower", t, t->lower, diag);
    return status ? status : read_corners(at, "upper", t, t->upper, diag);
}

static enum wsim_status read_strides(const struct lf_node *at, struct wsim_tensor *t, int *packed,
                                     struct wsim_diag *diag) {
    struct wsim_diag why, words;
    *packed = 0;
    if (lf_member(at, "strides"))
        return read_wide(at, "strides", t->rank, t->rank - 1, INT64_MAX, t->strides, diag);
    if (t->rank == 1)
        return WSIM_OK;
    *packed = 1;
    if (!wsim_tensor_pack(t, &why))
        return WSIM_OK;
    words = why;
    snprintf(words.text, sizeof words.text, "strides are not given: %.290s", why.text);
    return lf_repeat(diag, at, &words);
}

static enum wsim_status read_lists(const struct lf_node *at, struct wsim_tensor *t, int *packed,
                                   struct wsim_diag *diag) {
    const char *estrides = lf_member(at, "estrides") ? "estrides" : "elementStrides";
    enum wsim_status status = read_wide(at, "dims", t->rank, t->rank, INT64_MAX, t->dims, diag);
    for (uint32_t i = 0; i < t->rank; i++)
        t->estrides[i] = 1;
    if (!status)
        status = read_strides(at, t, packed, diag);
    if (!status && lf_member(at, estrides))
        status = read_words(at, estrides, t->rank, t->estrides, diag);
    return status ? status : read_box(at, t, diag);
}

enum wsim_status lf_tensor(const struct lf_node *at, const char *const *others,
                           struct wsim_tensor *t, int *packed, struct wsim_diag *diag) {
    const struct lf_node *dims = lf_member(at, "dims");
    enum wsim_status status = check_members(at, others, diag);
    *t = (struct wsim_tensor){0};
    if (lf_member(at, "lower") || lf_member(at, "upper") || lf_member(at, "channels") ||
        lf_member(at, "pixels"))
        t->mode = WSIM_TENSOR_IM2COL;
    t->rank = dims ? dims->count : 0;
    if (!status && !dims)
        status =
            lf_refuse(diag, at, RULE_LAUNCH_FIELD_WRONG,
                      "dims is missing: a tensor map has 1 to %d dimensions", WSIM_TENSOR_RANK);
    if (!status && (dims->kind != LF_ARRAY || t->rank < 1 || t->rank > WSIM_TENSOR_RANK))
        status = lf_refuse(diag, dims, RULE_LAUNCH_FIELD_WRONG,
                           "%u numbers: a tensor map has 1 to %d dimensions", (unsigned)t->rank,
                           WSIM_TENSOR_RANK);
    if (!status)
        status = read_names(at, t, diag);
    if (!status)
        status = read_numbers(at, t, diag);
    return status ? status : read_lists(at, t, packed, diag);
}

enum wsim_status wsim_launch_tensor(const char *json, size_t size, struct wsim_tensor *tensor,
                                    int *packed, struct wsim_diag *diag) {
    static const char *const others[] = {NULL};
    struct lf_memory memory = {NULL};
    struct wsim_tensor read;
    struct lf_node root;
    int without = 0;
    enum wsim_status status = lf_json_read(json, size, &memory, &root, diag);
    if (!status && root.kind != LF_OBJECT)
        status = lf_refuse(diag, &root, RULE_LAUNCH_FIELD_WRONG,
                           "a tensor map is a JSON object, {\"dtype\": ...}");
    if (!status)
        status = lf_tensor(&root, others, &read, &without, diag);
    lf_drop(&memory);
    if (!status) {
        *tensor = read;
        *packed = without;
    }
    return status;
}
