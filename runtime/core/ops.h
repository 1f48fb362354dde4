/* ops.h - values in memory that streams and graphs write, or wait for. */
#ifndef WSIM_RUNTIME_OPS_H
#define WSIM_RUNTIME_OPS_H

#include "state.h"

/* Checks operations of a node: flags, and memory that is there. */
int ops_check(const struct wsimrt_op *ops, unsigned n);

/* Puts their work behind a list. */
int ops_expand(const struct wsimrt_op *ops, unsigned n, struct wsimrt_stream *stream,
               struct work ***at);

#endif
