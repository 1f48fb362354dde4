/* What wsim why shows of an element as a page or as CSV: the library's picture of its steps, and
 * where the factors lay in shared memory. */
#include "why.h"
#include "why_words.h"
#include "../common/page.h"
#include "../exec/exec_print.h"
#include "../../lib/number.h"

#include <inttypes.h>

static uint8_t container(const struct exec_run *run, enum wsim_operand operand) {
    unsigned bits = run->layout[operand].elem_bits;
    return (uint8_t)(bits == 1 ? 32 : bits); /* elements of a bit come 32 at once */
}

struct wsim_why_card why_card(const struct exec_run *run, const struct wsim_why *why) {
    return (struct wsim_why_card){.spelling = run->spelling,
                                  .arch = run->arch,
                                  .why = why,
                                  .a = run->layout[WSIM_A].format,
                                  .b = run->layout[WSIM_B].format,
                                  .a_bits = container(run, WSIM_A),
                                  .b_bits = container(run, WSIM_B)};
}

/* --- memory --- */

/* Where in shared memory the factors lay; the number of those that lay there. */
static unsigned fill_memory(const struct why_answer *x, struct grid *grid) {
    unsigned found = 0;
    for (unsigned i = 0; i < x->why->terms; i++) {
        const struct wsim_why_term *term = &x->why->term[i];
        grid_row(grid, "%u", term->k);
        found += (unsigned)why_put_byte(x, grid, WSIM_A, &term->a);
        found += (unsigned)why_put_byte(x, grid, WSIM_B, &term->b);
    }
    return found;
}

/* --- the whole --- */

static void add_factors(const struct why_answer *x, struct page *page) {
    for (unsigned block = 0; block < x->why->blocks; block++) {
        const struct wsim_why_element *one[] = {&x->why->factors[block].a,
                                                &x->why->factors[block].b};
        char number[2][NUMBER_TEXT];
        for (int i = 0; i < 2; i++)
            number_text(&x->run->layout[i ? WSIM_SFB : WSIM_SFA], one[i]->bits, number[i]);
        page_line(page, WSIM_LINES_ABOVE,
                  "block %u: sfa = %s in lane %u, byte %u; sfb = %s in lane %u, byte %u", block,
                  number[0], one[0]->place.lane, one[0]->place.elem, number[1], one[1]->place.lane,
                  one[1]->place.elem);
    }
    if (x->why->negate_a || x->why->negate_b)
        page_line(page, WSIM_LINES_ABOVE, "negated:%s%s", x->why->negate_a ? " a" : "",
                  x->why->negate_b ? " b" : "");
}

void why_page_steps(const struct wsim_picture *picture, struct page *page) {
    char line[WSIM_CAPTION];
    for (uint32_t i = 0; picture->line(picture, WSIM_LINES_ABOVE, i, line); i++)
        page_line(page, WSIM_LINES_ABOVE, "%s", line);
    page_picture(page, picture);
}

int why_print_page(const struct why_answer *x, enum tool_format format) {
    static const char *const heads[] = {"a at", "bank",       "unswizzled", "b at",
                                        "bank", "unswizzled", NULL};
    const struct wsim_why_card card = why_card(x->run, x->why);
    struct wsim_picture picture;
    struct page page;
    struct grid grid;
    int status;
    wsim_picture_why(&card, &picture);
    if (format == TOOL_CSV)
        return picture_print(&picture, format);
    grid = grid_open("k", heads);
    page_open(&page, picture.title);
    exec_page_evidence(x->run, &page);
    exec_page_sources(x->run, &page);
    add_factors(x, &page);
    page_line(&page, WSIM_LINES_ABOVE, "%s", why_arithmetic(&x->why->arithmetic).text);
    why_page_steps(&picture, &page);
    if (fill_memory(x, &grid))
        page_grid(&page, "Shared memory", "Where the factors lay, and in which banks", &grid);
    status = page_print(&page, format);
    grid_free(&grid);
    return status;
}
