/* version.h - what wsim --version says. */
#ifndef WSIM_VERSION_H
#define WSIM_VERSION_H

/* TOOL_FINE. */
int version_print(void);

/* "2026-11-22": of the commit that was built, or of the day if that is not known. */
const char *version_date(void);

#endif
