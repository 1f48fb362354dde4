/* test_umma.c - tcgen05.mma as a whole. The formulae of the ISA put matrices of small numbers into
 * memory. Their sums are exact in the lanes and columns of layouts A to G. Signs, masks of lanes
 * and of columns, MN-major matrices and bytes of scale factors are drawn at random. */
#include "../../../sim/exec/umma.h"
#include "../../every.h"

enum { SHARED = 64 * 1024, TENSOR = UMMA_LANES * UMMA_COLUMNS * 4, MOST = 256, BASE = 1024 };
enum { B_AT = 24 * 1024, D_AT = 8, A_AT = 300, META_AT = 320, SFA_AT = 400, SFB_AT = 420 };
enum { LEADING = 8192, MOST_SHIFT = 32 };

/* Kinds and the types of A and B; `code` of the instruction descriptor. */
struct kind {
    uint8_t umma, k, chunk, kept, factors, code[2];
    const char *type[2], *d, *factor;
};

static const struct kind kinds[] = {
    {WSIM_UMMA_F16, 16, 4, 2, 0, {0, 0}, {"f16", "f16"}, "f32", NULL},
    {WSIM_UMMA_F16, 16, 4, 2, 0, {0, 0}, {"f16", "f16"}, "f16", NULL},
    {WSIM_UMMA_F16, 16, 4, 2, 0, {1, 1}, {"bf16", "bf16"}, "f32", NULL},
    {WSIM_UMMA_F16, 16, 4, 2, 0, {0, 1}, {"f16", "bf16"}, "f32", NULL},
    {WSIM_UMMA_TF32, 8, 2, 1, 0, {2, 2}, {"tf32", "tf32"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {0, 0}, {"e4m3", "e4m3"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {1, 1}, {"e5m2", "e5m2"}, "f16", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {3, 3}, {"e2m3", "e2m3"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {4, 4}, {"e3m2", "e3m2"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {5, 5}, {"e2m1", "e2m1"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {5, 0}, {"e2m1", "e4m3"}, "f32", NULL},
    {WSIM_UMMA_F8F6F4, 32, 4, 2, 0, {1, 3}, {"e5m2", "e2m3"}, "f16", NULL},
    {WSIM_UMMA_I8, 32, 4, 2, 0, {1, 1}, {"s8", "s8"}, "s32", NULL},
    {WSIM_UMMA_MXF8F6F4, 32, 4, 2, 1, {0, 0}, {"e4m3", "e4m3"}, "f32", "ue8m0"},
    {WSIM_UMMA_MXF8F6F4, 32, 4, 2, 1, {4, 1}, {"e3m2", "e5m2"}, "f32", "ue8m0"},
    {WSIM_UMMA_MXF4, 64, 8, 4, 2, {1, 1}, {"e2m1", "e2m1"}, "f32", "ue8m0"},
    {WSIM_UMMA_MXF4NVF4, 64, 8, 4, 4, {1, 1}, {"e2m1", "e2m1"}, "f32", "ue4m3"}};

/* Layouts of D: cta_group, .ws, M, sparse where it matters (2: either). */
static const struct place {
    char letter;
    uint8_t blocks, stationary, sparse;
    uint16_t m;
} places[] = {{'A', 2, 0, 2, 256}, {'B', 2, 0, 0, 128}, {'C', 2, 0, 1, 128}, {'D', 1, 0, 2, 128},
              {'D', 1, 1, 2, 128}, {'E', 1, 1, 2, 64},  {'F', 1, 0, 2, 64},  {'G', 1, 1, 2, 32}};

enum { KINDS = COUNT(kinds), PLACES = COUNT(places), SPARSE = 2, MODES = 4 };

/* Row i of a block and column j of D: lane and column. */
static void d_place(char letter, unsigned n, unsigned i, unsigned j, unsigned *lane,
                    unsigned *column) {
    *lane = i;
    *column = j;
    switch (letter) {
    case 'B':
    case 'E': *lane = i + 64 * (j / (n / 2)), *column = j % (n / 2); break;
    case 'C':
    case 'F': *lane = i % 16 + 32 * (i / 16); break;
    case 'G': *lane = i + 32 * (j / (n / 4)), *column = j % (n / 4); break;
    default: break;
    }
}

/* Everything of one case. */
struct whole {
    const struct kind *kind;
    const struct place *place;
    unsigned sparse, n, k, stored, mode[2], in_tensor, adds;
    unsigned trans[2], negate[2], id[2]; /* of A and B: MN-major, sign, first byte of factors   */
    uint64_t zero;                       /* the zero-column mask                               */
    uint32_t mask[8];                    /* of lanes, if `masks`                               */
    unsigned masks;
    int a[MOST][128], b[MOST + MOST_SHIFT][128]; /* A without its zeros: [row][stored k]      */
    int c[MOST][MOST];
    uint8_t nibble[MOST][16], sfa[MOST][4], sfb[MOST][4]; /* exponents + 1                      */
    uint8_t shared[2][SHARED], tensor[2][TENSOR];
};

static unsigned below(uint64_t *state, unsigned most) {
    return (unsigned)(every_random(state) >> 33) % most;
}

static uint64_t encode(const char *type, int value) {
    const struct wsim_format *format = wsim_format_find(type);
    struct wsim_value v = {.cls = value ? WSIM_FINITE : WSIM_ZERO, .negative = value < 0};
    v.sig = (uint64_t)(value < 0 ? -value : value);
    return wsim_format_encode(format, v, WSIM_RN) << (format->bits == 19 ? 13 : 0);
}

static unsigned stored_bits(const char *type) {
    unsigned bits = wsim_format_find(type)->bits;
    return bits == 19 ? 32 : bits;
}

/* Bytes of K: an element of 4 or 6 bits has one of its own, but for mxf4 and mxf4nvf4. */
static int is_packed(const struct kind *kind, unsigned which) {
    return kind->umma == WSIM_UMMA_MXF4 || kind->umma == WSIM_UMMA_MXF4NVF4 ||
           stored_bits(kind->type[which]) >= 8;
}

static void put_bits(uint8_t *bytes, unsigned bit, unsigned count, uint64_t value) {
    for (unsigned i = 0; i < count; i++, bit++)
        bytes[bit / 8] =
            (uint8_t)((bytes[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
}

/* --- matrices in shared memory --- */

/* Bytes of a row in which a swizzle acts; the last mode has atoms of 32 bytes. */
enum { ATOMS = MODES };
static const unsigned widths[MODES + 1] = {16, 32, 64, 128, 128};

static void offsets_of(const struct whole *w, unsigned which, unsigned *leading, unsigned *stride) {
    unsigned mode = w->mode[which], width = widths[mode];
    unsigned k = which ? w->k : w->stored;
    *leading = LEADING;
    *stride = 8 * width;
    if (!mode && w->trans[which]) {
        *leading = 128;
        *stride = 128 * (k / 8);
    } else if (mode == ATOMS) {
        *leading = 512 * (k / 4);
        *stride = 512;
    } else if (mode && w->trans[which]) {
        *leading = 8 * width * (k / 8);
    }
}

/* The address of byte `byte` of K of a row, or of column k of an MN-major matrix. */
static unsigned address_of(const struct whole *w, unsigned which, unsigned row, unsigned byte,
                           unsigned k) {
    unsigned mode = w->mode[which], width = widths[mode], leading, stride, at;
    unsigned mb = row * (stored_bits(w->kind->type[which]) / 8);
    offsets_of(w, which, &leading, &stride);
    if (!w->trans[which])
        at = mode ? row % 8 * width + row / 8 * stride + byte % width
                  : row % 8 * 16 + row / 8 * stride + byte / 16 * leading + byte % 16;
    else if (mode == ATOMS)
        at = mb % 128 + mb / 128 * leading + k % 4 * 128 + k / 4 * stride;
    else if (mode)
        at = mb % width + mb / width * leading + k % 8 * width + k / 8 * stride;
    else
        at = mb % 16 + mb / 16 * stride + k % 8 * 16 + k / 8 * leading;
    at += which ? B_AT : BASE;
    if (mode == ATOMS)
        return at ^ (at >> 7 & 3) << 5;
    return mode ? at ^ (at >> 7 & (width / 16 - 1)) << 4 : at;
}

static void put_shared(struct whole *w, unsigned block, unsigned which, unsigned row, unsigned k,
                       int value) {
    unsigned bits = stored_bits(w->kind->type[which]);
    unsigned bit = is_packed(w->kind, which) ? k * bits : k / 16 * 128 + k % 16 * bits;
    unsigned at = address_of(w, which, row, bit / 8, k);
    /* a 6-bit element may reach into the next byte, which lies in the same 16 */
    put_bits(w->shared[block] + (at - BASE), w->trans[which] ? 0 : bit % 8, bits,
             encode(w->kind->type[which], value));
}

static uint64_t matrix_descriptor(const struct whole *w, unsigned which) {
    static const uint64_t codes[MODES + 1] = {0, 6, 4, 2, 1};
    unsigned leading, stride;
    offsets_of(w, which, &leading, &stride);
    return (which ? B_AT : BASE) / 16 | (uint64_t)leading / 16 << 16 | (uint64_t)stride / 16 << 32 |
           UINT64_C(1) << 46 | codes[w->mode[which]] << 61;
}

/* --- tensor memory --- */

static void put_word(struct whole *w, unsigned block, unsigned lane, unsigned column, unsigned bit,
                     unsigned count, uint64_t value) {
    put_bits(w->tensor[block], ((lane * UMMA_COLUMNS + column) * 32) + bit, count, value);
}

static uint32_t word(const struct whole *w, unsigned block, unsigned lane, unsigned column) {
    const uint8_t *at = w->tensor[block] + ((size_t)lane * UMMA_COLUMNS + column) * 4;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* --- numbers --- */

static void fill(struct whole *w, uint64_t *state) {
    static const uint8_t pairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0x6, 0xE}, ones[] = {0x4, 0xE};
    unsigned chunks = w->k / w->kind->chunk;
    for (unsigned i = 0; i < w->place->m; i++) {
        for (unsigned k = 0; k < w->stored; k++)
            w->a[i][k] = (int)below(state, 5) - 2;
        for (unsigned c = 0; c < chunks && c < 16; c++)
            w->nibble[i][c] = w->kind->kept == 1 ? ones[below(state, 2)] : pairs[below(state, 7)];
        for (unsigned f = 0; f < 4; f++)
            w->sfa[i][f] = (uint8_t)below(state, 3);
    }
    for (unsigned j = 0; j < w->n + MOST_SHIFT; j++)
        for (unsigned k = 0; k < w->k; k++)
            w->b[j][k] = (int)below(state, 5) - 2;
    for (unsigned j = 0; j < w->n; j++) {
        for (unsigned f = 0; f < 4; f++)
            w->sfb[j][f] = (uint8_t)below(state, 3);
        for (unsigned i = 0; i < w->place->m; i++)
            w->c[i][j] = (int)below(state, 9) - 4;
    }
}

/* Parts of the lanes, each with all rows and some columns. Each has copies of its own of A and of
 * metadata: here they differ, so that a wrong copy is seen. */
static unsigned parts_of(const struct whole *w) {
    return w->place->letter == 'B' || w->place->letter == 'E' ? 2 : w->place->letter == 'G' ? 4 : 1;
}

static const uint8_t *nibbles_of(const struct whole *w, unsigned part, unsigned i) {
    return w->nibble[(i + part) % w->place->m];
}

static int a_of(const struct whole *w, unsigned part, unsigned i, unsigned k) {
    return w->in_tensor && part % 2 ? -w->a[i][k] : w->a[i][k];
}

/* Each quarter of the lanes has scale factors of its own. */
static unsigned factor_of(unsigned quarter, unsigned exponent) {
    return (exponent + quarter) % 3;
}

/* Column of B that stored element k of a row meets. */
static unsigned met(const struct whole *w, const uint8_t *nibble, unsigned k) {
    const struct kind *kind = w->kind;
    unsigned chunk, s, index;
    if (!w->sparse)
        return k;
    chunk = k / kind->kept;
    s = k % kind->kept;
    if (kind->kept == 1)
        return chunk * 2 + (nibble[chunk] == 0xE);
    index = nibble[chunk] >> (s * 2 / kind->kept ? 2 : 0) & 3;
    return chunk * kind->chunk + (kind->chunk == 8 ? 2 * index + s % 2 : index);
}

/* Whether column j of B counts as zeros: its part of the columns is alternating runs. */
static int is_zero(const struct whole *w, unsigned j) {
    unsigned parts = w->place->m == 32 ? 4 : w->place->m == 64 ? 2 : 1;
    unsigned part = j / (w->n / parts), at = j % (w->n / parts) + (w->zero >> 8 * part & 255);
    unsigned skip = (w->zero >> 40 & 255) + 1, use = (w->zero >> 48 & 255) + 1;
    int zero = w->zero >> (32 + part) & 1;
    if (!(w->zero >> 39 & 1))
        return 0;
    for (unsigned left = zero ? skip : use; at >= left; left = zero ? skip : use) {
        at -= left;
        zero = !zero;
    }
    return zero;
}

/* The sum in quarters. */
static int sum_of(const struct whole *w, unsigned i, unsigned j) {
    int sum = w->adds ? 4 * w->c[i][j] : 0, sign = w->negate[0] == w->negate[1] ? 1 : -1;
    unsigned column = j + (w->zero >> 56 & 63), part = j / (w->n / parts_of(w)), lane, ignored;
    d_place(w->place->letter, w->n, i % (w->place->m / w->place->blocks), j, &lane, &ignored);
    for (unsigned k = 0; k < w->stored && !is_zero(w, j); k++) {
        unsigned at = met(w, nibbles_of(w, part, i), k);
        int term = sign * a_of(w, part, i, k) * w->b[column][at];
        if (w->kind->factors) {
            unsigned f = at * w->kind->factors / w->k;
            /* 1/2, 1 or 2 each */
            sum += term *
                   (1 << (factor_of(lane / 32, w->sfa[i][f]) + factor_of(lane / 32, w->sfb[j][f])));
        } else {
            sum += 4 * term;
        }
    }
    return sum;
}

/* --- memory --- */

static void put_factors(struct whole *w, unsigned block, unsigned at, unsigned line,
                        const uint8_t *exponents, unsigned quarters, unsigned shift) {
    for (unsigned q = 0; q < 4; q++)
        for (unsigned f = 0; f < w->kind->factors && quarters >> q & 1; f++) {
            unsigned exponent = factor_of(q, exponents[f]);
            unsigned byte =
                strcmp(w->kind->factor, "ue8m0") == 0 ? exponent + 126 : 0x30 + 8 * exponent;
            put_word(w, block, 32 * q + line % 32, at + line / 32, 8 * ((f + shift) % 4), 8, byte);
        }
}

/* Row `row` of a block. */
static void put_metadata(struct whole *w, unsigned block, unsigned row) {
    char letter = w->place->letter;
    int spread = letter == 'C' || letter == 'F';
    unsigned rows = w->place->m / w->place->blocks;
    for (unsigned copy = 0; copy < parts_of(w); copy++)
        for (unsigned c = 0; c < w->k / w->kind->chunk; c++) {
            unsigned lane, bit, column = META_AT;
            if (w->kind->k <= 16) { /* f16, bf16, tf32 */
                lane = row % 8 + 8 * (c / 4) + (spread ? 32 : 16) * (row / 16);
                bit = 16 * (row / 8 % 2) + 4 * (c % 4);
            } else {
                lane = spread ? row % 16 + 32 * (row / 16) : row;
                bit = 4 * (c % 8);
                column += c / 8;
            }
            put_word(w, block, lane + copy * rows, column, bit, 4,
                     nibbles_of(w, copy, block * rows + row)[c]);
        }
}

static void put_a(struct whole *w, unsigned block, unsigned row) {
    char letter = w->place->letter;
    unsigned rows = w->place->m / w->place->blocks, bits = stored_bits(w->kind->type[0]);
    unsigned lane = letter == 'C' || letter == 'F' ? row % 16 + 32 * (row / 16) : row;
    for (unsigned k = 0; k < w->stored; k++) {
        if (!w->in_tensor)
            put_shared(w, block, 0, row, k, w->a[block * rows + row][k]);
        for (unsigned copy = 0; w->in_tensor && copy < parts_of(w); copy++)
            put_word(w, block, lane + copy * rows, A_AT + k * bits / 32, k * bits % 32, bits,
                     encode(w->kind->type[0], a_of(w, copy, block * rows + row, k)));
    }
}

static void lay_out(struct whole *w) {
    unsigned blocks = w->place->blocks, rows = w->place->m / blocks, each = w->n / blocks;
    unsigned parts = w->place->letter == 'B' ? 2 : 1, lane, column;
    for (unsigned block = 0; block < blocks; block++) {
        memset(w->shared[block], 0xA5, SHARED);
        memset(w->tensor[block], 0x5A, TENSOR);
        for (unsigned i = 0; i < rows; i++) {
            unsigned row = block * rows + i;
            put_a(w, block, i);
            if (w->sparse)
                put_metadata(w, block, i);
            put_factors(w, block, SFA_AT, i, w->sfa[row], 0xF, w->id[0]);
            for (unsigned j = 0; j < w->n; j++) {
                d_place(w->place->letter, w->n, i, j, &lane, &column);
                put_word(w, block, lane, D_AT + column, 0, wsim_format_find(w->kind->d)->bits,
                         encode(w->kind->d, w->c[row][j]));
            }
        }
        for (unsigned j = 0; j < w->n; j++)
            put_factors(w, block, SFB_AT, j % (w->n / parts), w->sfb[j],
                        parts == 1     ? 0xF
                        : j < w->n / 2 ? 0x3
                                       : 0xC,
                        w->id[1]);
        for (unsigned j = 0; j < each + (w->zero >> 56 & 63); j++)
            for (unsigned k = 0; k < w->k; k++)
                put_shared(w, block, 1, j, k, w->b[block * each + j][k]);
    }
}

static uint32_t instruction_descriptor(const struct whole *w) {
    const struct kind *kind = w->kind;
    uint32_t idesc = w->sparse << 2 | w->n / 8 << 17 | (uint32_t)kind->code[1] << 10;
    idesc |= (uint32_t)kind->code[0] << 7 | w->negate[0] << 13 | w->negate[1] << 14;
    idesc |= w->trans[0] << 15 | w->trans[1] << 16;
    if (kind->factors)
        return idesc | (uint32_t)(strcmp(kind->factor, "ue8m0") == 0) << 23 | w->id[1] << 4 |
               (uint32_t)w->place->m / 128 << 27 | (uint32_t)w->id[0] << 29;
    if (w->zero >> 56 & 63)
        idesc |= 3u << 30; /* shifts up to 32 */
    idesc |= strcmp(kind->d, "f32") == 0 ? 1u << 4 : strcmp(kind->d, "s32") == 0 ? 2u << 4 : 0;
    return idesc | (uint32_t)w->place->m / 16 << 24;
}

static uint32_t want_of(const struct whole *w, unsigned i, unsigned j) {
    struct wsim_value v = {.cls = WSIM_FINITE, .exp = -2};
    int sum = sum_of(w, i, j);
    if (strcmp(w->kind->d, "s32") == 0)
        return (uint32_t)(sum / 4);
    v.negative = sum < 0;
    v.sig = (uint64_t)(sum < 0 ? -sum : sum);
    if (sum == 0)
        v.cls = WSIM_ZERO;
    return (uint32_t)wsim_format_encode(wsim_format_find(w->kind->d), v, WSIM_RN);
}

static void check(const struct whole *w) {
    unsigned rows = w->place->m / w->place->blocks, lane, column;
    uint32_t low = wsim_format_find(w->kind->d)->bits == 16 ? 0xFFFF : 0xFFFFFFFF;
    for (unsigned i = 0; i < w->place->m; i++)
        for (unsigned j = 0; j < w->n; j++) {
            uint32_t got, want = want_of(w, i, j);
            d_place(w->place->letter, w->n, i % rows, j, &lane, &column);
            got = word(w, i / rows, lane, D_AT + column);
            if (w->masks && w->mask[4 * (i / rows) + lane / 32] >> lane % 32 & 1)
                want = (uint32_t)encode(w->kind->d, w->c[i][j]);
            expect((got & low) == want && (got & ~low) == (0x5A5A5A5A & ~low),
                   "%s %s, layout %c, %s, N %u: row %u, column %u is %08x, must be %08x",
                   w->kind->type[0], w->kind->d, w->place->letter, w->sparse ? "sparse" : "dense",
                   w->n, i, j, (unsigned)got, (unsigned)want);
        }
}

/* Which of the shapes a kind has. */
static int exists(const struct whole *w) {
    const struct place *place = w->place;
    if (place->sparse != 2 && place->sparse != w->sparse)
        return 0;
    if (w->kind->factors)
        return !place->stationary && place->m >= 128 &&
               (place->blocks == 1 || place->m == 256 || !w->sparse);
    return 1;
}

/* Runs of 1 to 9 columns, each part from another one on; M = 32 has no shift. */
static uint64_t zero_columns(const struct whole *w, uint64_t *state) {
    uint64_t zero = (uint64_t)below(state, 9) << 40 | (uint64_t)below(state, 9) << 48;
    zero |= (every_random(state) >> 20 & 0x0F0F0F0F) | (uint64_t)below(state, 16) << 32;
    if (w->place->m > 32)
        zero |= (uint64_t)below(state, MOST_SHIFT + 1) << 56;
    return zero | (uint64_t)(below(state, 4) != 0) << 39;
}

/* Draws what a kind and a form may have besides. */
static void draw_options(struct whole *w, uint64_t *state) {
    const struct kind *kind = w->kind;
    const int is_tf32 = kind->umma == WSIM_UMMA_TF32;
    for (unsigned i = 0; i < 2; i++) {
        unsigned bits = stored_bits(kind->type[i]);
        w->mode[i] = below(state, MODES);
        if (w->mode[i] == 1 && w->sparse && i)
            w->mode[i] = 2; /* a row of B has 64 bytes */
        w->trans[i] = bits >= 8 && below(state, 3) == 0;
        if (w->trans[i] && is_tf32)
            w->mode[i] = ATOMS;
        if (w->trans[i] && bits == 8 && w->mode[i])
            w->mode[i] = i && w->n % 128 ? 1 : w->mode[i]; /* whole rows of the swizzle */
        w->negate[i] = kind->umma != WSIM_UMMA_I8 && below(state, 3) == 0;
        w->id[i] = kind->factors == 1   ? below(state, 4)
                   : kind->factors == 2 ? 2 * below(state, 2)
                                        : 0;
    }
    w->in_tensor = is_packed(kind, 0) && !w->trans[0] && below(state, 3) == 0;
    w->adds = below(state, 2);
    w->zero = w->place->stationary && below(state, 2) ? zero_columns(w, state) : 0;
    w->masks = !w->place->stationary && !kind->factors && below(state, 3) == 0;
    for (unsigned i = 0; i < 8; i++)
        w->mask[i] = (uint32_t)(every_random(state) >> 16);
}

START_TEST(sums) {
    static struct whole w;
    static const unsigned columns[2][3] = {{32, 64, 256}, {64, 128, 128}};
    unsigned round = (unsigned)_i;
    uint64_t state = (uint64_t)_i + 1;
    struct wsim_memory shared[2], tensor[2];
    struct wsim_code code;
    struct wsim_diag diag;
    struct wsim_umma form;
    w.kind = &kinds[round % KINDS];
    w.place = &places[round / KINDS % PLACES];
    w.sparse = round / KINDS / PLACES % SPARSE;
    if (!exists(&w))
        return;
    w.n = columns[w.place->stationary][below(&state, 3)];
    w.k = w.kind->k * (w.sparse ? 2 : 1);
    w.stored = w.kind->k;
    draw_options(&w, &state);
    fill(&w, &state);
    lay_out(&w);
    form = (struct wsim_umma){.kind = w.kind->umma,
                              .blocks = w.place->blocks,
                              .sparse = (uint8_t)w.sparse,
                              .stationary = w.place->stationary,
                              .factors = w.kind->factors};
    ck_assert_msg(wsim_umma_prepare(&form, instruction_descriptor(&w), wsim_arch_find("sm_100a"), 0,
                                    &code, &diag) == WSIM_OK,
                  "%s", diag.text);
    for (unsigned i = 0; i < 2; i++) {
        shared[i] = wsim_memory_over(WSIM_SHARED, w.shared[i], SHARED, BASE);
        tensor[i] = wsim_memory_over(WSIM_TENSOR, w.tensor[i], TENSOR, 0);
    }
    {
        struct wsim_io io = {.shared = &shared[0],
                             .umma = {.tensor = &tensor[0],
                                      .odd_shared = &shared[1],
                                      .odd_tensor = &tensor[1],
                                      .desc_a = matrix_descriptor(&w, 0),
                                      .desc_b = matrix_descriptor(&w, 1),
                                      .d = D_AT,
                                      .a = A_AT,
                                      .e = META_AT,
                                      .sfa = SFA_AT,
                                      .sfb = SFB_AT,
                                      .zero_columns = w.zero,
                                      .mask = w.masks ? w.mask : NULL,
                                      .a_in_tensor = (uint8_t)w.in_tensor,
                                      .adds = (uint8_t)w.adds}};
        ck_assert_msg(wsim_run(&code, &io, &diag) == WSIM_OK, "%s", diag.text);
    }
    check(&w);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{sums, 0, 2 * KINDS * PLACES * SPARSE}};
    return every_run("unit/exec/umma", tests, COUNT(tests));
}
