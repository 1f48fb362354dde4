/* files.h - the recordings under traces/, and their cases. */
#ifndef TESTS_GOLDEN_FILES_H
#define TESTS_GOLDEN_FILES_H

#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

/* Finds all recordings; other files (.md, binary companions) are ignored. Answers how many
 * there are, -1 if the folder cannot be read. */
int files_find(void);

/* The path of number `index`, in the order of their names, as it is found from the root of the
 * sources: "traces/sm_90a/mma.trace.zst". */
const char *files_path(int index);

/* Calls `each` for every case of a file, with its line; answers how many there are. An
 * unreadable file fails the test. With `holds` only lines that hold this text are cases; NULL: all.
 */
unsigned files_cases(int index, const char *holds,
                     void (*each)(struct wsim_trace *trace, const char *path, unsigned line,
                                  void *about),
                     void *about);

/* Whether recordings can be read: they need zstd. */
int files_readable(void);

#endif
