/* path_option.h - --path: by which machine code products are computed. */
#ifndef WSIM_PATH_OPTION_H
#define WSIM_PATH_OPTION_H

#include <stdint.h>

/* The flag of wsim_prepare that `text` (NULL: the best there is, 0) means. TOOL_GO, or TOOL_USAGE
 * after saying which names there are on this machine. */
int path_option(const char *text, uint32_t *flags);

#endif
