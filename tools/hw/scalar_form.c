/* scalar_form.c - forms of scalar operations; see scalar_form.h. */
#include "scalar_form.h"

#include <stdio.h>
#include <string.h>
#include <wsim/format.h>

/* Tables of lop3 and other immediates of a byte: each input alone, sums, majorities, constants. */
static const uint8_t immediates[] = {0x96, 0xe8, 0xca, 0x80, 0xfe, 0x1d, 0x00, 0x6a};

/* Parts of d, a and b as wsim_scalar_run takes them; it refuses one of d. */
static const uint8_t part_sets[][3] = {{0, 0, 0}, {0, 1, 6}, {0, 4, 2}};
/* In packed instructions only d could have one. */
static const uint8_t no_sets[][3] = {{0, 0, 0}};

enum { COUNT_OF_SETS = sizeof part_sets / sizeof *part_sets };

struct traits {
    unsigned variants;
    const uint8_t (*sets)[3]; /* of parts; NULL: none can be named */
    int immediate, divides;
};

static int begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* How many numbers a SIMD video instruction has: the last digit of its mnemonic. */
static unsigned lanes_of(const char *spelling) {
    const char *dot = strchr(spelling, '.');
    return dot && (dot[-1] == '2' || dot[-1] == '4') && spelling[0] == 'v'
               ? (unsigned)(dot[-1] - '0')
               : 1;
}

static struct traits traits_of(const struct wsim_scalar_info *info, const char *spelling) {
    struct traits t = {.variants = 1};
    int any = 0;
    for (unsigned i = 0; i < info->operands; i++) {
        const struct wsim_scalar_operand *o = &info->operand[i];
        any |= o->parts;
        t.immediate |= o->immediate == 2;
    }
    if (t.immediate)
        t.variants = sizeof immediates;
    if ((begins(spelling, "div.") || begins(spelling, "rem.")) && info->operand[0].type[0] != 'f') {
        t.divides = 1;
        t.variants = 2;
    }
    if (any && lanes_of(spelling) > 1) {
        t.sets = no_sets;
        t.variants = 1;
    } else if (any) {
        t.sets = part_sets;
        t.variants = COUNT_OF_SETS;
    }
    return t;
}

/* The parts of a register of this type. */
static struct wsim_scalar_word word_of(const struct wsim_scalar_operand *operand) {
    struct wsim_scalar_word word = {.bits = operand->bits > 64 ? 64 : operand->bits, .values = 1};
    char base[16];
    const char *times = strchr(operand->type, 'x');
    const struct wsim_format *format;
    snprintf(base, sizeof base, "%.*s", (int)(times ? times - operand->type : 15), operand->type);
    if (times)
        word.values = (uint8_t)(times[1] - '0');
    format = wsim_format_find(base);
    if (format && format->kind == WSIM_BINARY && format->bits * word.values == word.bits) {
        word.exp_bits = format->exp_bits;
        word.frac_bits = format->frac_bits;
    }
    if (word.bits == 8) /* in a register of 32, where all bits are drawn */
        word.bits = 32;
    return word;
}

static void add_constant(struct hw_form *form, uint64_t value) {
    struct wsim_scalar_word word = {.bits = 64, .values = 1, .constant = 1, .fixed = value};
    form->word[form->words++] = word;
}

static void add_source(struct hw_form *form, unsigned index, const struct traits *t) {
    const struct wsim_scalar_operand *o = &form->info.operand[index];
    const unsigned registers = o->bits > 64 ? 2u * o->vector : o->vector;
    form->first[index] = form->words;
    for (unsigned i = 0; i < registers; i++) {
        struct wsim_scalar_word word = word_of(o);
        if (t->divides && index == 2)
            word.divides = form->variant ? WSIM_DIVISOR_ZERO : WSIM_DIVISOR_NONZERO;
        if (o->immediate == 2)
            add_constant(form, immediates[form->variant]);
        else if (form->left_out >> index & 1)
            add_constant(form, 0);
        else
            form->word[form->words++] = word;
    }
}

static void add_result(struct hw_form *form, unsigned index) {
    const struct wsim_scalar_operand *o = &form->info.operand[index];
    form->first[index] = form->results;
    for (unsigned i = 0; i < (o->bits > 64 ? 2u * o->vector : o->vector); i++)
        form->result_bits[form->results++] = o->bits > 64 ? 64 : o->bits;
}

/* The parts of d, a and b in one word, which is the last source. */
static uint64_t parts_of(const uint8_t set[3]) {
    return (uint64_t)set[0] | (uint64_t)set[1] << 8 | (uint64_t)set[2] << 16;
}

static void describe(struct hw_form *form, const char *spelling) {
    const struct wsim_scalar_info *info = &form->info;
    const struct traits t = traits_of(info, spelling);
    const int scalar_video = t.sets == part_sets;
    form->words = form->results = form->left_out = 0;
    form->parts = t.sets != NULL;
    /* The third source of a video instruction is what a part of d is put into. */
    for (unsigned i = 0; i < info->operands; i++)
        if (scalar_video && info->operand[i].optional && !info->operand[i].result &&
            !t.sets[form->variant][0])
            form->left_out |= (uint8_t)(1u << i);
    for (unsigned i = 0; i < info->operands; i++)
        if (info->operand[i].result)
            add_result(form, i);
        else
            add_source(form, i, &t);
    form->reads_carry =
        begins(spelling, "addc.") || begins(spelling, "subc.") || begins(spelling, "madc.");
    form->writes_carry = strstr(spelling, ".cc.") != NULL;
    if (form->reads_carry) {
        struct wsim_scalar_word carry = {.bits = 1, .values = 1};
        form->word[form->words++] = carry;
    }
    if (form->writes_carry)
        form->result_bits[form->results++] = 1;
    if (form->parts)
        add_constant(form, parts_of(t.sets[form->variant]));
}

int hw_form_next(struct hw_form *form) {
    char spelling[WSIM_SPELLING_MAX];
    const int begun = form->op.row != 0;
    if (begun) {
        wsim_scalar_spell(&form->op, spelling, sizeof spelling);
        form->number++;
        if (++form->variant < traits_of(&form->info, spelling).variants) {
            describe(form, spelling);
            return 1;
        }
    }
    form->variant = 0;
    do
        if (!wsim_scalar_next(&form->op))
            return 0;
    while (!wsim_scalar_info(&form->op, &form->info) || !form->info.computes);
    wsim_scalar_spell(&form->op, spelling, sizeof spelling);
    describe(form, spelling);
    return 1;
}

const char *hw_form_part(const struct hw_form *form, unsigned index) {
    static const char *const names[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    if (!form->parts || index > 2)
        return "";
    return names[form->word[form->words - 1].fixed >> 8 * index & 0xff];
}

void hw_form_name(const struct hw_form *form, char name[HW_FORM_NAME]) {
    char spelling[WSIM_SPELLING_MAX];
    size_t used;
    wsim_scalar_spell(&form->op, spelling, sizeof spelling);
    used = (size_t)snprintf(name, HW_FORM_NAME, "%s", spelling);
    for (unsigned i = 0; i < form->info.operands; i++) {
        const struct wsim_scalar_word *word = &form->word[form->first[i]];
        if (form->info.operand[i].result)
            continue;
        if (form->info.operand[i].immediate == 2)
            snprintf(name + used, HW_FORM_NAME - used, " (%c=0x%x)", form->info.operand[i].name,
                     (unsigned)word->fixed);
        if (word->divides == WSIM_DIVISOR_ZERO)
            snprintf(name + used, HW_FORM_NAME - used, " (by 0)");
    }
    if (form->variant && form->parts)
        snprintf(name + used, HW_FORM_NAME - used, " (d%s a%s b%s)", hw_form_part(form, 0),
                 hw_form_part(form, 1), hw_form_part(form, 2));
}
