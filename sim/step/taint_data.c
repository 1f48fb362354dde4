/* Uninitialised bits through instructions that only compute: taint_rules.def. */
#include "data.h"
#include "pack.h"
#include "taint.h"

enum rule { ALL, BITS, MOVED, CONVERTED, UPWARD, PRODUCT, CHOICE, COMPARED };

static const struct {
    uint8_t rule, control;
} rules[SCALAR_METHODS] = {
#define TAINT(method, rule, control) [SCALAR_METHOD_##method] = {rule, control},
#include "taint_rules.def"
};

/* The sources of one lane and their uninitialised bits. */
struct sources {
    uint64_t value[WSIM_SCALAR_IN], taint[WSIM_SCALAR_IN];
};

static uint64_t all_taint(const struct data *data, const struct sources *sources) {
    uint64_t any = 0;
    for (unsigned i = 0; i < data->ins; i++)
        any |= sources->taint[i];
    return any;
}

static uint64_t if_any(uint64_t taint) {
    return taint ? UINT64_MAX : 0;
}

static uint64_t element_mask(unsigned bits, unsigned e) {
    return (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX) << (e * bits % 64);
}

/* Bits from the lowest one on. */
static uint64_t upward(uint64_t taint) {
    return taint ? ~((taint & (0 - taint)) - 1) : 0;
}

/* Each element of a packed type depends on the same element of the sources. */
static uint64_t by_element(const struct data *data, uint64_t taint, int up) {
    const struct isa_scalar_type *type = &isa_scalar_types[data->meaning.type[0]];
    uint64_t result = 0;
    if (type->elements < 2 || data->meaning.types != 1)
        return up ? upward(taint) : if_any(taint);
    for (unsigned e = 0; e < type->elements; e++) {
        const uint64_t mask = element_mask(type->element_bits, e);
        result |= mask & (up ? upward(taint & mask) : if_any(taint & mask));
    }
    return result;
}

/* Evaluates the instruction with every combination of the uninitialised bits of whole sources. */
static void vary_bits(const struct data *data, const struct sources *sources, uint64_t *result) {
    const unsigned n = data->ins < 3 ? data->ins : 3;
    uint64_t first[WSIM_SCALAR_OUT] = {0}, out[WSIM_SCALAR_OUT] = {0};
    data->function(&data->meaning, sources->value, first);
    for (unsigned flips = 1; flips < 1u << n; flips++) {
        struct sources varied = *sources;
        for (unsigned i = 0; i < n; i++)
            varied.value[i] ^= flips >> i & 1 ? varied.taint[i] : 0;
        data->function(&data->meaning, varied.value, out);
        for (unsigned i = 0; i < data->outs; i++)
            result[i] |= out[i] ^ first[i];
    }
}

/* Moves the uninitialised bits as the instruction moves the bits of its sources. */
static void move_bits(const struct data *data, const struct sources *sources, unsigned control,
                      uint64_t *result) {
    struct sources moved = *sources, zeros = *sources;
    uint64_t zero[WSIM_SCALAR_OUT] = {0};
    for (unsigned i = 0; i < data->ins; i++) {
        if (!(control >> i & 1)) {
            moved.value[i] = sources->taint[i];
            zeros.value[i] = 0;
            continue;
        }
        for (unsigned o = 0; sources->taint[i] && o < data->outs; o++)
            result[o] = UINT64_MAX;
        if (sources->taint[i])
            return;
    }
    data->function(&data->meaning, moved.value, result);
    data->function(&data->meaning, zeros.value, zero);
    for (unsigned o = 0; o < data->outs; o++)
        result[o] ^= zero[o];
}

static int is_integer(const struct isa_scalar_type *type) {
    return type->letter != 'f' && type->letter != 'p';
}

static void convert_bits(const struct data *data, const struct sources *sources, uint64_t *result) {
    const struct isa_scalar_type *to = &isa_scalar_types[data->meaning.type[0]];
    const struct isa_scalar_type *from = &isa_scalar_types[data->meaning.type[1]];
    const uint64_t read = element_mask(from->bits, 0);
    result[0] = 0;
    if (is_integer(to) && is_integer(from) && !data->meaning.sat) {
        move_bits(data, sources, 0, result);
    } else if (to->elements == 2 && from->elements == 1 && data->ins == 2) {
        result[0] |= sources->taint[0] ? element_mask(to->element_bits, 1) : 0;
        result[0] |= sources->taint[1] ? element_mask(to->element_bits, 0) : 0;
    } else if (to->elements == from->elements && data->ins == 1) {
        for (unsigned e = 0; e < to->elements; e++)
            if (sources->taint[0] & read & element_mask(from->element_bits, e))
                result[0] |= element_mask(to->element_bits, e);
    } else {
        result[0] = if_any(all_taint(data, sources));
    }
}

static void add_bits(const struct data *data, const struct sources *sources, int is_product,
                     uint64_t *result) {
    const struct scalar_meaning *meaning = &data->meaning;
    uint64_t taint = all_taint(data, sources);
    if (is_product)
        for (unsigned i = 0; i < 2; i++)
            if (!sources->taint[i] && !sources->value[i])
                taint = data->ins > 2 ? sources->taint[2] : 0;
    if (meaning->half == SCALAR_HI || meaning->sat)
        result[0] = if_any(taint);
    else
        result[0] = by_element(data, taint, 1);
    result[1] = if_any(taint);
}

static void choose_bits(const struct data *data, const struct sources *sources, uint64_t *result) {
    struct sources marked = *sources;
    if (sources->taint[2]) {
        result[0] = sources->taint[0] | sources->taint[1] | (sources->value[0] ^ sources->value[1]);
        return;
    }
    marked.value[0] = UINT64_MAX;
    marked.value[1] = 0;
    data->function(&data->meaning, marked.value, result);
    result[0] = result[0] ? sources->taint[0] : sources->taint[1];
}

/* The least or the greatest number that a source may be. */
static uint64_t bound(const struct sources *sources, unsigned i, const struct isa_scalar_type *type,
                      int greatest) {
    const uint64_t value = sources->value[i], taint = sources->taint[i];
    const uint64_t sign = type->letter == 's' ? taint & UINT64_C(1) << (type->bits - 1) : 0;
    return greatest ? (value | taint) & ~sign : (value & ~taint) | sign;
}

/* Whether a comparison has one answer, whatever the uninitialised bits are. */
static int is_decided(const struct data *data, const struct sources *sources) {
    const struct scalar_meaning *meaning = &data->meaning;
    const struct isa_scalar_type *type = &isa_scalar_types[meaning->type[0]];
    const uint64_t taint = sources->taint[0] | sources->taint[1];
    struct scalar_meaning alone = *meaning;
    uint64_t low[WSIM_SCALAR_OUT], high[WSIM_SCALAR_OUT];
    uint64_t in[WSIM_SCALAR_IN] = {0};
    if (!(taint & element_mask(type->bits, 0)))
        return 1;
    if (!is_integer(type) || type->elements > 1)
        return 0;
    if (meaning->compare == SCALAR_EQ || meaning->compare == SCALAR_NE)
        return ((sources->value[0] ^ sources->value[1]) & ~taint & element_mask(type->bits, 0)) !=
               0;
    alone.operation = SCALAR_NO_OPERATION;
    in[0] = bound(sources, 0, type, 0), in[1] = bound(sources, 1, type, 1);
    data->function(&alone, in, low);
    in[0] = bound(sources, 0, type, 1), in[1] = bound(sources, 1, type, 0);
    data->function(&alone, in, high);
    return low[0] == high[0];
}

static void compare_bits(const struct data *data, const struct sources *sources, uint64_t *result) {
    const struct scalar_meaning *meaning = &data->meaning;
    const int combines = meaning->operation != SCALAR_NO_OPERATION;
    const uint64_t with = sources->value[2] & 1;
    result[0] = result[1] = !is_decided(data, sources);
    if (combines && sources->taint[2])
        result[0] = result[1] = 1;
    else if (combines && with == (meaning->operation == SCALAR_OR) &&
             meaning->operation != SCALAR_XOR)
        result[0] = result[1] = 0; /* the predicate decides */
}

static void apply(const struct data *data, const struct sources *sources, uint64_t *result) {
    const unsigned control = rules[data->meaning.method].control;
    switch (rules[data->meaning.method].rule) {
    case BITS: vary_bits(data, sources, result); break;
    case MOVED: move_bits(data, sources, control, result); break;
    case CONVERTED: convert_bits(data, sources, result); break;
    case UPWARD: add_bits(data, sources, 0, result); break;
    case PRODUCT: add_bits(data, sources, 1, result); break;
    case CHOICE: choose_bits(data, sources, result); break;
    case COMPARED: compare_bits(data, sources, result); break;
    default:
        for (unsigned o = 0; o < data->outs; o++)
            result[o] = by_element(data, all_taint(data, sources), 0);
        break;
    }
}

/* The origin of the first uninitialised source. */
static uint32_t origin_of(const struct data *data, const struct taint_frame *mirror,
                          const struct sources *sources, unsigned lane) {
    for (unsigned i = 0; i < data->ins; i++)
        if (sources->taint[i])
            return mirror->origins[taint_place(data->in[i], lane)];
    return 0;
}

static void put_result(struct taint_frame *mirror, const struct data *data, unsigned o,
                       unsigned lane, uint64_t bits, uint32_t origin) {
    if (!data->out[o].bits)
        return;
    if (data->sign[o])
        bits = scalar_signed(bits, data->sign[o]);
    if (data->high_out[o])
        taint_put_high(mirror, data->out[o], lane, bits, origin);
    else
        taint_put(mirror, data->out[o], lane, bits, origin);
}

static void compute(uint8_t *frame, const struct data *data, struct taint_frame *mirror,
                    unsigned lane) {
    struct sources sources;
    uint64_t result[WSIM_SCALAR_OUT] = {0};
    for (unsigned i = 0; i < data->ins; i++) {
        const struct run_row row = data->in[i];
        sources.value[i] =
            data->high_in[i] ? run_get_high(frame, row, lane) : run_get(frame, row, lane);
        sources.taint[i] =
            data->high_in[i] ? taint_get_high(mirror, row, lane) : taint_get(mirror, row, lane);
    }
    if (data->meaning.method == SCALAR_METHOD_MOVE)
        memcpy(result, sources.taint, data->outs * sizeof *result);
    else
        apply(data, &sources, result);
    for (unsigned o = 0; o < data->outs; o++)
        put_result(mirror, data, o, lane, result[o], origin_of(data, mirror, &sources, lane));
}

/* A guard that is uninitialised decides whether the result is written. */
static void guard_results(const struct run_op *op, const struct data *data, uint32_t lanes,
                          struct taint_frame *mirror) {
    const struct run_row guard = {.at = op->guard, .bits = 1};
    for (uint32_t rest = taint_lanes(mirror, guard, lanes); rest; rest &= rest - 1)
        for (unsigned o = 0; o < data->outs; o++)
            put_result(mirror, data, o, run_lowest(rest), UINT64_MAX,
                       mirror->origins[taint_place(guard, 0)]);
}

void taint_data(uint8_t *frame, const struct run_op *op, uint32_t lanes, uint32_t on,
                struct taint_frame *mirror) {
    const struct data *data = op->more;
    uint32_t tainted = 0;
    for (unsigned i = 0; i < data->ins; i++)
        tainted |= taint_lanes(mirror, data->in[i], on);
    for (uint32_t rest = tainted; rest; rest &= rest - 1)
        compute(frame, data, mirror, run_lowest(rest));
    for (unsigned o = 0; o < data->outs; o++)
        taint_clear(mirror, data->out[o], on & ~tainted);
    guard_results(op, data, lanes, mirror);
}

/* mov with braces: bits keep their places in the whole. */
void taint_pack(const struct run_op *op, uint32_t on, struct taint_frame *mirror) {
    const struct pack *pack = op->more;
    uint32_t origin[RUN_LANES] = {0}, tainted = 0;
    for (unsigned i = 0; i < pack->ins; i++)
        for (uint32_t rest = taint_lanes(mirror, pack->in[i], on); rest; rest &= rest - 1) {
            tainted |= rest & (0u - rest);
            origin[run_lowest(rest)] = mirror->origins[taint_place(pack->in[i], run_lowest(rest))];
        }
    pack_lanes(pack, mirror->bits, on);
    for (unsigned o = 0; o < pack->outs; o++)
        for (uint32_t rest = pack->out[o].bits ? tainted : 0; rest; rest &= rest - 1)
            mirror->origins[taint_place(pack->out[o], run_lowest(rest))] = origin[run_lowest(rest)];
}
