#!/usr/bin/env python3
"""sectors.py cu >sectors.cu | sectors.py join CASES COUNTS.csv >FILE.trace

Sectors and lines of single accesses of global memory. `cu` writes a program that launches each case
once and prints its line of a trace without counts. `join` adds the counts of the profiler."""
import csv
import random
import sys

SEED, CASES = 1, 48
LOADS = ["u8", "u16", "u32", "u64", "v2.u32", "v4.u32", "v2.u64"]
ATOMS = ["add.u32", "add.f32", "max.s32", "exch.b32", "add.u64", "add.noftz.f16x2", "add.v4.f32"]
SPELLINGS = (
    ["ld.global." + t for t in LOADS]
    + ["ld.global.nc.u32", "ld.global.cg.v4.u32", "ld.volatile.global.u32", "ld.relaxed.gpu.global.u32"]
    + ["st.global." + t for t in LOADS]
    + ["st.global.cg.u32", "st.release.gpu.global.u32"]
    + ["atom.global." + t for t in ATOMS if not t.startswith("add.v")] + ["atom.global.v4.f32.add"]
    + ["atom.global.cas.b32", "atom.global.cas.b64"]
    + ["red.global." + t for t in ATOMS if not t.startswith(("add.v", "exch"))] + ["red.global.v4.f32.add"]
    + ["cp.async.ca.shared.global:4", "cp.async.ca.shared.global:8", "cp.async.ca.shared.global:16", "cp.async.cg.shared.global:16"]
)
SPELLINGS = [s.replace(".v4.f32.add", ".add.v4.f32") for s in SPELLINGS]
WIDTH = {"u8": 1, "u16": 2, "u32": 4, "s32": 4, "f32": 4, "b32": 4, "f16x2": 4, "u64": 8, "b64": 8}
REG = {1: "r", 2: "h", 4: "r", 8: "l"}


def shape(spelling):
    """(bytes of an element, elements)"""
    words = spelling.split(".")
    n = next((int(w[1:]) for w in words if w[0] == "v" and w[1:].isdigit()), 1)
    return WIDTH[words[-1]], n


def body(spelling):
    if ":" in spelling:
        name, size = spelling.split(":")
        return 'asm volatile("%s [%%0], [%%1], %s;" :: "r"(to), "l"(at) : "memory");' % (name, size)
    size, n = shape(spelling)
    kind = REG[size]
    reg = {"r": "uint32_t", "h": "uint16_t", "l": "uint64_t"}[kind]
    values = ["v%u" % i for i in range(n)]
    declared = "%s %s;" % (reg, ", ".join("%s = %u" % (v, i + 1) for i, v in enumerate(values)))
    braces = lambda first: ("{%s}" if n > 1 else "%s") % ", ".join("%%%u" % (first + i) for i in range(n))
    used = "if ((%s) == 0x5a) *(volatile uint32_t *)at = 1;" % " + ".join("(uint64_t)" + v for v in values)
    outs = ", ".join('"=%s"(%s)' % (kind, v) for v in values)
    ins = ", ".join('"%s"(%s)' % (kind, v) for v in values)
    if spelling.startswith("ld"):
        return '%s asm volatile("%s %s, [%%%u];" : %s : "l"(at) : "memory"); %s' % (declared, spelling, braces(0), n, outs, used)
    if spelling.startswith(("st", "red")):
        return '%s asm volatile("%s [%%0], %s;" :: "l"(at), %s : "memory");' % (declared, spelling, braces(1), ins)
    last = ', %%%u' % (2 * n + 1) if ".cas." in spelling else ""
    more = ', "%s"(w)' % kind if last else ""
    extra = "%s w = 9;" % reg if last else ""
    outs = ", ".join('"=%s"(%s)' % (kind, v.replace("v", "o")) for v in values)
    olds = "%s %s;" % (reg, ", ".join(v.replace("v", "o") for v in values))
    used = used.replace("(uint64_t)v", "(uint64_t)o")
    return '%s %s %s asm volatile("%s %s, [%%%u], %s%s;" : %s : "l"(at), %s%s : "memory"); %s' % (
        declared, olds, extra, spelling, braces(0), n, braces(n + 1), last, outs, ins, more, used)


def patterns(spelling, rng):
    """CASES of (addr, mask, src)."""
    copy = ":" in spelling
    size = int(spelling.split(":")[1]) if copy else shape(spelling)[0] * shape(spelling)[1]
    for number in range(CASES):
        kind = number % 8
        places = rng.choice([2, 3, 5, 8, 13, 24, 40, 64, 200, 2000])
        if kind == 0:
            step = rng.choice([1, 2, 3, 4, 8, 17, 32, 64])
            at = [lane * step for lane in range(32)]
        elif kind == 1:
            step, start = rng.choice([2, 4, 8]), rng.randrange(64)
            at = [lane // step + start for lane in range(32)]
        elif kind == 2:
            at = [rng.randrange(places)] * 32
        elif kind == 3:
            at = list(range(32))
            rng.shuffle(at)
        else:
            at = [rng.randrange(places) for _ in range(32)]
        mask = 0xFFFFFFFF if number % 3 else rng.randrange(1, 1 << 32)
        to = [rng.randrange(rng.choice([32, 64, 256])) * size if copy and number % 2 else lane * size for lane in range(32)]
        yield [a * size for a in at], mask, to


def cu():
    rng = random.Random(SEED)
    print("// Made by sectors.py: single accesses of global memory.")
    print("#include <cstdint>\n#include <cstdio>\n#include <cstring>\nstruct lanes { uint32_t at[32], to[32], mask; };")
    for number, spelling in enumerate(SPELLINGS):
        print('extern "C" __global__ void k%u(char *base, const __grid_constant__ lanes p) {' % number)
        print("    __shared__ __align__(1024) char window[8192]; const uint32_t lane = threadIdx.x;")
        print("    if (!(p.mask >> lane & 1)) return;")
        print("    char *at = base + p.at[lane]; uint32_t to = (uint32_t)__cvta_generic_to_shared(window) + p.to[lane]; (void)to;")
        print("    %s\n}" % body(spelling))
    print("static void go(const char *spelling, void (*k)(char *, lanes), char *base, const char *row, int size) {")
    print("    lanes p; const char *s = row;")
    print('    for (int i = 0; i < 32; i++, s += 8) { char d[9] = {0}; memcpy(d, s, 8); sscanf(d, "%x", &p.at[i]); }')
    print('    for (int i = 0; i < 32; i++, s += 8) { char d[9] = {0}; memcpy(d, s, 8); sscanf(d, "%x", &p.to[i]); }')
    print('    sscanf(s, "%x", &p.mask); k<<<1, 32>>>(base, p);')
    print('    if (size) printf("%s\\tsize=%d\\taddr=%.256s\\tsrc=%.256s\\tmask=%08x\\n", spelling, size, row + 256, row, p.mask);')
    print('    else printf("%s\\taddr=%.256s\\tmask=%08x\\n", spelling, row, p.mask);\n}')
    print("int main() {\n    char *base; cudaMalloc(&base, 1 << 20); cudaMemset(base, 0, 1 << 20);")
    for number, spelling in enumerate(SPELLINGS):
        for at, mask, to in patterns(spelling, rng):
            row = "".join("%08x" % a for a in at) + "".join("%08x" % a for a in to) + "%08x" % mask
            name, _, size = spelling.partition(":")
            print('    go("%s", k%u, base, "%s", %s);' % (name, number, row, size or 0))
    print('    cudaError_t e = cudaDeviceSynchronize(); if (e) fprintf(stderr, "%s\\n", cudaGetErrorString(e)); return e != 0;\n}')


def join(cases, counts):
    wanted = {"l1tex__t_sectors.sum": "sectors", "lts__t_requests_srcunit_tex.sum": "lines"}
    rows = [line for line in open(counts) if line.startswith('"')]
    table = csv.DictReader(rows)
    launches = [row for row in table if row["ID"]]
    lines = [line.rstrip("\n") for line in open(cases) if "addr=" in line]
    assert len(lines) == len(launches), (len(lines), len(launches))
    for line, row in zip(lines, launches):
        print(line + "".join("\t%s=%u" % (name, int(float(row[key].replace(",", "")))) for key, name in wanted.items()))


if sys.argv[1] == "cu":
    cu()
else:
    join(*sys.argv[2:])
