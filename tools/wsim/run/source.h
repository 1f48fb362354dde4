/* source.h - lines of the sources that PTX names in its .loc directives. */
#ifndef WSIM_RUN_SOURCE_H
#define WSIM_RUN_SOURCE_H

#include <stddef.h>

struct source;

/* Sources below `folder`, a text that is copied. */
struct source *source_open(const char *folder);
void source_close(struct source *source);

/* Line `line`, from 1, of the file that the PTX calls `name`, without the blanks around it; NULL:
 * there is none. A name that leads elsewhere is looked for by its last folders and its last word:
 * PTX has the paths of the machine that compiled it, and only what lies below the folder is read.
 * Valid until source_close. */
const char *source_line(struct source *source, const char *name, unsigned line);

/* The last word of a path. */
const char *source_name(const char *path);

#endif
