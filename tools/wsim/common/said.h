/* said.h - what is no instruction, but what people have before them: names of CUDA C++, counters,
 * messages of other tools.
 */
#ifndef WSIM_SAID_H
#define WSIM_SAID_H

/* What `text` is and where wsim has what it is about; NULL: nothing known. */
const char *said_about(const char *text);

#endif
