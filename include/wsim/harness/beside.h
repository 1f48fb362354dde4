/* beside.h - files that untrusted data names: traces, launch files. */
#ifndef WSIM_BESIDE_H
#define WSIM_BESIDE_H

#include "../status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the plain file `name` below the folder `dir` for reading; the caller closes it. Errors:
 * WSIM_SYNTAX. There is no folder, or no plain file that can be opened. The name begins with '/' or
 * has "..". The name leads through a link below the folder. Without POSIX, only the name is
 * checked. */
WSIM_API enum wsim_status wsim_beside_open(const char *dir, const char *name, FILE **file,
                                           struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
