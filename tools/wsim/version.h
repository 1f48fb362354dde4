/* version.h - what wsim --version says. */
#ifndef WSIM_VERSION_H
#define WSIM_VERSION_H

/* TOOL_FINE. */
int version_print(void);

#endif
