# a project: folders, rules that are left out, comments, a baseline that survives moved lines, the version of PTX
mkdir -p src/kernels src/.hidden src/empty
cat >src/kernels/a.cu <<'END'
__device__ void f(unsigned *d) {
    asm volatile("bar.sync 0;");
    asm volatile("bar.sync 1;"); // wsim-lint: off-line asm.memory -- reads nothing
    asm("cvt.rn.satfinite.ue5m3x2.f32 %0, %1, %2;" : "=h"(d[0]) : "f"(d[1]), "f"(d[2]));
    asm("ldmatrx.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d[0]) : "r"(d[1]));
}
END
cp src/kernels/a.cu src/.hidden/b.cu
cp src/kernels/a.cu src/notes.txt
echo 'asm("bfe.u32 %0, %1, 28, 8;" : "=r"(x) : "r"(y));' >src/z.cuh
wsim lint src
wsim lint --ignore asm --ignore operand.field src/
wsim lint --ptx 9.0 src/z.cuh src/kernels
wsim lint --write-baseline known.txt src
cat known.txt
wsim lint --baseline known.txt ./src
echo "exit $?"
sed -i.old -e '1i // a new line' -e 's/bar.sync 0/bar.sync 2/' src/kernels/a.cu
wsim lint --baseline known.txt "$PWD/src" | sed "s,$PWD,HERE,"
echo 'asm.memory' >wrong.txt
wsim lint --baseline wrong.txt src
wsim lint --baseline none.txt src
wsim lint --ignore asm.memori src
wsim lint --ptx nine src
wsim lint --ptx 12.8 src
wsim lint src/empty
wsim lint -q none src/z.cuh
# places of entries, and entries that leave out nothing
wsim lint --ignore asm.memory@kernels/a.cu:3 --ignore order --ignore asm@z.cu src >/dev/null
