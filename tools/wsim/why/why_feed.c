/* Registers and the shared memory that they were loaded from; see why.h. */
#include "why.h"
#include "../common/input.h"
#include "../common/names.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>

/* The ldmatrix that fills this number of registers; NULL: none. */
static const char *default_load(unsigned regs) {
    switch (regs) {
    case 1: return "ldmatrix.sync.aligned.m8n8.x1.shared.b16";
    case 2: return "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
    case 4: return "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
    default: return NULL;
    }
}

static void open_load(const struct exec_run *run, enum wsim_operand operand, const char *by,
                      struct why_feed *feed) {
    const char *name = wsim_operand_name(operand), *args[] = {by, NULL};
    unsigned regs = run->layout[operand].regs;
    struct wsim_op_info info;
    struct wsim_diag diag;
    struct wsim_op op;
    if (!args[0])
        args[0] = default_load(regs);
    if (!args[0])
        tool_fail("--%s-addr: no ldmatrix fills the %u registers of %s; name the load with --%s-by",
                  name, regs, name, name);
    tool_op(args, &op);
    if (wsim_op_check(&op, run->arch, &diag))
        tool_refuse(NULL, &diag);
    info = wsim_op_describe(&op);
    if (info.matrices && info.does & WSIM_DOES_LOAD) {
        wsim_op_layout(&op, run->arch, WSIM_D, &feed->rows, NULL);
        if (feed->rows.regs != regs)
            tool_fail("--%s-by: the instruction loads %u registers, %s has %u", name,
                      feed->rows.regs, name, regs);
        if (feed->rows.elem_bits * feed->rows.cols != 8 * 16)
            tool_fail(
                "--%s-by: elements that are wider in registers than in memory are not supported",
                name);
        return;
    }
    if (info.family != WSIM_LD || info.bytes != 4 * regs)
        tool_fail("--%s-by: give an ldmatrix, or an ld.shared of the %u bytes that a lane "
                  "holds of %s",
                  name, 4 * regs, name);
}

static void open_feed(const struct exec_run *run, const struct why_feed_options *o, int i,
                      struct why_feed *feed) {
    enum wsim_operand operand = i ? WSIM_B : WSIM_A;
    const char *option = i ? "--b-addr" : "--a-addr";
    if (!o->addr[i]) {
        if (o->by[i])
            tool_fail("--%s-by: %s is missing, the addresses of the load",
                      wsim_operand_name(operand), option);
        return;
    }
    if (run->is_group || !run->has[operand])
        tool_fail("%s: registers of one warp are loaded from addresses; %s has none of %s", option,
                  run->spelling, wsim_operand_name(operand));
    feed->given = 1;
    open_load(run, operand, o->by[i], feed);
    input_addresses(option, o->addr[i], feed->addr);
}

void why_feed_open(const struct exec_run *run, const struct why_feed_options *o,
                   struct why_feeds *feeds) {
    feeds->mode = WSIM_SWIZZLE_NONE;
    if (o->swizzle) {
        feeds->mode = name_swizzle(o->swizzle);
        if (feeds->mode == WSIM_SWIZZLES)
            tool_fail("--swizzle '%s': must be NONE, 32B, 64B, 128B, 128B_ATOM_32B ... "
                      "(wsim desc swizzle --help)",
                      text_cut(o->swizzle).text);
        if (!o->addr[0] && !o->addr[1])
            tool_fail("--swizzle needs --a-addr or --b-addr");
    }
    open_feed(run, o, 0, &feeds->of[0]);
    open_feed(run, o, 1, &feeds->of[1]);
}

/* The address of a bit of a register that ldmatrix loads. */
static uint32_t row_byte(const struct why_feed *feed, const struct wsim_place *place) {
    unsigned bit = place->reg * 32u + place->lsb, elem = bit / feed->rows.elem_bits;
    struct wsim_coord at = wsim_layout_coord(&feed->rows, place->lane, elem);
    return feed->addr[at.batch * feed->rows.rows + at.row] +
           (at.col * feed->rows.elem_bits + bit % feed->rows.elem_bits) / 8u;
}

int why_feed_at(const struct exec_run *run, const struct why_feeds *feeds,
                enum wsim_operand operand, const struct wsim_why_element *element,
                struct why_byte *byte) {
    const struct wsim_layout *layout = &run->layout[operand];
    const struct why_feed *feed = &feeds->of[operand == WSIM_B];
    unsigned bits = layout->elem_bits == 1 ? 32 : layout->elem_bits;
    byte->bytes = bits < 8 ? 1 : bits / 8;
    if (!element->places) {
        byte->address = element->address;
        byte->linear = element->linear;
        byte->swizzled = run->group.at[operand].mode != WSIM_SWIZZLE_NONE;
        return 1;
    }
    if (!feed->given)
        return 0;
    byte->address = feed->rows.lanes ? row_byte(feed, &element->place)
                                     : feed->addr[element->place.lane] + 4u * element->place.reg +
                                           element->place.lsb / 8u;
    byte->linear = wsim_swizzle_apply(feeds->mode, byte->address);
    byte->swizzled = feeds->mode != WSIM_SWIZZLE_NONE;
    return 1;
}
