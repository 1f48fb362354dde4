/* generate_scalar.c - prints a kernel for every form of every scalar instruction that only
 * computes. Thread i reads word w of its sources at in[w * n + i] and writes result r to out[r * n
 * + i], 64 bits each. The rows give the registers. */
#include "generate_scalar.h"
#include "scalar_form.h"
#include <wsim/wsim.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static FILE *out;

/* The letter in the names of registers with `bits` bits; 8 bits are in registers of 32. */
static char letter_of(unsigned bits) {
    switch (bits) {
    case 1: return 'p';
    case 16: return 'h';
    case 64: return 'l';
    case 128: return 'q';
    default: return 'r';
    }
}

static void put_head(const char *target) {
    fprintf(out, "// %s\n.version 9.0\n.target %s\n.address_size 64\n", target, target);
}

static void put_begin(const struct hw_form *form) {
    fprintf(out,
            ".visible .entry s%u(.param .u64 pin, .param .u64 pout, .param .u32 pn) { "
            ".reg .pred %%end, %%p<20>; .reg .b16 %%h<20>; .reg .b32 %%i, %%j, %%n, %%c<4>, "
            "%%r<20>; .reg .b64 %%in, %%out, %%at, %%step, %%x<20>, %%y, %%l<20>; ",
            form->number);
    for (unsigned i = 0; i < form->info.operands; i++)
        if (form->info.operand[i].bits == 128) {
            fprintf(out, ".reg .b128 %%q<20>; ");
            break;
        }
    fprintf(out, "ld.param.u64 %%in, [pin]; ld.param.u64 %%out, [pout]; ld.param.u32 %%n, [pn]; "
                 "mov.u32 %%i, %%ctaid.x; mov.u32 %%j, %%ntid.x; mov.u32 %%c0, %%tid.x; "
                 "mad.lo.u32 %%i, %%i, %%j, %%c0; setp.ge.u32 %%end, %%i, %%n; @%%end ret; "
                 "mul.wide.u32 %%step, %%n, 8; mul.wide.u32 %%at, %%i, 8; "
                 "add.u64 %%in, %%in, %%at; add.u64 %%out, %%out, %%at; ");
}

static void put_loads(const struct hw_form *form) {
    for (unsigned w = 0; w < form->words; w++)
        fprintf(out, "%sld.global.u64 %%x%u, [%%in]; ", w ? "add.u64 %in, %in, %step; " : "", w);
}

/* The register of a source, number `first` of its words, filled. */
static void put_register(unsigned bits, unsigned first) {
    switch (bits) {
    case 1: fprintf(out, "setp.ne.u64 %%p%u, %%x%u, 0; ", first, first); break;
    case 16: fprintf(out, "cvt.u16.u64 %%h%u, %%x%u; ", first, first); break;
    case 64: fprintf(out, "mov.b64 %%l%u, %%x%u; ", first, first); break;
    case 128: fprintf(out, "mov.b128 %%q%u, {%%x%u, %%x%u}; ", first, first, first + 1); break;
    default: fprintf(out, "cvt.u32.u64 %%r%u, %%x%u; ", first, first); break;
    }
}

/* Results are registers from 12 on, sources those below. */
enum { RESULTS = 12 };

static void put_sources(const struct hw_form *form) {
    for (unsigned i = 0; i < form->info.operands; i++) {
        const struct wsim_scalar_operand *o = &form->info.operand[i];
        const unsigned wide = o->bits > 64 ? 2 : 1;
        for (unsigned v = 0; !o->result && v < o->vector; v++)
            if (!form->word[form->first[i]].constant)
                put_register(o->bits, form->first[i] + v * wide);
    }
    if (!form->reads_carry)
        return;
    fprintf(out, "cvt.u32.u64 %%c1, %%x%u; add.cc.u32 %%c2, %%c1, -1; ", form->words - 1u);
}

static void put_operand(const struct hw_form *form, unsigned index) {
    const struct wsim_scalar_operand *o = &form->info.operand[index];
    const unsigned wide = o->bits > 64 ? 2 : 1;
    const struct wsim_scalar_word *word = &form->word[form->first[index]];
    if (!o->result && word->constant) {
        fprintf(out, "%" PRIu64, word->fixed);
        return;
    }
    if (o->vector > 1)
        fprintf(out, "{");
    for (unsigned v = 0; v < o->vector; v++)
        fprintf(out, "%s%%%c%u", v ? ", " : "", letter_of(o->bits),
                (o->result ? RESULTS : 0u) + form->first[index] + v * wide);
    if (o->vector > 1)
        fprintf(out, "}");
    if (o->parts)
        fprintf(out, "%s", hw_form_part(form, o->result ? 0 : (unsigned)(o->name - 'a') + 1));
}

static void put_instruction(const struct hw_form *form) {
    char spelling[WSIM_SPELLING_MAX];
    wsim_scalar_spell(&form->op, spelling, sizeof spelling);
    fprintf(out, "/* << */ %s ", spelling); /* so that it can be found again */
    for (unsigned i = 0, written = 0; i < form->info.operands; i++) {
        if (form->left_out >> i & 1)
            continue;
        fprintf(out, "%s", !written++ ? "" : form->info.operand[i].pair ? "|" : ", ");
        put_operand(form, i);
    }
    fprintf(out, "; /* >> */ ");
    if (form->writes_carry)
        fprintf(out, "addc.u32 %%c3, 0, 0; ");
}

static void put_result(unsigned bits, unsigned number) {
    switch (bits) {
    case 1: fprintf(out, "selp.u64 %%y, 1, 0, %%p%u; ", number); break;
    case 16: fprintf(out, "cvt.u64.u16 %%y, %%h%u; ", number); break;
    case 64: fprintf(out, "mov.b64 %%y, %%l%u; ", number); break;
    default: fprintf(out, "cvt.u64.u32 %%y, %%r%u; ", number); break;
    }
}

static void put_store(void) {
    fprintf(out, "st.global.u64 [%%out], %%y; add.u64 %%out, %%out, %%step; ");
}

static void put_results(const struct hw_form *form) {
    for (unsigned i = 0; i < form->info.operands; i++) {
        const struct wsim_scalar_operand *o = &form->info.operand[i];
        for (unsigned v = 0; o->result && v < o->vector; v++)
            if (o->bits == 128) {
                unsigned q = RESULTS + form->first[i] + 2 * v;
                fprintf(out, "mov.b128 {%%y, %%x19}, %%q%u; ", q);
                put_store();
                fprintf(out, "mov.b64 %%y, %%x19; ");
                put_store();
            } else {
                put_result(o->bits, RESULTS + form->first[i] + v);
                put_store();
            }
    }
    if (form->writes_carry) {
        fprintf(out, "cvt.u64.u32 %%y, %%c3; ");
        put_store();
    }
    fprintf(out, "ret; }\n");
}

static int refuse(const char *path, const char *why) {
    fprintf(stderr, "generate: %s: %s\n", path, why);
    return 2;
}

int generate_scalars(const char *prefix, const char *target, int all, unsigned every) {
    const struct wsim_arch *arch = wsim_arch_find(target);
    struct hw_form form = {0};
    char path[4096];
    unsigned part = ~0u;
    if (!arch)
        return refuse(target, "no such architecture");
    out = NULL;
    while (hw_form_next(&form)) {
        if (form.number / HW_FORM_PART != part) {
            if (out && (ferror(out) | fclose(out)))
                return refuse(path, "cannot be written");
            part = form.number / HW_FORM_PART;
            snprintf(path, sizeof path, "%s%u.ptx", prefix, part);
            out = fopen(path, "w");
            if (!out)
                return refuse(path, strerror(errno));
            put_head(target);
        }
        if (form.number % every || (!all && wsim_scalar_check(&form.op, arch, NULL) != WSIM_OK))
            continue;
        put_begin(&form);
        put_loads(&form);
        put_sources(&form);
        put_instruction(&form);
        put_results(&form);
    }
    return out && (ferror(out) | fclose(out)) ? refuse(path, "cannot be written") : 0;
}
