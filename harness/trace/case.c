/* Reads a line as a case: its spelling, its fields, and whether they fit together. value.c reads
 * the values; fields.def lists the fields of each family. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>

/* At most `n` bytes of a span, for a message. */
static int shown(struct trace_span span, size_t n) {
    return (int)(span.length < n ? span.length : n);
}

/* Cuts the part before the next `separator` off *rest. */
static struct trace_span cut(struct trace_span *rest, char separator) {
    struct trace_span part = *rest;
    const char *end = part.length ? memchr(part.at, separator, part.length) : NULL;
    size_t step = part.length;
    if (end) {
        part.length = (size_t)(end - part.at);
        step = part.length + 1;
    }
    rest->at += step;
    rest->length -= step;
    rest->col += (uint32_t)step;
    return part;
}

/* True if a spelling begins with the name of an instruction and has more characters. */
static int in_family(const char *spelling, const struct trace_family *family) {
    size_t length = strlen(family->begins);
    return family->runs != RUN_NOTHING && strncmp(spelling, family->begins, length) == 0 &&
           spelling[length] == '.';
}

static int in_no_family(const char *spelling, const struct trace_family *family) {
    size_t length = strlen(family->begins);
    return strncmp(spelling, family->begins, length) == 0 &&
           !(family->runs & RUN_MAP && spelling[length]);
}

/* The longest matching name; otherwise the first family that is not an instruction. */
static enum trace_family_id family_of(const char *spelling) {
    int best = TRACE_FAMILY_OTHER, f;
    for (f = 0; f < TRACE_NO_FAMILY; f++)
        if (in_family(spelling, &trace_families[f]) &&
            strlen(trace_families[f].begins) > strlen(trace_families[best].begins))
            best = f;
    for (f = TRACE_NO_FAMILY; best == TRACE_FAMILY_OTHER && f < TRACE_FAMILY_OTHER; f++)
        if (in_no_family(spelling, &trace_families[f]))
            best = f;
    return (enum trace_family_id)best;
}

/* The characters of PTX spellings. */
static int in_spelling(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == ':' || c == '_';
}

static enum wsim_status read_spelling(struct trace_case *now, struct trace_span text,
                                      struct wsim_diag *diag) {
    size_t i;
    for (i = 0; i < text.length; i++)
        if (!in_spelling(text.at[i]))
            return base_refuse(
                diag, RULE_TRACE_SPELLING_SYNTAX, text.col + (uint32_t)i,
                "byte %02x is not allowed in a spelling: fields are separated by tabs",
                (unsigned char)text.at[i]);
    if (text.length == 0 || text.length >= sizeof now->spelling)
        return base_refuse(diag, RULE_TRACE_SPELLING_SYNTAX, text.col,
                           "a case starts with the spelling of an instruction, 1 to %d bytes",
                           (int)sizeof now->spelling - 1);
    memcpy(now->spelling, text.at, text.length);
    now->spelling[text.length] = '\0';
    if (strcmp(now->parsed, now->spelling) == 0)
        return WSIM_OK;
    memcpy(now->parsed, now->spelling, text.length + 1);
    now->family = family_of(now->spelling);
    now->known = wsim_op_parse(now->spelling, &now->op, &now->why);
    now->access = (struct wsim_instruction){0};
    if (now->known != WSIM_OK)
        wsim_instruction_parse(now->spelling, &now->access, NULL);
    return WSIM_OK;
}

/* True if a field takes this value: "lines" is a state in one field and a number in another. */
static int takes(const struct trace_field *field, struct trace_span value) {
    const int is_number = value.length && value.at[0] >= '0' && value.at[0] <= '9';
    return field->kind == KIND_LINES ? !is_number
                                     : field != &trace_fields[TRACE_LINES_MET] || is_number;
}

static int find_field(struct trace_span name, struct trace_span value) {
    int f;
    for (f = 0; f < TRACE_FIELDS; f++)
        if (takes(&trace_fields[f], value) && name.length &&
            trace_fields[f].name[0] == name.at[0] && strlen(trace_fields[f].name) == name.length &&
            memcmp(trace_fields[f].name, name.at, name.length) == 0)
            return f;
    return -1;
}

/* True if cases of this family (and of this operation, if known) have the field. */
static int belongs(const struct trace_case *now, const struct trace_field *field) {
    struct wsim_layout layout;
    if (now->family == TRACE_FAMILY_OTHER)
        return 1;
    if (!(field->families >> now->family & 1))
        return 0;
    return now->known != WSIM_OK || field->operand == WSIM_OPERANDS ||
           wsim_op_layout(&now->op, NULL, (enum wsim_operand)field->operand, &layout, NULL) ==
               WSIM_OK;
}

static enum wsim_status read_field(struct trace_case *now, const char *dir, struct trace_span text,
                                   struct wsim_diag *diag) {
    struct trace_span value = text, name = cut(&value, '=');
    int f = find_field(name, value);
    if (text.length == 0)
        return base_refuse(diag, RULE_TRACE_FIELD_SYNTAX, text.col,
                           "empty field; fields are separated by one tab");
    if (name.length == text.length)
        return base_refuse(diag, RULE_TRACE_FIELD_SYNTAX, text.col,
                           "'%.*s' is not a field; a field is name=value", shown(text, 40),
                           text.at);
    if (f < 0)
        return base_refuse(diag, RULE_TRACE_FIELD_UNKNOWN, name.col, "unknown field '%.*s'",
                           shown(name, 40), name.at);
    if (!belongs(now, &trace_fields[f]))
        return base_refuse(diag, RULE_TRACE_FIELD_FOREIGN, name.col,
                           "field '%s' does not belong to %s", trace_fields[f].name, now->spelling);
    if (trace_has(now, (enum trace_field_id)f))
        return base_refuse(diag, RULE_TRACE_FIELD_DUPLICATE, name.col, "field '%s' is given twice",
                           trace_fields[f].name);
    now->present[f] = 1;
    now->fields++;
    return trace_value_read(now, (enum trace_field_id)f, dir, value, diag);
}

/* The runs that the expectations of a case need. A trap has one run, the only one of its family; a
 * matrix move, or a copy with memory, is executed rather than counted. */
static unsigned runs_of(const struct trace_case *now) {
    unsigned able = trace_families[now->family].runs, runs = 0;
    int f;
    for (f = 0; f < TRACE_FIELDS; f++)
        if (trace_has(now, (enum trace_field_id)f) && trace_fields[f].role == ROLE_EXPECTED) {
            unsigned asked = trace_fields[f].runs & able;
            if (asked & RUN_COPY && asked & RUN_BANKS)
                asked = trace_has(now, TRACE_SMEM) ? RUN_COPY : asked & ~(unsigned)RUN_COPY;
            runs |= asked & RUN_EXEC ? RUN_EXEC : asked;
        }
    return runs;
}

static enum wsim_status missing_input(const struct trace_case *now, struct trace_span line,
                                      struct wsim_diag *diag) {
    int f;
    for (f = 0; f < TRACE_FIELDS; f++) {
        const struct trace_field *field = &trace_fields[f];
        if (f == TRACE_A && trace_has(now, TRACE_DESC_A))
            continue;
        if (field->role == ROLE_INPUT && field->runs & now->runs && belongs(now, field) &&
            !trace_has(now, (enum trace_field_id)f))
            return base_refuse(diag, RULE_TRACE_FIELD_MISSING, line.col,
                               "input field '%s' is missing, which %s needs", field->name,
                               now->spelling);
    }
    return WSIM_OK;
}

/* The cases of a digest make their own operands. So a digest excludes all other fields, and its own
 * fields belong to a digest only. */
static enum wsim_status check_digest(const struct trace_case *now, struct trace_span line,
                                     struct wsim_diag *diag) {
    int f, digest = trace_has(now, TRACE_DIGEST);
    for (f = 0; f < TRACE_FIELDS && now->family != TRACE_FAMILY_OTHER; f++) {
        unsigned runs = trace_fields[f].runs;
        if (!trace_has(now, (enum trace_field_id)f) ||
            (digest ? runs & RUN_DIGEST : runs != RUN_DIGEST))
            continue;
        return base_refuse(diag, RULE_TRACE_DIGEST_FIELD, line.col,
                           digest ? "field '%s' in a digest, whose operands come from numbers"
                                  : "field '%s' belongs to a digest, and there is none",
                           trace_fields[f].name);
    }
    return WSIM_OK;
}

/* A digest covers at least 1 case and a bounded number, all with 64-bit numbers. */
static enum wsim_status check_cases(const struct trace_case *now, struct trace_span line,
                                    struct wsim_diag *diag) {
    uint64_t first = now->number[TRACE_FIRST], cases = now->number[TRACE_CASES];
    if (!(now->runs & RUN_DIGEST))
        return WSIM_OK;
    if (cases == 0 || cases > TRACE_CASES_MAX)
        return base_refuse(diag, RULE_TRACE_DIGEST_RANGE, line.col,
                           "cases=%llu: a digest has 1 to %lu cases", (unsigned long long)cases,
                           (unsigned long)TRACE_CASES_MAX);
    if (cases - 1 > UINT64_MAX - first)
        return base_refuse(diag, RULE_TRACE_DIGEST_RANGE, line.col,
                           "first=%llu: the numbers of the cases do not fit in 64 bits",
                           (unsigned long long)first);
    return WSIM_OK;
}

/* Windows of tensor memory have some columns of each lane, and stay as long as they are. */
static enum wsim_status check_tensor(const struct trace_case *now, struct trace_span line,
                                     struct wsim_diag *diag) {
    enum { COLUMN = WSIM_TENSOR_LANES * 4, MOST = COLUMN * WSIM_TENSOR_COLUMNS };
    static const enum trace_field_id before[] = {TRACE_TMEM, TRACE_TMEM_ODD},
                                     after[] = {TRACE_TMEM_AFTER, TRACE_TMEM_ODD_AFTER},
                                     hash[] = {TRACE_TMEM_FNV, TRACE_TMEM_ODD_FNV};
    for (unsigned odd = 0; odd < 2; odd++) {
        const size_t size = now->tmem[odd].size;
        if (!trace_has(now, before[odd]) &&
            (trace_has(now, after[odd]) || trace_has(now, hash[odd])))
            return base_refuse(diag, RULE_TRACE_FIELD_MISSING, line.col,
                               "input field '%s' is missing, which the expectation needs",
                               trace_fields[before[odd]].name);
        if (trace_has(now, before[odd]) && (size % COLUMN || size > MOST))
            return base_refuse(diag, RULE_TRACE_WINDOW_SIZES, line.col,
                               "%s has %lu bytes: columns of 128 lanes have %d each, at most %d",
                               trace_fields[before[odd]].name, (unsigned long)size, COLUMN, MOST);
        if (trace_has(now, after[odd]) && now->tmem_after[odd].size != size)
            return base_refuse(diag, RULE_TRACE_WINDOW_SIZES, line.col,
                               "%s has %lu bytes, %s %lu: they are the same window",
                               trace_fields[before[odd]].name, (unsigned long)size,
                               trace_fields[after[odd]].name,
                               (unsigned long)now->tmem_after[odd].size);
    }
    return WSIM_OK;
}

/* Checks what depends on more than one field. */
static enum wsim_status check_whole(struct trace_case *now, struct trace_span line,
                                    struct wsim_diag *diag) {
    enum wsim_status status = check_digest(now, line, diag);
    unsigned expected = 0;
    int f;
    if (status)
        return status;
    for (f = 0; f < TRACE_FIELDS; f++)
        if (trace_fields[f].role == ROLE_EXPECTED)
            expected += now->present[f];
    if (!expected)
        return base_refuse(diag, RULE_TRACE_EXPECTATION_NONE, line.col,
                           "the case has no expectation");
    if (trace_has(now, TRACE_TRAP) && expected != 1)
        return base_refuse(diag, RULE_TRACE_EXPECTATION_TRAP, line.col,
                           "trap=1 leaves nothing else to expect, but the case does");
    now->runs = runs_of(now);
    if (now->known != WSIM_OK) /* neither a map nor an access of global memory is an operation */
        now->runs &= RUN_MAP | RUN_UMMA | (now->access.is_scalar ? RUN_SECTORS : 0u);
    if (now->runs & RUN_EXEC && trace_has(now, TRACE_MASK) && now->number[TRACE_MASK] != UINT32_MAX)
        return base_refuse(diag, RULE_TRACE_MASK_PARTIAL, line.col,
                           "mask %08x: %s is executed by the whole warp, ffffffff",
                           (unsigned)now->number[TRACE_MASK], now->spelling);
    if (trace_has(now, TRACE_SMEM_AFTER) && now->runs & (RUN_EXEC | RUN_COPY) &&
        trace_has(now, TRACE_SMEM) && now->smem.size != now->smem_after.size)
        return base_refuse(diag, RULE_TRACE_WINDOW_SIZES, line.col,
                           "smem has %lu bytes, smem_after %lu: they are the same window",
                           (unsigned long)now->smem.size, (unsigned long)now->smem_after.size);
    if (trace_has(now, TRACE_A_AT) && trace_has(now, TRACE_DESC_A))
        return base_refuse(
            diag, RULE_TRACE_OPERAND_TWICE, line.col,
            "a_at and descA: A is in tensor memory or in shared memory, not in both");
    if (now->runs & RUN_UMMA && !trace_has(now, TRACE_A_AT) && !trace_has(now, TRACE_DESC_A))
        return base_refuse(diag, RULE_TRACE_FIELD_MISSING, line.col,
                           "descA or a_at is missing, which %s needs", now->spelling);
    if (trace_has(now, TRACE_A) && trace_has(now, TRACE_DESC_A))
        return base_refuse(diag, RULE_TRACE_OPERAND_TWICE, line.col,
                           "a and descA: A is in registers or in shared memory, not in both");
    status = missing_input(now, line, diag);
    if (!status && now->runs & RUN_UMMA)
        status = check_tensor(now, line, diag);
    if (!status && now->runs & (RUN_MAP | RUN_COPY) && belongs(now, &trace_fields[TRACE_DTYPE]))
        status = trace_map_read(now, line, diag);
    return status ? status : check_cases(now, line, diag);
}

enum wsim_status trace_case_read(struct trace_case *now, const char *dir, struct trace_span line,
                                 struct wsim_diag *diag) {
    struct trace_span rest = line, part = cut(&rest, '\t');
    enum wsim_status status;
    size_t used = part.length;
    now->fields = 0;
    now->bytes = 0;
    for (int operand = 0; operand < WSIM_OPERANDS; operand++)
        now->regs[operand].rows = 0;
    memset(now->present, 0, sizeof now->present);
    now->runs = RUN_NOTHING;
    now->number[TRACE_MASK] = UINT32_MAX;
    status = read_spelling(now, part, diag);
    while (!status && used < line.length) { /* a tab was cut, so a field must follow */
        part = cut(&rest, '\t');
        used += 1 + part.length;
        status = read_field(now, dir, part, diag);
    }
    return status ? status : check_whole(now, line, diag);
}
