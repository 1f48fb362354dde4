/* manual.h - manual pages, made of the rows and texts of --help. */
#ifndef WSIM_MANUAL_H
#define WSIM_MANUAL_H

#include "../commands.h"

/* Writes a page of section 1 on standard output, in the man macros: of the command, or, NULL, of
 * the program. An exit status. */
int manual_page(const struct commands *commands, const struct command *command);

#define MANUAL_STATUS                                                                              \
    "0 fine, 1 a difference or a finding, 2 wrong usage or input,\n"                               \
    "3 legal, but not modelled (wsim why --rules unmodelled).\n"

#endif
