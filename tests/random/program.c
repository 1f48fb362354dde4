/* Random PTX programs from a table of statements, with branches and loops around them. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum use { BARE, ANY, ALL, PAIR, FOUR };

static const struct statement {
    uint8_t weight, use;
    const char *text;
} statements[] = {
#define STATEMENT(weight, use, text) {weight, use, text},
#include "statements.def"
#undef STATEMENT
};

#define STATEMENTS (sizeof statements / sizeof *statements)

enum {
    WORDS = 20,
    LONGS = 6,
    HALVES = 4,
    FLOATS = 12,
    DOUBLES = 4,
    PREDICATES = 4,
    DEEP = 3,
    LOOPS = 8
};

/* A program that grows. */
struct growing {
    struct program *program;
    uint64_t state;
    size_t size;
    uint32_t labels, loops, budget;
    int pure;  /* no memory and no calls     */
    int pair;  /* clusters have two blocks    */
    int alike; /* blocks take the same way   */
};

static uint32_t draw(struct growing *growing, uint32_t below) {
    uint64_t x = growing->state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ x >> 31) >> 32) % below;
}

static void put(struct growing *growing, const char *format, ...) {
    char *at = growing->program->text + growing->size;
    size_t left = sizeof growing->program->text - growing->size;
    va_list list;
    int written;
    va_start(list, format);
    written = vsnprintf(at, left, format, list);
    va_end(list);
    if (written > 0 && (size_t)written < left)
        growing->size += (size_t)written;
}

/* Writes what an @ and a letter stand for. */
static void put_operand(struct growing *growing, char letter) {
    switch (letter) {
    case 'r':
    case 'R': put(growing, "%%r%u", draw(growing, WORDS)); break;
    case 'd':
    case 'D': put(growing, "%%d%u", draw(growing, LONGS)); break;
    case 'h':
    case 'H': put(growing, "%%h%u", draw(growing, HALVES)); break;
    case 'f':
    case 'F': put(growing, "%%f%u", draw(growing, FLOATS)); break;
    case 'e':
    case 'E': put(growing, "%%e%u", draw(growing, DOUBLES)); break;
    case 'p':
    case 'P': put(growing, "%%p%u", draw(growing, PREDICATES)); break;
    case 'k': put(growing, "%u", draw(growing, 32)); break;
    case 'x': put(growing, "%d", (int)draw(growing, 2001) - 1000); break;
    case 'v': put(growing, "0f%08X", 0x3E000000 + draw(growing, 0x03000000)); break;
    case 'q':
    case 'Q': {
        uint32_t first = draw(growing, FLOATS / 4) * 4;
        put(growing, "%%f%u, %%f%u, %%f%u, %%f%u", first, first + 1, first + 2, first + 3);
        break;
    }
    case 'l': growing->labels++; /* fall through */
    case 'm': put(growing, "%u", growing->labels); break;
    case 'w':
        if (growing->alike) {
            put(growing,
                "%s %%t0, %%ctaid.x;\nmad.lo.u32 %%t0, %%t0, %u, %u;\nmad.lo.u32 %%t0, %%me, %u, "
                "%%t0;\ncvt.u64.u32 %%a0, %%t0; add.s64 %%a0, %%a0, %%in;\n",
                "mov.u32", draw(growing, 4) * 64, draw(growing, 32) * 16, draw(growing, 4) * 16);
            break;
        }
        put(growing,
            "and.b32 %%t0, %%r%u, 0xfff0; cvt.u64.u32 %%a0, %%t0; add.s64 %%a0, %%a0, %%in;\n",
            draw(growing, WORDS));
        break;
    default: put(growing, "@"); break;
    }
}

static int is_allowed(const struct growing *growing, const struct statement *statement,
                      enum use most) {
    static const char *const others[] = {
        "atom",  "red.",  "cp.",   "fence",    "local", "mma",   "matrix",
        "redux", "match", "elect", "mbarrier", "%u0+",  "[%u0]", "vote.sync.ballot.b32 %t0",
        "b128",  "fixed", "call"};
    for (size_t i = 0; growing->alike && i < sizeof others / sizeof *others; i++)
        if (strstr(statement->text, others[i]))
            return 0;
    if (statement->use == PAIR ? most < ALL || !growing->pair : statement->use > most)
        return 0;
    return !(growing->pure && strchr(statement->text, '['));
}

/* Draws a statement that `most` allows, by weight. */
static const struct statement *draw_statement(struct growing *growing, enum use most) {
    const struct statement *found = statements;
    uint32_t sum = 0, at;
    for (size_t i = 0; i < STATEMENTS; i++)
        sum += is_allowed(growing, &statements[i], most) ? statements[i].weight : 0;
    at = draw(growing, sum);
    for (;; found++)
        if (!is_allowed(growing, found, most))
            continue;
        else if (at < found->weight)
            return found;
        else
            at -= found->weight;
}

/* Writes one statement. A single instruction may have a guard. */
static void put_statement(struct growing *growing, enum use most) {
    const struct statement *found = draw_statement(growing, most);
    int single = found->text[0] != '@' && found->text[0] != '{' && !strchr(found->text, ';')[1];
    if (found->use == ANY && single && draw(growing, 6) == 0)
        put(growing, "@%s%%p%u ", draw(growing, 2) ? "!" : "", draw(growing, PREDICATES));
    for (const char *c = found->text; *c; c++)
        if (*c == '@')
            put_operand(growing, *++c);
        else
            put(growing, "%c", *c);
    put(growing, "\n");
}

static void put_block(struct growing *growing, enum use most, int depth);

/* A number that is the same in all blocks, or moves with their number; now and then in a register
 * of data. */
static void put_known(struct growing *growing) {
    static const char *const numbers[] = {"%me", "%id", "%me", "%laneid", "%ctaid.x", "-7"};
    const char *const number = numbers[draw(growing, 6)];
    put(growing, "mov.u32 %%t0, %s;\n", number);
    switch (draw(growing, 5)) {
    case 0: put(growing, "mul.wide.s32 %%d%u, %%t0, %d;\n", draw(growing, LONGS), 12); break;
    case 1: put(growing, "mad.lo.s32 %%r%u, %%t0, %d, %%me;\n", draw(growing, WORDS), -3); break;
    case 2: put(growing, "cvt.s64.s32 %%d%u, %%t0;\n", draw(growing, LONGS)); break;
    case 3: put(growing, "sub.s32 %%r%u, %%me, %%t0;\n", draw(growing, WORDS)); break;
    default: put(growing, "shl.b32 %%r%u, %%t0, %u;\n", draw(growing, WORDS), draw(growing, 8));
    }
    if (draw(growing, 2))
        put(growing, "setp.%s.s32 %%p%u, %%t0, %u;\n", draw(growing, 2) ? "lt" : "ne",
            draw(growing, PREDICATES), draw(growing, 100));
}

/* if (p) { ... } else { ... } */
static void put_branch(struct growing *growing, int depth) {
    uint32_t label = growing->labels++;
    if (growing->alike)
        put(growing, "setp.%s.u32 %%p6, %s, %u;\n@%%p6 bra ELSE%u;\n",
            draw(growing, 2) ? "lt" : "ge", draw(growing, 4) ? "%me" : "%id",
            draw(growing, 4) ? draw(growing, 100) : draw(growing, 6000), label);
    else
        put(growing, "@%%p%u bra ELSE%u;\n", draw(growing, PREDICATES), label);
    put_block(growing, ANY, depth + 1);
    put(growing, "bra END%u;\nELSE%u:\n", label, label);
    if (draw(growing, 2))
        put_block(growing, ANY, depth + 1);
    put(growing, "END%u:\n", label);
}

/* switch (r & 3) { ... } */
static void put_switch(struct growing *growing, int depth) {
    uint32_t label = growing->labels++;
    put(growing, "and.b32 %%t0, %%r%u, 3;\n", draw(growing, WORDS));
    put(growing, "WAYS%u: .branchtargets WAY%u_0, WAY%u_1, WAY%u_2, END%u;\n", label, label, label,
        label, label);
    put(growing, "brx.idx %%t0, WAYS%u;\n", label);
    for (uint32_t i = 0; i < 3; i++) {
        put(growing, "WAY%u_%u:\n", label, i);
        put_block(growing, ANY, depth + 1);
        if (draw(growing, 3))
            put(growing, "bra END%u;\n", label); /* or on into the next */
    }
    put(growing, "END%u:\n", label);
}

/* A loop of one to eight rounds: as many for all threads, or not. */
static void put_loop(struct growing *growing, enum use most, int depth) {
    uint32_t loop = growing->loops++, equal = draw(growing, 2);
    if (equal)
        put(growing, "mov.u32 %%n%u, %u;\n", loop, 1 + draw(growing, 8));
    else
        put(growing, "and.b32 %%n%u, %%%s%u, 7;\nadd.u32 %%n%u, %%n%u, 1;\n", loop,
            growing->alike ? "z" : "r", growing->alike ? 0 : draw(growing, WORDS), loop, loop);
    put(growing, "LOOP%u:\n", loop);
    put_block(growing, equal ? most : ANY, depth + 1);
    put(growing, "add.s32 %%n%u, %%n%u, -1;\nsetp.ne.s32 %%p5, %%n%u, 0;\n@%%p5 bra LOOP%u;\n",
        loop, loop, loop, loop);
}

/* A loop of one basic block, as products of matrices have it. It walks through the input. Its
 * pointers have a stride from thread to thread and one from round to round. */
static void put_walk(struct growing *growing) {
    static const uint32_t lanes[] = {0, 4, 4, 4, 8, 16, 20, 128};
    static const uint32_t steps[] = {4, 8, 64, 128, 132, 512};
    uint32_t loop = growing->loops++, rounds = 1 + draw(growing, 24);
    for (int i = 1; i < 3; i++) {
        put(growing, "mul.lo.u32 %%t0, %%me, %u;\n", lanes[draw(growing, 8)]);
        if (!growing->alike && draw(growing, 3) == 0)
            put(growing, "and.b32 %%t1, %%r%u, 0x1f0;\nadd.u32 %%t0, %%t0, %%t1;\n",
                draw(growing, WORDS));
        put(growing, "cvt.u64.u32 %%a%d, %%t0;\nadd.s64 %%a%d, %%a%d, %%in;\n", i, i, i);
    }
    put(growing, "mov.u32 %%n%u, 0;\nWALK%u:\n", loop, loop);
    for (uint32_t i = 1 + draw(growing, 4); i; i--) {
        put(growing, "ld.global.f32 %%g0, [%%a1+%u];\nld.global%s.f32 %%g1, [%%a2+%u];\n",
            draw(growing, 32) * 4, draw(growing, 2) ? ".nc" : "", draw(growing, 32) * 4);
        put(growing, "fma.rn.f32 %%f%u, %%g0, %%g1, %%f%u;\n", draw(growing, FLOATS),
            draw(growing, FLOATS));
        if (draw(growing, 4) == 0)
            put_statement(growing, ANY);
        if (draw(growing, 4) == 0)
            put(growing, "st.shared.f32 [%%s0], %%g%u;\nld.shared.f32 %%f%u, [%%s0];\n",
                draw(growing, 2), draw(growing, FLOATS));
    }
    put(growing, "add.s64 %%a1, %%a1, %u;\nadd.s64 %%a2, %%a2, %u;\n", steps[draw(growing, 6)],
        steps[draw(growing, 6)]);
    put(growing, "add.s32 %%n%u, %%n%u, 1;\nsetp.lt.u32 %%p5, %%n%u, %u;\n@%%p5 bra WALK%u;\n",
        loop, loop, loop, rounds, loop);
}

static void put_block(struct growing *growing, enum use most, int depth) {
    for (uint32_t i = 2 + draw(growing, 10); i; i--) {
        uint32_t kind = draw(growing, 32);
        if (growing->budget == 0)
            return;
        growing->budget--;
        if (kind == 0 && depth < DEEP)
            put_branch(growing, depth);
        else if (kind == 1 && depth < DEEP && growing->loops < LOOPS)
            put_loop(growing, most, depth);
        else if (kind == 2 && growing->loops < LOOPS)
            put_walk(growing);
        else if (growing->alike && kind < 8)
            put_known(growing);
        else if (kind == 3 && depth < DEEP)
            put_switch(growing, depth);
        else
            put_statement(growing, most);
    }
}

static void put_registers(struct growing *growing) {
    put(growing,
        ".reg .b32 %%r<%d>, %%t<2>, %%n<%d>, %%s<4>, %%z<1>, %%me, %%id;\n.reg .b64 %%d<%d>, "
        "%%u<1>, "
        "%%a<3>, "
        "%%c<1>, %%l<1>, %%in, %%out;\n.reg .b16 %%h<%d>, %%v<2>;\n.reg .f32 %%f<%d>, %%g<4>;\n"
        ".reg .f64 %%e<%d>;\n.reg .pred %%p<8>;\n",
        WORDS, LOOPS + 2, LONGS, HALVES, FLOATS, DOUBLES);
}

/* A function of two numbers, which may call another one or itself. Its depth is equal in all lanes:
 * ptxas lets lanes of other depths run apart behind such a call (lab/random). Its result has bits
 * of all registers but those of f64, whose NaNs depend on the assembler. */
static void put_function(struct growing *growing, const char *name, const char *callee) {
    put(growing, ".func (.param .b32 z) %s(.param .b32 x, .param .b64 y)\n{\n", name);
    put_registers(growing);
    put(growing, "ld.param.b32 %%r0, [x];\nld.param.b64 %%d0, [y];\nmov.b32 %%t0, 0;\n"
                 "mov.b32 %%t1, 0;\nmov.b16 %%v0, 0;\nmov.b16 %%v1, 0x3c00;\nmov.b64 %%u0, "
                 "0;\nmov.b32 %%n0, %%r0;\n");
    for (uint32_t i = 1; i < WORDS; i++)
        put(growing, "xor.b32 %%r%u, %%r%u, 0x%x;\n", i, i - 1, draw(growing, UINT32_MAX));
    for (uint32_t i = 1; i < LONGS; i++)
        put(growing, "mul.lo.s64 %%d%u, %%d%u, 0x%x;\n", i, i - 1, draw(growing, UINT32_MAX));
    for (uint32_t i = 0; i < FLOATS; i++)
        put(growing, "cvt.rn.f32.s32 %%f%u, %%r%u;\n", i, i);
    for (uint32_t i = 0; i < DOUBLES; i++)
        put(growing, "cvt.rn.f64.s32 %%e%u, %%r%u;\n", i, i);
    for (uint32_t i = 0; i < HALVES; i++)
        put(growing, "cvt.u16.u32 %%h%u, %%r%u;\n", i, i);
    for (uint32_t i = 0; i < 8; i++)
        put(growing, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", i, i, i + 1);
    for (uint32_t i = 0; i < 4; i++)
        put(growing, "mov.f32 %%g%u, 0fC0A00000;\n", i);
    growing->pure = 1;
    put(growing, "// body\n");
    for (uint32_t i = 4 + draw(growing, 12); i; i--)
        put_statement(growing, ANY);
    put(growing, "// end\n");
    growing->pure = 0;
    if (callee)
        put(growing,
            "and.b32 %%t0, %%n0, 7;\nsetp.eq.u32 %%p6, %%t0, 0;\n@%%p6 bra NONE;\n"
            "add.u32 %%t0, %%t0, -1;\n{ .param .b32 x1; .param .b64 y1; .param .b32 z1; "
            "st.param.b32 [x1], %%t0; st.param.b64 [y1], %%d1; call (z1), %s, (x1, y1); "
            "ld.param.b32 %%r1, [z1]; }\nNONE:\n",
            callee);
    for (uint32_t i = 1; i < WORDS; i++)
        put(growing, "mad.lo.u32 %%r0, %%r0, 5, %%r%u;\n", i);
    for (uint32_t i = 0; i < FLOATS; i++)
        put(growing, "mov.b32 %%t0, %%f%u;\nxor.b32 %%r0, %%r0, %%t0;\n", i);
    put(growing, "st.param.b32 [z], %%r0;\nret;\n}\n");
}

static void put_array(struct growing *growing, const char *space, const char *name) {
    put(growing, "%s .align 16 .b32 %s[64] = {1", space, name);
    for (uint32_t i = 1; i < 64; i++)
        put(growing, ", 0x%x",
            draw(growing, 2) ? 0x3F000000 + draw(growing, 0x1000000) : draw(growing, UINT32_MAX));
    put(growing, "};\n");
}

/* The registers' first values, from the input. */
static void put_head(struct growing *growing) {
    put(growing, ".version 8.6\n.target sm_90a\n.address_size 64\n");
    put_array(growing, ".const", "fixed");
    put_array(growing, ".global", "changing");
    put_function(growing, "one", NULL);
    put_function(growing, "two", "one");
    put_function(growing, "deep", "deep");
    put(growing, ".visible .entry k(.param .u64 in, .param .u64 out)%s\n{\n",
        growing->pair ? " .reqnctapercluster 2" : "");
    put_registers(growing);
    put(growing, ".shared .align 16 .b8 box[4112];\n.local .align 16 .b8 own[32];\n");
    put(growing,
        "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\nmov.u64 %%c0, %%out;\n"
        "mov.u32 %%me, %%tid.x;\nmov.u32 %%t0, %%ctaid.x;\nmov.u32 %%t1, %%ntid.x;\n"
        "mad.lo.u32 %%id, %%t0, %%t1, %%me;\nmul.wide.u32 %%u0, %%id, %d;\n"
        "add.s64 %%out, %%out, %%u0;\nmul.wide.u32 %%u0, %%id, %d;\nadd.s64 %%a0, %%in, %%u0;\n",
        PROGRAM_THREAD, growing->alike ? 8 : 64);
    put(growing,
        "mov.u64 %%l0, own;\nmov.u32 %%s0, box;\nadd.u32 %%s1, %%s0, 4096;\nxor.b32 %%t0, %%me, "
        "5;\n"
        "mad.lo.u32 %%s2, %%t0, 16, %%s0;\nxor.b32 %%t0, %%me, 16;\nmad.lo.u32 %%s3, %%t0, 16, "
        "%%s0;\n"
        "mad.lo.u32 %%s0, %%me, 16, %%s0;\nst.shared.v4.u32 [%%s0], {%%me, %%me, %%id, %%id};\n"
        "setp.eq.u32 %%p0, %%me, 0;\n@%%p0 st.shared.u32 [%%s1], 0;\nmov.u32 %%t0, %%ntid.x;\n"
        "%sbar.sync 0;\nmov.u32 %%z0, %%me;\n",
        growing->alike ? "" : "@%p0 mbarrier.init.shared.b64 [%s1+8], %t0;\n");
    put(growing, "mov.b64 %%a1, %%in;\nmov.b64 %%a2, %%in;\nmov.b16 %%v0, 0;\nmov.b16 %%v1, "
                 "0xbc00;\nsetp.ne.s32 %%p6, 0, 0;\n"
                 "setp.ne.s32 %%p7, 0, 0;\nsetp.eq.s32 %%p4, 0, 0;\nmov.b32 %%n9, 0;\n");
    for (uint32_t i = 0; i < LOOPS; i++)
        put(growing, "mov.b32 %%n%u, 1;\n", i);
    for (uint32_t i = 0; i < 4; i++)
        put(growing, "mov.f32 %%g%u, 0f3F800000;\n", i);
    for (uint32_t i = 0; i < WORDS; i++)
        put(growing, "ld.global.u32 %%r%u, [%%a0+%u];\n", i, i * 4);
    for (uint32_t i = 0; i < FLOATS; i++)
        put(growing, "ld.global.f32 %%f%u, [%%a0+%u];\n", i, 1024 + i * 4);
    for (uint32_t i = 0; i < LONGS; i++)
        put(growing, "ld.global.u64 %%d%u, [%%a0+%u];\n", i, 2048 + i * 8);
    for (uint32_t i = 0; i < DOUBLES; i++)
        put(growing, "cvt.f64.f32 %%e%u, %%f%u;\n", i, i);
    for (uint32_t i = 0; i < HALVES; i++)
        put(growing, "ld.global.u16 %%h%u, [%%a0+%u];\n", i, 3072 + i * 2);
    for (uint32_t i = 0; i < PREDICATES; i++)
        put(growing, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", i, i, i + 4);
    put(growing, "// body\n");
}

/* All registers into the output. The NaN of two f64 depends on their order, which ptxas may change:
 * one NaN. */
static void put_tail(struct growing *growing) {
    uint32_t at = PROGRAM_SUMS + 16;
    put(growing, "// end\nbar.sync 0;\nld.shared.u32 %%t0, [%%s1];\nxor.b32 %%r0, %%r0, %%t0;\n");
    for (uint32_t i = 0; i < LONGS; i++, at += 8)
        put(growing, "st.global.u64 [%%out+%u], %%d%u;\n", at, i);
    for (uint32_t i = 0; i < DOUBLES; i++, at += 8)
        put(growing,
            "setp.nan.f64 %%p5, %%e%u, %%e%u;\n@%%p5 mov.f64 %%e%u, 0d7FF8000000000000;\n"
            "st.global.f64 [%%out+%u], %%e%u;\n",
            i, i, i, at, i);
    for (uint32_t i = 0; i < WORDS; i++, at += 4)
        put(growing, "st.global.u32 [%%out+%u], %%r%u;\n", at, i);
    for (uint32_t i = 0; i < FLOATS; i++, at += 4)
        put(growing, "st.global.f32 [%%out+%u], %%f%u;\n", at, i);
    for (uint32_t i = 0; i < HALVES; i++, at += 2)
        put(growing, "st.global.u16 [%%out+%u], %%h%u;\n", at, i);
    for (uint32_t i = 0; i < PREDICATES; i++, at += 4)
        put(growing, "selp.u32 %%t0, %u, 0, %%p%u;\nst.global.u32 [%%out+%u], %%t0;\n", i + 1, i,
            at);
    put(growing, "ret;\n}\n");
}

void program_draw(uint64_t seed, struct program *program) {
    struct growing growing = {.program = program, .state = seed * UINT64_C(0xD1342543DE82EF95) + 1};
    growing.pair = draw(&growing, 4) == 0;
    program->grid = growing.pair ? 2u << draw(&growing, 2) : 1 + draw(&growing, 3);
    program->block = 32 * (1 + draw(&growing, 4));
    growing.budget = 30 + draw(&growing, 80);
    put_head(&growing);
    while (growing.budget)
        put_block(&growing, program->block == 128 ? FOUR : ALL, 0);
    put_tail(&growing);
}

void program_draw_alike(uint64_t seed, struct program *program) {
    struct growing growing = {
        .program = program, .state = seed * UINT64_C(0xD1342543DE82EF95) + 2, .alike = 1};
    program->grid = 36 + draw(&growing, 12);
    program->block = 32 * (1 + draw(&growing, 3));
    growing.budget = 10 + draw(&growing, 30);
    put_head(&growing);
    while (growing.budget)
        put_block(&growing, ALL, 0);
    put_tail(&growing);
}

size_t program_output(const struct program *program) {
    return PROGRAM_SUMS + (size_t)program->grid * program->block * PROGRAM_THREAD;
}

void program_input(uint32_t words[PROGRAM_INPUT / 4]) {
    struct growing growing = {.state = 7};
    for (uint32_t i = 0; i < PROGRAM_INPUT / 4; i++)
        switch (draw(&growing, 4)) {
        case 0: words[i] = draw(&growing, UINT32_MAX); break;
        case 1: words[i] = draw(&growing, 64); break;
        default:
            words[i] = 0x3C000000 + draw(&growing, 0x06000000) + (draw(&growing, 2) << 31);
            break;
        }
}
