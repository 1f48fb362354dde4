/* watch.h - accesses of the host to memory that work of streams may still use.
 *
 * Between two calls, pages of pinned and managed memory that unfinished work wrote (or read) are
 * protected. An access of the program to such a byte is a finding; then it goes on. */
#ifndef WSIM_RUNTIME_WATCH_H
#define WSIM_RUNTIME_WATCH_H

/* Before the runtime uses memory, and before the program goes on. */
void watch_open(void);
void watch_close(void);

#endif
