/* passes.h - all passes that passes.def names. */
#ifndef WSIM_WATCH_PASSES_H
#define WSIM_WATCH_PASSES_H

struct run_build;

#define PASS(when, pass) int pass(struct run_build *build);
#include "passes.def"
#undef PASS

#endif
