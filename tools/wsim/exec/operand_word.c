/* Words on the command line that mean random numbers or hex digits; see operand_word.h. */
#include "operand_word.h"
#include "../common/tool.h"

#include <string.h>

uint64_t operand_mix(uint64_t z) {
    return wsim_hash_mix(z);
}

uint64_t operand_random(uint64_t seed, uint64_t i) {
    return operand_mix(operand_mix(seed * UINT64_C(0x9e3779b97f4a7c15) + 1) + i);
}

int operand_is_random(const char *text) {
    return strncmp(text, "random:", 7) == 0;
}

int operand_seed(const char *what, const char *text, uint32_t *seed) {
    char option[32];
    snprintf(option, sizeof option, "%s random:", what);
    return tool_number(option, operand_is_random(text) ? text + 7 : NULL, UINT32_MAX, seed);
}

int operand_is_hex(const char *text) {
    return *text == '@' || strncmp(text, "hex:", 4) == 0 ||
           (*text && strspn(text, "0123456789abcdefABCDEF_ ") == strlen(text));
}
