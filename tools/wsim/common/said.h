/* said.h - text that is no instruction but is often pasted: names of CUDA C++, counters, messages
 * of other tools.
 */
#ifndef WSIM_SAID_H
#define WSIM_SAID_H

/* A sentence about `text`: its kind, and the command that helps. NULL: it is not known. */
const char *said_about(const char *text);

/* The same of a word in the place of a command: the command or the page that does it. */
const char *said_task(const char *word);

#endif
