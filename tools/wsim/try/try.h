/* try.h - commands for the first minute. */
#ifndef WSIM_TRY_H
#define WSIM_TRY_H

/* Prints the commands of wsim try, with a line about each. `before` precedes the first. */
void try_print_steps(const char *before);

#endif
