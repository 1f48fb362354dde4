/* Any text as PTX is read or refused, with equal results every time. All lists can be listed, all
 * indices are in range, and memory may end anywhere. Lines of "===="
 * part texts that are linked. */
#include "../../sim/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check_operand(const struct ptx_module *m, const struct ptx_function *f,
                          const struct ptx_operand *op, int finished) {
    switch (op->kind) {
    case PTX_OP_SUM:
    case PTX_OP_REGISTER: need(op->index < f->n_registers); break;
    case PTX_OP_SPECIAL: need(ptx_special_name(op->index) != NULL); break;
    case PTX_OP_VARIABLE: need(op->index < m->n_variables); break;
    case PTX_OP_PARAM: need(op->index < f->n_params); break;
    case PTX_OP_RESULT: need(op->index < f->n_results); break;
    case PTX_OP_FUNCTION: need(op->index < m->n_functions); break;
    case PTX_OP_LABEL: need(op->index <= f->n_code); break;
    case PTX_OP_TABLE: need(op->index < f->n_tables); break;
    case PTX_OP_PROTOTYPE: need(op->index < f->n_prototypes); break;
    case PTX_OP_VECTOR:
    case PTX_OP_ADDRESS:
    case PTX_OP_PAIR:
        need((uint64_t)op->first + op->count <= f->n_operands);
        need(op->kind == PTX_OP_VECTOR || op->count >= 1);
        break;
    case PTX_OP_NONE: need(!finished); break;
    default: break;
    }
}

static void check_function(const struct ptx_module *m, const struct ptx_function *f, int finished) {
    need(f->name && *f->name);
    for (uint32_t i = 0; i < f->n_code; i++) {
        const struct ptx_instruction *ins = &f->code[i];
        need(ins->opcode < m->n_opcodes && ins->loc < m->n_locs && ins->line && ins->col);
        need((uint64_t)ins->first + ins->count <= f->n_operands);
        need(ins->guard == PTX_NO_GUARD || ins->guard < f->n_registers);
    }
    for (uint32_t i = 0; i < f->n_operands; i++)
        check_operand(m, f, &f->operands[i], finished);
    for (uint32_t i = 0; i < f->n_tables; i++)
        need((uint64_t)f->tables[i].first + f->tables[i].count <= f->n_operands);
    for (uint32_t i = 0; i < f->n_params; i++)
        need((uint64_t)f->params[i].offset + f->params[i].bytes <= f->param_bytes);
    for (uint32_t i = 0; i < f->n_registers; i++)
        need(f->registers[i].name && f->registers[i].type.bits);
}

static void check_module(const struct ptx_module *m, int finished) {
    for (uint32_t i = 0; i < m->n_functions; i++)
        check_function(m, &m->functions[i], finished);
    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        uint8_t sum = 0;
        for (uint64_t k = 0; v->init && k < v->bytes; k++)
            sum ^= v->init[k];
        for (uint32_t k = 0; k < v->n_relocations; k++) {
            const struct ptx_relocation *r = &v->relocations[k];
            need(r->at + r->bytes <= v->bytes);
            need(r->symbol < (r->is_function ? m->n_functions : m->n_variables));
        }
        need(v->function < (int32_t)m->n_functions && (sum || 1));
    }
    for (uint32_t i = 1; i < m->n_locs; i++)
        need(m->locs[i].inlined_at < i && (m->locs[i].file < m->n_files || m->n_parts) &&
             (!m->locs[i].function || strlen(m->locs[i].function) < SIZE_MAX));
    for (uint32_t i = 0; i < m->n_problems; i++) {
        const struct ptx_problem *p = &m->problems[i];
        need(p->status && p->count && p->line && p->col && *p->text && *p->rule);
        need(p->function < (int32_t)m->n_functions);
        need(!finished || p->status == WSIM_UNMODELLED || p->tolerated);
    }
}

/* As one program, and after that as one text. */
static void link_texts(const char *data, size_t size) {
    static const char part[] = "====\n";
    enum { MOST = 4, LENGTH = sizeof part - 1 };
    struct ptx_module parts[MOST], out;
    const char *const names[MOST] = {"a", "b", NULL, "d"};
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    uint32_t n = 0, wrong = 0;
    enum wsim_status status, read = WSIM_OK;
    for (size_t from = 0, at = 0; n < MOST; at++) {
        int ends = at == size, parted = size - at >= LENGTH && !memcmp(data + at, part, LENGTH);
        if (!ends && (!parted || n + 1 == MOST))
            continue;
        status = ptx_read(data + from, at - from, &parts[n++], NULL);
        read = read ? read : status;
        if (ends)
            break;
        from = at + LENGTH;
    }
    status = ptx_link(parts, n, names, read != WSIM_OK, &out, &wrong, &diag);
    need(status == WSIM_OK || (status == WSIM_ILLEGAL && !read && wrong < n && *diag.text));
    for (const struct ptx_module *at = &out; at; at = at->next)
        check_module(at, status == WSIM_OK && read == WSIM_OK);
    ptx_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptx_module m, again;
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    enum wsim_status status = ptx_read((const char *)data, size, &m, &diag);
    uint32_t problems = m.n_problems;
    need(status != WSIM_UNMODELLED && status != WSIM_NO_MEMORY);
    need(status == WSIM_OK || (diag.status == status && diag.line && diag.col && *diag.text));
    for (const struct ptx_module *at = &m; at; at = at->next)
        check_module(at, status == WSIM_OK);
    ptx_free(&m);
    /* The same in less memory than it took; where it ends depends on the text. */
    size_t most = 4096 + size * 7 % 200000;
    enum wsim_status second = ptx_read_within((const char *)data, size, most, &again, NULL);
    need(second == WSIM_NO_MEMORY || (second == status && again.n_problems == problems));
    ptx_free(&again);
    link_texts((const char *)data, size);
    return 0;
}
