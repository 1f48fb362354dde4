/* clang-format off */ #include "s.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/latch>
namespace cg = cooperative_groups;
__device__ int hash(int *o, int v) { return v; }
__global__ void groups(int *o) { auto b = cg::this_thread_block(); int t = b.thread_rank(); auto w = cg::tiled_partition<32>(b); auto q = cg::tiled_partition<4>(w); o[t] = cg::reduce(w, t, cg::plus<int>()); o[64 + t] = cg::reduce(q, t, cg::greater<int>()); o[128 + t] = cg::inclusive_scan(w, t); o[192 + t] = cg::exclusive_scan(q, t + 1); if (t % 3 == 0) { auto a = cg::coalesced_threads(); o[256 + t] = a.size() * 100 + a.thread_rank(); o[320 + t] = a.shfl(t, a.size() - 1); } auto l = cg::labeled_partition(w, t % 5); o[384 + t] = l.size() * 1000 + l.thread_rank() * 10 + l.meta_group_rank(); auto bin = cg::binary_partition(w, t % 2); o[448 + t] = cg::reduce(bin, t, cg::plus<int>()); o[512 + t] = w.meta_group_size() * 10 + w.meta_group_rank(); o[576 + t] = w.any(t == 5) + 2 * w.all(t < 32) + 4 * __popc(w.ballot(t & 1)); o[640 + t] = w.match_any(t / 8); b.sync(); if (cg::invoke_one_broadcast(w, [] { return 1; })) o[704 + t] = w.shfl_up(t, 3) * 100 + w.shfl_xor(t, 5); o[768 + t] = b.group_index().x * 1000 + b.thread_index().x + b.group_dim().x; }
__global__ void grid(int *o) { auto g = cg::this_grid(); o[g.thread_rank()] = g.size() + g.block_rank() * 10 + g.num_blocks(); g.sync(); if (g.thread_rank() == 0) { int s = 0; for (int i = 0; i < (int)g.size(); i++) s += o[i]; o[1000] = s; } g.sync(); o[g.thread_rank()] += o[1000]; auto tok = g.barrier_arrive(); g.barrier_wait(std::move(tok)); o[1001] = g.is_valid(); }
__global__ void copies(const int *in, int *o) { __shared__ int s[256]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, in, sizeof(int) * 256); cg::wait(b); o[b.thread_rank()] = s[255 - b.thread_rank()]; __shared__ cuda::barrier<cuda::thread_scope_block> bar; if (b.thread_rank() == 0) init(&bar, b.size()); b.sync(); cuda::memcpy_async(b, s, in + 256, cuda::aligned_size_t<16>(1024), bar); bar.arrive_and_wait(); o[256 + b.thread_rank()] = s[b.thread_rank()] * 2; __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st; auto p = cuda::make_pipeline(b, &st); __shared__ int t[2][64]; int sum = 0; for (int i = 0; i < 2; i++) { p.producer_acquire(); cuda::memcpy_async(b, t[i], in + i * 64, sizeof(int) * 64, p); p.producer_commit(); } for (int i = 0; i < 6; i++) { p.consumer_wait(); sum += t[i % 2][b.thread_rank() % 64]; p.consumer_release(); if (i + 2 < 6) { p.producer_acquire(); cuda::memcpy_async(b, t[i % 2], in + (i + 2) * 64, sizeof(int) * 64, p); p.producer_commit(); } } o[512 + b.thread_rank()] = sum; }
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> sem(1); __device__ int inside, most; 
__global__ void sync(int *o) { sem.acquire(); int n = ++inside; if (n > most) most = n; inside--; sem.release();  o[blockIdx.x] = most; }
__global__ void __cluster_dims__(4) cluster(int *o) { auto c = cg::this_cluster(); __shared__ int s[32]; s[threadIdx.x] = c.block_rank() * 100 + threadIdx.x; c.sync(); int *r = c.map_shared_rank(s, 3 - c.block_rank()); o[blockIdx.x * 32 + threadIdx.x] = r[threadIdx.x] + c.thread_rank() * 1000; if (threadIdx.x == 0) atomicAdd(c.map_shared_rank(s, 0), 5); c.sync(); if (c.thread_rank() == 0) o[500 + blockIdx.x / 4] = s[0]; o[600 + c.query_shared_rank(r)] = c.dim_threads().x + c.dim_blocks().x; c.sync(); }
static int *d, h[1024]; static void go() { cudaMalloc(&d, sizeof h); cudaMemset(d, 0, sizeof h); } static void show() { P(cudaGetLastError()); P(cudaDeviceSynchronize()); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); for (int i = 0; i < 1024; i++) printf("%d%c", h[i], i % 64 == 63 ? '\n' : ' '); }
SECTION(group) { go(); groups<<<1, 64>>>(d); show(); }
SECTION(grids) { go(); void *a[] = {&d}; P(cudaLaunchCooperativeKernel((void *)grid, 6, 64, a)); show(); }
SECTION(copy) { int *in, hi[512]; for (int i = 0; i < 512; i++) hi[i] = i * 3; cudaMalloc(&in, 2048); cudaMemcpy(in, hi, 2048, cudaMemcpyHostToDevice); go(); copies<<<1, 256>>>(in, d); show(); }
SECTION(syncs) { go(); sync<<<4, 1>>>(d); show(); }
SECTION(clusters) { go(); cluster<<<8, 32>>>(d); show(); }
int main() { return sections_run(); }
