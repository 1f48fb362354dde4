/* Edit distance with exchanges, bounded: distant words fail at once. */
#include "near.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* One slip in a short word, one more for every three characters. */
static unsigned slips(size_t n) {
    return n < 5 ? 1 : (unsigned)(n + 1) / 3;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned near_edits(const char *a, size_t n, const char *b, size_t m, unsigned most) {
    unsigned rows[3][NEAR_MAX + 1]; /* the last two rows of the table, and the one being made */
    size_t apart = n > m ? n - m : m - n;
    most = least(most, slips(n > m ? n : m));
    if (apart > most || n > NEAR_MAX || m > NEAR_MAX)
        return NEAR_NEVER;
    for (; n && m && lower(*a) == lower(*b); n--, m--) /* what both begin and end with is free */
        a++, b++;
    while (n && m && lower(a[n - 1]) == lower(b[m - 1]))
        n--, m--;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        unsigned best = row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            const int same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = least(above[j - 1] + !same, least(above[j], row[j - 1]) + 1);
            if (!same && i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
            best = least(best, row[j]);
        }
        if (best > most)
            return NEAR_NEVER;
    }
    return rows[n % 3][m] > most ? NEAR_NEVER : rows[n % 3][m];
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number of at most five digits; longer ones differ anyway. */
static uint32_t number_at(const char *text, size_t n, size_t *at) {
    uint32_t value = 0;
    for (; *at < n && is_digit(text[*at]); ++*at)
        value = value < 10000 ? 10 * value + (uint32_t)(text[*at] - '0') : value;
    return value;
}

uint32_t near_numbers(const char *a, size_t n, const char *b, size_t m) {
    uint32_t sum = 0, numbers = 0;
    size_t i = 0, j = 0;
    while (i < n && j < m) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const uint32_t x = number_at(a, n, &i), y = number_at(b, m, &j);
            sum += x > y ? x - y : y - x;
            numbers++;
        } else if (lower(a[i++]) != lower(b[j++]))
            return UINT32_MAX;
    }
    return i == n && j == m && numbers > 1 ? sum : UINT32_MAX;
}
