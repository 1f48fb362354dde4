/* Reads the value of a field as bits. The layout of an operand gives its number of digits. */
#include "../../sim/base/base.h"
#include "trace.h"

#include <string.h>
#include <wsim/harness/cases.h>

static enum wsim_status digits(struct trace_span value, size_t want, struct wsim_diag *diag) {
    enum wsim_status status = trace_hex_check(value, diag);
    if (status == WSIM_OK && value.length != want)
        status = base_refuse(diag, RULE_TRACE_HEX_COUNT, value.col, "%lu hex digits instead of %lu",
                             (unsigned long)value.length, (unsigned long)want);
    return status;
}

/* Registers of an unknown operation: whole registers of 32 lanes, checked and dropped. */
static enum wsim_status unknown_regs(struct trace_span value, struct wsim_diag *diag) {
    enum wsim_status status = trace_hex_check(value, diag);
    if (status == WSIM_OK && (value.length == 0 || value.length % (8 * WSIM_LANES)))
        status = base_refuse(diag, RULE_TRACE_HEX_COUNT, value.col,
                             "%lu hex digits are not whole registers of 32 lanes, 8 digits each",
                             (unsigned long)value.length);
    return status;
}

/* Registers written as memory: consecutive little-endian words. */
static enum wsim_status read_memory_regs(struct trace_case *now, const struct wsim_layout *layout,
                                         uint32_t *words, const char *dir, struct trace_span value,
                                         struct wsim_diag *diag) {
    size_t i, want = (size_t)layout->regs * layout->lanes * 4;
    enum wsim_status status = trace_bytes_read(&now->written, dir, value, diag);
    if (status)
        return status;
    if (now->written.size != want)
        return base_refuse(diag, RULE_TRACE_BYTES_RANGE, value.col,
                           "%lu bytes instead of %lu: %u registers x %u x 4",
                           (unsigned long)now->written.size, (unsigned long)want, layout->regs,
                           layout->lanes);
    for (i = 0; i < want; i += 4)
        words[i / 4] = now->written.at[i] | (uint32_t)now->written.at[i + 1] << 8 |
                       (uint32_t)now->written.at[i + 2] << 16 |
                       (uint32_t)now->written.at[i + 3] << 24;
    return WSIM_OK;
}

static enum wsim_status read_regs(struct trace_case *now, enum wsim_operand operand,
                                  const char *dir, struct trace_span value,
                                  struct wsim_diag *diag) {
    struct wsim_layout layout;
    uint32_t *words;
    unsigned wide, reg, lane;
    const char *at = value.at;
    enum wsim_status status;
    if (now->known != WSIM_OK)
        return unknown_regs(value, diag);
    status = wsim_op_layout(&now->op, NULL, operand, &layout, diag);
    if (status)
        return status;
    if (!trace_words_resize(&now->regs[operand], layout.regs * (size_t)layout.lanes / WSIM_LANES))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, value.col, "no memory for registers");
    words = now->regs[operand].at;
    if (value.length && value.at[0] == '@')
        return read_memory_regs(now, &layout, words, dir, value, diag);
    status = trace_hex_check(value, diag);
    if (status)
        return status;
    wide = layout.elem_bits == 64 ? 2 : 1;
    if (value.length != (size_t)layout.regs * layout.lanes * 8)
        return base_refuse(diag, RULE_TRACE_HEX_COUNT, value.col,
                           "%lu hex digits instead of %u: %u registers x %u %s x %u digits",
                           (unsigned long)value.length, layout.regs * layout.lanes * 8u,
                           layout.regs / wide, layout.lanes,
                           layout.lanes == WSIM_LANES ? "lanes" : "threads", 8 * wide);
    for (reg = 0; reg < layout.regs; reg += wide, words += wide * layout.lanes)
        for (lane = 0; lane < layout.lanes; lane++, at += 8 * wide) {
            if (wide == 2)
                words[layout.lanes + lane] = trace_hex_word(at);
            words[lane] = trace_hex_word(at + 8 * (wide - 1));
        }
    return WSIM_OK;
}

static enum wsim_status read_words(uint32_t word[WSIM_LANES], struct trace_span value,
                                   struct wsim_diag *diag) {
    enum wsim_status status = digits(value, 8 * WSIM_LANES, diag);
    unsigned lane;
    if (status)
        return status;
    for (lane = 0; lane < WSIM_LANES; lane++)
        word[lane] = trace_hex_word(value.at + 8 * lane);
    return WSIM_OK;
}

static enum wsim_status read_hex(uint64_t *number, unsigned n, struct trace_span value,
                                 struct wsim_diag *diag) {
    enum wsim_status status = digits(value, n, diag);
    if (status == WSIM_OK)
        *number = trace_hex(value.at, n);
    return status;
}

static enum wsim_status read_one(uint64_t *number, struct trace_span value,
                                 struct wsim_diag *diag) {
    *number = 1;
    if (value.length == 1 && value.at[0] == '1')
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_NAME_UNKNOWN, value.col,
                       "the only value of this field is 1");
}

static enum wsim_status read_sign(uint64_t *number, struct trace_span value,
                                  struct wsim_diag *diag) {
    *number = value.length == 2 && memcmp(value.at, "-1", 2) == 0;
    if (*number || (value.length == 1 && value.at[0] == '1'))
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_NAME_UNKNOWN, value.col, "a sign is 1 or -1");
}

static enum wsim_status read_lines(uint64_t *number, struct trace_span value,
                                   struct wsim_diag *diag) {
    *number = value.length == 4 && memcmp(value.at, "warm", 4) == 0;
    if (*number || (value.length == 4 && memcmp(value.at, "cold", 4) == 0))
        return WSIM_OK;
    return base_refuse(diag, RULE_TRACE_NAME_UNKNOWN, value.col, "lines are cold or warm");
}

/* Looks up a name; the message lists all names. */
static enum wsim_status read_dist(uint64_t *number, struct trace_span value,
                                  struct wsim_diag *diag) {
    char list[160] = "";
    struct base_text names = {list, sizeof list, 0};
    const char *name;
    for (*number = 0; (name = wsim_dist_name((unsigned)*number)) != NULL; ++*number) {
        if (strlen(name) == value.length && memcmp(name, value.at, value.length) == 0)
            return WSIM_OK;
        base_put(&names, " %s", name);
    }
    return base_refuse(diag, RULE_TRACE_NAME_UNKNOWN, value.col,
                       "unknown distribution of operands; known are%s", list);
}

/* Reads one memory of a case. All memories together have a limit, because a short line can name any
 * length. */
static enum wsim_status read_memory(struct trace_case *now, struct trace_bytes *bytes,
                                    const char *dir, struct trace_span value,
                                    struct wsim_diag *diag) {
    enum wsim_status status = trace_bytes_read(bytes, dir, value, diag);
    now->bytes += status ? 0 : bytes->size;
    if (status || now->bytes <= TRACE_CASE_BYTES_MAX)
        return status;
    return base_refuse(diag, RULE_TRACE_BYTES_RANGE, value.col,
                       "%lu bytes of memory in this case; all its fields together have at most %lu",
                       (unsigned long)now->bytes, (unsigned long)TRACE_CASE_BYTES_MAX);
}

static struct trace_bytes *memory_at(struct trace_case *now, enum trace_field_id field) {
    switch (field) {
    case TRACE_SMEM: return &now->smem;
    case TRACE_SMEM_ODD: return &now->smem_odd;
    case TRACE_SMEM_AFTER: return &now->smem_after;
    case TRACE_TMEM: return &now->tmem[0];
    case TRACE_TMEM_ODD: return &now->tmem[1];
    case TRACE_TMEM_AFTER: return &now->tmem_after[0];
    case TRACE_TMEM_ODD_AFTER: return &now->tmem_after[1];
    default: return &now->global;
    }
}

static uint32_t *words_at(struct trace_case *now, enum trace_field_id field) {
    return field == TRACE_SRC ? now->src : field == TRACE_SRC_SIZE ? now->src_size : now->addr;
}

enum wsim_status trace_value_read(struct trace_case *now, enum trace_field_id field,
                                  const char *dir, struct trace_span value,
                                  struct wsim_diag *diag) {
    const struct trace_field *row = &trace_fields[field];
    uint64_t *number = &now->number[field];
    switch ((enum trace_kind)row->kind) {
    case KIND_REGS: return read_regs(now, (enum wsim_operand)row->operand, dir, value, diag);
    case KIND_WORDS: return read_words(words_at(now, field), value, diag);
    case KIND_MASK: return read_hex(number, 8, value, diag);
    case KIND_HEX64: return read_hex(number, 16, value, diag);
    case KIND_COUNT: return trace_decimal(value, number, diag);
    case KIND_ONE: return read_one(number, value, diag);
    case KIND_SIGN: return read_sign(number, value, diag);
    case KIND_LIST: return trace_list_read(&now->list[field], value, diag);
    case KIND_NAME: return trace_name_read(number, field, value, diag);
    case KIND_LINES: return read_lines(number, value, diag);
    case KIND_DIST: return read_dist(number, value, diag);
    case KIND_BYTES: break;
    }
    return read_memory(now, memory_at(now, field), dir, value, diag);
}
