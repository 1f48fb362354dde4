/* Atoms of CuTe for tensor memory: tcgen05.mma with all that its instruction descriptor says, and
 * loads, stores and copies. */
#include "name.h"

#include <wsim/umma.h>

#include <stdio.h>
#include <string.h>

static const char product[] = "SM100_MMA_";

/* The last part behind "::". */
static const char *last_part(const char *name, size_t n) {
    const char *at = name;
    for (size_t i = 1; i < n; i++)
        if (name[i] == ':' && name[i - 1] == ':')
            at = name + i + 1;
    return at;
}

/* The meaning of the parts of a name. */
struct atom {
    struct wsim_umma form;
    struct wsim_umma_shape shape;
    int a_in_tensor, known;
};

static void read_part(const char *part, size_t n, struct atom *atom) {
    static const struct {
        const char *name;
        uint8_t kind;
    } rows[] = {
#define UMMA(name, kind) {name, WSIM_UMMA_##kind},
#include "name.def"
    };
    if (name_same(part, n, "2x1SM"))
        atom->form.blocks = 2;
    else if (name_same(part, n, "WS"))
        atom->form.stationary = 1;
    else if (name_same(part, n, "SPARSE"))
        atom->form.sparse = 1;
    else if (name_same(part, n, "TS"))
        atom->a_in_tensor = 1;
    else if (!name_same(part, n, "SS")) {
        size_t i = 0, count = sizeof rows / sizeof rows[0];
        while (i < count && !name_same(part, n, rows[i].name))
            i++;
        atom->known &= i < count;
        atom->form.kind = i < count ? rows[i].kind : 0;
    }
}

/* Types of A, B, D and scale factors; M, N and the elements of a factor; majors, signs,
 * saturation. */
static enum wsim_status read_arguments(const struct arguments *list, struct atom *atom,
                                       struct wsim_diag *diag) {
    struct wsim_umma_shape *s = &atom->shape;
    const struct wsim_format **const types[] = {&s->a, &s->b, &s->d, &s->factor};
    uint8_t *const choices[NAME_CHOICES][2] = {[NAME_MAJOR] = {&s->trans[0], &s->trans[1]},
                                               [NAME_SCALE] = {&s->negate[0], &s->negate[1]},
                                               [NAME_SATURATE] = {&s->saturate, NULL}};
    unsigned n_types = 0, n_numbers = 0, taken[NAME_CHOICES] = {0};
    uint32_t number[3] = {0};
    for (unsigned i = 0; i < list->count; i++) {
        uint8_t value = 0;
        const unsigned format = name_format(list->at[i]);
        const int kind = name_choice(list->at[i], &value);
        if (format && n_types < 4)
            *types[n_types++] = &isa_formats[format];
        else if (name_number(&list->at[i]) && n_numbers < 3)
            number[n_numbers++] = name_number(&list->at[i]);
        else if (kind >= 0 && taken[kind] < 2 && choices[kind][taken[kind]])
            *choices[kind][taken[kind]++] = value;
        else
            return name_wrong(&list->at[i],
                              "must be a type, M, N, UMMA::Major::K or MN, UMMA::ScaleIn::One or "
                              "Neg, or UMMA::Saturate::True or False",
                              diag);
    }
    if (n_types < 3 || n_numbers < 2)
        return base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, 0,
                           "an atom of tcgen05.mma has the types of A, B and C, M and N");
    s->m = (uint16_t)number[0];
    s->n = (uint16_t)number[1];
    if (atom->form.kind == WSIM_UMMA_MXF8F6F4)
        atom->form.factors = 1;
    if (atom->form.kind == WSIM_UMMA_MXF4) {
        if (number[2] == 16)
            atom->form.kind = WSIM_UMMA_MXF4NVF4;
        atom->form.factors = number[2] == 16 ? 4 : 2;
    }
    return WSIM_OK;
}

enum wsim_status wsim_umma_find(const char *name, struct wsim_umma *umma,
                                struct wsim_umma_shape *shape, int *a_in_tensor,
                                struct wsim_diag *diag) {
    const size_t n = strcspn(name, "<");
    const char *last = last_part(name, n), *end = name + n;
    struct atom atom = {.form = {.blocks = 1}, .known = 1};
    struct arguments list = {.count = 0};
    enum wsim_status status;
    if (strncmp(last, product, sizeof product - 1) != 0 || strlen(name) >= NAME_MOST)
        return name_refuse_unknown(name, diag);
    for (const char *at = last + sizeof product - 1; at < end; at++) {
        const size_t length = strcspn(at, "_<");
        read_part(at, length, &atom);
        at += length;
    }
    if (!atom.known)
        return name_refuse_unknown(name, diag);
    if (!*end)
        return base_refuse(diag, RULE_NAME_ARGUMENT_WRONG, 0,
                           "an atom of tcgen05.mma has the types of A, B and C, M and N");
    status = name_split(name, end, &list, diag);
    if (!status)
        status = read_arguments(&list, &atom, diag);
    if (status)
        return status;
    *umma = atom.form;
    *shape = atom.shape;
    *a_in_tensor = atom.a_in_tensor;
    return WSIM_OK;
}

/* A spelling with what * stands for. */
static void expand(const char *spelling, const char *star, size_t length,
                   char out[WSIM_SPELLING_MAX]) {
    size_t used = 0;
    for (; *spelling && used + length + 2 < WSIM_SPELLING_MAX; spelling++)
        if (*spelling == '*') {
            memcpy(out + used, star, length);
            used += length;
        } else {
            out[used++] = *spelling;
        }
    out[used] = '\0';
}

enum wsim_status wsim_scalar_find(const char *name, struct wsim_scalar *op,
                                  struct wsim_diag *diag) {
    static const struct {
        const char *name, *spelling;
    } rows[] = {
#define TENSOR(name, spelling) {name, spelling},
#include "name.def"
    };
    const size_t n = strcspn(name, "<{( ");
    const char *last = last_part(name, n);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && n < NAME_MOST; i++) {
        const char *star = NULL;
        char spelling[WSIM_SPELLING_MAX];
        size_t length;
        if (!name_is_row(last, (size_t)(name + n - last), rows[i].name, &star, &length))
            continue;
        expand(rows[i].spelling, star, length, spelling);
        return wsim_scalar_parse(spelling, op, diag);
    }
    return wsim_scalar_parse(name, op, diag);
}
