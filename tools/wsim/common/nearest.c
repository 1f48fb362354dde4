/* Edit distance, row by row of the matrix of prefixes. */
#include "nearest.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 63 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b) {
    unsigned row[NAME_MAX_LENGTH + 1]; /* from the first i characters of a to each start of b */
    size_t m = strlen(a), n = strlen(b);
    m = m < NAME_MAX_LENGTH ? m : NAME_MAX_LENGTH;
    n = n < NAME_MAX_LENGTH ? n : NAME_MAX_LENGTH;
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned before = row[0]; /* of the row above, one to the left */
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned above = row[j], changed = before + (a[i - 1] != b[j - 1]);
            row[j] = least(changed, least(above, row[j - 1]) + 1);
            before = above;
        }
    }
    return row[n];
}
