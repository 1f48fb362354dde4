/* nearest.h - what was meant by a name that is none. */
#ifndef WSIM_NEAREST_H
#define WSIM_NEAREST_H

#include <stddef.h>

/* Number of single-character edits between two names, of which only the first 63 characters count.
 */
unsigned nearest_distance(const char *a, const char *b);

#endif
