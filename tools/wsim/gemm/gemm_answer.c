/* The answer of wsim gemm: the product, its digests, and where results differ. */
#include "gemm.h"
#include "../../lib/number.h"
#include "../common/number_json.h"
#include "../common/text.h"

#include <inttypes.h>
#include <math.h>

/* --- the product --- */

static void add_matrix(struct doc *doc, const struct gemm_run *run, const struct matrix *m,
                       const char *key) {
    const char *source = m->source ? m->source : run->drawn;
    if (!m->elements) {
        doc_set(doc, key, NULL);
        return;
    }
    doc_enter(doc, key);
    doc_pack(doc, "{s:o, s:I, s:I, s:s}", "source", tool_json_text(source), "rows",
             (json_int_t)m->rows, "columns", (json_int_t)m->columns, "type", m->format->name);
    if (m->is_scaled)
        doc_pack(doc, "{s:s, s:I, s:s?}", "scale", run->gemm.scale->name, "block_k",
                 (json_int_t)run->gemm.block_k, "quantized", m->numbers ? m->numbers->name : NULL);
    doc_leave(doc);
    doc_line(doc, "  %s = %s: %zu x %zu %s", m->name, text_path(source).text, m->rows, m->columns,
             m->format->name);
    if (m->is_scaled)
        doc_line(doc, "    %s%s%sa factor of %s for each %zu of k",
                 m->numbers ? "quantised from " : "", m->numbers ? m->numbers->name : "",
                 m->numbers ? ": " : "", run->gemm.scale->name, run->gemm.block_k);
}

static void add_product(struct doc *doc, const struct gemm_run *run) {
    const struct wsim_gemm *gemm = &run->gemm;
    doc_line(doc, "%s", run->results[0].in.spelling);
    doc_pack(doc, "{s:s, s:I, s:I, s:I, s:[I, I, I], s:I, s:I, s:I, s:I, s:s}", "spelling",
             run->results[0].in.spelling, "m", (json_int_t)gemm->size.m, "n",
             (json_int_t)gemm->size.n, "k", (json_int_t)gemm->size.k, "tile",
             (json_int_t)gemm->tile_m, (json_int_t)gemm->tile_n, (json_int_t)gemm->tile_k,
             "instructions", (json_int_t)gemm->steps, "promote", (json_int_t)gemm->size.promote,
             "slices", (json_int_t)gemm->slices, "slice_k", (json_int_t)gemm->slice_k, "type",
             run->d.format->name);
    add_matrix(doc, run, &run->a, "a");
    add_matrix(doc, run, &run->b, "b");
    add_matrix(doc, run, &run->c, "c");
    doc_line(doc, "  D = A B%s: %zu x %zu %s, %" PRIu64 " instruction%s of %zu x %zu x %zu",
             run->c.elements ? " + C" : "", run->d.rows, run->d.columns, run->d.format->name,
             gemm->steps, gemm->steps == 1 ? "" : "s", gemm->tile_m, gemm->tile_n, gemm->tile_k);
    if (gemm->size.promote)
        doc_line(doc, "  accumulators are added to an f32 after every %zu of k",
                 gemm->size.promote);
    if (gemm->slices > 1)
        doc_line(doc, "  %zu slices of %zu of k are added to %s in ascending order, by add.%s",
                 gemm->slices, gemm->slice_k, run->c.elements ? "C" : "zero", gemm->d->name);
}

/* --- comparisons --- */

static json_t *difference_json(const struct gemm_run *run, const struct difference *at) {
    const int digits = run->d.format->bits / 4;
    return json_pack("{s:I, s:I, s:[o, o], s:[o, o], s:I}", "row", (json_int_t)at->row, "column",
                     (json_int_t)at->column, "bits",
                     json_sprintf("0x%0*" PRIx64, digits, at->bits[0]),
                     json_sprintf("0x%0*" PRIx64, digits, at->bits[1]), "values",
                     number_json(&run->layout, at->bits[0]), number_json(&run->layout, at->bits[1]),
                     "distance", (json_int_t)at->distance);
}

/* "0x3f800000 (1)" */
struct element_words {
    char text[24 + NUMBER_TEXT];
};

static struct element_words element_words(const struct gemm_run *run, uint64_t bits) {
    struct element_words words;
    char number[NUMBER_TEXT];
    number_text(&run->layout, bits, number);
    snprintf(words.text, sizeof words.text, "0x%0*" PRIx64 " (%s)", run->d.format->bits / 4, bits,
             number);
    return words;
}

static void word_differences(struct doc *doc, const struct gemm_run *run,
                             const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    const struct difference *first = &c->first, *largest = &c->largest;
    const char *base = run->results[0].name;
    doc_line(doc, "  %" PRIu64 " of %" PRIu64 " elements differ from %s (%.4g %%)", c->different,
             c->elements, base, 100.0 * (double)c->different / (double)c->elements);
    doc_line(doc, "  first: D[%zu][%zu] is %s on %s, %s %s %s", first->row, first->column,
             element_words(run, first->bits[0]).text, base, element_words(run, first->bits[1]).text,
             result->arch ? "on" : "in", result->name);
    if (largest->distance)
        doc_line(
            doc, "  largest difference: D[%zu][%zu], by %" PRIu64 "%s: %s, %s", largest->row,
            largest->column, largest->distance, run->d.format->kind == WSIM_BINARY ? " ulp" : "",
            element_words(run, largest->bits[0]).text, element_words(run, largest->bits[1]).text);
    if (c->nans)
        doc_line(doc, "  %" PRIu64 " of them are NaN on one side only", c->nans);
}

static void add_comparison(struct doc *doc, const struct gemm_run *run,
                           const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    doc_object(doc, "comparison", "{s:s, s:I, s:I, s:I, s:o, s:o}", "with", run->results[0].name,
               "elements", (json_int_t)c->elements, "different", (json_int_t)c->different,
               "nan_on_one", (json_int_t)c->nans, "first",
               c->different ? difference_json(run, &c->first) : json_null(), "furthest",
               c->largest.distance ? difference_json(run, &c->largest) : json_null());
    if (c->different)
        word_differences(doc, run, result);
    else
        doc_line(doc, "  all %" PRIu64 " elements equal %s", c->elements, run->results[0].name);
}

/* How many elements of each part of D differ. */
static void add_map(struct doc *doc, const struct gemm_run *run, const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    const size_t rows = compare_map_part(c->rows), columns = compare_map_part(c->columns);
    const struct doc_column corner[] = {{NULL, "row", 0}, {NULL, NULL, 0}};
    doc_table(doc, NULL, corner);
    for (size_t col = 0; col < c->columns; col += columns)
        doc_column(doc, DOC_KEEP, NULL, "%zu", col);
    doc_panel(doc)->hue = WSIM_HUE_TURN;
    doc_panel(doc)->values = 4;
    doc_heading(doc, "Where D differs: %.200s and %.200s", run->results[0].name, result->name);
    doc_caption(doc,
                "The number of elements that differ in each part of %zu x %zu; heads are its first "
                "row and column",
                rows, columns);
    for (size_t row = 0; row < c->rows; row += rows) {
        doc_row(doc);
        doc_cell(doc, NULL, "%zu", row);
        for (size_t col = 0; col < c->columns; col += columns) {
            const uint64_t n = c->map[row / rows][col / columns];
            if (n)
                doc_cell(doc, NULL, "%" PRIu64, n);
            else
                doc_cell(doc, NULL, ".");
            doc_shade(doc, n == 0 ? -1 : n < rows * columns / 10 ? 2 : 3, n ? 0 : WSIM_CELL_EMPTY);
        }
    }
    doc_leave(doc);
}

/* --- results --- */

static void add_arch(struct doc *doc, const struct gemm_run *run,
                     const struct gemm_result *result) {
    const struct evidence *evidence = &result->evidence;
    doc_pack(doc, "{s:s, s:s, s:s, s:o, s:s?, s:s?, s:s?}", "arch", wsim_arch_name(result->arch),
             "spelling", result->in.spelling, "path", wsim_path_name(result->path), "digest",
             json_sprintf("%016" PRIx64, result->digest), "evidence", evidence->word,
             "evidence_source", evidence->source, "caveat", evidence->caveat);
    doc_line(doc, "%s: digest %016" PRIx64 ", path %s", result->name, result->digest,
             wsim_path_name(result->path));
    if (result->is_other)
        doc_line(doc, "  %s", result->in.spelling);
    if (run->timed) {
        doc_pack(doc, "{s:f, s:f}", "seconds", result->seconds, "processor_seconds",
                 result->processor);
        doc_line(doc, "  %.3f s, %.3f s of processors: %.1f ns an instruction", result->seconds,
                 result->processor,
                 run->gemm.steps ? 1e9 * result->processor / (double)run->gemm.steps : 0.0);
    }
    if (scaled_is_rounded(run)) {
        if (isfinite(result->error))
            doc_pack(doc, "{s:f}", "relative_error", result->error);
        else
            doc_set(doc, "relative_error", NULL);
        doc_line(doc, "  relative error %.3g to the product of the numbers (Frobenius norm)",
                 result->error);
    }
    if (evidence->word)
        doc_line(doc, "  evidence: %s (%s)", evidence->word, evidence->source);
    if (evidence->caveat)
        doc_line(doc, "  caveat: %s", evidence->caveat);
    if (tool_has_tcgen05(result->arch) && !result->in.is_umma)
        doc_line(doc, "  %s", TOOL_TCGEN05);
}

static void add_result(struct doc *doc, const struct gemm_run *run, size_t i) {
    const struct gemm_result *result = &run->results[i];
    doc_enter(doc, NULL);
    if (result->arch) {
        add_arch(doc, run, result);
    } else {
        doc_set(doc, "file", tool_json_text(result->name));
        doc_line(doc, "%s:", result->name);
    }
    if (i > 0)
        add_comparison(doc, run, result);
    doc_leave(doc);
}

/* --- CSV --- */

static void add_place(struct doc *doc, const struct gemm_run *run, const struct difference *at,
                      int is_there) {
    const int digits = run->d.format->bits / 4;
    for (int i = 0; i < 4 && !is_there; i++)
        doc_word(doc, NULL);
    if (!is_there)
        return;
    doc_number(doc, (long long)at->row);
    doc_number(doc, (long long)at->column);
    for (int i = 0; i < 2; i++)
        doc_cell(doc, NULL, "%0*" PRIx64, digits, at->bits[i]);
}

static void add_row(struct doc *doc, const struct gemm_run *run, size_t i) {
    const struct gemm_result *result = &run->results[i];
    const struct comparison *c = &result->comparison;
    doc_row(doc);
    doc_word(doc, result->name);
    doc_word(doc, result->arch ? wsim_path_name(result->path) : NULL);
    if (result->arch)
        doc_cell(doc, NULL, "%016" PRIx64, result->digest);
    else
        doc_word(doc, NULL);
    if (i == 0)
        return;
    doc_number(doc, (long long)c->elements);
    doc_number(doc, (long long)c->different);
    doc_number(doc, (long long)c->nans);
    add_place(doc, run, &c->first, c->different > 0);
    add_place(doc, run, &c->largest, c->largest.distance > 0);
    if (c->largest.distance)
        doc_number(doc, (long long)c->largest.distance);
}

static void add_rows(struct doc *doc, const struct gemm_run *run) {
    static const char *const keys[] = {"result",        "path",          "digest",
                                       "elements",      "different",     "nan_on_one",
                                       "first_row",     "first_column",  "first_base",
                                       "first_bits",    "furthest_row",  "furthest_column",
                                       "furthest_base", "furthest_bits", "distance"};
    doc_only(doc, TOOL_CSV);
    doc_table(doc, NULL, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        doc_column(doc, 0, keys[i], "%s", keys[i]);
    for (size_t i = 0; i < run->count; i++)
        add_row(doc, run, i);
    doc_leave(doc);
}

void gemm_answer(struct doc *doc, const struct gemm_run *run) {
    add_product(doc, run);
    doc_list(doc, "results");
    for (size_t i = 0; i < run->count; i++)
        add_result(doc, run, i);
    doc_leave(doc);
    if (doc_is(doc, TOOL_CSV))
        add_rows(doc, run);
    doc_only(doc, DOC_PAGES);
    for (size_t i = 1; i < run->count; i++)
        if (run->results[i].comparison.different)
            add_map(doc, run, &run->results[i]);
}
