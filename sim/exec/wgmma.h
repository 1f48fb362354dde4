/* wgmma.h - wgmma with C and D either way that registers are given. */
#ifndef WSIM_EXEC_WGMMA_H
#define WSIM_EXEC_WGMMA_H

#include "product.h"

/* Does what exec_wgmma does, with C and D from elsewhere than io->c and io->d. */
enum wsim_status wgmma_run(const struct wsim_code *code, const struct wsim_io *io,
                           struct product_in c, struct product_out d, struct wsim_diag *diag);

#endif
