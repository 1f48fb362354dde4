/* sarif.h - findings as SARIF 2.1.0. */
#ifndef WSIM_LINT_SARIF_H
#define WSIM_LINT_SARIF_H

#include <jansson.h>
#include <wsim/harness/lint.h>

/* A result. `results` are those before it, `rules` describes the rules that they name. */
void sarif_add(json_t *results, json_t *rules, const char *file,
               const struct wsim_lint_finding *finding);

/* Prints the log and releases both. */
void sarif_print(json_t *results, json_t *rules);

#endif
