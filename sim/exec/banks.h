/* banks.h - the count of one access by a rule of banks.def. */
#ifndef WSIM_EXEC_BANKS_H
#define WSIM_EXEC_BANKS_H

#include "../machine/machine.h"
#include "exec.h"

#include <wsim/banks.h>

/* `lanes`: those that there are, in groups as the rule has them. */
void exec_banks_count(const struct isa_banks *rule, const struct machine_access *access,
                      unsigned lanes, struct wsim_banks *out);

#endif
