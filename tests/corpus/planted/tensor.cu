/* Mistakes with tcgen05 and tensor memory. correct/tensor.cu has the same kernels without them. */
#include "../tensor.cuh"

KERNEL(collector_empty) {
    BEGIN(32);
    if (T == 0)
        MMA_OP(".collector::a::use", t, da, db, IDESC, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(collector_discarded) {
    BEGIN(32);
    if (T == 0) {
        MMA_OP(".collector::a::fill", t, da, db, IDESC, 0);
        MMA_OP(".collector::a::lastuse", t, da, db, IDESC, 1);
        MMA_OP(".collector::a::use", t, da, db, IDESC, 1);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(collector_other) {
    BEGIN(32);
    if (T == 0) {
        MMA_OP(".collector::a::fill", t, da, db, IDESC, 0);
        MMA_OP(".collector::a::lastuse", t, tdesc(s.a + 128), db, IDESC, 1);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* Buffer b1 is filled, b2 is used. */
KERNEL(collector_buffer) {
    BEGIN(64);
    if (T == 0) {
        MMA_WS(".collector::b1::fill", t, da, tdesc(s.a), 0x02100010u);
        MMA_WS(".collector::b2::lastuse", t, da, tdesc(s.a), 0x02100010u);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(64);
}

/* The block holds all columns, and waits for 32 more. */
KERNEL(alloc_never) {
    BEGIN(512);
    if (T < 32) {
        ALLOC(&s.slot[1], 32);
        FREE(s.slot[1], 32);
    }
    END(512);
}

KERNEL(alloc_grows) {
    BEGIN(32);
    u32 more = 0;
    if (T < 32) {
        ALLOC(&s.slot[1], 64);
        more = s.slot[1];
    }
    END(32);
    if (T < 32)
        FREE(more, 64);
}

KERNEL(alloc_relinquished) {
    BEGIN(64);
    if (T < 32) {
        RELINQUISH;
        ALLOC(&s.slot[1], 32);
        FREE(s.slot[1], 32);
    }
    END(64);
}

KERNEL(not_freed) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
}

KERNEL(freed_in_half) {
    BEGIN(64);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The mbarrier is not waited for before the columns are freed. */
KERNEL(freed_too_early) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    END(32);
    mwait(&s.done, 0);
}

/* The next tile of A is written while the product may still read this one. */
KERNEL(shared_overwritten) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        if (T == 0)
            MMA(t, da, db, i), commit(&s.done);
        if (i == 0) {
            for (int j = T; j < 1024; j += 128)
                ((int *)s.a)[j] = a[1024 + j];
            PROXY;
        }
        mwait(&s.done, i);
        __syncthreads();
    }
    AFTER;
    RESULT;
    END(32);
}

/* The same by a bulk copy. */
KERNEL(shared_copied_over) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        if (T == 0) {
            MMA(t, da, db, i), commit(&s.done);
            if (i == 0)
                mexp(&s.full, 4096), bload(s.a, a, 4096, &s.full);
        }
        if (i == 0)
            mwait(&s.full, 0);
        mwait(&s.done, i);
        __syncthreads();
    }
    AFTER;
    RESULT;
    END(32);
}

KERNEL(no_proxy_fence) {
    __shared__ place s;
    for (int i = T; i < 1024; i += 128)
        ((int *)s.a)[i] = a[i];
    for (int i = T; i < 512; i += 128)
        ((int *)s.b)[i] = a[i];
    if (T == 0)
    {
        minit(&s.done, 1);
        MFENCE;
    }
    if (T < 32)
        ALLOC(&s.slot[0], 32);
    BEFORE;
    __syncthreads();
    AFTER;
    u32 t = s.slot[0];
    if (T == 0)
        MMA(t, tdesc(s.a), tdesc(s.b), 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The source of a tcgen05.cp. */
KERNEL(no_proxy_fence_copy) {
    BEGIN(32);
    for (int i = T; i < 1024; i += 128)
        ((int *)s.a)[i] = a[1024 + i];
    __syncthreads();
    if (T == 0)
        CP(t, da), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(load_uncommitted) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0);
    __syncthreads();
    AFTER;
    RESULT;
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(load_unfenced) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    RESULT;
    END(32);
}

KERNEL(store_unwaited) {
    BEGIN(32);
    tst(mine(t), T);
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

/* Only the second warp does not wait for its store. */
KERNEL(store_unwaited_by_one) {
    BEGIN(32);
    tst(mine(t), T);
    if (T / 32 != 1)
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

KERNEL(store_unfenced_before) {
    BEGIN(32);
    tst(mine(t), T);
    WAIT_ST;
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

KERNEL(store_unfenced_after) {
    BEGIN(32);
    tst(mine(t), T);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    if (T == 0)
        MMA(t, da, db, 1), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(store_then_load) {
    BEGIN(32);
    tst(mine(t), T);
    RESULT;
    END(32);
}

/* The next product overwrites what a warp may still load. */
KERNEL(load_unwaited) {
    BEGIN(32);
    for (int i = 0; i < 2; i++) {
        if (T == 0)
            MMA(t, da, db, 0), commit(&s.done);
        mwait(&s.done, i);
        AFTER;
        b[T] = tld(mine(t));
        BEFORE;
        __syncthreads();
        AFTER;
    }
    WAIT_LD;
    END(32);
}

/* A store under a product that is not committed. */
KERNEL(store_under_product) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0);
    tst(mine(t), T);
    WAIT_ST;
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* A second product of 16 columns over a first one of 8. */
KERNEL(product_of_another_shape) {
    BEGIN(32);
    if (T == 0) {
        MMA(t, da, db, 0);
        MMA_OP("", t, da, db, IDESC + (1 << 17), 1);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* A product reads, as A, what another product writes. */
KERNEL(product_of_product) {
    BEGIN(32);
    if (T == 0) {
        MMA(t, da, db, 0);
        MMA_TENSOR(t + 16, t, db);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(quarter_of_another) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    b[T] = tld(t);
    WAIT_LD;
    END(32);
}

KERNEL(column_not_allocated) {
    BEGIN(32);
    if (T == 0)
        MMA(t + 28, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(column_outside) {
    BEGIN(512);
    if (T == 0)
        MMA(t + 508, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    END(512);
}

KERNEL(group_mixed) {
    BEGIN(32);
    if (T == 0) {
        MMA(t, da, db, 0);
        asm volatile(
            "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                sa(&s.done))
            : "memory");
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* A descriptor of wgmma. */
KERNEL(hopper_descriptor) {
    BEGIN(32);
    if (T == 0)
        MMA(t, dsc(s.a), db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* N of 264 does not exist. */
KERNEL(wrong_shape) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, 0x08000010u | (33u << 17), 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(sparsity_bit) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, IDESC | 4u, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* D is added to, and was never written. */
KERNEL(accumulator_fresh) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 1), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(factors_fresh) {
    BEGIN(32);
    if (T == 0)
        MMA_SCALED(t, da, db, 0x08820000u, t + 16, t + 24), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The upper lanes of the copy are missing: 32 of 128 lanes hold factors. */
KERNEL(factors_of_one_quarter) {
    BEGIN(32);
    if (T < 32) {
        tst(t + 16, 0x7F7F7F7F), tst(t + 17, 0x7F7F7F7F), tst(t + 18, 0x7F7F7F7F);
        tst(t + 19, 0x7F7F7F7F), tst(t + 24, 0x7F7F7F7F);
        WAIT_ST;
    }
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

KERNEL(load_fresh) {
    BEGIN(32);
    RESULT;
    END(32);
}

/* A warp reaches its 32 lanes from lane 0 or 16 on. */
KERNEL(lane_between) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    b[T] = tld(mine(t) + (8u << 16));
    WAIT_LD;
    END(32);
}

KERNEL(load_not_allocated) {
    BEGIN(32);
    b[T] = tld(mine(t) + 32);
    WAIT_LD;
    END(32);
}

/* The last columns of the copy are another's. */
KERNEL(copy_not_allocated) {
    BEGIN(32);
    if (T == 0)
        CP(t + 30, da), commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(copy_then_load) {
    BEGIN(32);
    if (T == 0)
        CP(t, da);
    RESULT;
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(store_under_copy) {
    BEGIN(32);
    if (T == 0)
        CP(t, da);
    tst(mine(t), T);
    WAIT_ST;
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The source of a copy that is not committed. */
KERNEL(source_overwritten) {
    BEGIN(32);
    if (T == 0)
        CP(t, da), commit(&s.done);
    for (int i = T; i < 1024; i += 128)
        ((int *)s.a)[i] = a[1024 + i];
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* Code 3 of the swizzle. */
KERNEL(swizzle_unknown) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da | (u64)3 << 61, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(reserved_bit) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, IDESC | 0x40u, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(a_fresh) {
    BEGIN(32);
    if (T == 0)
        MMA_TENSOR(t, t + 16, db), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(metadata_fresh) {
    BEGIN(32);
    if (T == 0)
        MMA_SPARSE(t, da, db, t + 16), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

KERNEL(store_not_allocated) {
    BEGIN(32);
    tst(mine(t) + 32, T);
    WAIT_ST;
    END(32);
}

/* The last columns of A, of factors, of metadata are another's. */
KERNEL(a_not_allocated) {
    BEGIN(32);
    for (int i = 24; i < 32; i++)
        tst(mine(t) + i, 0x3C003C00);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        MMA_TENSOR(t, t + 28, db), commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(factors_not_allocated) {
    BEGIN(32);
    for (int i = 16; i < 32; i++)
        tst(mine(t) + i, 0x7F7F7F7F);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        MMA_SCALED(t, da, db, 0x08820000u, t + 30, t + 16), commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(metadata_not_allocated) {
    BEGIN(32);
    if (T == 0)
        MMA_SPARSE(t, da, db, t + 32), commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

KERNEL(alloc_size) {
    BEGIN(48);
    END(48);
}

/* The second half of an allocation, as if it were one. */
KERNEL(freed_elsewhere) {
    BEGIN(64);
    BEFORE;
    __syncthreads();
    if (T < 32) {
        AFTER;
        FREE(t + 32, 32);
    }
}

/* Columns are freed while stores, or loads, may be under way. */
KERNEL(freed_under_store) {
    BEGIN(32);
    tst(mine(t), T);
    END(32);
}

KERNEL(freed_under_load) {
    BEGIN(32);
    if (T == 0)
        MMA(t, da, db, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    b[T + 128] = tld(mine(t));
    END(32);
}

KERNEL(shift_then_load) {
    BEGIN(32);
    for (int i = 0; i < 8; i++)
        tst(mine(t) + i, T);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        SHIFT(t);
    RESULT;
    if (T == 0)
        commit(&s.done);
    mwait(&s.done, 0);
    END(32);
}

/* The next A is stored under the product that reads this one. */
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
    }
    mwait(&s.done, 1);
    AFTER;
    RESULT;
    END(32);
}

/* A copy into D of a product that is not committed. */
KERNEL(copy_under_product) {
    BEGIN(32);
    if (T == 0) {
        MMA(t, da, db, 0);
        CP(t, da);
        commit(&s.done);
    }
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* Results of 16 bits leave the high halves of words. */
KERNEL(half_of_the_words) {
    BEGIN(32);
    if (T == 0)
        MMA_OP("", t, da, db, IDESC & ~0x10u, 0), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    int x = tld(mine(t));
    WAIT_LD;
    if (x >> 16)
        b[T] = 1;
    END(32);
}

/* Two factors of each row begin at byte 0 or 2. */
KERNEL(factor_id) {
    BEGIN(32);
    for (int i = 16; i < 28; i++)
        tst(mine(t) + i, 0x7F7F7F7F);
    WAIT_ST;
    BEFORE;
    __syncthreads();
    AFTER;
    if (T == 0)
        MMA_MXF4(t, da, db, 0x08820490u, t + 16, t + 24), commit(&s.done);
    mwait(&s.done, 0);
    AFTER;
    RESULT;
    END(32);
}

/* The block has no partner. */
KERNEL(pair_missing) {
    BEGIN_PAIR(__syncthreads());
    if (T == 0)
        MMA_PAIR(t, da, db), COMMIT_PAIR(&s.done, 1);
    mwait(&s.done, 0);
    AFTER;
    END_PAIR;
}

/* The odd block does not wait for the commit. */
KERNEL(pair_unwaited) {
    BEGIN_PAIR(CSYNC);
    if (B % 2 == 0 && T == 0)
        MMA_PAIR(t, da, db), COMMIT_PAIR(&s.done, 3);
    if (B % 2 == 0)
        mwait(&s.done, 0);
    AFTER;
    END_PAIR;
}

/* The commit arrives in the even block alone. */
KERNEL(pair_committed_to_one) {
    BEGIN_PAIR(CSYNC);
    if (B % 2 == 0 && T == 0)
        MMA_PAIR(t, da, db), COMMIT_PAIR(&s.done, 1);
    mwait(&s.done, 0);
    AFTER;
    END_PAIR;
}

/* The even block multiplies before the odd one has written its half of A and B. */
KERNEL(pair_not_synchronised) {
    BEGIN_PAIR(__syncthreads());
    if (B % 2 == 0 && T == 0)
        MMA_PAIR(t, da, db), COMMIT_PAIR(&s.done, 3);
    mwait(&s.done, 0);
    AFTER;
    END_PAIR;
}
