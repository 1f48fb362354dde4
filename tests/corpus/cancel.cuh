/* cancel.cuh - clusterlaunchcontrol for the suite `cancel`, which nvcc compiles for sm_100a. */
#pragma once
#include "corpus.cuh"
__device__ __forceinline__ void cancel(void *response, u64 *m) {
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
                 "b128 [%0],[%1];" ::"r"(sa(response)),
                 "r"(sa(m))
                 : "memory");
}
__device__ __forceinline__ void cancel_all(void *response, u64 *m) {
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
                 "multicast::cluster::all.b128 [%0],[%1];" ::"r"(sa(response)),
                 "r"(sa(m))
                 : "memory");
}
#define RESPONSE ".reg .b128 q;\nld.shared.b128 q,[%1];\n"
__device__ __forceinline__ bool canceled(const void *response) {
    u32 x;
    asm volatile("{" RESPONSE ".reg .pred p;\n"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p,q;\n"
                 "selp.u32 %0,1,0,p;}"
                 : "=r"(x)
                 : "r"(sa(response))
                 : "memory");
    return x;
}
__device__ __forceinline__ int first(const void *response) {
    u32 x;
    asm volatile("{" RESPONSE "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0,q;}"
                 : "=r"(x)
                 : "r"(sa(response))
                 : "memory");
    return x;
}
__device__ __forceinline__ int3 place(const void *response) {
    int3 x;
    asm volatile("{.reg .b128 q;\nld.shared.b128 q,[%3];\n"
                 "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0,%1,%2,_},q;}"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z)
                 : "r"(sa(response))
                 : "memory");
    return x;
}
#define MEMORY                                                                                     \
    __shared__ __align__(16) uint4 r;                                                              \
    __shared__ u64 m
#define BEGIN                                                                                      \
    if (!T) {                                                                                      \
        minit(&m, 1);                                                                              \
        MFENCE;                                                                                    \
    }                                                                                              \
    __syncthreads()
#define REQUEST                                                                                    \
    if (!T) {                                                                                      \
        mexp(&m, 16);                                                                              \
        cancel(&r, &m);                                                                            \
    }
