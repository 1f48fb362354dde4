# order.py PTXAS NVDISASM WSIM [WAY...]
# Which of two values of f64 does machine code have in front? Tries each pair of ways to make them, each order of
# making, and each order in the text. wsim runs the same kernels on NaNs. Prints every pair in which wsim differs.
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PTXAS, NVDISASM, WSIM = sys.argv[1:4]
HEAD = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .f64 number)
{
.reg .f64 %a, %b, %c, %d<3>, %f, %w; .reg .f32 %h; .reg .b64 %p, %q, %x, %m; .reg .pred %z, %u; .reg .b32 %t, %r1, %r2;
.shared .align 8 .b8 s[64];
ld.param.u64 %p, [p]; ld.param.u64 %q, [q]; mov.u32 %t, %tid.x; cvt.rn.f32.u32 %h, %t; cvt.rn.f64.u32 %w, %t;
mul.wide.u32 %x, %t, 8; add.s64 %p, %p, %x; add.s64 %q, %q, %x;
ld.volatile.global.f64 %d1, [%p]; ld.volatile.global.f64 %d2, [%p+64]; ld.volatile.global.f64 %f, [%p+128];
setp.gt.f64 %u, %w, 0d0000000000000000; setp.lt.f64 %z, %w, 0d4000000000000000;
st.shared.f64 [s], %d1; st.shared.f64 [s+8], %d2;
"""
BRANCH = "@%z bra X{n};\n{one}\nbra.uni Y{n};\nX{n}:\n{two}\nY{n}:\n"
MAKE = {  # {r}: the register, {n}: 1 or 2
    "load": "ld.volatile.global.f64 {r}, [%p+{n}024];",
    "shared": "ld.volatile.shared.f64 {r}, [s+8*{n}-8];",
    "atom": "atom.global.add.f64 {r}, [%p+{n}024], %d{n};",
    "fma": "fma.rn.f64 {r}, %d{n}, %f, %f;",
    "max": "max.f64 {r}, %d{n}, %f;",
    "copysign": "copysign.f64 {r}, %d{n}, %f;",
    "rcp.approx": "rcp.approx.ftz.f64 {r}, %d{n};",
    "div.rz": "div.rz.f64 {r}, %d{n}, %f;",
    "shfl": "mov.b64 {{%r1, %r2}}, %d{n}; shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1; shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1;"
    " mov.b64 {r}, {{%r1, %r2}};",
    "load.b64": "ld.volatile.global.b64 %m, [%p+{n}024]; mov.b64 {r}, %m;",
    "branch": "@%z bra X{n};\nld.volatile.global.f64 {r}, [%p+{n}024];\nbra.uni Y{n};\nX{n}:\n"
    "ld.volatile.global.f64 {r}, [%p+{n}088];\nY{n}:",
    "branch.one": "mov.f64 {r}, %f;\n@%z bra Y{n};\nadd.f64 {r}, %d{n}, %f;\nY{n}:",
    "guard.load": "mov.f64 {r}, %f; @%u ld.volatile.global.f64 {r}, [%p+{n}024];",
    "div": "div.rn.f64 {r}, %d{n}, %f;",
    "rcp": "rcp.rn.f64 {r}, %d{n};",
    "sqrt": "sqrt.rn.f64 {r}, %d{n};",
    "rsqrt": "rsqrt.approx.f64 {r}, %d{n};",
    "rsqrt.ftz": "rsqrt.approx.ftz.f64 {r}, %d{n};",
    "selp": "selp.f64 {r}, %d{n}, %f, %u;",
    "guard.mov": "mov.f64 {r}, %f; @%u mov.f64 {r}, %d{n};",
    "guard.add": "mov.f64 {r}, %f; @%u add.f64 {r}, %d{n}, %f;",
    "guard.div": "mov.f64 {r}, %f; @%u div.rn.f64 {r}, %d{n}, %f;",
    "guard.neg": "mov.f64 {r}, %f; @%u neg.f64 {r}, %d{n};",
    "guard.own": "add.f64 {r}, %d{n}, %d{n}; @%u add.f64 {r}, {r}, %f;",
    "guards": "@%u add.f64 {r}, %d{n}, %f; @!%u mul.f64 {r}, %d{n}, %f;",
    "and": "mov.b64 %m, %d{n}; and.b64 %m, %m, -2; mov.b64 {r}, %m;",
    "or": "mov.b64 %m, %d{n}; or.b64 %m, %m, %x; mov.b64 {r}, %m;",
    "xor": "mov.b64 %m, %d{n}; xor.b64 %m, %m, 1; mov.b64 {r}, %m;",
    "min.s64": "mov.b64 %m, %d{n}; min.s64 %m, %m, -3; mov.b64 {r}, %m;",
    "number": "mov.f64 {r}, 0d7FF8000000000{n}07;",
}


def kernel(ways, first, text, sign):
    made = [MAKE[way].format(r="%" + "ab"[i], n=i + 1) + "\n" for i, way in enumerate(ways)]
    made = "".join(made if first == 0 else made[::-1])
    sign = "neg.f64 %a, %a;\n" if sign else ""
    store = "st.global.f64 [%q], %c;\n" + ("" if sign else "st.global.f64 [%q+64], %a; st.global.f64 [%q+128], %b;\n")
    return HEAD + made + sign + "add.rn.f64 %%c, %s;\n%sret;\n}\n" % (text, store)


def assembled(folder, ptx):
    (folder / "k.ptx").write_text(ptx)
    subprocess.run([PTXAS, "-arch=sm_90a", folder / "k.ptx", "-o", folder / "k.cubin"], check=True)
    last = ""
    for line in subprocess.run([NVDISASM, "-c", folder / "k.cubin"], capture_output=True, text=True, check=True).stdout.split("\n"):
        if "STG" in line:
            break
        last = line if "DADD" in line else last
    one, two = re.search(r"DADD\S* R\d+, (.*?), (.*?) ?;", last).groups()
    return "b" if "-" in two else "a" if "-" in one else "?"


def modelled(folder, ptx):
    (folder / "k.ptx").write_text(ptx)
    nans = [0x3FF0000000000000 if 16 <= i < 24 else 0x7FF8000000001000 + 0x1000 * i for i in range(512)]
    (folder / "in").write_bytes(struct.pack("<512Q", *nans))
    (folder / "l.json").write_text(
        '{"ptx": "k.ptx", "buffers": {"p": {"bytes": 4096, "file": "in"}, "q": {"bytes": 192, "fill": 0}}, "launches": [{"kernel": "k",'
        ' "block": [8], "args": [{"buffer": "p"}, {"buffer": "q"}, {"f64": 1}]}], "save": {"q": "out"}}'
    )
    done = subprocess.run([WSIM, "run", "--launch", folder / "l.json", "--check", "none", "--assembler", "none"], capture_output=True, text=True)
    if not (folder / "out").exists():
        sys.exit(done.stdout + done.stderr)
    got = struct.unpack("<24Q", (folder / "out").read_bytes())
    (folder / "out").unlink()
    # The result has the payload of the second operand, made quiet.
    quiet = 1 << 51
    front = set()
    for c, a, b in zip(got[:8], got[8:16], got[16:]):
        if a != b and all(one & 2**63 - 1 > 0x7FF << 52 for one in (a, b)):
            front.add("b" if c == a | quiet else "a" if c == b | quiet else "?")
    return "".join(sorted(front))


def main():
    differ = silent = 0
    names = sys.argv[4:] or list(MAKE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for one in names:
            for two in MAKE:
                for first in (0, 1):
                    for text in ("%a, %b", "%b, %a"):
                        want = assembled(folder, kernel((one, two), first, text, True))
                        got = modelled(folder, kernel((one, two), first, text, False))
                        silent += not got
                        if got and want != got:
                            differ += 1
                            print("%-12s %-12s made first: %s text: %s machine code has %s in front, wsim %s" % (one, two, "ab"[first], text, want, got), flush=True)
            print("%-12s done, %d differ, %d show nothing" % (one, differ, silent), flush=True)


main()
