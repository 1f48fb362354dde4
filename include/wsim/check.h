/* check.h - assertions for tests with Check (https://libcheck.github.io/check/). They say which
 * lane, register and element differs first, and which bank costs. Include <check.h> before it; link
 * -lm.
 *
 *     ck_assert_fragment_eq(&layout, actual.r[0], expected.r[0]);
 *     ck_assert_conflict_free(&op, arch, addresses);
 */
#ifndef WSIM_CHECK_H
#define WSIM_CHECK_H

#include "differ.h"
#include "isa.h"

/* Both are registers of the layout: uint32_t words in rows of its lanes. */
#define ck_assert_fragment_eq(layout, actual, expected)                                            \
    do {                                                                                           \
        const struct wsim_layout *wsim_ck_layout = (layout);                                       \
        struct wsim_difference wsim_ck_difference =                                                \
            wsim_words_differ(wsim_ck_layout, (actual), (expected));                               \
        char wsim_ck_text[WSIM_DIFFER_TEXT];                                                       \
        wsim_difference_text(wsim_ck_layout, &wsim_ck_difference, wsim_ck_text);                   \
        ck_assert_msg(wsim_ck_difference.count == 0, "%s == %s: %s", #actual, #expected,           \
                      wsim_ck_text);                                                               \
    } while (0)

/* Asserts that `op` costs a warp at most `most` wavefronts at these 32 byte addresses, one a lane.
 * `op` is a struct wsim_op * of ld st atom red ldmatrix stmatrix. */
#define ck_assert_wavefronts_le(op, arch, addresses, most)                                         \
    do {                                                                                           \
        struct wsim_cost wsim_ck_cost;                                                             \
        struct wsim_diag wsim_ck_diag;                                                             \
        struct wsim_access_text wsim_ck_text;                                                      \
        enum wsim_status wsim_ck_status = wsim_access_count(                                       \
            (op), (arch), (addresses), 0xFFFFFFFFu, &wsim_ck_cost, &wsim_ck_text, &wsim_ck_diag);  \
        ck_assert_msg(wsim_ck_status == WSIM_OK, "%s: %s", #addresses, wsim_ck_diag.text);         \
        ck_assert_msg(wsim_ck_cost.wavefronts <= (most), "%s: %lu wavefronts, not %lu\n%s",        \
                      #addresses, (unsigned long)wsim_ck_cost.wavefronts, (unsigned long)(most),   \
                      wsim_ck_text.text);                                                          \
    } while (0)

/* The same: as few as the same lanes can have. */
#define ck_assert_conflict_free(op, arch, addresses)                                               \
    ck_assert_wavefronts_le(op, arch, addresses, wsim_ck_cost.ideal)

#endif
