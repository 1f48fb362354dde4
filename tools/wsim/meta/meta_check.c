/* Findings in metadata, or in a matrix to be compressed, group by group. */
#include "meta.h"
#include "../../lib/number.h"

#include <string.h>

/* Why the pattern does not define a nibble. */
static void explain_nibble(const struct meta *meta, struct meta_finding *finding) {
    unsigned nibble = finding->read.nibble, low = nibble & 3, high = nibble >> 2;
    const char *unit = meta->pattern.columns == 8 ? "pair" : "column";
    if (meta->pattern.kept == 1)
        snprintf(finding->text, sizeof finding->text,
                 "a pattern of 1:2 has 0x4 (column 0) and 0xe (column 1) only");
    else if (low == high)
        snprintf(finding->text, sizeof finding->text, "both indices name %s %u", unit, low);
    else
        snprintf(finding->text, sizeof finding->text,
                 "indices %u, %u descend: .sp::ordered_metadata has them ascend", low, high);
}

static int find_in_metadata(const struct meta *meta, struct meta_finding *finding) {
    wsim_meta_read(&meta->op, meta->words_e.words, meta->selector, finding->row, finding->group,
                   &finding->read, NULL);
    if (finding->read.defined)
        return 0;
    explain_nibble(meta, finding);
    return 1;
}

static int is_zero(const struct meta *meta, uint64_t bits) {
    return number_value(&meta->dense, bits).cls == WSIM_ZERO;
}

static int find_in_matrix(const struct meta *meta, struct meta_finding *finding) {
    const struct wsim_meta_pattern *p = &meta->pattern;
    const uint64_t *elements =
        meta->matrix + (size_t)finding->row * meta->dense.cols + finding->group * p->columns;
    unsigned nibble, pairs = 0;
    finding->nonzeros = 0;
    if (!wsim_meta_choose(&meta->op, elements, &nibble, NULL))
        return 0;
    for (unsigned i = 0; i < p->columns; i++)
        finding->nonzeros += !is_zero(meta, elements[i]);
    for (unsigned i = 0; i < p->columns; i += 2)
        pairs += !is_zero(meta, elements[i]) || !is_zero(meta, elements[i + 1]);
    if (p->columns == 8)
        snprintf(finding->text, sizeof finding->text,
                 "%u pairs have nonzeros: of 4 pairs of columns 2 are kept", pairs);
    else
        snprintf(finding->text, sizeof finding->text, "%u nonzeros: of %u columns %u %s kept",
                 finding->nonzeros, p->columns, p->kept, p->kept == 1 ? "is" : "are");
    return 1;
}

int meta_next_finding(const struct meta *meta, int matrix, unsigned *cursor,
                      struct meta_finding *finding) {
    unsigned groups = meta->pattern.groups, all = groups * meta->pattern.rows;
    while (*cursor < all) {
        memset(finding, 0, sizeof *finding);
        finding->row = *cursor / groups;
        finding->group = *cursor % groups;
        ++*cursor;
        if ((matrix ? find_in_matrix : find_in_metadata)(meta, finding))
            return 1;
    }
    return 0;
}
