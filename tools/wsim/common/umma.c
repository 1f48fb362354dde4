/* Products of tcgen05 from the command line; see umma.h. */
#include "umma.h"
#include "text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wsim/harness/statement.h>

/* --- fields --- */

enum kind { TYPE, NUMBER };

/* A field by the names that CUTLASS's users write. */
static const struct field {
    const char *name;
    enum kind kind;
    size_t at, bytes;
} fields[] = {
#define FIELD(name, kind, member)                                                                  \
    {                                                                                              \
        name, kind, offsetof(struct wsim_umma_shape, member),                                      \
            sizeof((struct wsim_umma_shape *)0)->member                                            \
    }
    FIELD("M", NUMBER, m),
    FIELD("N", NUMBER, n),
    FIELD("K", NUMBER, k),
    FIELD("A", TYPE, a),
    FIELD("B", TYPE, b),
    FIELD("D", TYPE, d),
    FIELD("SF", TYPE, factor),
    FIELD("tA", NUMBER, trans[0]),
    FIELD("tB", NUMBER, trans[1]),
    FIELD("negA", NUMBER, negate[0]),
    FIELD("negB", NUMBER, negate[1]),
    FIELD("sat", NUMBER, saturate),
    FIELD("sel", NUMBER, selector),
    FIELD("maxshift", NUMBER, most_shift),
    FIELD("sfa_id", NUMBER, factor_id[0]),
    FIELD("sfb_id", NUMBER, factor_id[1]),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static uint32_t number_of(const struct wsim_umma_shape *shape, const struct field *field) {
    const uint8_t *at = (const uint8_t *)shape + field->at;
    uint16_t wide;
    memcpy(&wide, at, field->bytes < sizeof wide ? 1 : sizeof wide);
    return field->bytes == 1 ? *at : wide;
}

static void put_number(struct wsim_umma_shape *shape, const struct field *field, uint32_t value) {
    uint16_t wide = (uint16_t)value;
    uint8_t narrow = (uint8_t)value;
    memcpy((uint8_t *)shape + field->at, field->bytes == 1 ? (const void *)&narrow : &wide,
           field->bytes);
}

static const struct wsim_format *type_of(const struct wsim_umma_shape *shape,
                                         const struct field *field) {
    const struct wsim_format *format;
    memcpy(&format, (const uint8_t *)shape + field->at, sizeof format);
    return format;
}

void umma_words(const struct wsim_umma_shape *shape, char out[UMMA_TEXT]) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < FIELDS && used < UMMA_TEXT; i++) {
        const struct field *field = &fields[i];
        const char *gap = used ? " " : "";
        if (field->kind == TYPE && type_of(shape, field))
            used += (size_t)snprintf(out + used, UMMA_TEXT - used, "%s%s=%s", gap, field->name,
                                     type_of(shape, field)->name);
        else if (field->kind == NUMBER && number_of(shape, field))
            used += (size_t)snprintf(out + used, UMMA_TEXT - used, "%s%s=%u", gap, field->name,
                                     (unsigned)number_of(shape, field));
    }
}

_Noreturn static void refuse_word(const char *word) {
    tool_fail("'%s': write fields of the instruction descriptor, such as M=128 N=64 A=f16 "
              "B=f16 D=f32 tB=1, or its 32 bits in hex (0x08110010)",
              text_cut(word).text);
}

/* "N=64" */
static void read_field(const char *word, struct wsim_umma_shape *shape) {
    const char *equals = strchr(word, '=');
    const struct wsim_format *format;
    uint32_t value;
    int i = 0;
    if (!equals)
        refuse_word(word);
    while (i < FIELDS && (strlen(fields[i].name) != (size_t)(equals - word) ||
                          strncasecmp(fields[i].name, word, (size_t)(equals - word)) != 0))
        i++;
    if (i == FIELDS)
        refuse_word(word);
    if (fields[i].kind == NUMBER) {
        if (!tool_is_number(equals + 1, strlen(equals + 1), fields[i].bytes == 1 ? 255 : UINT16_MAX,
                            &value))
            tool_fail("'%s': a number must follow '='", text_cut(word).text);
        put_number(shape, &fields[i], value);
        return;
    }
    format = wsim_format_find(equals + 1);
    if (!format)
        tool_fail("'%s': unknown type", text_cut(word).text);
    memcpy((uint8_t *)shape + fields[i].at, &format, sizeof format);
}

static int is_bits(const char *word, uint32_t *bits) {
    char *end;
    unsigned long long value;
    if (strncasecmp(word, "0x", 2) != 0 && strlen(word) != 8)
        return 0;
    value = strtoull(word, &end, 16);
    *bits = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

static void read_fields(const char **words, struct umma *umma) {
    struct wsim_diag diag;
    if (*words && is_bits(*words, &umma->idesc)) {
        if (words[1])
            tool_fail("unexpected argument '%s' after the 32 bits", text_cut(words[1]).text);
        if (wsim_umma_decode(&umma->form, umma->idesc, &umma->shape, &diag))
            tool_refuse(NULL, &diag);
        return;
    }
    for (; *words; words++)
        read_field(*words, &umma->shape);
    if ((wsim_umma_encode(&umma->form, &umma->shape, &umma->idesc, &diag) ||
         wsim_umma_decode(&umma->form, umma->idesc, &umma->shape, &diag)))
        tool_refuse(NULL, &diag);
}

/* The shape without any field: M 128 of each block, N 64. */
static void start(const struct wsim_umma *form, struct wsim_umma_shape *shape) {
    static const char *const types[WSIM_UMMA_KINDS][2] = {
        [WSIM_UMMA_F16] = {"f16", "f32"},       [WSIM_UMMA_TF32] = {"tf32", "f32"},
        [WSIM_UMMA_F8F6F4] = {"e4m3", "f32"},   [WSIM_UMMA_I8] = {"s8", "s32"},
        [WSIM_UMMA_MXF8F6F4] = {"e4m3", "f32"}, [WSIM_UMMA_MXF4] = {"e2m1", "f32"},
        [WSIM_UMMA_MXF4NVF4] = {"e2m1", "f32"}};
    *shape = (struct wsim_umma_shape){.a = wsim_format_find(types[form->kind][0]),
                                      .d = wsim_format_find(types[form->kind][1]),
                                      .m = (uint16_t)(128 * form->blocks),
                                      .n = 64};
    shape->b = shape->a;
    if (form->factors)
        shape->factor = wsim_format_find(form->factors == 4 ? "ue4m3" : "ue8m0");
}

/* --- instructions --- */

int umma_is(const char *text) {
    return text &&
           (strstr(text, "tcgen05.") || strstr(text, "SM100_MMA_") || strstr(text, "SM100_TMEM_") ||
            strstr(text, "SM100_UTCCP_") || strstr(text, "SM103_MX"));
}

int umma_is_product(const char *text) {
    return text &&
           (strstr(text, "tcgen05.mma") || strstr(text, "SM100_MMA_") || strstr(text, "SM103_MX"));
}

int umma_matrix(const struct umma *umma, enum wsim_operand operand, struct wsim_layout *layout) {
    enum { LANES = 128 };
    const struct wsim_umma *form = &umma->form;
    const struct wsim_umma_shape *s = &umma->shape;
    const unsigned k = s->k, stored = form->sparse ? k / 2 : k;
    const unsigned chunk = form->kind == WSIM_UMMA_TF32                                       ? 2
                           : form->kind == WSIM_UMMA_MXF4 || form->kind == WSIM_UMMA_MXF4NVF4 ? 8
                                                                                              : 4;
    const struct {
        int has;
        const struct wsim_format *format;
        unsigned rows, cols;
    } all[WSIM_OPERANDS] = {
        [WSIM_D] = {1, s->d, s->m, s->n},
        [WSIM_A] = {1, s->a, s->m, stored},
        [WSIM_B] = {1, s->b, k, s->n},
        [WSIM_C] = {1, s->d, s->m, s->n},
        [WSIM_E] = {form->sparse, wsim_format_find("u4"), s->m, form->sparse ? k / chunk : 0},
        [WSIM_SFA] = {form->factors, s->factor, s->m, form->factors},
        [WSIM_SFB] = {form->factors, s->factor, form->factors, s->n}};
    const struct wsim_format *format = all[operand].format;
    *layout = (struct wsim_layout){.name = "tensor memory",
                                   .format = format,
                                   .lanes = LANES,
                                   .batches = 1,
                                   .rows = (uint16_t)all[operand].rows,
                                   .cols = (uint16_t)all[operand].cols};
    if (all[operand].has)
        layout->elem_bits = format->bits + format->pad > 16 ? 32 : format->bits;
    return all[operand].has != 0;
}

void umma_scalar(const char *text, struct wsim_scalar *op) {
    struct wsim_statements in = wsim_statements_of(text);
    struct wsim_statement first;
    struct wsim_diag diag;
    const char *name =
        strstr(text, "SM100_") || !wsim_statements_next(&in, &first) ? text : first.spelling;
    if (wsim_scalar_find(name, op, &diag))
        tool_refuse(NULL, &diag);
}

void umma_spell(const struct wsim_umma *form, char out[WSIM_SPELLING_MAX]) {
    snprintf(out, WSIM_SPELLING_MAX, "tcgen05.mma%s%s.cta_group::%u.kind::%s%s%s",
             form->stationary ? ".ws" : "", form->sparse ? ".sp" : "", form->blocks,
             wsim_umma_kind_name((enum wsim_umma_kind)form->kind),
             form->factors ? ".block_scale" : "",
             form->factors == 4 ? ".block16"
             : form->factors    ? ".block32"
                                : "");
}

static void read_atom(const char **args, struct umma *umma, char spelling[WSIM_SPELLING_MAX]) {
    struct wsim_umma_shape shape;
    struct wsim_diag diag;
    char words[UMMA_TEXT];
    if (wsim_umma_find(args[0], &umma->form, &shape, &umma->a_in_tensor, &diag)) {
        const int status = tool_refused(NULL, &diag);
        tool_note("for example: 'SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64>'");
        tool_end(status);
    }
    umma_spell(&umma->form, spelling);
    umma->shape = shape;
    umma_words(&shape, words);
    tool_note("%s is %s %s%s", text_cut(args[0]).text, spelling, words,
              umma->a_in_tensor ? ", A in tensor memory" : "");
    read_fields(args + 1, umma);
}

void umma_from_words(const char **args, struct umma *umma, char spelling[WSIM_SPELLING_MAX]) {
    struct wsim_scalar op;
    struct wsim_diag diag;
    *umma = (struct umma){.a_in_tensor = 0};
    if (strstr(args[0], "SM100_MMA_")) {
        read_atom(args, umma, spelling);
        return;
    }
    umma_scalar(args[0], &op);
    if (wsim_umma_of(&op, &umma->form, &diag))
        tool_fail("%s; wsim layout shows the registers of tcgen05.ld and tcgen05.st, and wsim run "
                  "executes all of tcgen05 in a kernel",
                  diag.text);
    wsim_scalar_spell(&op, spelling, WSIM_SPELLING_MAX);
    start(&umma->form, &umma->shape);
    read_fields(args + 1, umma);
}
