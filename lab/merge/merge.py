#!/usr/bin/env python3
"""merge.py [-a ARCH] [-p PTXAS] [-n NVDISASM] [FILE.ptx ...]: accesses of shared memory in machine code

Without files: assembles each case of cases.tsv. Writes name, body, kept registers and the accesses of the machine code
("ld 8 ld 4 st 16": bytes a lane). With files: compares each statement with the answer of `wsim ptx --json` and lists
the differences. Needs ptxas and nvdisasm (PyPI: nvidia-cuda-nvcc, nvidia-cuda-nvdisasm); no GPU."""
import argparse
import collections
import json
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = ".version 8.8\n.target %s\n.address_size 64\n.const .u32 C = 3;\n"
ACCESS = re.compile(r"\b(LDS|STS)((?:\.\w+)*) ")
WRITTEN = re.compile(r"^\s*(@!?%[\w$]+\s+)?(ld|st)\.(?:weak\.)?shared(?:::cta)?((?:\.v[248])?)\.[busf](\d+)\b")


def kernel(name, body, kept):
    before = "".join("ld.volatile.global.u32 %%r%d, [%%rd1+%d];\n" % (i, 4 * i) for i in range(40, 48))
    after = "".join("st.volatile.global.u32 [%%rd1], %s;\n" % reg for reg in kept.split())
    return (
        ".visible .entry %s(.param .u64 p) {\n.shared .align 16 .b8 S[4096];\n.shared .align 16 .b8 Q[4096];\n"
        ".local .u32 L;\n.reg .b32 %%r<90>;\n.reg .b64 %%rd<90>;\n.reg .b16 %%h<90>;\n.reg .pred %%p<4>;\n"
        "ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nshl.b32 %%r2, %%r1, 4;\nmov.u32 %%r3, S;\n"
        "add.u32 %%r2, %%r2, %%r3;\nsetp.eq.u32 %%p1, %%r1, 3;\n%s%s\n%sret;\n}\n" % (name, before, body, after)
    )


def assemble(text, options):
    """The machine code of a text: for each function its instructions, each with its PTX line."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        open(ptx, "w").write(text)
        subprocess.run([options.ptxas, "-O3", "-lineinfo", "-arch=" + options.arch, ptx, "-o", cubin], check=True)
        listing = subprocess.run([options.nvdisasm, "-c", "-g", cubin], check=True, capture_output=True, text=True).stdout
    functions, now, line = {}, None, 0
    for row in listing.split("\n"):
        if found := re.match(r"^\.text\.(\S+):", row):
            now, line = functions.setdefault(found.group(1), []), 0
        elif found := re.search(r'//## File ".*", line (\d+)', row):
            line = int(found.group(1))
        elif (found := re.match(r"^\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", row)) and now is not None:
            now.append((found.group(1), line))
    return functions


def width(words):
    for word, size in ((".128", 16), (".64", 8), ("16", 2), ("8", 1)):
        if word in words:
            return size
    return 4


def accesses(instructions):
    """(ld or st, bytes, line) of each access; loads that never execute (@!PT) are not."""
    found = ((ACCESS.search(text), text, line) for text, line in instructions)
    return [("ld" if m.group(1) == "LDS" else "st", width(m.group(2)), line) for m, text, line in found if m and "@!PT" not in text]


def cases(options):
    rows = [line.rstrip("\n").split("\t") for line in open(os.path.join(HERE, "cases.tsv")) if not line.startswith("#")]
    code = assemble(HEAD % options.arch + "".join(kernel(*row) for row in rows), options)
    for name, body, kept in rows:
        found = sorted(one[:2] for one in accesses(code[name]))
        print("\t".join((name, body, kept, " ".join("%s %u" % one for one in found))))


def relocate(text):
    """Each statement on a line of its own, with a .loc that names this line."""
    out, inside = [], False
    for line in text.replace("\r", "").split("\n"):
        line = re.sub(r"//.*", "", line)
        word = line.strip()
        if re.match(r"\.(loc|file|section)\b", word):
            continue
        if word.startswith(".address_size"):
            out += [line, '.file 1 "k.ptx"']
            continue
        inside |= word.startswith("{")
        if inside and re.match(r"^(@!?%?[\w$]+\s+)?[a-z]", word):
            out.append(".loc 1 %u 0" % (len(out) + 2))
        out.append(line)
    return "\n".join(out)


def compare(path, options):
    """Statements whose accesses differ: those that wsim joins are compared together."""
    text = relocate(open(path, errors="replace").read())
    machine = collections.defaultdict(list)
    for instructions in assemble(text, options).values():
        for kind, size, line in accesses(instructions):
            machine[line].append((kind, size))
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        said = json.loads(subprocess.run([options.wsim, "ptx", "--json", file.name], capture_output=True, text=True).stdout)
    ours, group = {}, {}

    def head(line):
        while group.setdefault(line, line) != line:
            line = group[line]
        return line

    for one in (one for kernel in said["files"][0]["kernels"] for one in kernel["merged"]):
        ours[one["line"]] = [access["bytes"] for access in one["accesses"]]
        if one["head"]:
            group[head(one["line"])] = head(one["head"])
    together = collections.defaultdict(list)
    for number, line in enumerate(text.split("\n"), 1):
        if found := WRITTEN.match(line):
            size = int(found.group(4)) // 8 * int((found.group(3) or ".v1")[2:])
            together[head(number)] += [(found.group(2), number, each) for each in ours.get(number, [size])] or [(None, number, 0)]
    wrong = 0
    for members in together.values():
        ptx = collections.Counter((kind, size) for kind, _, size in members if kind)
        sass = collections.Counter(one for line in {number for _, number, _ in members} for one in machine[line])
        copies = {sass[one] / ptx[one] for one in ptx}
        if set(ptx) != set(sass) or len(copies) > 1:
            wrong += 1
            print(path, sorted({number for _, number, _ in members})[:6], "wsim", dict(ptx), "machine code", dict(sass))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-a", "--arch", default="sm_90a")
    parser.add_argument("-p", "--ptxas", default="ptxas")
    parser.add_argument("-n", "--nvdisasm", default="nvdisasm")
    parser.add_argument("-w", "--wsim", default="wsim")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if not options.files:
        cases(options)
        return 0
    wrong = [compare(path, options) for path in options.files]
    print("%u of %u files differ" % (sum(map(bool, wrong)), len(wrong)))
    return int(any(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
