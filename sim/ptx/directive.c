/* Directives that declare something or are legal anywhere. */
#include "../isa/isa.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

static int linkage_of(const char *word) {
    return strcmp(word, "extern") == 0    ? PTX_EXTERN
           : strcmp(word, "visible") == 0 ? PTX_VISIBLE
           : strcmp(word, "weak") == 0    ? PTX_WEAK
           : strcmp(word, "common") == 0  ? PTX_COMMON
                                          : PTX_INTERNAL;
}

/* The mask of the bytes that the next load uses. Compilers join loads into a longer one, which may
 * reach beyond the memory (PTX ISA 9.0, "used_bytes_mask"). */
static void take_used(struct reader *r, unsigned long number) {
    r->used = (uint32_t)number;
}

/* A pragma of the instructions of a body, and its number. Source: the assembler. */
static const struct pragma {
    const char *word;
    void (*take)(struct reader *r, unsigned long number);
} pragmas[] = {{"used_bytes_mask", take_used}, {"frequency", NULL}, {"enable_smem_spilling", NULL}};

static void read_pragma(struct reader *r, const char *text, uint32_t length, int place,
                        struct place at) {
    const size_t word = strcspn(text, " \"");
    for (size_t i = 0; i < sizeof pragmas / sizeof pragmas[0]; i++) {
        if (strlen(pragmas[i].word) != word || memcmp(pragmas[i].word, text, word))
            continue;
        char *end = NULL;
        const unsigned long number = word < length ? strtoul(text + word, &end, 0) : 0;
        if (place != PRAGMA_BODY)
            ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "this pragma belongs into a body");
        else if (i < 2 &&
                 (!end || end == text + word || end != text + length || memchr(text, '-', length)))
            ptx_complain(r, RULE_PTX_NUMBER_WRONG, at, "this pragma needs a number");
        else if (pragmas[i].take)
            pragmas[i].take(r, number);
        return;
    }
    if (place == PRAGMA_MODULE && (length != 8 || memcmp(text, "nounroll", 8)))
        ptx_complain_unknown(r, RULE_PTX_DIRECTIVE_UNKNOWN, RULE_PTX_DIRECTIVE_UNMODELLED, at,
                             "unknown pragma '%.*s' of a module: only nounroll is known",
                             length > 40 ? 40 : (int)length, text);
}

/* Reads a pragma. All but one do not change the meaning of a program, and the assembler ignores
 * those of functions that it does not know. */
int ptx_pragma(struct reader *r, int place) {
    const char *text;
    uint32_t length;
    do {
        ptx_skip(r);
        const struct place at = ptx_here(r);
        if (!ptx_string(r, &text, &length))
            return 0;
        read_pragma(r, text, length, place, at);
    } while (ptx_accept(r, ','));
    return ptx_expect(r, ';', "after .pragma");
}

static int unknown(struct reader *r, const char *word, struct place at) {
    unsigned edits;
    const char *nearest = ptx_directive_near(word, &edits);
    /* .version, .target and .address_size take a line. */
    if (nearest && edits == 0) {
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is not allowed here", word);
        r->at += strcspn(r->at, "\n{};");
        return 1;
    }
    if (nearest)
        ptx_complain_unknown(r, ptx_directive_rule(word), RULE_PTX_DIRECTIVE_UNMODELLED, at,
                             "unknown directive '.%s'; did you mean '.%s'?", word, nearest);
    else
        ptx_complain_unknown(r, ptx_directive_rule(word), RULE_PTX_DIRECTIVE_UNMODELLED, at,
                             "unknown directive '.%s'", word);
    return 0;
}

/* .loc, .file and .section end with what they hold, not with a semicolon. */
static int debug(struct reader *r, const char *word) {
    if (strcmp(word, "loc") == 0)
        return ptx_loc(r);
    if (strcmp(word, "file") == 0)
        return ptx_file(r);
    return ptx_section(r);
}

static int is_debug(const char *word) {
    return strcmp(word, "loc") == 0 || strcmp(word, "file") == 0 || strcmp(word, "section") == 0;
}

static int is_outside(struct reader *r, const char *word, struct place at) {
    if (!r->function)
        return 1;
    ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is not allowed inside a function", word);
    return 0;
}

/* After .extern, .visible and .weak, which are optional. */
static int declares(struct reader *r, const char *word, enum ptx_linkage linkage, struct place at) {
    int space = ptx_space_find(word);
    if (linkage == PTX_COMMON && (strcmp(word, "entry") == 0 || strcmp(word, "func") == 0))
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.common' is for .global memory alone");
    if (strcmp(word, "entry") == 0 || strcmp(word, "func") == 0)
        return is_outside(r, word, at) && ptx_function(r, word[0] == 'e', linkage);
    if (strcmp(word, "reg") == 0 && !r->function) {
        if (r->module->version >= ISA_CALLS_VERSION)
            ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at,
                         "registers outside functions need PTX before %u.%u, which had another "
                         "calling convention",
                         ISA_CALLS_VERSION / 10, ISA_CALLS_VERSION % 10);
        return ptx_registers(r);
    }
    if (space == PTX_PARAM && !r->function) {
        ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is not allowed outside a function",
                     word);
        return 0;
    }
    if (space >= 0)
        return ptx_variables(r, (enum ptx_space)space, linkage);
    if (strcmp(word, "tex") == 0) {
        ptx_complain(r, RULE_PTX_TEXTURE_UNMODELLED, at,
                     "'.tex' is not modelled: write .global .texref");
        return ptx_variables(r, PTX_GLOBAL, linkage);
    }
    return unknown(r, word, at);
}

int ptx_directive(struct reader *r) {
    char word[PTX_WORD];
    struct place at = ptx_here(r);
    ptx_dotted(r, word);
    if (is_debug(word)) {
        if (!r->function == (word[0] == 'l'))
            ptx_complain(r, RULE_PTX_DIRECTIVE_PLACE, at, "'.%s' is not allowed %s a function",
                         word, r->function ? "inside" : "outside");
        return debug(r, word);
    }
    if (strcmp(word, "reg") == 0 && r->function)
        return ptx_registers(r);
    if (strcmp(word, "pragma") == 0)
        return ptx_pragma(r, r->function ? PRAGMA_BODY : PRAGMA_MODULE);
    if (strcmp(word, "alias") == 0)
        return is_outside(r, word, at) && ptx_alias(r);
    enum ptx_linkage linkage = (enum ptx_linkage)linkage_of(word);
    if (linkage == PTX_INTERNAL)
        return declares(r, word, linkage, at);
    ptx_skip(r);
    at = ptx_here(r);
    ptx_dotted(r, word);
    return declares(r, word, linkage, at);
}
