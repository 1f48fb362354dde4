/* scalar.def: every row is read, written, explained and has what executes it. */
#include "../../sim/spell/outside.h"
#include "../../sim/isa/scalar.h"
#include "../../sim/lane/scalar.h"
#include "../every.h"

#include <stddef.h>

/* --- all operations --- */

/* The first operation of row number `index`. */
static struct wsim_scalar first_of(int index) {
    static struct wsim_scalar *first;
    struct wsim_scalar op;
    memset(&op, 0, sizeof op);
    if (!first) {
        first = calloc(isa_scalar_row_count, sizeof *first);
        ck_assert_ptr_nonnull(first);
        while (wsim_scalar_next(&op))
            if (!first[op.row - 1].row)
                first[op.row - 1] = op;
    }
    ck_assert_int_eq(first[index].row, index + 1);
    return first[index];
}

START_TEST(every_spelling_is_read_as_what_it_was) {
    struct wsim_scalar op = first_of(_i), back;
    char text[WSIM_SPELLING_MAX];
    struct wsim_diag diag;
    for (int more = 1; more && op.row == _i + 1; more = wsim_scalar_next(&op)) {
        const size_t n = wsim_scalar_spell(&op, text, sizeof text);
        expect(n == strlen(text) && n < 112, "%s: length %zu", text, n);
        expect(wsim_scalar_parse(text, &back, &diag) == WSIM_OK, "%s: %s", text, diag.text);
        expect(memcmp(&op, &back, sizeof op) == 0, "%s is read as row %s", text,
               isa_scalar_rows[back.row - 1].name);
    }
}
END_TEST

/* The length of what stays in front: the first word, of some instructions the words of its name. */
static size_t name_of(const char *text) {
    size_t n = strcspn(text, ".");
    if (strncmp(text, "tcgen05.", 8) == 0 || strncmp(text, "clusterlaunchcontrol.", 21) == 0)
        n += 1 + strcspn(text + n + 1, ".");
    if (strncmp(text + n, ".ws", 3) == 0 || strncmp(text + n, ".red", 4) == 0 ||
        strncmp(text + n, ".async.mbarrier", 15) == 0)
        n += 1 + strcspn(text + n + 1, ".");
    return n;
}

/* After the first word, words in reversed order are the same operation, as far as it has but one
 * type and no word twice. */
START_TEST(every_spelling_is_read_in_another_order) {
    struct wsim_scalar op = first_of(_i), back;
    struct scalar_meaning meaning, other;
    char text[WSIM_SPELLING_MAX], turned[WSIM_SPELLING_MAX];
    for (int more = 1; more && op.row == _i + 1; more = wsim_scalar_next(&op)) {
        size_t n = wsim_scalar_spell(&op, text, sizeof text), used = name_of(text), name = used;
        isa_scalar_meaning(&op, &meaning);
        if (meaning.types > 1 || strstr(text, "shared::") || strstr(text, "L2") ||
            strstr(text, "b8x16"))
            continue;
        memcpy(turned, text, used);
        for (size_t end = n; end > name; n = end) {
            while (text[--end] != '.')
                ;
            memcpy(turned + used, text + end, n - end);
            used += n - end;
        }
        turned[used] = '\0';
        expect(wsim_scalar_parse(turned, &back, NULL) == WSIM_OK, "%s", turned);
        isa_scalar_meaning(&back, &other);
        expect(memcmp(&meaning, &other, sizeof meaning) == 0, "%s is not %s", turned, text);
    }
}
END_TEST

static int is_type(const char *name) {
    return scalar_type_find(name, strlen(name)) != SCALAR_NO_TYPE;
}

static void check_operand(const char *text, const struct wsim_scalar_operand *o, int *sources) {
    const int is_register = o->kind == WSIM_SCALAR_REGISTER;
    expect(o->name >= 'a' && o->name <= 'z', "%s: name '%c'", text, o->name);
    expect(is_register == (o->bits > 0) && is_register == is_type(o->type), "%s: type '%s' of %c",
           text, o->type, o->name);
    expect(o->vector && !(o->vector & (o->vector - 1)) &&
               o->vector <= (strncmp(text, "tcgen05.", 8) == 0 ? 128 : 8),
           "%s: vector", text);
    expect(!(o->result && *sources), "%s: result %c after a source", text, o->name);
    expect(!o->result || !o->immediate, "%s: a result is no immediate", text);
    expect(!o->pair || o->result, "%s: d|%c", text, o->name);
    *sources |= !o->result;
}

START_TEST(every_operation_is_explained) {
    struct wsim_scalar op = first_of(_i);
    char text[WSIM_SPELLING_MAX];
    for (int more = 1; more && op.row == _i + 1; more = wsim_scalar_next(&op)) {
        struct wsim_scalar_info info;
        struct scalar_meaning meaning;
        int sources = 0;
        wsim_scalar_spell(&op, text, sizeof text);
        expect(wsim_scalar_info(&op, &info) && isa_scalar_meaning(&op, &meaning), "%s", text);
        expect(strcmp(info.row, isa_scalar_rows[_i].name) == 0, "%s: %s", text, info.row);
        expect(info.operands <= WSIM_SCALAR_OPERANDS, "%s: operands", text);
        for (unsigned i = 0; i < info.operands; i++)
            check_operand(text, &info.operand[i], &sources);
        expect(info.computes == (scalar_find((enum scalar_method)meaning.method) != NULL),
               "%s: method %s", text, info.method);
        expect(meaning.cache_hint == (strstr(text, "cache_hint") != NULL), "%s: hint", text);
    }
}
END_TEST

START_TEST(some_target_has_every_operation) {
    struct wsim_scalar op = first_of(_i);
    for (int more = 1; more && op.row == _i + 1; more = wsim_scalar_next(&op)) {
        char text[WSIM_SPELLING_MAX];
        int have = 0;
        wsim_scalar_spell(&op, text, sizeof text);
        for (size_t i = 0; wsim_arch_at(i); i++)
            have += wsim_scalar_check(&op, wsim_arch_at(i), NULL) == WSIM_OK;
        expect((have > 0) == (isa_scalar_rows[_i].ptx > 0 && !isa_scalar_rows[_i].until),
               "%s: %d targets", text, have);
    }
}
END_TEST

/* --- the tables --- */

START_TEST(rows_are_sorted_and_have_names_of_their_own) {
    const char *before = "";
    for (size_t i = 0; i < isa_scalar_row_count; i++) {
        const char *spelling = isa_scalar_rows[i].spelling;
        const size_t n = strcspn(spelling, "."), m = strcspn(before, ".");
        const int order = strncmp(before, spelling, m < n ? m : n);
        ck_assert_msg(order < 0 || (order == 0 && m <= n), "%s follows %s", spelling, before);
        for (size_t k = 0; k < i; k++)
            expect(strcmp(isa_scalar_rows[k].name, isa_scalar_rows[i].name) != 0, "two rows %s",
                   isa_scalar_rows[i].name);
        before = spelling;
    }
}
END_TEST

static const char *const words[] = {
#define WORD(word, field, value) word,
#define SILENT(word) word,
#include "../../sim/isa/scalar_words.def"
};

/* Where there is a choice, every word says something, or is known to say nothing. */
START_TEST(every_word_of_a_choice_has_a_meaning) {
    const char *at = isa_scalar_rows[_i].spelling, *word;
    struct scalar_place place;
    for (unsigned places = 0; at; places++) {
        size_t n;
        at = scalar_place_read(at, &place);
        ck_assert_uint_lt(places, WSIM_SCALAR_PLACES);
        for (unsigned i = 1; (n = scalar_place_word(&place, i, &word)) != 0; i++) {
            int known = scalar_type_find(word, n) != SCALAR_NO_TYPE;
            for (int k = 0; k < COUNT(words); k++)
                known |= strlen(words[k]) == n && memcmp(words[k], word, n) == 0;
            expect(known || (!place.optional && !memchr(place.at, '|', place.n)) ||
                       (n == 4 && memcmp(word, "wait", n) == 0),
                   "%s: %.*s", isa_scalar_rows[_i].spelling, (int)n, word);
            expect(scalar_place_find(&place, word, n) == i, "%.*s twice", (int)n, word);
        }
    }
}
END_TEST

START_TEST(every_method_has_a_row) {
    int rows = 0;
    for (size_t i = 0; i < isa_scalar_row_count; i++)
        rows += isa_scalar_rows[i].method == _i;
    ck_assert_msg(rows > 0, "method %s", isa_scalar_method_name((enum scalar_method)_i));
}
END_TEST

/* --- what words say --- */

static const struct {
    const char *text;
    size_t at; /* of struct scalar_meaning */
    uint8_t value;
} said[] = {
#define SAYS(text, field, value)                                                                   \
    { text, offsetof(struct scalar_meaning, field), value }
    SAYS("fma.rp.ftz.sat.f32", rounding, SCALAR_RP),
    SAYS("fma.rp.ftz.sat.f32", ftz, 1),
    SAYS("fma.rp.ftz.sat.f32", sat, 1),
    SAYS("add.f32", rounding, SCALAR_NO_ROUNDING),
    SAYS("cvt.rpi.s32.f32", integral, 1),
    SAYS("cvt.rpi.s32.f32", rounding, SCALAR_RP),
    SAYS("cvt.rn.satfinite.relu.e4m3x2.f32", satfinite, 1),
    SAYS("cvt.rn.satfinite.relu.e4m3x2.f32", relu, 1),
    SAYS("cvt.s64.u8", types, 2),
    SAYS("cvt.s64.u8", type[0], SCALAR_TYPE_S64),
    SAYS("cvt.s64.u8", type[1], SCALAR_TYPE_U8),
    SAYS("setp.hs.xor.u16", compare, SCALAR_GE),
    SAYS("setp.hs.xor.u16", operation, SCALAR_XOR),
    SAYS("setp.geu.f64", compare, SCALAR_GEU),
    SAYS("madc.hi.cc.u64", carry_in, 1),
    SAYS("madc.hi.cc.u64", carry_out, 1),
    SAYS("madc.hi.cc.u64", half, SCALAR_HI),
    SAYS("mad.lo.cc.u32", carry_in, 0),
    SAYS("mul.wide.s16", half, SCALAR_WIDE),
    SAYS("shf.l.clamp.b32", left, 1),
    SAYS("shf.r.wrap.b32", left, 0),
    SAYS("shf.r.wrap.b32", shift, SCALAR_WRAP),
    SAYS("prmt.b32.rc16", permute, SCALAR_RC16),
    SAYS("bfind.shiftamt.s64", shiftamt, 1),
    SAYS("max.NaN.xorsign.abs.bf16x2", xorsign, 1),
    SAYS("max.NaN.xorsign.abs.bf16x2", nan, 1),
    SAYS("div.full.ftz.f32", approx, SCALAR_FULL),
    SAYS("vadd4.u32.u32.u32", parts, 4),
    SAYS("vmad.s32.s32.s32.shr15", scale, 15),
    SAYS("ld.acquire.gpu.global.v4.f32", order, SCALAR_ACQUIRE),
    SAYS("ld.acquire.gpu.global.v4.f32", scope, SCALAR_SCOPE_GPU),
    SAYS("ld.acquire.gpu.global.v4.f32", vector, 4),
    SAYS("ld.global.nc.L1::no_allocate.L2::cache_hint.u8", nc, 1),
    SAYS("ld.global.nc.L1::no_allocate.L2::cache_hint.u8", cache_hint, 1),
    SAYS("ld.param::entry.b64", space, SCALAR_PARAM),
    SAYS("ld.param::entry.b64", window, SCALAR_WINDOW_ENTRY),
    SAYS("st.shared::cluster.v2.f64", window, SCALAR_WINDOW_CLUSTER),
    SAYS("ld.b8", space, SCALAR_GENERIC),
    SAYS("cvta.to.shared.u64", to, 1),
    SAYS("atom.acq_rel.sys.global.cas.b128", operation, SCALAR_CAS),
    SAYS("atom.acq_rel.sys.global.cas.b128", order, SCALAR_ACQ_REL),
    SAYS("red.add.noftz.f16x2", noftz, 1),
    SAYS("membar.gl", scope, SCALAR_SCOPE_GPU),
    SAYS("fence.proxy.async.shared::cta", proxy, SCALAR_PROXY_ASYNC),
    SAYS("fence.proxy.async.shared::cta", space, SCALAR_SHARED),
    SAYS("bar.red.or.pred", operation, SCALAR_OR),
    SAYS("bar.red.or.pred", aligned, 1),
    SAYS("barrier.sync", aligned, 0),
    SAYS("barrier.cluster.arrive.relaxed.aligned", aligned, 1),
    SAYS("barrier.cluster.arrive.relaxed.aligned", order, SCALAR_RELAXED),
    SAYS("mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64", parity, 1),
    SAYS("mbarrier.arrive.expect_tx.shared::cta.b64", expect_tx, 1),
    SAYS("mbarrier.arrive.noComplete.b64", no_complete, 1),
    SAYS("cp.async.mbarrier.arrive.noinc.shared.b64", noinc, 1),
    SAYS("cp.async.bulk.wait_group.read", read, 1),
    SAYS("shfl.sync.bfly.b32", shuffle, SCALAR_BFLY),
    SAYS("vote.ballot.sync.b32", vote, SCALAR_BALLOT),
    SAYS("griddepcontrol.launch_dependents", launch, 1),
    SAYS("griddepcontrol.wait", launch, 0),
    SAYS("setmaxnreg.dec.sync.aligned.u32", operation, SCALAR_DEC),
    SAYS("prefetch.global.L2", level, 2),
    SAYS("cp.async.bulk.prefetch.tensor.4d.L2.global.tile", dimensions, 4),
};

START_TEST(words_mean_what_the_manual_says) {
    struct wsim_scalar op;
    struct scalar_meaning meaning;
    struct wsim_diag diag;
    ck_assert_msg(wsim_scalar_parse(said[_i].text, &op, &diag) == WSIM_OK, "%s: %s", said[_i].text,
                  diag.text);
    isa_scalar_meaning(&op, &meaning);
    ck_assert_uint_eq(((const uint8_t *)&meaning)[said[_i].at], said[_i].value);
}
END_TEST

/* Operands as a reader of the manual writes them: name, type, and what else there is to say. */
static const struct {
    const char *text, *operands;
} shapes[] = {
    {"add.s32", "d:s32 a:s32 b:s32"},
    {"mul.wide.u16", "d:u32 a:u16 b:u16"},
    {"mad.wide.s32", "d:s64 a:s32 b:s32 c:s64"},
    {"setp.lt.f32", "p:pred |q:pred? a:f32 b:f32"},
    {"setp.lt.and.f32", "p:pred |q:pred? a:f32 b:f32 c:pred"},
    {"shfl.sync.up.b32", "d:b32 |p:pred? a:b32 b:b32 c:b32 e:u32"},
    {"ld.global.v4.f32", "d:f32*4 [a]"},
    {"ld.global.L2::cache_hint.v4.f32", "d:f32*4 [a] e:u64"},
    {"st.shared.v2.u64", "[a] b:u64*2"},
    {"ld.global.v8.b32", "d:b32*8 [a]"},
    {"atom.global.cas.b128", "d:b128 [a] b:b128 c:b128"},
    {"atom.global.add.noftz.v4.bf16x2", "d:bf16x2*4 [a] b:bf16x2*4"},
    {"red.global.add.L2::cache_hint.f32", "[a] b:f32 e:u64"},
    {"bar.sync", "a:u32 b:u32?"},
    {"bar.red.popc.u32", "d:u32 a:u32 b:u32? c:pred"},
    {"mbarrier.arrive.shared.b64", "d:u64 [a] b:u32?"},
    {"cvt.rn.f16x2.f32", "d:f16x2 a:f32 b:f32"},
    {"cvt.rs.relu.satfinite.e4m3x4.f32", "d:e4m3x4 a:f32*4 b:u32"},
    {"lop3.b32", "d:b32 a:b32 b:b32 c:b32 e:u32#"},
    {"lop3.or.b32", "d:b32 |p:pred a:b32 b:b32 c:b32 e:u32# q:pred"},
    {"call", "r()? f a()? t?"},
    {"brx.idx", "a:u32 t"},
    {"bra.uni", "t"},
    {"exit", ""},
    {"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col", "[a] i"},
    {"tex.2d.v4.f32.f32", "d:f32*4 |p:pred? [t] e?"},
    {"tex.level.a2d.v2.f16x2.f32", "d:f16x2*2 |p:pred? [t] l:f32 e?"},
    {"tex.grad.3d.v4.u32.f32", "d:u32*4 |p:pred? [t] x y e?"},
    {"suld.b.2d.v2.b64.clamp", "d:b64*2 [t]"},
    {"sust.b.1d.b32.trap", "[t] b:b32"},
    {"sured.b.add.2d.u32.zero", "[t] b:u32"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32", "[a] b:b32*2 [m]"},
};

static void put_operand(char *out, const struct wsim_scalar_operand *o) {
    const char *after = o->kind == WSIM_SCALAR_LIST ? "()" : "";
    if (o->kind == WSIM_SCALAR_ADDRESS || o->kind == WSIM_SCALAR_TENSOR ||
        o->kind == WSIM_SCALAR_TEXTURE)
        sprintf(out, "[%c]", o->name);
    else
        sprintf(out, "%s%c%s%s%s", o->pair ? "|" : "", o->name, *o->type ? ":" : "", o->type,
                after);
    if (o->vector > 1)
        sprintf(out + strlen(out), "*%d", o->vector);
    strcat(out, o->immediate == 2 ? "#" : "");
    strcat(out, o->optional ? "?" : "");
}

START_TEST(operands_are_those_of_the_manual) {
    struct wsim_scalar op;
    struct wsim_scalar_info info;
    char text[256] = "";
    ck_assert_msg(wsim_scalar_parse(shapes[_i].text, &op, NULL) == WSIM_OK, "%s", shapes[_i].text);
    wsim_scalar_info(&op, &info);
    for (unsigned i = 0; i < info.operands; i++) {
        strcat(text, i ? " " : "");
        put_operand(text + strlen(text), &info.operand[i]);
    }
    ck_assert_str_eq(text, shapes[_i].operands);
}
END_TEST

/* --- refusals --- */

static const struct {
    const char *text;
    enum wsim_status status;
    uint32_t col;
    const char *rule, *words;
} refusals[] = {
    {"", WSIM_SYNTAX, 1, "spelling.family.unknown", "unknown instruction ''"},
    {"addd.f32", WSIM_SYNTAX, 1, "spelling.family.unknown", "nearest is 'add'"},
    {"add.f31", WSIM_SYNTAX, 5, "spelling.qualifier.unknown", "nearest legal: add.f32"},
    {"add.rn.rn.f32", WSIM_ILLEGAL, 8, "spelling.qualifier.foreign", "nearest legal: add.rn.f32"},
    {"add..f32", WSIM_SYNTAX, 5, "spelling.qualifier.empty", "empty"},
    {"add.", WSIM_SYNTAX, 5, "spelling.qualifier.empty", "empty"},
    {"fma.f32", WSIM_ILLEGAL, 0, "spelling.form.none", "one of .rn .rz .rm .rp is missing"},
    {"clusterlaunchcontrol.try_cancel.shared::cta.async.mbarrier::complete_tx::bytes.b128",
     WSIM_SYNTAX, 0, "spelling.order.other", "the qualifiers are in another order"},
    {"ld.relaxed.global.f32", WSIM_ILLEGAL, 0, "spelling.form.none", "one of .cta .cluster"},
    {"mbarrier.arrive.cluster.b64", WSIM_ILLEGAL, 0, "spelling.form.none", ".release is missing"},
    {"max.relu.f32", WSIM_ILLEGAL, 10, "spelling.qualifier.foreign", "max.relu.s32"},
    {"ld.shared.L2::cache_hint.f32", WSIM_ILLEGAL, 11, "spelling.qualifier.foreign",
     "nearest legal: ld.shared.f32"},
    {"tcgen05", WSIM_ILLEGAL, 0, "spelling.form.none", "one of .alloc .dealloc"},
    {"tcgen05.st", WSIM_ILLEGAL, 0, "spelling.form.none",
     "nearest legal: tcgen05.st.sync.aligned.32x32b.x1.b32"},
    {"tcgen05.wait", WSIM_ILLEGAL, 9, "spelling.qualifier.foreign",
     "nearest legal: tcgen05.wait::ld.sync.aligned"},
    {"cvt.sat.s64.s32", WSIM_ILLEGAL, 13, "spelling.qualifier.foreign", "cvt.sat.s64.u64"},
    {"multimem.red.relaxed.gpu.global.add.u32", WSIM_UNMODELLED, 1, "spelling.family.unmodelled",
     "not modelled"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_UNMODELLED, 1,
     "spelling.table.other", "wsim_op_parse reads it"},
};

START_TEST(a_refusal_says_where_and_what_is_near) {
    struct wsim_diag diag;
    struct wsim_scalar op;
    const enum wsim_status status = wsim_scalar_parse(refusals[_i].text, &op, &diag);
    ck_assert_msg(status == refusals[_i].status, "%s: %d %s", refusals[_i].text, status, diag.text);
    ck_assert_str_eq(diag.rule, refusals[_i].rule);
    ck_assert_uint_eq(diag.col, refusals[_i].col);
    ck_assert_msg(strstr(diag.text, refusals[_i].words) != NULL, "%s", diag.text);
    ck_assert_uint_eq(op.row, 0);
    ck_assert_int_eq(wsim_scalar_parse(refusals[_i].text, &op, NULL), refusals[_i].status);
}
END_TEST

/* Every word changed by a letter is refused or another legal spelling, and never read past its end.
 */
START_TEST(slips_are_refused_with_a_legal_spelling) {
    struct wsim_scalar op = first_of(_i), other;
    char text[WSIM_SPELLING_MAX], *near;
    struct wsim_diag diag;
    const size_t n = wsim_scalar_spell(&op, text, sizeof text);
    for (size_t i = 0; i < n; i++) {
        const char was = text[i];
        text[i] = 'q';
        if (wsim_scalar_parse(text, &other, &diag) != WSIM_OK) {
            near = strstr(diag.text, "nearest legal: ");
            ck_assert_msg(!near || wsim_scalar_parse(near + 15, &other, NULL) == WSIM_OK, "%s: %s",
                          text, diag.text);
        }
        text[i] = was;
    }
}
END_TEST

START_TEST(what_is_no_operation_is_refused_everywhere) {
    struct wsim_scalar op = {0}, bent;
    struct wsim_scalar_info info;
    const uint64_t in[WSIM_SCALAR_IN] = {0}, into_part[WSIM_SCALAR_IN] = {0, 0, 0, 5};
    uint64_t out[WSIM_SCALAR_OUT];
    char text[8] = "x";
    ck_assert_int_eq(wsim_scalar_info(&op, &info), 0);
    ck_assert_uint_eq(wsim_scalar_spell(&op, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(wsim_scalar_run(&op, in, out, NULL), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_scalar_check(&op, wsim_arch_at(0), NULL), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_scalar_parse("vadd.u32.u32.u32", &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_scalar_run(&op, in, out, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_scalar_run(&op, into_part, out, NULL), WSIM_UNMODELLED);
    ck_assert_int_eq(wsim_scalar_parse("mbarrier.arrive.release.cta.b64", &op, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_scalar_run(&op, in, out, NULL), WSIM_UNMODELLED);
    ck_assert_int_eq(wsim_scalar_check(&op, NULL, NULL), WSIM_ILLEGAL);
    for (unsigned p = 0; p < WSIM_SCALAR_PLACES; p++) {
        bent = op;
        bent.word[p] = bent.word[p] == 1 ? 0 : 1; /* an order without its scope, and so on */
        ck_assert_int_eq(wsim_scalar_info(&bent, &info), p == 4);
        bent.word[p] = 200;
        ck_assert_int_eq(wsim_scalar_info(&bent, &info), 0);
    }
    op.row = UINT16_MAX;
    ck_assert_int_eq(wsim_scalar_next(&op), 0);
}
END_TEST

START_TEST(an_instruction_is_found_in_its_table) {
    struct wsim_instruction in;
    ck_assert_int_eq(wsim_instruction_parse("ld.shared.f32", &in, NULL), WSIM_OK);
    ck_assert(in.is_op && in.is_scalar);
    ck_assert_int_eq(wsim_instruction_parse("ld.global.f32", &in, NULL), WSIM_OK);
    ck_assert(!in.is_op && in.is_scalar);
    ck_assert_int_eq(wsim_instruction_check(&in, wsim_arch_at(0), NULL), WSIM_OK);
    ck_assert_int_eq(wsim_instruction_parse("wgmma.fence.sync.aligned", &in, NULL), WSIM_OK);
    ck_assert(in.is_op && !in.is_scalar);
    ck_assert_int_eq(wsim_instruction_check(&in, wsim_arch_at(0), NULL), WSIM_ILLEGAL);
    ck_assert_int_eq(wsim_instruction_parse("wgmma.fnce.sync.aligned", &in, NULL), WSIM_SYNTAX);
    ck_assert(!in.is_op && !in.is_scalar);
}
END_TEST

int main(void) {
    const int rows = (int)isa_scalar_row_count;
    const struct every_test tests[] = {
        {every_spelling_is_read_as_what_it_was, 0, rows},
        {every_spelling_is_read_in_another_order, 0, rows},
        {every_operation_is_explained, 0, rows},
        {some_target_has_every_operation, 0, rows},
        {rows_are_sorted_and_have_names_of_their_own, 0, 1},
        {every_word_of_a_choice_has_a_meaning, 0, rows},
        {every_method_has_a_row, 0, SCALAR_METHODS},
        {words_mean_what_the_manual_says, 0, COUNT(said)},
        {operands_are_those_of_the_manual, 0, COUNT(shapes)},
        {a_refusal_says_where_and_what_is_near, 0, COUNT(refusals)},
        {slips_are_refused_with_a_legal_spelling, 0, rows},
        {what_is_no_operation_is_refused_everywhere, 0, 1},
        {an_instruction_is_found_in_its_table, 0, 1},
    };
    return every_run("rows/scalar", tests, COUNT(tests));
}
