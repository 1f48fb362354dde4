/* tma_command.h - the actions of wsim tma. Each states its answer and closes the document. */
#ifndef WSIM_TMA_COMMAND_H
#define WSIM_TMA_COMMAND_H

#include "../common/doc.h"
#include "tma_copy.h"

/* `wsim tma check`. It leaves the document open, and answers TOOL_FOUND if the map is refused. */
int tma_check(struct doc *doc, const struct wsim_tensor *tensor, const struct wsim_arch *arch);

/* `wsim tma show`, `show` of one element, `wsim tma load` and `wsim tma store`. */
int tma_show(struct doc *doc, const struct tma_request *request, struct tma_copy *copy);
int tma_where(struct doc *doc, const struct tma_request *request, struct tma_copy *copy);
int tma_load(struct doc *doc, const struct tma_request *request, struct tma_copy *copy);
int tma_store(struct doc *doc, const struct tma_request *request, struct tma_copy *copy);

#endif
