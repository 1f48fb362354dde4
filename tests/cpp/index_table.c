/* Writes include/wsim/index_table.hpp on standard output: each layout of the library once, the
 * layouts of each spelling, the inverse layouts, and the swizzles. Target index-record;
 * cpp/index_table compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/wsim.h>

enum { LAYOUTS = 512, SETS = 2048, SPELLINGS = 16384, KEY_LANE = 8 };

static struct wsim_layout layouts[LAYOUTS];
static int sets[SETS][WSIM_OPERANDS];
static struct spelling {
    uint64_t hash;
    int set;
} spellings[SPELLINGS];
static int nlayout, nset, nspelling;

static void need(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "index_table: %s\n", what);
        exit(1);
    }
}

static int same(const struct wsim_layout *a, const struct wsim_layout *b) {
    return memcmp(a->lane, b->lane, sizeof a->lane) == 0 &&
           memcmp(a->elem, b->elem, sizeof a->elem) == 0 && a->lanes == b->lanes &&
           a->elems == b->elems && a->elem_bits == b->elem_bits && a->regs == b->regs &&
           a->batches == b->batches && a->rows == b->rows && a->cols == b->cols;
}

static int put_layout(const struct wsim_layout *layout) {
    int i = 0;
    while (i < nlayout && !same(&layouts[i], layout))
        i++;
    if (i == nlayout) {
        need(nlayout < LAYOUTS, "too many layouts");
        layouts[nlayout++] = *layout;
    }
    return i;
}

static int put_set(const int set[WSIM_OPERANDS]) {
    int i = 0;
    while (i < nset && memcmp(sets[i], set, sizeof sets[i]) != 0)
        i++;
    if (i == nset) {
        need(nset < SETS, "too many sets of operands");
        memcpy(sets[nset++], set, sizeof sets[i]);
    }
    return i;
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = WSIM_FNV_START;
    for (; *text; text++)
        hash = wsim_fnv_byte(hash, (uint8_t)*text);
    return hash;
}

static void collect(void) {
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (wsim_op_next(&cursor, &op)) {
        int set[WSIM_OPERANDS], any = 0;
        char spelling[WSIM_SPELLING_MAX];
        for (int i = 0; i < WSIM_OPERANDS; i++) {
            struct wsim_layout layout;
            int has = wsim_op_layout(&op, NULL, (enum wsim_operand)i, &layout, NULL) == WSIM_OK;
            set[i] = has ? put_layout(&layout) : -1;
            any |= has;
        }
        if (!any)
            continue;
        need(nspelling < SPELLINGS, "too many spellings");
        wsim_op_spell(&op, spelling);
        spellings[nspelling].hash = hash_of(spelling);
        spellings[nspelling++].set = put_set(set);
    }
}

static int by_hash(const void *a, const void *b) {
    const struct spelling *x = a, *y = b;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* A coordinate, and who holds it: the lane above the element. */
struct pair {
    uint32_t image, key;
};

/* Reduces a pair by the leading bits of the pairs of a basis. The bits are those of the image, or
 * of the key if the image is zero. */
static struct pair reduce(struct pair p, const struct pair *basis, int n, int by_key) {
    for (uint32_t bit = UINT32_C(1) << 31; bit; bit >>= 1)
        for (int i = 0; i < n; i++) {
            uint32_t of = by_key ? basis[i].key : basis[i].image;
            if ((of & bit) && of < 2 * (uint64_t)bit && ((by_key ? p.key : p.image) & bit)) {
                p.image ^= basis[i].image;
                p.key ^= basis[i].key;
            }
        }
    return p;
}

/* The smallest key that holds a coordinate bit, among `bits` bits from bit `first` of a coordinate
 * on. Layouts are XORs of bits both ways. */
static void print_holders(const struct wsim_layout *layout, unsigned first, unsigned count,
                          unsigned extent) {
    struct pair images[15], kernel[15];
    int nimage = 0, nkernel = 0;
    for (int i = 0; i < WSIM_LAYOUT_ELEM_BITS + WSIM_LAYOUT_LANE_BITS; i++) {
        int lane = i - WSIM_LAYOUT_ELEM_BITS;
        struct pair p = {lane < 0 ? layout->elem[i] : layout->lane[lane], UINT32_C(1) << i};
        if (lane < 0 ? 1 << i >= layout->elems : 1 << lane >= layout->lanes)
            continue;
        p = reduce(p, images, nimage, 0);
        if (p.image)
            images[nimage++] = p;
        else
            kernel[nkernel] = reduce(p, kernel, nkernel, 1), nkernel++;
    }
    printf("{");
    for (unsigned i = 0; i < count; i++) {
        struct pair p = {UINT32_C(1) << (first + i), 0};
        if (UINT32_C(1) << i < extent) {
            p = reduce(p, images, nimage, 0);
            need(p.image == 0, "a coordinate bit without a place of its own");
            p = reduce(p, kernel, nkernel, 1);
        }
        printf("%s%u", i ? "," : "", (unsigned)p.key);
    }
    printf("}");
}

static void print_words(const uint32_t *words, int count) {
    printf("{");
    for (int i = 0; i < count; i++)
        printf("%s0x%x", i ? "," : "", (unsigned)words[i]);
    printf("}");
}

static void print_layouts(void) {
    printf("struct layout {\n"
           "    uint8_t lanes, bits, regs;\n"
           "    uint16_t elems, batches, rows, cols;\n"
           "    uint32_t lane[%d], elem[%d];\n"
           "    uint16_t row_at[12], col_at[12], batch_at[8];\n"
           "};\n"
           "inline constexpr layout layouts[] = {\n",
           WSIM_LAYOUT_LANE_BITS, WSIM_LAYOUT_ELEM_BITS);
    for (int i = 0; i < nlayout; i++) {
        const struct wsim_layout *l = &layouts[i];
        printf("/* %d %s */ {%u,%u,%u, %u,%u,%u,%u, ", i, l->name, l->lanes, l->elem_bits, l->regs,
               l->elems, l->batches, l->rows, l->cols);
        print_words(l->lane, WSIM_LAYOUT_LANE_BITS);
        printf(",");
        print_words(l->elem, WSIM_LAYOUT_ELEM_BITS);
        printf(",\n    ");
        print_holders(l, 0, 12, l->rows);
        printf(",");
        print_holders(l, 12, 12, l->cols);
        printf(",");
        print_holders(l, 24, 8, l->batches);
        printf("},\n");
    }
    puts("};\n");
}

static void print_spellings(void) {
    puts("/* By enum wsim_operand: numbers of layouts. */");
    printf("inline constexpr int16_t operands[][%d] = {", WSIM_OPERANDS);
    for (int i = 0; i < nset; i++) {
        printf("%s{", i % 4 ? " " : "\n    ");
        for (int k = 0; k < WSIM_OPERANDS; k++)
            printf("%s%d", k ? "," : "", sets[i][k]);
        printf("},");
    }
    puts("\n};\n\n/* FNV-1a of a spelling, and its operands; in ascending order. */\n"
         "struct spelling {\n    uint64_t hash;\n    uint16_t operands;\n};\n"
         "inline constexpr spelling spellings[] = {");
    qsort(spellings, (size_t)nspelling, sizeof spellings[0], by_hash);
    for (int i = 0; i < nspelling; i++) {
        need(i == 0 || spellings[i].hash != spellings[i - 1].hash, "two spellings of one hash");
        printf("%s{0x%016llx,%d},%s", i % 3 ? "" : "    ", (unsigned long long)spellings[i].hash,
               spellings[i].set, i % 3 == 2 || i + 1 == nspelling ? "\n" : "");
    }
    printf("};\ninline constexpr unsigned spelling_count = %d;\n\n", nspelling);
}

/* A swizzle XORs bits of an address into lower ones: how far down, and into which. */
static void print_swizzles(void) {
    puts("/* By enum wsim_swizzle: terms of wsim_swizzle_bits. */\n"
         "struct swizzle {\n    uint8_t shift[2], mask[2];\n};\n"
         "inline constexpr swizzle swizzles[] = {");
    for (int mode = 0; mode < WSIM_SWIZZLES; mode++) {
        unsigned shift[2] = {0, 0}, mask[2] = {0, 0};
        int terms = 0;
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t from = UINT32_C(1) << bit;
            uint32_t into = wsim_swizzle_apply((enum wsim_swizzle)mode, from) ^ from;
            for (unsigned low = 0; low < bit; low++) {
                int t = 0;
                if (!(into >> low & 1))
                    continue;
                while (t < terms && shift[t] != bit - low)
                    t++;
                need(t < 2, "a swizzle of more than two terms");
                terms = t == terms ? terms + 1 : terms;
                shift[t] = bit - low;
                mask[t] |= 1u << low;
            }
        }
        printf("    {{%u,%u},{0x%02x,0x%02x}}, /* %s */\n", shift[0], shift[1], mask[0], mask[1],
               wsim_swizzle_name((enum wsim_swizzle)mode));
    }
    puts("};\n");
}

/* The width of a bank is the distance at which one lane's address leaves it. The number of banks is
 * the distance at which it returns. */
static void print_banks(void) {
    static const char spelling[] = "ld.shared.u8";
    struct wsim_op op;
    struct wsim_banks banks;
    uint32_t addr[WSIM_LANES] = {0}, bytes = 0, at;
    need(wsim_op_parse(spelling, &op, NULL) == WSIM_OK, spelling);
    for (at = 0; at < 4096; at++) {
        addr[0] = at;
        need(wsim_banks_count(&op, wsim_arch_find("sm_90a"), addr, 1, &banks, NULL) == WSIM_OK,
             "an access that is not counted");
        if (banks.group[0].bank && !bytes)
            bytes = at;
        if (bytes && at > bytes && !banks.group[0].bank)
            break;
    }
    need(at < 4096 && at % bytes == 0, "no banks");
    printf("inline constexpr unsigned bank_bytes = %u, bank_count = %u;\n", (unsigned)bytes,
           (unsigned)(at / bytes));
}

int main(void) {
    collect();
    puts(
        "/* index_table.hpp - constants of index.hpp, written by tests/cpp/index_table.c out of "
        "the\n"
        " * library's own answers (target index-record). */\n"
        "#ifndef WSIM_INDEX_TABLE_HPP\n#define WSIM_INDEX_TABLE_HPP\n\n#include <stdint.h>\n\n"
        "/* clang-format off */\nnamespace wsim {\nnamespace tables {\n\n"
        "/* What of struct wsim_layout computes, and the same turned around: who holds bit i of a\n"
        " * coordinate, the element in the low 8 bits and the lane above; XORed as they are. */");
    print_layouts();
    print_spellings();
    print_swizzles();
    print_banks();
    puts("\n} /* namespace tables */\n} /* namespace wsim */\n/* clang-format on */\n\n#endif");
    return fflush(stdout) || ferror(stdout);
}
