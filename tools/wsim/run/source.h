/* source.h - lines of the sources that PTX names in its .loc directives. */
#ifndef WSIM_RUN_SOURCE_H
#define WSIM_RUN_SOURCE_H

#include <stddef.h>

struct source;

/* Sources below `folder`, which is copied. */
struct source *source_open(const char *folder);
void source_close(struct source *source);

/* Line `line`, from 1, of the file that the PTX calls `name`, without blanks around it; NULL: none.
 * PTX has the paths of the machine that compiled it. A path is therefore tried without its first
 * folders, and only files below the folder are read. Valid until source_close. */
const char *source_line(struct source *source, const char *name, unsigned line);

/* The text of such a file as it is; NULL: none. */
const char *source_text(struct source *source, const char *name);

#endif
