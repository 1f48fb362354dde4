// wmma.cu - what wmma computes, compared with chains of mma on the model.
//
// For each wmma form: matrices through load, mma and store. Then, for each mma that could be inside,
 * the number of differing results of the model (standard error). Standard output is a trace of some cases, with the fragments in registers. With `copies`, the
 * copies of elements in registers differ.
#include "wmma_forms.h"

#include <wsim/wsim.h>

enum { CASES = 256, TRACED = 5, SPOILT = 2 };

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t get(const uint8_t *memory, unsigned index, unsigned bits) {
    uint64_t v = 0;
    if (bits < 8)
        return memory[index * bits / 8] >> index * bits % 8 & ((1u << bits) - 1);
    memcpy(&v, memory + index * bits / 8, bits / 8);
    return v;
}

static void set(uint8_t *memory, unsigned index, unsigned bits, uint64_t v) {
    if (bits < 8)
        memory[index * bits / 8] |= (uint8_t)((v & ((1u << bits) - 1)) << index * bits % 8);
    else
        memcpy(memory + index * bits / 8, &v, bits / 8);
}

static unsigned container(const wsim_format *format) {
    return format->bits == 19 ? 32 : format->bits;
}

static uint64_t number(const wsim_format *f, int negative, int exponent, uint64_t fraction) {
    const int top = (1 << f->exp_bits) - 2, field = exponent + f->bias;
    const uint64_t exp = (uint64_t)(field < 0 ? 0 : field > top ? top : field);
    const uint64_t bits = (uint64_t)negative << (f->exp_bits + f->frac_bits) | exp << f->frac_bits |
                          (fraction & ((UINT64_C(1) << f->frac_bits) - 1));
    return bits << f->pad;
}

// Element of A (k along the row), B (k along the column) or C. Four distributions in turn: raw
// bits, exponents about zero, wide, pairs of opposite products; case 0 is one large pair and a 1.
static uint64_t element(const wsim_format *f, int which, unsigned number_of_case, unsigned across,
                        unsigned k, unsigned depth) {
    const unsigned pairs = number_of_case % 4 == 3 && which != 2;
    const uint64_t at = (uint64_t)number_of_case << 40 | (uint64_t)which << 32 | across << 16;
    uint64_t r = mix(0x9e3779b97f4a7c15u * (1 + (at | (pairs ? k & ~1u : k))));
    if (f->kind != WSIM_BINARY || (number_of_case % 4 == 0 && number_of_case))
        return r >> 7;
    if (number_of_case == 0 && which == 2)
        return 0;
    if (number_of_case == 0)
        return k < 2 ? number(f, which == 0 && k, 15, 0) : k == depth / 2 ? number(f, 0, 0, 0) : 0;
    if (pairs)
        return number(f, which == 0 && (k & 1), (int)(r >> 40 & 15) - 4, r & ~(r >> 60 & k));
    return number(f, r >> 63,
                  number_of_case % 4 == 1 ? (int)(r >> 40 & 3) - 2 : (int)(r >> 40 & 31) - 16, r);
}

static unsigned index_of(int is_row, unsigned row, unsigned col, unsigned rows, unsigned cols) {
    return is_row ? row * cols + col : col * rows + row;
}

static void fill(const form *f, slot *o, unsigned number_of_case) {
    const wsim_format *t[3];
    memset(o, 0, sizeof *o);
    for (int i = 0; i < 3; i++)
        t[i] = wsim_format_find(f->types[i]);
    for (unsigned k = 0; k < f->k; k++) {
        for (unsigned i = 0; i < f->m; i++)
            set(o->a, index_of(f->row_a, i, k, f->m, f->k), container(t[0]),
                element(t[0], 0, number_of_case, i, k, f->k));
        for (unsigned j = 0; j < f->n; j++)
            set(o->b, index_of(f->row_b, k, j, f->k, f->n), container(t[1]),
                element(t[1], 1, number_of_case, j, k, f->k));
    }
    for (unsigned i = 0; i < f->m * f->n; i++)
        set(o->c, i, container(t[2]), element(t[2], 2, number_of_case, i, 0, 0));
}

static uint64_t convert(uint64_t bits, const wsim_format *from, const wsim_format *to) {
    return from == to ? bits : wsim_format_encode(to, wsim_format_decode(from, bits), WSIM_RN);
}

// One mma tile of the model: the accumulator, in the mma's type, is c on entry and d on return.
static void step(const wsim_op *op, const wsim_layout *la, const wsim_layout *lb,
                 const wsim_layout *lc, const uint64_t *a, const uint64_t *b, uint64_t *c) {
    static wsim_regs ra, rb, rc;
    wsim_operands io = {};
    wsim_diag diag;
    wsim_fragment_pack(la, a, &ra);
    wsim_fragment_pack(lb, b, &rb);
    wsim_fragment_pack(lc, c, &rc);
    io.d = &rc, io.a = &ra, io.b = &rb, io.c = &rc;
    if (wsim_exec(op, wsim_arch_find("sm_90a"), &io, &diag) != WSIM_OK) {
        fprintf(stderr, "wmma: %s\n", diag.text);
        exit(2);
    }
    wsim_fragment_unpack(lc, &rc, c);
}

// A tile of A and B, of an mma's shape, from row, column and k on; zeros outside of A.
static void cut(const form *f, const slot *o, const wsim_layout *la, const wsim_layout *lb,
                unsigned row0, unsigned col0, unsigned k0, uint64_t *a, uint64_t *b) {
    const unsigned bits = container(wsim_format_find(f->types[0]));
    for (unsigned k = 0; k < la->cols; k++) {
        for (unsigned i = 0; i < la->rows; i++)
            a[i * la->cols + k] =
                row0 + i < f->m ? get(o->a, index_of(f->row_a, row0 + i, k0 + k, f->m, f->k), bits)
                                : 0;
        for (unsigned j = 0; j < lb->cols; j++)
            b[k * lb->cols + j] = get(o->b, index_of(f->row_b, k0 + k, col0 + j, f->k, f->n), bits);
    }
}

static unsigned compare_tile(const form *f, const slot *o, const wsim_op *op, unsigned row0,
                             unsigned col0) {
    static uint64_t a[4096], b[4096], c[256];
    wsim_layout la, lb, lc;
    const wsim_format *from = wsim_format_find(f->types[2]), *to = wsim_format_find(f->types[3]);
    unsigned wrong = 0;
    wsim_op_layout(op, NULL, WSIM_A, &la, NULL);
    wsim_op_layout(op, NULL, WSIM_B, &lb, NULL);
    wsim_op_layout(op, NULL, WSIM_C, &lc, NULL);
    const unsigned rows = f->m - row0 < lc.rows ? f->m - row0 : lc.rows, size = rows * lc.cols;
    memset(c, 0, sizeof c);
    for (unsigned at = 0; at < size; at++)
        c[at] =
            convert(get(o->c, (row0 + at / lc.cols) * f->n + col0 + at % lc.cols, container(from)),
                    from, lc.format);
    for (unsigned k0 = 0; k0 < f->k; k0 += la.cols) {
        cut(f, o, &la, &lb, row0, col0, k0, a, b);
        step(op, &la, &lb, &lc, a, b, c);
    }
    for (unsigned at = 0; at < size; at++)
        wrong += convert(c[at], lc.format, to) !=
                 get(o->d, (row0 + at / lc.cols) * f->n + col0 + at % lc.cols, container(to));
    return wrong;
}

static unsigned compare(const form *f, const slot *slots, const char *candidate) {
    wsim_op op;
    struct wsim_op_info info;
    unsigned wrong = 0;
    if (wsim_op_parse(candidate, &op, NULL) != WSIM_OK) {
        fprintf(stderr, "wmma: no %s\n", candidate);
        exit(2);
    }
    info = wsim_op_describe(&op);
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned row0 = 0; row0 < f->m; row0 += info.m)
            for (unsigned col0 = 0; col0 < f->n; col0 += info.n)
                wrong += compare_tile(f, slots + i, &op, row0, col0);
    return wrong;
}

static void print_case(const form *f, const slot *o, unsigned number_of_case) {
    printf("# case %u\n%s", number_of_case, f->spelling);
    for (int i = 0; i < 4; i++) {
        const unsigned bits = container(wsim_format_find(f->types[i]));
        const unsigned registers = (f->elements[i] * bits + 31) / 32;
        printf("\t%c=", "abcd"[i]);
        for (unsigned r = 0; r < registers; r += bits == 64 ? 2 : 1)
            for (int lane = 0; lane < 32; lane++) {
                if (bits == 64)
                    printf("%08x", o->regs[i][r + 1][lane]);
                printf("%08x", o->regs[i][r][lane]);
            }
    }
    printf("\n");
}

// Registers of A or B that hold every element once, and of the fragment; the rest of it is copies.
static unsigned once(const form *f, int which) {
    return (which ? f->n : f->m) * f->k * container(wsim_format_find(f->types[which])) / 32 / 32;
}

static unsigned held(const form *f, int which) {
    return f->elements[which] * container(wsim_format_find(f->types[which])) / 32;
}

// The cases of a form whose copies are made to differ; 0: it has none.
static unsigned spoil_copies(const form *f, slot *slots) {
    unsigned found = 0;
    for (unsigned i = 0; i < SPOILT; i++) {
        fill(f, slots + i, 1 + 2 * i);
        for (int which = 0; which < 2; which++)
            if (once(f, which) && once(f, which) < held(f, which))
                slots[i].spoilt[which] = (int)once(f, which), found = SPOILT;
    }
    return found;
}

static void run(const form *f, slot *slots, slot *on_gpu, unsigned n) {
    must(cudaMemcpy(on_gpu, slots, n * sizeof *slots, cudaMemcpyHostToDevice));
    f->kernel<<<n, 32>>>(on_gpu);
    must(cudaMemcpy(slots, on_gpu, n * sizeof *slots, cudaMemcpyDeviceToHost));
}

int main(int argc, char **argv) {
    static slot slots[CASES];
    const int copies = argc > 1 && strcmp(argv[1], "copies") == 0;
    slot *on_gpu;
    trace_head("lab/probes/wmma.cu");
    must(cudaMalloc(&on_gpu, sizeof slots));
    for (const form &f : forms) {
        if (copies) {
            const unsigned n = spoil_copies(&f, slots);
            run(&f, slots, on_gpu, n ? n : 1);
            for (unsigned i = 0; i < n; i++)
                print_case(&f, slots + i, 1 + 2 * i);
            continue;
        }
        for (unsigned i = 0; i < CASES; i++)
            fill(&f, slots + i, i);
        run(&f, slots, on_gpu, CASES);
        fprintf(stderr, "%s: %u results\n", f.spelling, CASES * f.m * f.n);
        for (int i = 0; i < 4 && f.candidates[i]; i++)
            fprintf(stderr, "    %8u differ from %s\n", compare(&f, slots, f.candidates[i]),
                    f.candidates[i]);
        for (unsigned i = 0; i < TRACED; i++)
            print_case(&f, slots + i, i);
    }
    return 0;
}
