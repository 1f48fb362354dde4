/* beside.h - files that data from elsewhere names: traces, launch files. */
#ifndef WSIM_BESIDE_H
#define WSIM_BESIDE_H

#include "../status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the plain file `name` below the folder `dir` for reading, to be closed. Errors: WSIM_SYNTAX
 * (no folder; a name that begins with '/' or has "..", or that leads through a link below the
 * folder; no plain file; not to be opened). Where there is no POSIX the name alone is looked at. */
WSIM_API enum wsim_status wsim_beside_open(const char *dir, const char *name, FILE **file,
                                           struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
