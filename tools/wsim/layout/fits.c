/* wsim fits: whether a matrix move loads an operand of a product, and the address each lane gives.
 */
#include "fits.h"
#include "../common/text.h"
#include "../common/umma.h"

#include <string.h>
#include <strings.h>
#include <wsim/harness/address.h>

static const char about[] =
    "Checks whether an ldmatrix loads the register layout of an mma operand (for stmatrix:\n"
    "whether it stores D of the mma). If it fits, prints the first element and byte of the\n"
    "memory row of each lane. If not, prints the first element that differs and the moves that\n"
    "fit (exit status 1).\n"
    "--major is the layout of the matrix in memory: k (neighbours differ in k) or mn; for C and\n"
    "D row or col. --pitch is the distance between memory lines in bytes (default: no gaps). If\n"
    "one move fills several fragments, each is a matrix of its own. If several moves fill one\n"
    "fragment, all are listed. For wgmma the answer is about the first warp.\n"
    "tcgen05.ld and tcgen05.st fit if row r is lane r and column c is column c of tensor memory.\n"
    "--addr compares the address of each lane with your own: a C expression as in wsim banks,\n"
    "in bytes from the first element; move is the number of the move. Lanes that give another\n"
    "address are listed (exit status 1).\n";
static const char examples[] =
    "  wsim layout --fits ldmatrix.sync.aligned.m8n8.x2.shared.b16 \\\n"
    "    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --pitch 128\n"
    "  wsim layout --fits ldmatrix.sync.aligned.m8n8.x4.shared.b16 \\\n"
    "    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --addr 'lane%16*32 + "
    "lane/16*16'\n";

enum { MOST_MOVES = 16 };

/* A lane of a move that gives another address than that of its row. */
struct wrong {
    unsigned number, lane;
};

struct places {
    char gives[96], needs[96];
};

struct fits {
    struct wsim_op move, op;
    char move_text[WSIM_SPELLING_MAX], op_text[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    struct wsim_layout layout;
    int by_columns, packed;
    uint32_t pitch;
    struct wsim_move_fit fit[MOST_MOVES]; /* as many as fit->moves */
    const char *addr;                     /* NULL: not given       */
    uint32_t given[MOST_MOVES][WSIM_LANES];
    struct wrong wrong[MOST_MOVES * WSIM_LANES];
    unsigned wrongs;
};

/* --- names --- */

/* The dimensions of rows and columns of an operand. */
static const char *row_name(enum wsim_operand operand) {
    return operand == WSIM_B ? "k" : "m";
}

static const char *col_name(enum wsim_operand operand) {
    return operand == WSIM_A ? "k" : "n";
}

static int is_factor(enum wsim_operand operand) {
    return operand == WSIM_A || operand == WSIM_B;
}

static const char *major_name(enum wsim_operand operand, int by_columns) {
    if (!is_factor(operand))
        return by_columns ? "col" : "row";
    return (operand == WSIM_B) == (by_columns != 0) ? "k" : "mn";
}

/* --- the question --- */

static void read_major(const char *text, struct fits *f) {
    f->by_columns = f->operand == WSIM_B;
    if (!text || strcasecmp(text, major_name(f->operand, f->by_columns)) == 0)
        return;
    f->by_columns = !f->by_columns;
    if (strcasecmp(text, major_name(f->operand, f->by_columns)) == 0)
        return;
    tool_fail("--major '%s': of operand %s it is %s", text_cut(text).text,
              wsim_operand_name(f->operand), is_factor(f->operand) ? "k or mn" : "row or col");
}

static void read_operand(const char *text, struct fits *f) {
    struct wsim_diag diag;
    if (!text && wsim_op_describe(&f->move).family != WSIM_STMATRIX)
        tool_fail("which operand? --operand a, b or c");
    f->operand = text ? tool_operand(text, "a, b, c or d") : WSIM_D;
    if (f->operand > WSIM_C)
        tool_fail("no ldmatrix or stmatrix moves operand %s: choose a, b, c or d",
                  wsim_operand_name(f->operand));
    if (wsim_op_layout(&f->op, NULL, f->operand, &f->layout, &diag))
        tool_refuse(NULL, &diag);
}

/* Elements of a line of memory, of all fragments that it goes through. */
static unsigned line_elements(const struct fits *f) {
    unsigned own = f->by_columns ? f->layout.rows : f->layout.cols;
    int through = (f->operand == WSIM_A) == f->by_columns;
    return through && f->fit[0].fits ? own * f->fit[0].fragments : own;
}

/* Elements of packed rows take a byte, with the padding after them. */
static unsigned element_bits(const struct fits *f) {
    return f->packed ? 8 : f->layout.elem_bits;
}

static void read_moves(struct fits *f) {
    struct wsim_diag diag;
    unsigned number = 0;
    do
        if (wsim_move_fits(&f->move, &f->op, f->operand, f->by_columns, number, &f->fit[number],
                           &diag))
            tool_refuse(NULL, &diag);
    while (f->fit[number].fits && ++number < f->fit[0].moves && number < MOST_MOVES);
    if (number < f->fit[0].moves && f->fit[0].comparable && number < MOST_MOVES && number)
        f->fit[0] = f->fit[number];
}

/* --- the answer --- */

static unsigned long byte_of(const struct fits *f, struct wsim_coord at) {
    unsigned line = f->by_columns ? at.col : at.row, element = f->by_columns ? at.row : at.col;
    return (unsigned long)line * f->pitch + (unsigned long)element * element_bits(f) / 8;
}

/* The lanes whose address is not that of their row. */
static void find_wrong(struct fits *f) {
    for (unsigned number = 0; number < f->fit[0].moves && number < MOST_MOVES; number++)
        for (unsigned lane = 0; f->fit[0].fits && lane < f->fit[number].rows; lane++)
            if (byte_of(f, f->fit[number].at[lane]) != f->given[number][lane])
                f->wrong[f->wrongs++] = (struct wrong){number, lane};
}

/* The address that each lane gives, by the expression of the command line. */
static void read_addresses(const char *text, const char *declarations, const char *values,
                           struct fits *f) {
    struct wsim_address_sweep let;
    struct wsim_address_name *move;
    struct wsim_address_scope scope = {.name = let.name, .declarations = declarations};
    struct wsim_diag diag;
    if (wsim_address_sweep_read(values ? values : "", &let, &diag))
        tool_refuse("--let", &diag);
    if (let.steps > 1 || let.names == WSIM_ADDRESS_NAMES)
        tool_fail("--let: one value for each of at most %d names", WSIM_ADDRESS_NAMES - 1);
    wsim_address_sweep_step(&let, 0);
    move = &let.name[let.names];
    *move = (struct wsim_address_name){.text = "move"};
    scope.names = let.names + 1;
    f->addr = text;
    for (unsigned number = 0; text && number < f->fit[0].moves && number < MOST_MOVES; number++) {
        move->value = number;
        if (wsim_address_lanes(&scope, text, f->given[number], &diag))
            tool_refuse("--addr", &diag);
    }
    if (text)
        find_wrong(f);
}

/* "0x20 = (1,0)": the line and element of a byte; only the byte where no element begins. */
static void place_of(const struct fits *f, unsigned long byte, char *out, size_t room) {
    const unsigned long line = byte / f->pitch, bits = byte % f->pitch * 8;
    const unsigned long element = bits / element_bits(f);
    if (bits % element_bits(f) || element >= line_elements(f))
        snprintf(out, room, "0x%lx", byte);
    else
        snprintf(out, room, "0x%lx = (%lu,%lu)", byte, f->by_columns ? element : line,
                 f->by_columns ? line : element);
}

/* The places that a wrong lane gives and needs. */
static void wrong_places(const struct fits *f, const struct wrong *wrong, struct places *places) {
    const struct wsim_coord at = f->fit[wrong->number].at[wrong->lane];
    place_of(f, f->given[wrong->number][wrong->lane], places->gives, sizeof places->gives);
    place_of(f, byte_of(f, at), places->needs, sizeof places->needs);
}

static void state_first_wrong(struct doc *doc, const struct fits *f) {
    struct places places;
    char move[32] = "", more[64] = "";
    wrong_places(f, &f->wrong[0], &places);
    if (f->fit[0].moves > 1)
        snprintf(move, sizeof move, " of move %u", f->wrong[0].number);
    if (f->wrongs > 1)
        snprintf(more, sizeof more, "; %u more %s", f->wrongs - 1,
                 f->wrongs > 2 ? "lanes are wrong" : "lane is wrong");
    doc_line(doc, "no: lane %u%s gives %s, needs %s%s", f->wrong[0].lane, move, places.gives,
             places.needs, more);
}

static void state_addresses(struct doc *doc, const struct fits *f) {
    const struct doc_column columns[] = {{"move", "move", f->fit[0].moves > 1 ? 0 : DOC_HIDDEN},
                                         {"lane", "lane", 0},
                                         {"gives", "gives", DOC_LEFT},
                                         {"needs", "needs", DOC_LEFT},
                                         {NULL, NULL, 0}};
    doc_table(doc, "addresses", columns);
    for (unsigned i = 0; i < f->wrongs; i++) {
        const struct wrong *wrong = &f->wrong[i];
        const unsigned long needs = byte_of(f, f->fit[wrong->number].at[wrong->lane]);
        struct places places;
        wrong_places(f, wrong, &places);
        doc_row_of(doc, "uu", wrong->number, wrong->lane);
        doc_cell(doc, json_integer((json_int_t)f->given[wrong->number][wrong->lane]), "%s",
                 places.gives);
        doc_cell(doc, json_integer((json_int_t)needs), "%s", places.needs);
    }
    doc_leave(doc);
    doc_fact(doc, "wrong_addresses", json_integer((json_int_t)f->wrongs),
             f->wrongs ? "places are (%s,%s)" : "--addr: each lane gives the address of its row",
             row_name(f->operand), col_name(f->operand));
}

/* The rows of all moves: text and CSV. */
static void add_rows(struct doc *doc, const struct fits *f) {
    const struct wsim_move_fit *fit = &f->fit[0];
    const struct doc_column columns[] = {
        {"move", "move", fit->moves > 1 ? 0 : DOC_HIDDEN},
        {"lane", "lane", 0},
        {"fragment", "fragment", fit->fragments > 1 ? 0 : DOC_HIDDEN},
        {"batch", "product", f->layout.batches > 1 ? 0 : DOC_HIDDEN},
        {row_name(f->operand), row_name(f->operand), 0},
        {col_name(f->operand), col_name(f->operand), 0},
        {"byte", "byte", 0},
        {NULL, NULL, 0}};
    doc_only(doc, fit->fits && !f->wrongs ? TOOL_TEXT | TOOL_CSV : TOOL_CSV);
    doc_table(doc, NULL, columns);
    for (unsigned number = 0; fit->fits && number < fit->moves && number < MOST_MOVES; number++)
        for (unsigned lane = 0; lane < f->fit[number].rows; lane++) {
            const struct wsim_coord at = f->fit[number].at[lane];
            doc_row_of(doc, "uuuuuu", number, lane, f->fit[number].fragment[lane], at.batch, at.row,
                       at.col);
            doc_cell(doc, json_integer((json_int_t)byte_of(f, at)), "0x%04lx", byte_of(f, at));
        }
    doc_leave(doc);
    doc_only(doc, 0);
}

/* A move that fits, in one of both majors. */
struct other {
    char spelling[WSIM_SPELLING_MAX];
    int by_columns;
};

enum { MOST_OTHERS = 4 };

static int is_like(const struct fits *f, const struct wsim_op *op, const char *spelling) {
    static const char *const spaces[] = {".shared", ".shared::cta"};
    int named = strstr(f->move_text, spaces[0]) != NULL;
    return wsim_op_describe(op).family == wsim_op_describe(&f->move).family &&
           (strstr(spelling, spaces[0]) != NULL) == named && !strstr(spelling, spaces[1]);
}

/* Finds moves that fill one fragment; the major of the command line comes first. */
static unsigned find_others(const struct fits *f, struct other others[MOST_OTHERS]) {
    unsigned found = 0;
    for (int turned = 0; turned < 2; turned++) {
        struct wsim_op op = {0};
        uint32_t cursor = 0;
        while (found < MOST_OTHERS && wsim_op_next(&cursor, &op)) {
            struct other *other = &others[found];
            struct wsim_move_fit fit;
            wsim_op_spell(&op, other->spelling);
            other->by_columns = turned ? !f->by_columns : f->by_columns;
            found += is_like(f, &op, other->spelling) &&
                     wsim_move_fits(&op, &f->op, f->operand, other->by_columns, 0, &fit, NULL) ==
                         WSIM_OK &&
                     fit.fits && fit.moves == 1 && fit.fragments == 1;
        }
    }
    return found;
}

static void why_not(const struct fits *f, char *out, size_t room) {
    const struct wsim_move_fit *fit = &f->fit[0];
    const char *row = row_name(f->operand), *col = col_name(f->operand);
    if (!fit->comparable && !fit->moves)
        snprintf(out, room, "its registers and the %u of the operand do not go into each other",
                 f->layout.regs);
    else if (!fit->comparable)
        snprintf(out, room, "it unpacks other elements than %s has", f->layout.format->name);
    else if (fit->parted)
        snprintf(out, room,
                 "register %u of lane %u has %s %u, %s %u from bit %u on, and no row of 16 bytes "
                 "brings that there",
                 fit->reg, fit->lane, row, fit->wants.row, col, fit->wants.col, fit->bit);
    else if (fit->wants.batch != fit->has.batch)
        snprintf(out, room,
                 "register %u of lane %u should have an element of product #%u and would "
                 "have one of #%u",
                 fit->reg, fit->lane, fit->wants.batch, fit->has.batch);
    else
        snprintf(out, room,
                 "register %u of lane %u should have %s %u, %s %u from bit %u on and would have "
                 "%s %u, %s %u",
                 fit->reg, fit->lane, row, fit->wants.row, col, fit->wants.col, fit->bit, row,
                 fit->has.row, col, fit->has.col);
}

static unsigned piece_of(const struct fits *f, struct wsim_coord at) {
    return (f->by_columns ? at.row : at.col) * element_bits(f) / 128;
}

static unsigned line_of(const struct fits *f, struct wsim_coord at) {
    return f->by_columns ? at.col : at.row;
}

/* A piece of 16 bytes: the lanes whose rows lie there, of all fragments and products. */
static void add_piece(struct doc *doc, const struct fits *f, const struct wsim_move_fit *fit,
                      unsigned line, unsigned piece) {
    char text[64] = "";
    size_t used = 0;
    int first = -1;
    for (unsigned lane = 0; lane < fit->rows && used < sizeof text; lane++)
        if (line_of(f, fit->at[lane]) == line && piece_of(f, fit->at[lane]) == piece) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? " " : "", lane);
            first = first < 0 ? (int)lane : first;
        }
    doc_cell(doc, NULL, "%s", used ? text : ".");
    doc_shade(doc, first, used ? 0 : WSIM_CELL_EMPTY);
    if (used)
        doc_about(doc, "lane %d gives the address of these 16 bytes: 0x%lx", first,
                  byte_of(f, fit->at[first]));
}

/* The memory of a move: lines by pieces of 16 bytes, in cells the lanes that give their addresses.
 */
static void add_memory(struct doc *doc, const struct fits *f, unsigned number) {
    const struct wsim_move_fit *fit = &f->fit[number];
    const char *across = f->by_columns ? col_name(f->operand) : row_name(f->operand);
    const char *along = f->by_columns ? row_name(f->operand) : col_name(f->operand);
    unsigned lines = 0, pieces = 0;
    for (unsigned lane = 0; lane < fit->rows; lane++) {
        const unsigned line = line_of(f, fit->at[lane]), piece = piece_of(f, fit->at[lane]);
        lines = line >= lines ? line + 1 : lines;
        pieces = piece >= pieces ? piece + 1 : pieces;
    }
    doc_table(doc, NULL, NULL);
    if (fit->moves > 1)
        doc_heading(doc, "Move %u of %u", number + 1, fit->moves);
    doc_caption(doc,
                "Memory, lines by pieces of 16 bytes: the lane that gives the address of each");
    doc_panel(doc)->hue = WSIM_HUE_LANE;
    doc_panel(doc)->values = WSIM_LANES;
    doc_column(doc, 0, NULL, "line");
    for (unsigned piece = 0; piece < pieces; piece++)
        doc_column(doc, 0, NULL, "%s %u", along, piece * 128 / element_bits(f));
    for (unsigned line = 0; line < lines; line++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%s %u", across, line);
        for (unsigned piece = 0; piece < pieces; piece++)
            add_piece(doc, f, fit, line, piece);
    }
    doc_leave(doc);
}

static void set_moves(struct doc *doc, const struct fits *f) {
    doc_list(doc, "moves");
    for (unsigned number = 0; number < f->fit[0].moves && number < MOST_MOVES; number++) {
        const struct wsim_move_fit *fit = &f->fit[number];
        doc_list(doc, NULL);
        for (unsigned lane = 0; lane < fit->rows; lane++) {
            const struct wsim_coord at = fit->at[lane];
            doc_object(doc, NULL, "{s:i, s:i, s:i, s:i, s:i, s:I}", "lane", lane, "fragment",
                       fit->fragment[lane], "batch", at.batch, "row", at.row, "col", at.col, "byte",
                       (json_int_t)byte_of(f, at));
        }
        doc_leave(doc);
    }
    doc_leave(doc);
}

static void state_yes(struct doc *doc, const struct fits *f) {
    const struct wsim_move_fit *fit = &f->fit[0];
    if (f->wrongs)
        state_first_wrong(doc, f);
    doc_line(doc, "%s%s %s operand %s of %s, %s-major", f->wrongs ? "" : "yes: ", f->move_text,
             wsim_op_describe(&f->move).family == WSIM_STMATRIX ? "stores" : "loads",
             wsim_operand_name(f->operand), f->op_text, major_name(f->operand, f->by_columns));
    if (fit->fragments > 1)
        doc_line(doc, "%u fragments of %u registers, %s", fit->fragments, f->layout.regs,
                 fit->interleaved ? "which alternate" : "one after the other");
    if (fit->moves > 1)
        doc_line(doc, "%u moves for one fragment, %u registers each", fit->moves,
                 f->layout.regs / fit->moves);
    if (fit->shift)
        doc_line(doc,
                 "then each register is shifted to the left by %u bits: the product wants the "
                 "element there",
                 fit->shift);
    doc_line(doc, "lines of %u elements, %lu bytes from one to the next", line_elements(f),
             (unsigned long)f->pitch);
    doc_pack(doc, "{s:i, s:i, s:b, s:i, s:I}", "moves_a_fragment", fit->moves, "fragments_a_move",
             fit->fragments, "interleaved", fit->interleaved, "shift_left", fit->shift, "pitch",
             (json_int_t)f->pitch);
    set_moves(doc, f);
    doc_only(doc, DOC_PAGES);
    for (unsigned number = 0; number < fit->moves && number < MOST_MOVES; number++)
        add_memory(doc, f, number);
    add_rows(doc, f);
}

static void state_no(struct doc *doc, const struct fits *f) {
    static const struct doc_column columns[] = {
        {"major", "major", 0}, {"spelling", "fits", DOC_LEFT}, {NULL, NULL, 0}};
    struct other others[MOST_OTHERS];
    const unsigned count = find_others(f, others);
    const struct fits_wrong wrong = {&f->move, &f->op, f->operand, f->by_columns, &f->fit[0]};
    char why[256];
    why_not(f, why, sizeof why);
    add_rows(doc, f);
    doc_line(doc, "no: %s does not produce the register layout of operand %s of %s, %s-major: %s",
             f->move_text, wsim_operand_name(f->operand), f->op_text,
             major_name(f->operand, f->by_columns), why);
    doc_set(doc, "because", json_string(why));
    if (!count)
        doc_line(doc, "no move fits");
    doc_only(doc, count ? DOC_SHOWN : TOOL_CSV);
    doc_table(doc, "others", columns);
    for (unsigned i = 0; i < count; i++)
        doc_row_of(doc, "ss", major_name(f->operand, others[i].by_columns), others[i].spelling);
    doc_leave(doc);
    doc_only(doc, DOC_PAGES);
    fits_draw_wrong(doc, &wrong);
    doc_only(doc, 0);
}

static int state(struct doc *doc, const struct fits *f) {
    doc_pack(doc, "{s:s, s:s, s:s, s:s, s:b}", "move", f->move_text, "product", f->op_text,
             "operand", wsim_operand_name(f->operand), "major",
             major_name(f->operand, f->by_columns), "fits", f->fit[0].fits && !f->wrongs);
    if (f->fit[0].fits)
        state_yes(doc, f);
    else
        state_no(doc, f);
    if (f->fit[0].fits && f->addr)
        state_addresses(doc, f);
    return f->fit[0].fits && !f->wrongs ? TOOL_FINE : TOOL_FOUND;
}

/* --- the command --- */

static void read_ops(const char **args, struct fits *f) {
    const char *move[] = {args[0], NULL}, *op[] = {NULL, NULL};
    if (!args[0] || !args[1])
        tool_fail("give two instructions, such as wsim layout --fits "
                  "ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                  "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a");
    if (args[2])
        tool_fail("unexpected argument '%s'", text_cut(args[2]).text);
    op[0] = args[1];
    tool_op(move, &f->move);
    tool_op(op, &f->op);
    if (!tool_moves_rows(&f->move))
        tool_fail("'%s' moves no rows of memory: ldmatrix and stmatrix do",
                  text_path(args[0]).text);
    wsim_op_spell(&f->move, f->move_text);
    wsim_op_spell(&f->op, f->op_text);
    f->packed = strstr(f->move_text, "b8x16") != NULL;
}

struct options {
    char *operand, *major, *pitch, *addr, *decl, *let;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    struct fits f = {.operand = WSIM_D};
    struct doc *doc;
    if (umma_is(tool->args[0])) {
        if (o->major || o->pitch || o->addr || o->decl || o->let)
            tool_fail("tensor memory has lanes and columns: only --operand applies");
        if (tool->args[1] && tool->args[2])
            tool_fail("unexpected argument '%s'", text_cut(tool->args[2]).text);
        return fits_tensor(tool->format, tool->args, o->operand);
    }
    read_ops(tool->args, &f);
    read_operand(o->operand, &f);
    read_major(o->major, &f);
    read_moves(&f);
    f.pitch = line_elements(&f) * element_bits(&f) / 8;
    tool_number("--pitch", o->pitch, 1u << 20, &f.pitch);
    read_addresses(o->addr, o->decl, o->let, &f);
    doc = doc_open(tool->format, "wsim.fits");
    return doc_close(doc, state(doc, &f));
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"operand", 0, TOOL_STRING, TOOL_AT(operand), "Operand of the product: a, b, c or d", "NAME"},
    {"major", 0, TOOL_STRING, TOOL_AT(major), "Layout in memory: k or mn (k); c, d: row or col", "MAJOR"},
    {"pitch", 0, TOOL_STRING, TOOL_AT(pitch), "Distance between lines of memory", "BYTES"},
    {"addr", 0, TOOL_STRING, TOOL_AT(addr), "Compare with these addresses: a C expression", "EXPR"},
    {"decl", 0, TOOL_STRING, TOOL_AT(decl), "Arrays that the expression names: 'half a[16][24]'", "DECL"},
    {"let", 0, TOOL_STRING, TOOL_AT(let), "Values of names in the expression", "NAME=VALUE,..."},
    TOOL_OPTIONS_END};

const struct tool_command fits_command = {
    "MOVE PRODUCT", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
