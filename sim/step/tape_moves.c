/* Numbers that move with %ctaid: taper.h. They are sums, and products of which one factor is the
 * same in all lanes and blocks, as in loops (loop.h). */
#include "quick.h"
#include "taper.h"

uint64_t tape_number(const uint8_t *frame, struct run_row row, unsigned lane) {
    uint64_t value = 0;
    if (row.bits > 32)
        memcpy(&value, frame + row.at + 8 * lane, 8);
    else
        value = run_words((uint8_t *)(uintptr_t)frame, row.at)[lane];
    return value;
}

/* The lowest and the highest number of a lane in the box. 0: it may leave the range in which it
 * goes on in equal steps. */
int tape_range(const struct taper *t, const uint64_t by[TAPE_AXES], uint64_t value, unsigned bits,
               int is_signed, const uint32_t box[TAPE_AXES], int64_t range[2]) {
    const int64_t far_off = INT64_C(1) << 60; /* differences are whole numbers of C, too */
    const int64_t least = bits > 32 ? -far_off : INT32_MIN;
    const int64_t most = bits > 32 ? far_off : is_signed ? INT32_MAX : UINT32_MAX;
    int64_t low = bits > 32   ? (int64_t)value
                  : is_signed ? (int32_t)value
                              : (int64_t)(uint32_t)value;
    int64_t high;
    if (low < least || low > most)
        return 0;
    for (unsigned k = 0; k < TAPE_AXES; k++) {
        const int64_t step = bits > 32 ? (int64_t)by[k] : (int32_t)by[k];
        if (step > INT64_C(1) << 30 || step < -(INT64_C(1) << 30))
            return 0;
        low -= step * t->id[k];
    }
    high = low;
    for (unsigned k = 0; k < TAPE_AXES; k++) {
        const int64_t far = (bits > 32 ? (int64_t)by[k] : (int32_t)by[k]) * (box[k] - 1);
        *(far < 0 ? &low : &high) += far;
    }
    range[0] = low;
    range[1] = high;
    return low >= (is_signed ? least : 0) && high <= most;
}

/* Operands of an operation of whole numbers. */
struct operands {
    struct loop_op in;
    struct run_row row[3];
    const struct tape_state *state[3];
    unsigned moving; /* a bit each */
};

static int are_same(const uint8_t *frame, struct run_row row, uint32_t lanes) {
    const uint64_t first = tape_number(frame, row, run_lowest(lanes));
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        if (tape_number(frame, row, run_lowest(rest)) != first)
            return 0;
    return 1;
}

static const uint64_t *by_of(const struct operands *o, unsigned i) {
    static const uint64_t still[TAPE_AXES];
    return o->moving >> i & 1 ? o->state[i]->by : still;
}

/* Whether the result goes on in equal steps, which are `by`. */
static int goes_on(const struct taper *t, const uint8_t *frame, const struct run_op *op,
                   const struct operands *o, uint32_t lanes, uint64_t by[TAPE_AXES]) {
    const struct loop_shape *shape = &o->in.shape;
    const uint64_t mask = shape->is_long ? UINT64_MAX : UINT32_MAX;
    uint64_t x[3] = {0};
    if (o->moving & ~(unsigned)shape->vary)
        return 0;
    for (unsigned i = 0; i < o->in.n_in; i++) {
        const int is_factor = shape->is_product && i < 2;
        if (is_factor && o->moving >> (1 - i) & 1 &&
            (o->moving >> i & 1 || !are_same(frame, o->row[i], lanes)))
            return 0;
        if (!(shape->vary >> i & 1) && !are_same(frame, o->row[i], lanes))
            return 0;
        for (uint32_t rest = o->moving >> i & shape->extends && i < 2 ? lanes : 0; rest;
             rest &= rest - 1) {
            int64_t range[2];
            if (!tape_range(t, by_of(o, i), tape_number(frame, o->row[i], run_lowest(rest)), 32,
                            shape->is_signed, t->tape.box, range))
                return 0;
        }
        x[i] = tape_number(frame, o->row[i], run_lowest(lanes));
    }
    for (unsigned k = 0; k < TAPE_AXES; k++) {
        /* from this block to one that the box has, too */
        const uint64_t to = t->id[k] + 1 < t->tape.box[k] ? 1 : UINT64_MAX;
        const uint64_t moved = o->in.one(op, x[0] + to * by_of(o, 0)[k], x[1] + to * by_of(o, 1)[k],
                                         x[2] + to * by_of(o, 2)[k]);
        by[k] = to * (moved - o->in.one(op, x[0], x[1], x[2])) & mask;
    }
    return 1;
}

/* Whether a comparison has one answer in each lane, in a box. The difference of its operands has
 * one sign, or is always 0. */
static int is_answered(const struct taper *t, const uint8_t *frame, const struct operands *o,
                       uint32_t lanes, const uint32_t box[TAPE_AXES]) {
    const unsigned bits = o->in.shape.is_long ? 64 : 32;
    uint64_t by[TAPE_AXES];
    for (unsigned k = 0; k < TAPE_AXES; k++)
        by[k] = by_of(o, 0)[k] - by_of(o, 1)[k];
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = run_lowest(lanes);
        const uint64_t x = tape_number(frame, o->row[0], lane),
                       y = tape_number(frame, o->row[1], lane);
        int64_t of_x[2], of_y[2], low, high;
        if (!tape_range(t, by_of(o, 0), x, bits, o->in.shape.is_signed, box, of_x) ||
            !tape_range(t, by_of(o, 1), y, bits, o->in.shape.is_signed, box, of_y))
            return 0;
        low = high = bits > 32               ? (int64_t)(x - y)
                     : o->in.shape.is_signed ? (int64_t)(int32_t)x - (int32_t)y
                                             : (int64_t)(uint32_t)x - (int64_t)(uint32_t)y;
        for (unsigned k = 0; k < TAPE_AXES; k++) {
            const int64_t step = bits > 32
                                     ? (int64_t)by[k]
                                     : (int64_t)(int32_t)by_of(o, 0)[k] - (int32_t)by_of(o, 1)[k];
            const int64_t back = -step * t->id[k], far = step * ((int64_t)box[k] - 1 - t->id[k]);
            low += back < far ? back : far;
            high += back < far ? far : back;
        }
        if (!(low > 0 || high < 0 || (!low && !high)))
            return 0;
    }
    return 1;
}

/* A comparison may have one answer in a part of the box alone, around the recorded block. */
static int narrow(struct taper *t, const uint8_t *frame, const struct operands *o, uint32_t lanes) {
    uint32_t box[TAPE_AXES] = {0}, low = t->id[0], high = t->tape.box[0];
    memcpy(box, t->tape.box, sizeof box);
    if (is_answered(t, frame, o, lanes, box))
        return 1;
    while (high - low > 1) {
        box[0] = low + (high - low) / 2;
        *(is_answered(t, frame, o, lanes, box) ? &low : &high) = box[0];
    }
    if (low <= t->id[0])
        return 0;
    t->tape.box[0] = low;
    return 1;
}

/* An operation whose operands are known or move. 0: it has to be computed again. */
int tape_computes(struct taper *t, const struct run_warp *warp, const uint8_t *frame,
                  const struct run_op *op, const struct data *data, uint32_t lanes) {
    struct operands o = {.moving = 0};
    uint64_t by[TAPE_AXES];
    quick_in_loop(op, &o.in);
    if (!o.in.one || o.in.n_in > data->ins || (o.in.kind == LOOP_TEST) != (data->out[0].bits == 1))
        return 0;
    for (unsigned i = 0; i < data->ins; i++) {
        const enum tape_lanes lanes_are = tape_class(t, warp, data->in[i], lanes);
        if (lanes_are == TAPE_OTHER || (lanes_are == TAPE_MOVING && i >= o.in.n_in))
            return 0;
        if (i < o.in.n_in) {
            o.row[i] = data->in[i];
            o.state[i] = tape_state(t, warp, data->in[i].at, data->in[i].bits);
            o.moving |= (unsigned)(lanes_are == TAPE_MOVING) << i;
        }
    }
    if (o.in.kind == LOOP_TEST) {
        if (!narrow(t, frame, &o, lanes))
            return 0;
        for (unsigned i = 0; i < data->outs; i++)
            if (data->out[i].bits)
                tape_knows(t, tape_state(t, warp, data->out[i].at, data->out[i].bits), lanes);
        return 1;
    }
    if (!goes_on(t, frame, op, &o, lanes, by))
        return 0;
    tape_moves(t, tape_state(t, warp, data->out[0].at, data->out[0].bits), lanes, by);
    return 1;
}
