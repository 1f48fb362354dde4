// What docs/tutorials/ldmatrix.md begins with.
__device__ void load(unsigned (&a)[4], const void *row) {
    asm("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
        : "l"(row));
}
