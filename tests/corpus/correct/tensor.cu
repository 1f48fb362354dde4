/* The kernels of planted/tensor.cu without their mistakes, and others that only look wrong. */
#include "../tensor.cuh"

/* fill, use, lastuse, and again. */
KERNEL(collector) {
    BEGIN(32);
    if (T == 0) {
        MMA_OP(".collector::a::fill", t, da, db, IDESC, 0);
        MMA_OP(".collector::a::use", t, da, db, IDESC, 1);
        MMA_OP(".collector::a::lastuse", t, da, db, IDESC, 1);
        MMA_OP(".collector::a::fill", t, tdesc(s.a + 128), db, IDESC, 1);
        MMA_OP(".collector::a::lastuse", t, tdesc(s.a + 128), db, IDESC, 1);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* Two buffers of B in turn. */
KERNEL(collectors_of_b) {
    BEGIN(64);
    if (T == 0) {
        MMA_WS(".collector::b1::fill", t, da, tdesc(s.a), 0x02100010u);
        MMA_WS(".collector::b2::fill", t, da, tdesc(s.a + 128), 0x02100010u);
        MMA_WS(".collector::b1::lastuse", t, da, tdesc(s.a), 0x02100010u);
        MMA_WS(".collector::b2::use", t, da, tdesc(s.a + 128), 0x02100010u);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(64);
}

/* The second allocation waits until the other warp frees. */
KERNEL(alloc_waits) {
    BEGIN(512);
    if (T / 32 == 1)
        ALLOC(&s.slot[1], 256);
    else if (T / 32 == 0)
        FREE(t, 512);
    if (T / 32 == 1)
        FREE(s.slot[1], 256);
}

KERNEL(alloc_shrinks) {
    BEGIN(64);
    if (T < 32) {
        ALLOC(&s.slot[1], 32);
        RELINQUISH;
    }
    END(64);
    if (T < 32)
        FREE(s.slot[1], 32);
}

KERNEL(product) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* One warp waits for the commit, a barrier tells the others. */
KERNEL(one_warp_waits) {
    BEGIN(32);
    if (T < 32) {
        if (T == 0)
            MMA(t, da, db, 0), commit(&s.done);
        mwait(&s.done, 0);
    }
    BEFORE;
    __syncthreads();
    AFTER;
    RESULT;
    END(32);
}

/* A is written again after the commit. */
KERNEL(shared_written_again) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        if (T == 0)
            MMA(t, da, db, i), commit(&s.done);
        mwait(&s.done, i);
        if (i == 0)
            for (int j = T; j < 1024; j += 128)
                ((int *)s.a)[j] = a[1024 + j];
        PROXY;
        __syncthreads();
    }
    AFTER;
    RESULT;
    END(32);
}

/* A comes by bulk copies into two stages; the product of one stage runs beside the copy of the
 * other. */
KERNEL(two_stages) {
    __shared__ place s;
    __shared__ __align__(1024) unsigned char next[4096];
    __shared__ u64 filled[2], used[2];
    for (int i = T; i < 512; i += 128)
        ((int *)s.b)[i] = a[i];
    if (T == 0) {
        minit(&s.done, 1);
        for (int i = 0; i < 2; i++)
            minit(&filled[i], 1), minit(&used[i], 1);
        MFENCE;
    }
    if (T < 32)
        ALLOC(&s.slot[0], 32);
    PROXY;
    BEFORE;
    __syncthreads();
    AFTER;
    u32 t = s.slot[0];
    if (T == 32) {
        for (int i = 0; i < 6; i++) {
            if (i > 1)
                mwait(&used[i & 1], (i / 2 - 1) & 1);
            mexp(&filled[i & 1], 4096);
            bload(i & 1 ? next : s.a, a + 1024 * i, 4096, &filled[i & 1]);
        }
    } else if (T == 0) {
        for (int i = 0; i < 6; i++) {
            mwait(&filled[i & 1], i / 2 & 1);
            MMA(t, tdesc(i & 1 ? next : s.a), tdesc(s.b), i);
            commit(&used[i & 1]);
        }
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* After a bulk copy no proxy fence is needed. */
KERNEL(copied_without_fence) {
    BEGIN(32);
    if (T == 0) {
        mexp(&s.full, 4096), bload(s.a, a, 4096, &s.full);
        mwait(&s.full, 0);
        MMA(t, da, db, 0), commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* C comes from registers. */
KERNEL(accumulator_stored) {
    BEGIN(32);
    for (int i = 0; i < 8; i++)
        tst(mine(t) + i, T);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    if (T == 0) {
        AFTER;
        MMA(t, da, db, 1), commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(store_then_load) {
    BEGIN(32);
    tst(mine(t), T);
    WAIT_ST;
    RESULT;
    END(32);
}

/* The next product writes D after the loads. */
KERNEL(load_then_product) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        if (T == 0)
            MMA(t, da, db, 0), commit(&s.done);
        mwait(&s.done, i);
        AFTER;
        b[T] = tld(mine(t));
        WAIT_LD;
        BEFORE;
        __syncthreads();
        AFTER;
    }
    END(32);
}

/* Two accumulators: loads of one beside the product of the other. */
KERNEL(two_accumulators) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    for (int i = 0; i < 4; i++) {
        mwait(i & 1 ? &s.full : &s.done, i / 2 & 1);
        AFTER;
        if (T == 0 && i < 3)
            MMA(t + (~i & 1) * 8, da, db, 0), commit(i & 1 ? &s.done : &s.full);
        b[T] = tld(mine(t) + (i & 1) * 8);
        WAIT_LD;
        BEFORE;
        __syncthreads();
        AFTER;
    }
    END(32);
}

/* A copy before a product, then over its columns: one thread issues both. */
KERNEL(copies_and_products) {
    BEGIN(32);
    if (T == 0)
        for (int i = 0; i < 2; i++) {
            CP(t + 16, da);
            CP(t + 20, da);
            MMA_TENSOR(t, t + 16, db);
        }
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* A of a product is the result of another one, which the warps have loaded, changed and stored. */
/* A second product of 16 columns over a first one of 8, after a wait. */
KERNEL(product_of_another_shape) {
    BEGIN(32);
    if (T == 0) {
        MMA(t, da, db, 0);
        MMA(t, da, db, 1);
        commit(&s.full);
        mwait(&s.full, 0);
        AFTER;
        MMA_OP("", t, da, db, IDESC + (1 << 17), 0);
        MMA_OP("", t, da, db, IDESC + (1 << 17), 1);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(product_of_product) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    for (int i = 0; i < 8; i++) {
        int x = tld(mine(t) + i);
        WAIT_LD;
        tst(mine(t) + i, x >> 16);
    }
    WAIT_ST;
    BEFORE;
    __syncthreads();
    if (T == 0) {
        AFTER;
        asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0],[%1],%2,%3,0;" ::"r"(t + 16), "r"(t),
                     "l"(db), "r"(IDESC)
                     : "memory");
        commit(&s.done);
    }
    mwait(&s.done, 1);
    AFTER;
    b[T] = tld(mine(t) + 16);
    WAIT_LD;
    END(32);
}

KERNEL(factors) {
    BEGIN(32);
    for (int i = 16; i < 28; i++)
        tst(mine(t) + i, 0x7F7F7F7F);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        MMA_SCALED(t, da, db, 0x08820000u, t + 16, t + 24), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* M = 64 fills half of the lanes; all are loaded. */
KERNEL(half_of_the_lanes) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, 0x04020010u, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(copy_then_load) {
    BEGIN(32);
    if (T == 0)
        CP(t, da), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    for (int i = T; i < 1024; i += 128)
        ((int *)s.a)[i] = a[1024 + i];
    END(32);
}

/* A and metadata come from stores. */
KERNEL(a_and_metadata_stored) {
    BEGIN(32);
    for (int i = 0; i < 8; i++)
        tst(mine(t) + 8 + i, 0x3C003C00);
    tst(mine(t) + 16, 0x44444444);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0) {
        MMA_TENSOR(t, t + 8, db);
        MMA_SPARSE(t + 24, da, db, t + 16);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    b[T] += tld(mine(t) + 24);
    WAIT_LD;
    END(32);
}

/* 16 lanes of the quarter, from lane 16 on. */
KERNEL(upper_lanes) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    asm volatile("tcgen05.ld.sync.aligned.16x64b.x1.b32 {%0},[%1];"
                 : "=r"(b[T])
                 : "r"(mine(t) + (16u << 16))
                 : "memory");
    WAIT_LD;
    END(32);
}

/* Rows move down, and are loaded. */
KERNEL(shift_then_load) {
    BEGIN(32);
    for (int i = 0; i < 8; i++)
        tst(mine(t) + i, T);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        SHIFT(t), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* Results of 16 bits fill the low halves of words, and only these are used. */
KERNEL(half_of_the_words) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, IDESC & ~0x10u, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    b[T] = tld(mine(t)) & 0xFFFF;
    WAIT_LD;
    END(32);
}

/* A of a product is stored again after the commit. */
KERNEL(a_stored_again) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        for (int j = 8; j < 16; j++)
            tst(mine(t) + j, 0x3C003C00);
        WAIT_ST;
        BEFORE;
        __syncthreads();
        AFTER;
        if (T == 0)
            MMA_TENSOR(t, t + 8, db), commit(&s.done);
        mwait(&s.done, i);
        AFTER;
    }
    RESULT;
    END(32);
}

/* Two factors of each row: the second word of 16 bits. */
KERNEL(factor_id) {
    BEGIN(32);
    for (int i = 16; i < 28; i++)
        tst(mine(t) + i, 0x7F7F7F7F);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        MMA_MXF4(t, da, db, 0x088204A0u, t + 16, t + 24), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The even block issues the product of both, and its commit arrives in both. */
KERNEL(pair) {
    BEGIN_PAIR(CSYNC);
    if (B % 2 == 0 && T == 0)
        MMA_PAIR(t, da, db), COMMIT_PAIR(&s.done, 3);
    mwait(&s.done, 0);
    AFTER;
    END_PAIR;
}
