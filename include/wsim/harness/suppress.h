/* suppress.h - findings that a person chose to leave out: of lint, of kernels and of calls.
 *
 *     const char *const ignore[] = {"race.global@sum.cu:41", NULL}, *reason;
 *     struct wsim_suppress_options options = {ignore, NULL, NULL, NULL};
 *     struct wsim_suppress *list;
 *     if (wsim_suppress_make(&options, &list, &diag) == WSIM_OK &&
 *         wsim_suppress_find(list, &finding, &reason))
 *         printf("left out by %s\n", reason);
 *     wsim_suppress_free(list);
 *
 * There are three ways: an entry RULE[@PLACE[:LINE]], a control comment in the source ("wsim-lint:
 * off-line"), and a baseline of known findings. RULE is a rule or words that it begins with. PLACE
 * is a kernel, a function, a program or library, or a file. A kernel has its mangled name or its
 * last name in the source. A file can leave out its first folders. LINE is a line of either place
 * of the finding.
 */
#ifndef WSIM_HARNESS_SUPPRESS_H
#define WSIM_HARNESS_SUPPRESS_H

#include "lint.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_suppress;

struct wsim_suppress_options {
    const char *const *ignore;                 /* entries, with NULL at the end; NULL: none */
    const struct wsim_lint_baseline *baseline; /* which outlives the list; NULL: none       */
    /* The text of a file that a finding names, with a 0 at the end, good until the next call; NULL:
     * it is not there. Its comments count. A NULL function: no comments. */
    const char *(*text)(void *user, const char *file);
    void *user;
};

/* Copies the entries. Errors: WSIM_SYNTAX (no entry), WSIM_OPERAND (no rule has that name; diag
 * names the nearest), WSIM_NO_MEMORY, with *list NULL. */
WSIM_API enum wsim_status wsim_suppress_make(const struct wsim_suppress_options *options,
                                             struct wsim_suppress **list, struct wsim_diag *diag);

/* Frees a list; NULL is allowed. */
WSIM_API void wsim_suppress_free(struct wsim_suppress *list);

/* The place of a finding. Unknown names are NULL, unknown lines 0. */
struct wsim_suppress_finding {
    const char *rule;
    const char *kernel; /* or the function of a call */
    const char *object; /* of a call: the file of its code */
    const char *file, *other_file;
    uint32_t line, other_line;
    uint64_t fingerprint; /* for baselines */
    uint64_t place;       /* tells calls of one function apart; 0: the lines do */
};

enum wsim_suppress_kind {
    WSIM_SUPPRESS_NOT,     /* the finding counts                      */
    WSIM_SUPPRESS_IGNORED, /* an entry leaves it out                  */
    WSIM_SUPPRESS_COMMENT, /* a comment in the source                 */
    WSIM_SUPPRESS_KNOWN    /* the baseline                            */
};

/* The place of a finding, never 0: `place`, or else its two lines in either order. An entry of a
 * baseline covers one place. */
WSIM_API uint64_t wsim_suppress_place(const struct wsim_suppress_finding *finding);

/* Why a finding is left out. *reason: the entry, the text of the comment after "--", or "". It is
 * good until the next call. More findings of a place that an entry covers are covered too. */
WSIM_API enum wsim_suppress_kind wsim_suppress_find(struct wsim_suppress *list,
                                                    const struct wsim_suppress_finding *finding,
                                                    const char **reason);

/* Whether an entry with a place is about a rule: it may leave out a finding whose file is not known
 * yet. */
WSIM_API int wsim_suppress_may(const struct wsim_suppress *list, const char *rule);

/* Unused entry number `index`, which left nothing out; NULL past the last. */
WSIM_API const char *wsim_suppress_unused(const struct wsim_suppress *list, size_t index);

/* Entries of the baseline without a finding. */
WSIM_API size_t wsim_suppress_stale(const struct wsim_suppress *list);

/* Finding `index` of lint that does not count, by line and column, and why. *finding is as from
 * wsim_lint_at. *reason is as from wsim_suppress_find, but lives as long as `lint`. Past the last:
 * WSIM_SUPPRESS_NOT, and nothing is written. */
WSIM_API enum wsim_suppress_kind wsim_lint_suppressed(const struct wsim_lint *lint, size_t index,
                                                      struct wsim_lint_finding *finding,
                                                      const char **reason);

/* A hash of a rule, and of the lines of both places without blanks, which may be NULL. It is the
 * same if the places are exchanged. */
WSIM_API uint64_t wsim_suppress_fingerprint(const char *rule, const char *line, const char *other);

#ifdef __cplusplus
}
#endif
#endif
