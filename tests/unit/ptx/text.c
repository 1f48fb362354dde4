#include "text.h"

void text_read(const char *text, struct ptx_module *module) {
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = ptx_read(text, strlen(text), module, &diag);
    ck_assert_msg(status == WSIM_OK, "%u:%u: %s\n%s", (unsigned)diag.line, (unsigned)diag.col,
                  diag.text, text);
    for (const struct ptx_module *m = module; m; m = m->next)
        ck_assert_msg(m->n_problems == 0, "%u: %s\n%s", (unsigned)m->problems[0].line,
                      m->problems[0].text, text);
}

const struct ptx_function *text_body(const char *body, struct ptx_module *module) {
    static char text[1 << 16];
    int n =
        snprintf(text, sizeof text,
                 HEADER ".global .u32 g[8];\n.entry k(.param .u64 a, .param .u64 b)\n{ .reg .pred "
                        "%%p<8>; .reg .b16 %%h<8>; .reg .b32 %%r<8>; .reg .f32 %%f<8>; .reg "
                        ".b64 %%rd<8>; .reg .f64 %%fd<8>;\n%s\n}\n",
                 body);
    ck_assert_int_lt(n, (int)sizeof text);
    text_read(text, module);
    return text_function(module, "k");
}

const struct ptx_operand *text_operand(const struct ptx_function *f, uint32_t at, uint32_t number) {
    ck_assert_uint_lt(at, f->n_code);
    ck_assert_uint_lt(number, f->code[at].count);
    return &f->operands[f->code[at].first + number];
}

const struct ptx_function *text_function(const struct ptx_module *module, const char *name) {
    for (uint32_t i = 0; i < module->n_functions; i++)
        if (strcmp(module->functions[i].name, name) == 0)
            return &module->functions[i];
    ck_abort_msg("no function %s", name);
    return NULL;
}

const struct ptx_variable *text_variable(const struct ptx_module *module, const char *name) {
    for (uint32_t i = 0; i < module->n_variables; i++)
        if (strcmp(module->variables[i].name, name) == 0)
            return &module->variables[i];
    ck_abort_msg("no variable %s", name);
    return NULL;
}

enum wsim_status text_problem(const char *text, char sentence[WSIM_DIAG_TEXT]) {
    struct ptx_module module;
    ptx_read(text, strlen(text), &module, NULL);
    ck_assert_uint_eq(module.n_problems, 1);
    enum wsim_status status = module.problems[0].status;
    snprintf(sentence, WSIM_DIAG_TEXT, "%s", module.problems[0].text);
    ptx_free(&module);
    return status;
}
