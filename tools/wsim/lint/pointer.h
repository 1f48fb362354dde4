/* pointer.h - whether an operand of a statement is a pointer of C++, as far as the text around
 * shows.
 */
#ifndef WSIM_LINT_POINTER_H
#define WSIM_LINT_POINTER_H

#include "source.h"

/* Whether `value` is a pointer, or an array, that nothing has made an address of shared memory of:
 * `&x`, a cast to a pointer, or a name whose nearest declaration before the statement `at` says so.
 * What cannot be seen is none. */
int pointer_in(const char *file, size_t at, struct lint_span value);

#endif
