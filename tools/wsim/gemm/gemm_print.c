/* What wsim gemm prints: what was multiplied, by what, and where results differ. */
#include "gemm.h"
#include "../common/number_json.h"
#include "../common/screen.h"
#include "../common/text.h"

#include <inttypes.h>

/* --- text --- */

int gemm_word_matrix(const struct gemm_run *run, const struct matrix *m, char out[GEMM_WORDS]) {
    if (!m->source && !m->elements)
        return 0;
    snprintf(out, GEMM_WORDS, "%s = %s: %zu x %zu %s", m->name,
             m->source ? text_path(m->source).text : run->drawn, m->rows, m->columns,
             m->format->name);
    return 1;
}

void gemm_word_product(const struct gemm_run *run, char out[GEMM_WORDS]) {
    const struct wsim_gemm *gemm = &run->gemm;
    snprintf(out, GEMM_WORDS,
             "D = A B%s: %zu x %zu %s, %" PRIu64 " instruction%s of %zu x %zu x %zu",
             run->c.elements ? " + C" : "", run->d.rows, run->d.columns, run->d.format->name,
             gemm->steps, gemm->steps == 1 ? "" : "s", gemm->tile_m, gemm->tile_n, gemm->tile_k);
}

static void print_matrix(const struct gemm_run *run, const struct matrix *m) {
    char words[GEMM_WORDS];
    if (gemm_word_matrix(run, m, words))
        screen_fold(4, "  %s", words);
}

static void print_result(const struct gemm_run *run, const struct gemm_result *result) {
    if (!result->arch)
        return;
    screen_fold(2, "%s: digest %016" PRIx64 ", path %s", result->name, result->digest,
                wsim_path_name(result->path));
    if (run->timed)
        screen_fold(4, "  %.3f s, %.3f s of processors: %.1f ns an instruction", result->seconds,
                    result->processor,
                    run->gemm.steps ? 1e9 * result->processor / (double)run->gemm.steps : 0.0);
    if (result->evidence)
        screen_fold(4, "  evidence: %s (%s)", result->evidence, result->evidence_source);
    if (result->caveat)
        screen_fold(4, "  caveat: %s", result->caveat);
}

struct words {
    char bits[2][24], number[2][NUMBER_TEXT];
};

static struct words words_of(const struct gemm_run *run, const struct difference *here) {
    int digits = run->d.format->bits / 4;
    struct words words;
    for (int i = 0; i < 2; i++) {
        snprintf(words.bits[i], sizeof words.bits[i], "0x%0*" PRIx64, digits, here->bits[i]);
        number_text(&run->layout, here->bits[i], words.number[i]);
    }
    return words;
}

static void print_comparison(const struct gemm_run *run, const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    const char *unit = run->d.format->kind == WSIM_BINARY ? " ulp" : "";
    struct words first = words_of(run, &c->first), largest = words_of(run, &c->largest);
    const char *in = result->arch ? "on" : "in", *base = run->results[0].name;
    if (!c->different) {
        screen_fold(2, "%s: all %" PRIu64 " elements are those of %s", result->name, c->elements,
                    base);
        return;
    }
    screen_fold(2, "%s: %" PRIu64 " of %" PRIu64 " elements differ from %s (%.4g %%)", result->name,
                c->different, c->elements, base,
                100.0 * (double)c->different / (double)c->elements);
    screen_fold(4, "  the first: D[%zu][%zu] is %s (%s) on %s, %s (%s) %s %s", c->first.row,
                c->first.column, first.bits[0], first.number[0], base, first.bits[1],
                first.number[1], in, result->name);
    if (c->largest.distance)
        screen_fold(4, "  the furthest: D[%zu][%zu], by %" PRIu64 "%s: %s (%s), %s (%s)",
                    c->largest.row, c->largest.column, c->largest.distance, unit, largest.bits[0],
                    largest.number[0], largest.bits[1], largest.number[1]);
    if (c->nans)
        screen_fold(4, "  %" PRIu64 " of them are NaN on one side only", c->nans);
}

void gemm_print_text(const struct gemm_run *run) {
    const struct wsim_gemm *gemm = &run->gemm;
    char words[GEMM_WORDS];
    screen_fold(2, "%s", run->spelling);
    print_matrix(run, &run->a);
    print_matrix(run, &run->b);
    print_matrix(run, &run->c);
    gemm_word_product(run, words);
    screen_fold(4, "  %s", words);
    if (gemm->size.promote)
        screen_fold(4, "  accumulators are added to an f32 after every %zu of k",
                    gemm->size.promote);
    if (gemm->slices > 1)
        screen_fold(4, "  %zu slices of %zu of k are added to %s in ascending order, by add.%s",
                    gemm->slices, gemm->slice_k, run->c.elements ? "C" : "zero", gemm->d->name);
    for (size_t i = 0; i < run->count; i++)
        print_result(run, &run->results[i]);
    for (size_t i = 1; i < run->count; i++)
        print_comparison(run, &run->results[i]);
}

/* --- JSON --- */

static json_t *matrix_json(const struct gemm_run *run, const struct matrix *m) {
    if (!m->elements)
        return json_null();
    return json_pack(
        "{s:o, s:I, s:I, s:s}", "source", tool_json_text(m->source ? m->source : run->drawn),
        "rows", (json_int_t)m->rows, "columns", (json_int_t)m->columns, "type", m->format->name);
}

static json_t *difference_json(const struct gemm_run *run, const struct difference *here) {
    struct words w = words_of(run, here);
    return json_pack("{s:I, s:I, s:[s, s], s:[o, o], s:I}", "row", (json_int_t)here->row, "column",
                     (json_int_t)here->column, "bits", w.bits[0], w.bits[1], "values",
                     number_json(&run->layout, here->bits[0]),
                     number_json(&run->layout, here->bits[1]), "distance",
                     (json_int_t)here->distance);
}

static json_t *comparison_json(const struct gemm_run *run, const struct gemm_result *result) {
    const struct comparison *c = &result->comparison;
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "with", run->results[0].name, "elements",
                     (json_int_t)c->elements, "different", (json_int_t)c->different, "nan_on_one",
                     (json_int_t)c->nans, "first",
                     c->different ? difference_json(run, &c->first) : json_null(), "furthest",
                     c->largest.distance ? difference_json(run, &c->largest) : json_null());
}

static json_t *result_json(const struct gemm_run *run, size_t i) {
    const struct gemm_result *result = &run->results[i];
    json_t *object;
    char digest[24];
    snprintf(digest, sizeof digest, "%016" PRIx64, result->digest);
    if (result->arch)
        object =
            json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:s?}", "arch", result->name, "path",
                      wsim_path_name(result->path), "digest", digest, "evidence", result->evidence,
                      "evidence_source", result->evidence_source, "caveat", result->caveat);
    else
        object = json_pack("{s:o}", "file", tool_json_text(result->name));
    if (result->arch && run->timed) {
        json_object_set_new(object, "seconds", json_real(result->seconds));
        json_object_set_new(object, "processor_seconds", json_real(result->processor));
    }
    if (i > 0)
        json_object_set_new(object, "comparison", comparison_json(run, result));
    return object;
}

void gemm_print_json(const struct gemm_run *run) {
    const struct wsim_gemm *gemm = &run->gemm;
    json_t *results = json_array();
    for (size_t i = 0; i < run->count; i++)
        json_array_append_new(results, result_json(run, i));
    tool_print_json(json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:[I, I, I], s:I, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:o}",
        "schema", "wsim.gemm", "version", 1, "spelling", run->spelling, "m",
        (json_int_t)gemm->size.m, "n", (json_int_t)gemm->size.n, "k", (json_int_t)gemm->size.k,
        "tile", (json_int_t)gemm->tile_m, (json_int_t)gemm->tile_n, (json_int_t)gemm->tile_k,
        "instructions", (json_int_t)gemm->steps, "promote", (json_int_t)gemm->size.promote,
        "slices", (json_int_t)gemm->slices, "slice_k", (json_int_t)gemm->slice_k, "type",
        run->d.format->name, "a", matrix_json(run, &run->a), "b", matrix_json(run, &run->b), "c",
        matrix_json(run, &run->c), "results", results));
}
