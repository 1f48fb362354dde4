/* Shared memory from a word on the command line, and words of random numbers; see operand.h. */
#include "../common/input.h"
#include "../common/memory.h"
#include "operand.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

uint64_t operand_random(uint64_t seed, uint64_t i) {
    return wsim_hash_mix(wsim_hash_mix(seed * UINT64_C(0x9e3779b97f4a7c15) + 1) + i);
}

int operand_is_random(const char *text) {
    return strncmp(text, "random:", 7) == 0;
}

uint32_t operand_seed(const char *what, const char *text) {
    char option[32];
    uint32_t seed = 0;
    snprintf(option, sizeof option, "%s random:", what);
    tool_number(option, operand_is_random(text) ? text + 7 : NULL, UINT32_MAX, &seed);
    return seed;
}

int operand_is_hex(const char *text) {
    return *text == '@' || strncmp(text, "hex:", 4) == 0 ||
           (*text && strspn(text, "0123456789abcdefABCDEF_ ") == strlen(text));
}

enum { MEMORY_MAX = 16 << 20 };

/* Memory from hex digits, two a byte. */
static uint8_t *hex_memory(const char *text, uint32_t *size) {
    char *digits = input_hex("--smem", text);
    const size_t length = strlen(digits);
    uint8_t *bytes = memory_make(length / 2 + 1, 1);
    if (length % 2)
        tool_fail("--smem: %lu hex digits, but each byte has two", (unsigned long)length);
    for (size_t i = 0; i < length / 2; i++)
        bytes[i] = (uint8_t)input_digits(digits + 2 * i, 2);
    *size = (uint32_t)(length / 2);
    free(digits);
    return bytes;
}

/* Bytes an integer of iota takes, 0 for another word. */
static unsigned iota_bytes(const char *text) {
    return strcmp(text, "iota8") == 0    ? 1
           : strcmp(text, "iota16") == 0 ? 2
           : strcmp(text, "iota32") == 0 ? 4
                                         : 0;
}

/* Reads "A:LENGTH" after a prefix; `hex`: A is two hex digits, else a decimal number. */
static int read_pair(const char *text, int hex, uint64_t *first, uint32_t *length) {
    const char *colon = strchr(text, ':');
    char *end;
    if (!colon || colon == text || (hex && colon - text != 2) ||
        strspn(text, hex ? "0123456789abcdef" : "0123456789") != (size_t)(colon - text) ||
        !tool_is_number(colon + 1, strlen(colon + 1), MEMORY_MAX, length) || *length == 0)
        return 0;
    *first = strtoull(text, &end, hex ? 16 : 10);
    return 1;
}

/* Memory as traces write it; NULL if `text` is no such word. */
static uint8_t *trace_memory(const char *text, uint32_t *size) {
    int is_fill = strncmp(text, "@fill:", 6) == 0, is_mix = strncmp(text, "@mix:", 5) == 0;
    uint64_t first = 0;
    uint8_t *bytes;
    if (!is_fill && !is_mix)
        return NULL;
    if (!read_pair(text + (is_fill ? 6 : 5), is_fill, &first, size))
        tool_fail("--smem '%s': must be @mix:SEED:LENGTH or @fill:BB:LENGTH, with two hex digits "
                  "BB and a length of 1 to %d",
                  text_cut(text).text, MEMORY_MAX);
    bytes = memory_make(*size, 1);
    for (uint32_t i = 0; i < *size; i++)
        bytes[i] = (uint8_t)(is_fill ? first : wsim_hash_mix(first + i / 8 * 8) >> i % 8 * 8);
    return bytes;
}

uint8_t *operand_memory(const char *text, uint32_t *size) {
    const unsigned step = iota_bytes(text);
    const int random = operand_is_random(text);
    const uint32_t seed = operand_seed("--smem", text);
    uint8_t *bytes = trace_memory(text, size);
    if (bytes)
        return bytes;
    if (!step && !random && strcmp(text, "zero") != 0) {
        if (operand_is_hex(text))
            return hex_memory(text, size);
        tool_fail("--smem '%s': must be zero, iota8, iota16, iota32, random:SEED, hex digits, "
                  "@mix:SEED:LENGTH, @fill:BB:LENGTH or @FILE",
                  text_cut(text).text);
    }
    bytes = memory_make(*size + 1u, 1);
    for (uint32_t i = 0; i < *size; i++)
        if (random)
            bytes[i] = (uint8_t)(operand_random(seed, i / 8) >> i % 8 * 8);
        else if (step)
            bytes[i] = (uint8_t)(i / step >> i % step * 8);
    return bytes;
}

char *operand_bytes_hex(const uint8_t *bytes, uint32_t size) {
    char *text = memory_make(2 * (size_t)size + 1, 1);
    uint32_t i;
    for (i = 0; i < size; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    return text;
}
