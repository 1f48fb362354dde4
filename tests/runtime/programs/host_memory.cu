// virtual memory of the host
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <csetjmp>
#include <sys/wait.h>
#include <unistd.h>
#include <cuda.h>
#define N(e) ({ const char *n_ = 0; cuGetErrorName(e, &n_); n_ ? n_ : "?"; })
static sigjmp_buf jb; static int in_touch; static void on(int s) { if (in_touch) siglongjmp(jb, s); printf("SIGNAL %d\n", s); _exit(9); }
static int touch_(volatile int *p, int w) { int s = sigsetjmp(jb, 1); if (s) return -s; if (w) *p = w; return *p; }
static int touch(volatile int *p, int w) { in_touch = 1; int r = touch_(p, w); in_touch = 0; return r; }
__global__ void k(int *p) { p[0] += 1000; p[1] = p[0] + 5; }
static void attrs(CUdeviceptr p) {
    CUcontext c = 0; int mt = -1, ord = -7, man = -1, mapped = -1, rdma = -1, syn = -1; CUdeviceptr dp = 0, rs = 0; void *hp = 0; size_t rz = 0; unsigned long long id = 0; int ht = -1, acc = -1; CUmemoryPool mp = 0;
    printf("   attr ctx %s", N(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p))); printf(" set %d\n", c != 0);
    printf("   type %s", N(cuPointerGetAttribute(&mt, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p))); printf(" %d\n", mt);
    printf("   dptr %s", N(cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p))); printf(" same %d\n", dp == p);
    printf("   hptr %s", N(cuPointerGetAttribute(&hp, CU_POINTER_ATTRIBUTE_HOST_POINTER, p))); printf(" same %d\n", (CUdeviceptr)hp == p);
    printf("   sync %s", N(cuPointerGetAttribute(&syn, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, p))); printf(" %d\n", syn);
    printf("   id %s", N(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, p))); printf(" %d\n", id != 0);
    printf("   managed %s", N(cuPointerGetAttribute(&man, CU_POINTER_ATTRIBUTE_IS_MANAGED, p))); printf(" %d\n", man);
    printf("   ordinal %s", N(cuPointerGetAttribute(&ord, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p))); printf(" %d\n", ord);
    printf("   start %s", N(cuPointerGetAttribute(&rs, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p))); printf(" %lld\n", (long long)(p - rs));
    printf("   size %s", N(cuPointerGetAttribute(&rz, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p))); printf(" %zu\n", rz);
    printf("   mapped %s", N(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, p))); printf(" %d\n", mapped);
    printf("   handles %s", N(cuPointerGetAttribute(&ht, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, p))); printf(" %d\n", ht);
    printf("   rdma %s", N(cuPointerGetAttribute(&rdma, CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, p))); printf(" %d\n", rdma);
    printf("   access %s", N(cuPointerGetAttribute(&acc, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p))); printf(" %d\n", acc);
    printf("   pool %s", N(cuPointerGetAttribute(&mp, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p))); printf(" %d\n", mp != 0);
    size_t m1 = 0, m2 = 0; int cap = -1; printf("   msize %s", N(cuPointerGetAttribute(&m1, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, p))); printf(" %zu\n", m1);
    CUdeviceptr b = 0; printf("   mbase %s", N(cuPointerGetAttribute(&b, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, p))); printf(" %d\n", b == p);
    printf("   mid %s\n", N(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, p)));
    printf("   hwd %s", N(cuPointerGetAttribute(&cap, CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, p))); printf(" %d\n", cap); (void)m2;
    CUdeviceptr ba = 0; size_t bs = 0; if (mt == 2) printf("   range %s", N(cuMemGetAddressRange(&ba, &bs, p))); if (mt == 2) printf(" %d %zu\n", ba == p, bs);
}
static void acc(CUdeviceptr p, const char *w) {
    printf("   access %s:", w);
    for (int t = 0; t <= 5; t++) for (int i = 0; i < 2; i++) { CUmemLocation l = {(CUmemLocationType)t, {i}}; unsigned long long f = 99; int e = cuMemGetAccess(&f, &l, p); printf(" %d.%d=%d/%llu", t, i, e, e ? 0 : f); }
    printf("\n");
}

static void one(int which) {
    struct sigaction sa = {}; sa.sa_handler = on; sa.sa_flags = SA_NODEFER; sigaction(SIGSEGV, &sa, 0); sigaction(SIGBUS, &sa, 0); alarm(100);
    cuInit(0); CUcontext c; cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c); int t = 1 + which / 8, how = which % 8; size_t g = 2 << 20;
    CUmemAllocationProp pr; memset(&pr, 0, sizeof pr); pr.type = CU_MEM_ALLOCATION_TYPE_PINNED; pr.location.type = (CUmemLocationType)t;
    CUmemGenericAllocationHandle x = 0, y = 0; printf("type %d how %d: create %d\n", t, how, cuMemCreate(&x, 2 * g, &pr, 0)); CUdeviceptr p = 0; cuMemAddressReserve(&p, 4 * g, 0, 0, 0); printf("map %d\n", cuMemMap(p, 2 * g, 0, x, 0));
    CUmemAccessDesc d[2]; memset(d, 0, sizeof d); auto desc = [&](int i, int lt, int id, int fl) { d[i].location.type = (CUmemLocationType)lt; d[i].location.id = id; d[i].flags = (CUmemAccess_flags)fl; }; int v = 40, w = 0;
    auto set = [&](const char *n, int k) { printf("set %s: %d\n", n, cuMemSetAccess(p, 2 * g, d, k)); acc(p, n); };
    switch (how) {
    case 0: desc(0, 1, 0, 3); set("device", 1); break;
    case 1: desc(0, 2, 0, 3); set("host", 1); break;
    case 2: desc(0, 3, 0, 3); set("node", 1); break;
    case 3: desc(0, 1, 0, 3); desc(1, 2, 0, 3); set("device and host", 2); break;
    case 4: desc(0, 1, 0, 3); desc(1, 3, 0, 3); set("device and node", 2); desc(0, 3, 0, 0); set("node none", 1); desc(0, 1, 0, 0); set("device none", 1); desc(0, 1, 0, 3); set("device", 1); break;
    case 5: desc(0, 1, 0, 1); set("device reads", 1); desc(0, 2, 0, 1); set("host reads", 1); desc(0, 3, 0, 1); set("node reads", 1); desc(0, 2, 0, 0); set("host none", 1); desc(0, 1, 0, 2); set("device 2", 1); desc(0, 1, 0, 3); set("device", 1); break;
    case 6: for (int lt : {0, 4, 5}) for (int fl : {0, 1, 3}) { desc(0, lt, 0, fl); set("odd", 1); } desc(0, 2, 1, 3); set("host 1", 1); desc(0, 3, 1, 3); set("node 1", 1); desc(0, 3, -1, 3); set("node -1", 1); desc(0, 1, 1, 3); set("device 1", 1); desc(0, 1, 0, 3); desc(1, 3, 1, 3); set("device and node 1", 2); break;
    case 7: desc(0, 1, 0, 3); printf("part %d", cuMemSetAccess(p, g, d, 1)); acc(p, "part"); acc(p + g, "rest"); printf("part %d", cuMemSetAccess(p + g, g, d, 1)); printf("more %d", cuMemSetAccess(p, 4 * g, d, 1)); set("device", 1); break;
    }
    attrs(p); attrs(p + g + 8); printf("touch read"); printf(" %d\n", touch((int *)p, 0)); printf("touch write"); printf(" %d\n", touch((int *)p, 5));
    printf("kernel"); k<<<1, 1>>>((int *)p + 8); int ke = cuCtxSynchronize(); printf(" %d\n", ke); if (ke) _exit(0);
    printf("fill %d\n", cuMemsetD32(p + 64, 9, 4)); CUdeviceptr dd; cuMemAlloc(&dd, 4096); printf("d2d %d", cuMemcpyDtoD(dd, p, 4)); printf(" %d", cuMemcpyDtoD(p + 256, dd, 4)); printf(" h2d as host %d", cuMemcpyHtoD(dd, (void *)p, 4)); printf(" d2h as host %d", cuMemcpyDtoH((void *)p, dd, 4)); cuCtxSynchronize(); printf("\n"); printf("h2d %d", cuMemcpyHtoD(p, &v, 4)); printf(" d2h %d", cuMemcpyDtoH(&w, p, 4)); printf(" %d", w); printf(" any %d", cuMemcpy((CUdeviceptr)&w, p + 36, 4)); printf(" %d touch %d\n", w, touch((int *)p + 9, 0));
    CUdeviceptr hd = 0; unsigned hf = 0; printf("hostdev %d", cuMemHostGetDevicePointer(&hd, (void *)p, 0)); printf(" flags %d %u", cuMemHostGetFlags(&hf, (void *)p), hf); printf(" reg %d", cuMemHostRegister((void *)p, 4096, 0)); printf(" free %d", cuMemFree(p)); printf(" freehost %d", cuMemFreeHost((void *)p)); printf(" async %d\n", cuMemFreeAsync(p, 0));
    printf("retain %d", cuMemRetainAllocationHandle(&y, (void *)p)); printf(" same %d\n", x == y); cuMemRelease(y); printf("advise %d", cuMemAdvise(p, g, CU_MEM_ADVISE_SET_READ_MOSTLY, CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, {0}})); printf(" prefetch %d\n", cuMemPrefetchAsync(p, g, CUmemLocation{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, 0, 0));
    printf("release %d\n", cuMemRelease(x)); printf("copy out %d\n", cuMemcpyDtoH(&w, p, 4)); printf("unmap part %d", cuMemUnmap(p, g)); printf(" all %d", cuMemUnmap(p, 2 * g)); printf(" beyond %d touch %d free %d\n", cuMemUnmap(p, 4 * g), touch((int *)p, 0), cuMemAddressFree(p, 4 * g));
    if (how == 0) { CUmemGenericAllocationHandle a = 0, b = 0; pr.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR; printf("shared %d", cuMemCreate(&a, g, &pr, 0)); int fd = -1, f2 = -1; printf(" export %d", cuMemExportToShareableHandle(&fd, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); printf(" import %d", cuMemImportFromShareableHandle(&b, (void *)(long)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)); printf(" again %d", cuMemExportToShareableHandle(&f2, b, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); CUmemAllocationProp q; memset(&q, 0, sizeof q); cuMemGetAllocationPropertiesFromHandle(&q, b); printf(" props %d %d %d.%d\n", q.type, q.requestedHandleTypes, q.location.type, q.location.id); }
}
static void create() {
    cuInit(0); CUcontext c; cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c);
    for (int ty = 0; ty <= 3; ty++) for (int t = 0; t <= 5; t++) for (int id : {0, 1, -1}) for (int h : {0, 1, 8}) {
        CUmemAllocationProp pr; memset(&pr, 0, sizeof pr); pr.type = (CUmemAllocationType)ty; pr.location.type = (CUmemLocationType)t; pr.location.id = id; pr.requestedHandleTypes = (CUmemAllocationHandleType)h;
        
        for (size_t n : {(size_t)2 << 20}) { CUmemGenericAllocationHandle x = 0; int e = cuMemCreate(&x, n, &pr, 0); printf("create %d %d.%d h%d %zu: %d", ty, t, id, h, n, e);
            if (!e) { CUmemAllocationProp q; memset(&q, 7, sizeof q); int f = cuMemGetAllocationPropertiesFromHandle(&q, x); printf(" props %d: %d %d %d.%d c%d rdma%d use%d", f, q.type, q.requestedHandleTypes, q.location.type, q.location.id, q.allocFlags.compressionType, q.allocFlags.gpuDirectRDMACapable, q.allocFlags.usage); int fd = -1; printf(" export %d", cuMemExportToShareableHandle(&fd, x, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); if (fd >= 0) { CUmemGenericAllocationHandle y = 0; printf(" import %d", cuMemImportFromShareableHandle(&y, (void *)(long)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)); if (y) { memset(&q, 7, sizeof q); f = cuMemGetAllocationPropertiesFromHandle(&q, y); printf(" props %d: %d %d %d.%d same %d", f, q.type, q.requestedHandleTypes, q.location.type, q.location.id, y == x); cuMemRelease(y); } close(fd); } printf(" release %d", cuMemRelease(x)); } printf("\n"); } }
}
int main() { setvbuf(stdout, 0, _IONBF, 0); for (int i = 0; i <= 24; i++) { pid_t child = fork(); if (!child) { if (i == 24) create(); else one(i); _exit(0); } waitpid(child, 0, 0); } return 0; }
