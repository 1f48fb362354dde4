# what lint finds, as others read it; a file of PTX, conditions, and what is wrong with the call
cat >a.cu <<'END'
__device__ void f(float *smem, float *d) {
#if __CUDA_ARCH__ < 900
    asm volatile("no.such.instruction;");
#endif
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(d[0]) : "l"(smem) : "memory");
    asm volatile("bar.sync 0;");
}
END
cat >b.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<4>;
    ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];
    ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0, %r2, %r3}, [%r1];
    ret;
}
END
wsim lint --arch h100 a.cu b.ptx
wsim lint --arch h100 --strict -q - <a.cu
wsim lint a.cu
wsim lint --arch a100 -q a.cu
wsim lint -q --arch h100 --format github a.cu
wsim lint -q --arch h100 --format json a.cu b.ptx
wsim lint -q --arch h100 --format sarif b.ptx
wsim lint
wsim lint none.cu
wsim lint --format xml a.cu
wsim lint --arch sm_11 a.cu
wsim lint --format json
wsim lint --arch h100 -q a.cu -o report.txt; cat report.txt
# findings that do not count stand in JSON and SARIF, not in text
cat >c.cu <<'END'
__device__ void f() {
    asm volatile("bar.sync 0;");
    asm volatile("bar.sync 1;"); // wsim-lint: off-line asm.memory -- no memory
    asm volatile("bar.sync 2;");
}
END
wsim lint -q --arch h100 --ignore asm.memory@c.cu:4 --format sarif c.cu | grep -E 'startLine|"(kind|justification)": "[^o]'
wsim lint -q --arch h100 --ignore asm.memory@c.cu:4 --format json c.cu | grep -E '"(kind|reason)"'
wsim lint -q --arch h100 --ignore asm.memory@c.cu:4 c.cu
wsim lint -q --strict --arch h100 --write-baseline known c.cu
wsim lint -q --strict --arch h100 --baseline known --format sarif c.cu | grep -E '"(kind|justification)": "[^o]'
