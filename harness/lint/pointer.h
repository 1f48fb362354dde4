/* pointer.h - whether an operand of an asm statement is a pointer of C++. */
#ifndef WSIM_LINT_POINTER_H
#define WSIM_LINT_POINTER_H

#include "text.h"

/* Whether `value` is a pointer or an array: `&x`, a cast, or a name. The nearest declaration of a
 * name before offset `from` counts. A value from a function, or of unknown type, is no pointer. */
int lint_is_pointer(const char *file, size_t from, struct lint_span value);

#endif
