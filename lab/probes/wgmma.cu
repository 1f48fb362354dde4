// wgmma.cu - the probes of mma for a warpgroup: one wgmma a launch, A in registers, B (8 columns)
// in shared memory without swizzle. Prints a trace with results on standard output.
//
// Every D element of a single probe computes the same. Maps of groups are those of groups.c.
#include "wgmma_forms.h"
#include "wgmma_singles.h"

static operands *o, *on_gpu; // the case, here and there

static unsigned stored_of(const form *f) {
    return 256 / f->a->bits;
}

// Row of B that stored column s meets under nibble 4: the first places of each chunk.
static unsigned k_of(const form *f, unsigned s) {
    if (!f->sparse)
        return s;
    return f->a->bits == 32 ? 2 * s : s / 2 * 4 + s % 2;
}

static void set_a(const form *f, unsigned row, unsigned s, uint32_t bits) {
    const unsigned each = 32 / f->a->bits, half = 4 * each;
    const unsigned thread = row / 16 * 32 + row % 8 * 4 + s % half / each;
    const unsigned reg = (row / 8 & 1) + 2 * (s / half), shift = s % each * f->a->bits;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << f->a->bits) - 1);
    o->a[reg][thread] = (o->a[reg][thread] & ~(mask << shift)) | (bits & mask) << shift;
}

static void set_b(const form *f, unsigned k, unsigned col, uint32_t bits) {
    const unsigned size = f->b->bits / 8, at = k * size;
    memcpy(o->window + col * 16 + at % 16 + at / 16 * 128, &bits, size);
}

static void set_c(const form *f, unsigned row, unsigned col, uint32_t bits) {
    const unsigned thread = row / 16 * 32 + row % 8 * 4 + col / 2, high = row / 8 & 1;
    if (f->d_bits == 32)
        o->c[2 * high + col % 2][thread] = bits;
    else
        o->c[high][thread] |= bits << 16 * (col % 2);
}

static void clear(const form *f) {
    memset(o, 0, sizeof *o);
    for (unsigned t = 0; t < THREADS; t++)
        o->e[t] = 0x44444444;
    o->descriptor = (uint64_t)(128 >> 4) << 16 | (uint64_t)(512 >> 4) << 32;
    o->scale_d = 1;
    for (unsigned col = 0; f->sparse && col < COLS; col++)
        for (unsigned k = 0; k < 2 * stored_of(f); k++)
            set_b(f, k, col, f->b->nan);
    for (unsigned col = 0; col < COLS; col++)
        for (unsigned s = 0; s < stored_of(f); s++)
            set_b(f, k_of(f, s), col, 0);
}

static void put(const char *name, const uint32_t (*words)[THREADS], unsigned registers) {
    printf("\t%s=", name);
    for (unsigned i = 0; i < registers * THREADS; i++)
        printf("%08x", words[i / THREADS][i % THREADS]);
}

static void run(const form *f, const char *comment) {
    const unsigned registers = f->d_bits == 32 ? 4 : 2;
    must(cudaMemcpy(on_gpu, o, sizeof *o, cudaMemcpyHostToDevice));
    f->kernel<<<1, THREADS>>>(on_gpu);
    must(cudaMemcpy(o, on_gpu, sizeof *o, cudaMemcpyDeviceToHost));
    printf("# %s\n%s\tsmem=", comment, f->spelling);
    for (unsigned i = 0; i < WINDOW; i++)
        printf("%02x", o->window[i]);
    put("a", o->a, 4);
    printf("\tdescB=%016llx", (unsigned long long)o->descriptor);
    put("c", o->c, registers);
    printf("\tscaled=%u", o->scale_d);
    if (f->scale_a)
        printf("\tscaleA=%d\tscaleB=%d", f->scale_a, f->scale_b);
    if (f->scale_a && f->a->bits == 16)
        printf("\ttnspB=0");
    if (f->sparse) {
        put("e", &o->e, 1);
        printf("\tsel=0");
    }
    put("d", o->d, registers);
    printf("\n");
}

static void fill_single(const form *f, const single *s, unsigned turn) {
    char *at = (char *)s->products;
    clear(f);
    o->scale_d = (uint32_t)s->scale_d;
    while (*at) {
        const unsigned k = (strtoul(at, &at, 10) + turn) % stored_of(f);
        const uint32_t a = (uint32_t)strtoul(at + 1, &at, 16),
                       b = (uint32_t)strtoul(at + 1, &at, 16);
        for (unsigned row = 0; row < ROWS; row++)
            set_a(f, row, k, a);
        for (unsigned col = 0; col < COLS; col++)
            set_b(f, k_of(f, k), col, b);
        at += *at == ' ';
    }
    for (unsigned i = 0; i < ROWS * COLS; i++)
        set_c(f, i / COLS, i % COLS, s->c);
}

static void run_singles(const form *f) {
    char comment[200];
    for (const single &s : singles)
        for (int i = 0; i < 4 && s.spellings[i]; i++)
            if (strcmp(strstr(f->spelling, "aligned.") + 8, s.spellings[i]) == 0)
                for (unsigned turn = 0; turn == 0 || (s.turn && turn < stored_of(f)); turn++) {
                    fill_single(f, &s, turn);
                    snprintf(comment, sizeof comment, "%s; products %s, turned by %u; C %x", s.name,
                             *s.products ? s.products : "none", turn, s.c);
                    run(f, comment);
                }
}

// 2^exponent, also subnormal.
static uint32_t power(const type *t, int negative, int exponent) {
    const int field = exponent + t->bias;
    const uint32_t sign = (uint32_t)negative << (t->bits - 1);
    return sign | (field > 0 ? (uint32_t)field << t->fraction : 1u << (t->fraction + field - 1));
}

// B: 2^7 everywhere, but at the place of the small term, which falls with the column.
static void start_group(const form *f, unsigned small) {
    clear(f);
    for (unsigned s = 0; s < stored_of(f); s++)
        for (unsigned col = 0; col < COLS; col++)
            set_b(f, k_of(f, s), col, power(f->b, 0, s == small ? -1 - (int)col : 7));
}

// As in groups.c. Brief: of each small and first position, only the next second one.
static int is_wanted(unsigned i, unsigned j, unsigned small, unsigned stored, int brief) {
    const unsigned next = (i + 1) % stored == small ? (i + 2) % stored : (i + 1) % stored;
    return i != j && i != small && j != small && (!brief || j == next);
}

static void run_group(const form *f, unsigned small, int brief, int gap) {
    const unsigned stored = stored_of(f);
    unsigned row = 0;
    char comment[100];
    snprintf(comment, sizeof comment, "X12 small term at %u, %d bits below and more", small, gap);
    for (unsigned pair = 0; pair < stored * stored; pair++) {
        if (row == 0)
            start_group(f, small);
        if (is_wanted(pair / stored, pair % stored, small, stored, brief)) {
            set_a(f, row, pair / stored, power(f->a, 0, 8));
            set_a(f, row, pair % stored, power(f->a, 1, 8));
            set_a(f, row++, small, power(f->a, 0, 16 - gap));
        }
        if (row == ROWS || (row && pair == stored * stored - 1)) {
            run(f, comment);
            row = 0;
        }
    }
}

static void run_groups(const form *f, int brief, int gap) {
    for (unsigned small = 0; small < stored_of(f); small++)
        run_group(f, small, brief, gap);
}

// Two terms at pairs of places, in the operand that is signed, as in pairs.c.
static void start_pairs(const form *f, uint32_t c, int in_b) {
    clear(f);
    for (unsigned s = 0; s < stored_of(f); s++) {
        for (unsigned row = 0; row < ROWS; row++)
            set_a(f, row, s, in_b ? 1 : 0);
        for (unsigned col = 0; col < COLS; col++)
            set_b(f, k_of(f, s), col, in_b ? 0 : 1);
    }
    for (unsigned at = 0; at < ROWS * COLS; at++)
        set_c(f, at / COLS, at % COLS, c);
}

static void set_term(const form *f, int in_b, unsigned across, unsigned s, uint32_t bits) {
    if (in_b)
        set_b(f, k_of(f, s), across, bits);
    else
        set_a(f, across, s, bits);
}

static void run_saturation(const form *f, uint32_t c, uint32_t first, uint32_t second) {
    const unsigned stored = stored_of(f), in_b = strstr(f->spelling, "u8") != NULL;
    unsigned used = 0;
    char comment[100];
    snprintf(comment, sizeof comment, "X8 C = %08x, then %d and %d", c, (int8_t)first,
             (int8_t)second);
    for (unsigned pair = 0; pair < stored * 6; pair++) {
        const unsigned i = pair / 6, j = pair % 6 == 5 ? (i + 1) % stored : i ^ 1u << pair % 6;
        if (used == 0)
            start_pairs(f, c, in_b);
        if (j < stored) {
            set_term(f, in_b, used, i, first);
            set_term(f, in_b, used++, j, second);
        }
        if (used == (in_b ? COLS : ROWS) || (used && pair == stored * 6 - 1)) {
            run(f, comment);
            used = 0;
        }
    }
}

int main() {
    trace_head("lab/probes/wgmma.cu");
    printf("# descB counts from the start of smem\n");
    o = (operands *)malloc(sizeof *o);
    must(cudaMalloc(&on_gpu, sizeof *o));
    for (const form &f : forms) {
        const int scaled = f.scale_a < 0 || f.scale_b < 0;
        run_singles(&f);
        if (f.a == &i8) {
            run_saturation(&f, 0x7ffffffc, 7, (uint32_t)-8);
            run_saturation(&f, 0x80000003, (uint32_t)-8, 7);
        } else if (!scaled && f.a->bits == 8) {
            run_groups(&f, 1, 10);
            run_groups(&f, 1, 22);
        } else if (!scaled) {
            run_groups(&f, 0, 22);
        }
    }
    return 0;
}
