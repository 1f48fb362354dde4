/* wsim fits: whether what a matrix move has in registers is an operand of a product, and which
 * address each lane then gives. */
#include "../common/page.h"
#include "../common/screen.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <string.h>
#include <strings.h>

static const char about[] =
    "Checks whether an ldmatrix loads the register layout of an mma operand (for stmatrix:\n"
    "whether it stores D of the mma). If it fits, prints the first element and byte of the\n"
    "memory row of each lane. If not, prints the first element that differs and the moves that\n"
    "fit (exit status 1).\n"
    "--major is the layout of the matrix in memory: k (neighbours differ in k) or mn; for C and\n"
    "D row or col. --pitch is the distance between memory lines in bytes (default: no gaps). If\n"
    "one move fills several fragments, each is a matrix of its own. If several moves fill one\n"
    "fragment, all are listed. For wgmma the answer is about the first warp.\n";
static const char examples[] =
    "  wsim fits ldmatrix.sync.aligned.m8n8.x2.shared.b16 \\\n"
    "    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --pitch 128\n"
    "  wsim fits ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 \\\n"
    "    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand b --major mn --format csv\n";

enum { MOST_MOVES = 16 };

struct fits {
    struct wsim_op move, op;
    char move_text[WSIM_SPELLING_MAX], op_text[WSIM_SPELLING_MAX];
    enum wsim_operand operand;
    struct wsim_layout layout;
    int by_columns, packed;
    uint32_t pitch;
    struct wsim_move_fit fit[MOST_MOVES]; /* as many as fit->moves */
};

/* --- names --- */

/* What rows and columns of an operand are. */
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

static int read_major(const char *text, struct fits *f) {
    f->by_columns = f->operand == WSIM_B;
    if (!text || strcasecmp(text, major_name(f->operand, f->by_columns)) == 0)
        return TOOL_GO;
    f->by_columns = !f->by_columns;
    if (strcasecmp(text, major_name(f->operand, f->by_columns)) == 0)
        return TOOL_GO;
    return tool_error("--major '%s': of operand %s it is %s", text_cut(text).text,
                      wsim_operand_name(f->operand),
                      is_factor(f->operand) ? "k or mn" : "row or col");
}

static int read_operand(const char *text, struct fits *f) {
    struct wsim_diag diag;
    int i = 0, stores = wsim_op_describe(&f->move).family == WSIM_STMATRIX;
    if (!text && !stores)
        return tool_error("which operand? --operand a, b or c");
    while (text && i < WSIM_OPERANDS && strcasecmp(text, wsim_operand_name((enum wsim_operand)i)))
        i++;
    if (i == WSIM_OPERANDS)
        return tool_error("unknown operand '%s': it can be a, b, c or d", text_cut(text).text);
    f->operand = text ? (enum wsim_operand)i : WSIM_D;
    if (f->operand > WSIM_C)
        return tool_error("no ldmatrix or stmatrix moves operand %s: choose a, b, c or d",
                          wsim_operand_name(f->operand));
    return wsim_op_layout(&f->op, NULL, f->operand, &f->layout, &diag) ? tool_refused(NULL, &diag)
                                                                       : TOOL_GO;
}

/* Elements of a line of memory, of all fragments that it goes through. */
static unsigned line_elements(const struct fits *f) {
    unsigned own = f->by_columns ? f->layout.rows : f->layout.cols;
    int through = (f->operand == WSIM_A) == f->by_columns;
    return through && f->fit[0].fits ? own * f->fit[0].fragments : own;
}

/* Elements of packed rows take a byte, with the padding behind them. */
static unsigned element_bits(const struct fits *f) {
    return f->packed ? 8 : f->layout.elem_bits;
}

static int read_moves(struct fits *f) {
    struct wsim_diag diag;
    unsigned number = 0;
    do
        if (wsim_move_fits(&f->move, &f->op, f->operand, f->by_columns, number, &f->fit[number],
                           &diag))
            return tool_refused(NULL, &diag);
    while (f->fit[number].fits && ++number < f->fit[0].moves && number < MOST_MOVES);
    if (number < f->fit[0].moves && f->fit[0].comparable && number < MOST_MOVES && number)
        f->fit[0] = f->fit[number];
    return TOOL_GO;
}

/* --- the answer --- */

static unsigned long byte_of(const struct fits *f, struct wsim_coord at) {
    unsigned line = f->by_columns ? at.col : at.row, element = f->by_columns ? at.row : at.col;
    return (unsigned long)line * f->pitch + (unsigned long)element * element_bits(f) / 8;
}

static void print_rows(const struct fits *f, unsigned number) {
    const struct wsim_move_fit *fit = &f->fit[number];
    unsigned lane;
    if (fit->moves > 1)
        printf("\nmove %u of %u\n", number + 1, fit->moves);
    printf("%s%4s %4s  byte%s\n", "lane ", row_name(f->operand), col_name(f->operand),
           fit->fragments > 1 ? "   fragment" : "");
    for (lane = 0; lane < fit->rows; lane++) {
        printf("%4u %4u %4u  0x%04lx", lane, fit->at[lane].row, fit->at[lane].col,
               byte_of(f, fit->at[lane]));
        if (fit->fragments > 1)
            printf("  %u", fit->fragment[lane]);
        if (f->layout.batches > 1)
            printf("  #%u", fit->at[lane].batch);
        putchar('\n');
    }
}

static void print_yes(const struct fits *f) {
    const struct wsim_move_fit *fit = &f->fit[0];
    screen_fold(2, "yes: %s %s operand %s of %s, %s-major", f->move_text,
                wsim_op_describe(&f->move).family == WSIM_STMATRIX ? "stores" : "loads",
                wsim_operand_name(f->operand), f->op_text, major_name(f->operand, f->by_columns));
    if (fit->fragments > 1)
        printf("%u fragments of %u registers, %s\n", fit->fragments, f->layout.regs,
               fit->interleaved ? "which alternate" : "one after the other");
    if (fit->moves > 1)
        printf("%u moves for one fragment, %u registers each\n", fit->moves,
               f->layout.regs / fit->moves);
    if (fit->shift)
        screen_fold(2,
                    "then each register is shifted to the left by %u bits: the product wants "
                    "the element there",
                    fit->shift);
    printf("lines of %u elements, %lu bytes from one to the next\n", line_elements(f),
           (unsigned long)f->pitch);
    for (unsigned number = 0; number < fit->moves && number < MOST_MOVES; number++)
        print_rows(f, number);
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

/* Those that fill just one fragment, of the major that was asked for first. */
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
        snprintf(out, room, "the elements that it unpacks are not those of %s",
                 f->layout.format->name);
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

static void print_no(const struct fits *f) {
    struct other others[MOST_OTHERS];
    unsigned count = find_others(f, others);
    char why[256];
    why_not(f, why, sizeof why);
    screen_fold(2, "no: %s does not produce the register layout of operand %s of %s, %s-major: %s",
                f->move_text, wsim_operand_name(f->operand), f->op_text,
                major_name(f->operand, f->by_columns), why);
    for (unsigned i = 0; i < count; i++)
        printf("%s%s  (%s-major)\n", i ? "      " : "fits: ", others[i].spelling,
               major_name(f->operand, others[i].by_columns));
    if (!count)
        puts("no move fits");
}

static void print_csv(const struct fits *f) {
    printf("move,lane,fragment,batch,%s,%s,byte\n", row_name(f->operand), col_name(f->operand));
    for (unsigned number = 0; f->fit[0].fits && number < f->fit[0].moves && number < MOST_MOVES;
         number++)
        for (unsigned lane = 0; lane < f->fit[number].rows; lane++) {
            const struct wsim_move_fit *fit = &f->fit[number];
            printf("%u,%u,%u,%u,%u,%u,%lu\n", number, lane, fit->fragment[lane],
                   fit->at[lane].batch, fit->at[lane].row, fit->at[lane].col,
                   byte_of(f, fit->at[lane]));
        }
}

/* --- pages --- */

/* Memory of a move: lines by pieces of 16 bytes, in cells the lanes that give their addresses. */
struct fits_memory {
    const struct fits *fits;
    unsigned number; /* the move */
};

static unsigned piece_of(const struct fits *f, struct wsim_coord at) {
    return (f->by_columns ? at.row : at.col) * element_bits(f) / 128;
}

static unsigned line_of(const struct fits *f, struct wsim_coord at) {
    return f->by_columns ? at.col : at.row;
}

/* The lane whose row lies there, of all fragments and products; -1: none. */
static int lane_at(const struct fits_memory *m, unsigned line, unsigned piece, unsigned after) {
    const struct wsim_move_fit *fit = &m->fits->fit[m->number];
    for (unsigned lane = after; lane < fit->rows; lane++)
        if (line_of(m->fits, fit->at[lane]) == line && piece_of(m->fits, fit->at[lane]) == piece)
            return (int)lane;
    return -1;
}

static void memory_cell(struct wsim_panel *p, uint32_t line, uint32_t piece,
                        struct wsim_cell *cell) {
    const struct fits_memory *m = p->about;
    int lane = lane_at(m, line, piece, 0);
    size_t used = 0;
    cell->value = lane;
    cell->flags = lane < 0 ? WSIM_CELL_EMPTY : 0;
    snprintf(cell->text, sizeof cell->text, ".");
    for (; lane >= 0 && used < 64; lane = lane_at(m, line, piece, (unsigned)lane + 1))
        used += (size_t)snprintf(cell->text + used, sizeof cell->text - used, "%s%d",
                                 used ? " " : "", lane);
}

static void memory_row(struct wsim_panel *p, uint32_t line, char out[WSIM_CELL_TEXT]) {
    const struct fits *f = ((const struct fits_memory *)p->about)->fits;
    snprintf(out, WSIM_CELL_TEXT, "%s %lu",
             f->by_columns ? col_name(f->operand) : row_name(f->operand), (unsigned long)line);
}

static void memory_col(struct wsim_panel *p, uint32_t piece, char out[WSIM_CELL_TEXT]) {
    const struct fits *f = ((const struct fits_memory *)p->about)->fits;
    snprintf(out, WSIM_CELL_TEXT, "%s %lu",
             f->by_columns ? row_name(f->operand) : col_name(f->operand),
             (unsigned long)piece * 128 / element_bits(f));
}

static void memory_title(struct wsim_panel *p, uint32_t line, uint32_t piece,
                         char out[WSIM_CELL_TEXT]) {
    const struct fits_memory *m = p->about;
    int lane = lane_at(m, line, piece, 0);
    out[0] = '\0';
    if (lane >= 0)
        snprintf(out, WSIM_CELL_TEXT, "lane %d gives the address of these 16 bytes: 0x%lx", lane,
                 byte_of(m->fits, m->fits->fit[m->number].at[lane]));
}

static void add_move(struct page *page, const struct fits_memory *m) {
    const struct wsim_move_fit *fit = &m->fits->fit[m->number];
    struct wsim_panel panel = {.hue = WSIM_HUE_LANE,
                               .values = WSIM_LANES,
                               .about = m,
                               .cell = memory_cell,
                               .row_head = memory_row,
                               .col_head = memory_col,
                               .title = memory_title};
    for (unsigned lane = 0; lane < fit->rows; lane++) {
        unsigned line = line_of(m->fits, fit->at[lane]), piece = piece_of(m->fits, fit->at[lane]);
        panel.rows = line >= panel.rows ? line + 1 : panel.rows;
        panel.cols = piece >= panel.cols ? piece + 1 : panel.cols;
    }
    if (fit->moves > 1)
        snprintf(panel.heading, sizeof panel.heading, "Move %u of %u", m->number + 1, fit->moves);
    snprintf(panel.caption, sizeof panel.caption,
             "Memory, lines by pieces of 16 bytes: which lane gives the address of each");
    snprintf(panel.corner, sizeof panel.corner, "line");
    page_panel(page, &panel);
}

static void add_yes(const struct fits *f, struct page *page, struct fits_memory *memory) {
    const struct wsim_move_fit *fit = &f->fit[0];
    page_line(page, WSIM_LINES_ABOVE, "yes: it %s operand %s of %s, %s-major",
              wsim_op_describe(&f->move).family == WSIM_STMATRIX ? "stores" : "loads",
              wsim_operand_name(f->operand), f->op_text, major_name(f->operand, f->by_columns));
    if (fit->fragments > 1)
        page_line(page, WSIM_LINES_ABOVE, "%u fragments of %u registers, %s", fit->fragments,
                  f->layout.regs, fit->interleaved ? "which alternate" : "one after the other");
    if (fit->shift)
        page_line(page, WSIM_LINES_ABOVE,
                  "then each register is shifted to the left by %u bits: the product wants the "
                  "element there",
                  fit->shift);
    page_line(page, WSIM_LINES_ABOVE, "lines of %u elements, %lu bytes from one to the next",
              line_elements(f), (unsigned long)f->pitch);
    for (unsigned number = 0; number < fit->moves && number < MOST_MOVES; number++) {
        memory[number] = (struct fits_memory){f, number};
        add_move(page, &memory[number]);
    }
}

static void add_no(const struct fits *f, struct page *page, struct grid *grid) {
    struct other others[MOST_OTHERS];
    unsigned count = find_others(f, others);
    char why[256];
    why_not(f, why, sizeof why);
    page_line(page, WSIM_LINES_ABOVE,
              "no: it does not produce the register layout of operand %s of %s, %s-major",
              wsim_operand_name(f->operand), f->op_text, major_name(f->operand, f->by_columns));
    page_line(page, WSIM_LINES_ABOVE, "%s", why);
    for (unsigned i = 0; i < count; i++) {
        grid_row(grid, "%s", others[i].spelling);
        grid_cell(grid, "%s", major_name(f->operand, others[i].by_columns));
    }
    if (count)
        page_grid(page, "What fits", "", grid);
    else
        page_line(page, WSIM_LINES_ABOVE, "no move fits");
}

static int print_page(const struct fits *f, enum tool_format format) {
    static const char *const heads[] = {"major", NULL};
    struct fits_memory memory[MOST_MOVES];
    struct grid grid = grid_open("move", heads);
    struct page page;
    int status;
    page_open(&page, f->move_text);
    if (f->fit[0].fits)
        add_yes(f, &page, memory);
    else
        add_no(f, &page, &grid);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}

static json_t *moves_json(const struct fits *f) {
    json_t *moves = json_array();
    for (unsigned number = 0; number < f->fit[0].moves && number < MOST_MOVES; number++) {
        const struct wsim_move_fit *fit = &f->fit[number];
        json_t *rows = json_array();
        for (unsigned lane = 0; lane < fit->rows; lane++)
            json_array_append_new(rows, json_pack("{s:i, s:i, s:i, s:i, s:i, s:I}", "lane", lane,
                                                  "fragment", fit->fragment[lane], "batch",
                                                  fit->at[lane].batch, "row", fit->at[lane].row,
                                                  "col", fit->at[lane].col, "byte",
                                                  (json_int_t)byte_of(f, fit->at[lane])));
        json_array_append_new(moves, rows);
    }
    return moves;
}

static json_t *others_json(const struct fits *f) {
    struct other others[MOST_OTHERS];
    unsigned count = find_others(f, others);
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "spelling", others[i].spelling, "major",
                                              major_name(f->operand, others[i].by_columns)));
    return list;
}

static void print_json(const struct fits *f) {
    const struct wsim_move_fit *fit = &f->fit[0];
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:b}", "schema", "wsim.fits",
                             "version", 1, "move", f->move_text, "product", f->op_text, "operand",
                             wsim_operand_name(f->operand), "major",
                             major_name(f->operand, f->by_columns), "fits", fit->fits);
    char why[256];
    why_not(f, why, sizeof why);
    if (fit->fits)
        json_object_update_new(root,
                               json_pack("{s:i, s:i, s:b, s:i, s:I, s:o}", "moves_a_fragment",
                                         fit->moves, "fragments_a_move", fit->fragments,
                                         "interleaved", fit->interleaved, "shift_left", fit->shift,
                                         "pitch", (json_int_t)f->pitch, "moves", moves_json(f)));
    else
        json_object_update_new(root,
                               json_pack("{s:s, s:o}", "because", why, "others", others_json(f)));
    tool_print_json(root);
}

/* --- the command --- */

static int read_ops(const char **args, struct fits *f) {
    const char *move[] = {args[0], NULL}, *op[] = {NULL, NULL};
    int status;
    if (!args[0] || !args[1])
        return tool_error("give two instructions, such as wsim fits "
                          "ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a");
    if (args[2])
        return tool_error("'%s' is one word too many", text_cut(args[2]).text);
    op[0] = args[1];
    status = tool_op(move, &f->move);
    if (status == TOOL_GO)
        status = tool_op(op, &f->op);
    if (status == TOOL_GO && !tool_moves_rows(&f->move))
        status = tool_error("'%s' moves no rows of memory: ldmatrix and stmatrix do",
                            text_path(args[0]).text);
    wsim_op_spell(&f->move, f->move_text);
    wsim_op_spell(&f->op, f->op_text);
    f->packed = strstr(f->move_text, "b8x16") != NULL;
    return status;
}

struct options {
    char *operand, *major, *pitch;
};

static int run(struct tool *tool) {
    const struct options *o = tool->options;
    const enum tool_format format = tool->format;
    struct fits f = {.operand = WSIM_D};
    int status = read_ops(tool->args, &f);
    if (status == TOOL_GO)
        status = read_operand(o->operand, &f);
    if (status == TOOL_GO)
        status = read_major(o->major, &f);
    if (status != TOOL_GO)
        return status;
    status = read_moves(&f);
    if (status != TOOL_GO)
        return status;
    f.pitch = line_elements(&f) * element_bits(&f) / 8;
    status = tool_number("--pitch", o->pitch, 1u << 20, &f.pitch);
    if (status != TOOL_GO)
        return status;
    if (format == TOOL_JSON)
        print_json(&f);
    else if (format == TOOL_CSV)
        print_csv(&f);
    else if (format != TOOL_TEXT && print_page(&f, format) != TOOL_FINE)
        return TOOL_USAGE;
    else if (format != TOOL_TEXT)
        return f.fit[0].fits ? TOOL_FINE : TOOL_FOUND;
    else if (f.fit[0].fits)
        print_yes(&f);
    else
        print_no(&f);
    return f.fit[0].fits ? TOOL_FINE : TOOL_FOUND;
}

/* clang-format off */
static const struct tool_option rows[] = {
    {"operand", 0, TOOL_STRING, TOOL_AT(operand), "Operand of the product: a, b, c or d", "NAME"},
    {"major", 0, TOOL_STRING, TOOL_AT(major), "Layout in memory: k or mn (k); c, d: row or col", "MAJOR"},
    {"pitch", 0, TOOL_STRING, TOOL_AT(pitch), "Distance between lines of memory", "BYTES"},
    TOOL_OPTIONS_END};

const struct tool_command fits_command = {
    "MOVE PRODUCT", about, examples, rows, sizeof(struct options), TOOL_PICTURES | TOOL_JSON, NULL, run};
/* clang-format on */
