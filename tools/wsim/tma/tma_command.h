/* tma_command.h - what wsim tma does with a copy. */
#ifndef WSIM_TMA_COMMAND_H
#define WSIM_TMA_COMMAND_H

#include "tma_copy.h"

/* `wsim tma show`, what it says of one element, `wsim tma load` and `wsim tma store`. */
int tma_show(const struct tma_request *request, const struct tma_copy *copy);
int tma_where(const struct tma_request *request, const struct tma_copy *copy);
int tma_move(const struct tma_request *request, struct tma_copy *copy);
int tma_store(const struct tma_request *request, const struct tma_copy *copy);

#endif
