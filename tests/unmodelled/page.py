#!/usr/bin/env python3
"""page.py SOURCE_DIR [--record] [--program WSIM]: docs/generated/not-modelled.md, the instructions, forms and functions
that wsim has no model of. All rows come from tables and refusals of the sources. Without --record it prints the differences
from the page. With --program the rules of the page are those that the program lists."""

import csv
import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
PAGE = ROOT / "docs/generated/not-modelled.md"
STRING = r'"((?:[^"\\]|\\.)*)"'


def text_of(name):
    return (ROOT / name).read_text()


def rows(name, row):
    """The arguments of each row of a table, without those of comments and macros."""
    text = re.sub(r"/\*.*?\*/", "", text_of(name), flags=re.S)
    for found in re.finditer(rf"^{row}\((.*)\)\s*$", text, flags=re.M):
        yield [a.strip() for a in re.findall(r'(?:"(?:[^"\\]|\\.)*"|\([^()]*\)|[^,"()])+', found[1])]


def unquoted(argument):
    return "".join(re.findall(STRING, argument))


def table(*lines):
    head, rest = lines[0], list(lines[1:])
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in [head]] + \
           ["|" + " --- |" * len(head)] + \
           ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in rest]


def instructions():
    out = []
    for name, needed, _ in rows("sim/spell/ptx.def", "PTX"):
        forms = " ".join(f"`{unquoted(name)}.{word}`" for word in unquoted(needed).split()) or f"`{unquoted(name)}`"
        out.append((forms, "no row in the tables", "`spelling.family.unmodelled`"))
    words = text_of("sim/isa/scalar_words.def")
    unknown = dict(re.findall(r"^METHOD\((\w+),[^)]*UNKNOWN\)\s*/\*\s*(.*?)\s*\*/", words, flags=re.M))
    assert len(unknown) == len(re.findall(r"^METHOD\(.*UNKNOWN\)", words, flags=re.M)), "a METHOD without a reason"
    macros = dict(re.findall(r"^#define (\w+) +(.*)$", text_of("sim/isa/scalar.def").replace("\\\n", " "), flags=re.M))

    def expanded(argument):
        return "".join(expanded(macros[name]) if name else string
                       for string, name in re.findall(rf"{STRING}|(\w+)", argument))

    for method, why in unknown.items():
        spellings = []
        for row in rows("sim/isa/scalar.def", "SCALAR"):
            if row[3] == method:
                spellings.append(expanded(row[1]))
        names = {}
        for spelling in spellings:
            names.setdefault(spelling.split(".")[0], []).append(spelling)
        for name, of in sorted(names.items()):
            out.append((" ".join(f"`{s}`" for s in of), why, "`launch.instruction.unmodelled`"))
    kinds = {"T": "", "ANY": "any"}
    for generation, family, products, place, values, because in rows("sim/isa/accum.def", "UNMODELLED"):
        value = re.sub(r"\w+\((\w+)\)", r"\1", values).lower()
        out.append((f"`{family.lower()}` on {generation.capitalize()}, {place} of {kinds.get(value, value)}",
                    unquoted(because), "`mma.arithmetic.unmodelled`"))
    return out


# Functions that only put a sentence of their caller into a refusal, and where they are called.
PASSES_ON = [(r"\bplan_refuse\((?=&?plan,)", "sim/*/*.c", "LAUNCH_INSTRUCTION_UNMODELLED"),
             (r"\bunmodelled\((?=warp)", "sim/step/texture.c", "TEXTURE_LOOKUP_UNMODELLED")]


def sentences():
    """For each rule the sentences of the refusals that name it."""
    out = {}

    def add(rule, strings):
        said = re.sub(r"%[-0-9.*]*(?:ll|l|z)?[a-zA-Z]", "…", "".join(strings).replace('\\"', '"')).strip(" ,")
        if len(said.split()) > 2:
            out.setdefault(rule, set()).add(said)

    statement = rf"(?:{STRING}|[^\";])*"
    for path in sorted([*ROOT.glob("sim/*/*.c"), *ROOT.glob("harness/*/*.c")]):
        source = path.read_text()
        calls = [(m[1], m.end()) for m in re.finditer(r"\bRULE_(\w+)", source)]
        for call, where, rule in PASSES_ON:
            if path in ROOT.glob(where):
                calls += [(rule, m.end()) for m in re.finditer(call, source)]
        for rule, at in calls:
            rest = re.compile(statement, re.S).match(source, at)[0]
            for group in re.findall(rf"(?:{STRING}(?:\s|PRI\w+)*)+", rest) and re.finditer(rf"(?:{STRING}(?:\s|PRI\w+)*)+", rest):
                add(rule, re.findall(STRING, group[0]))
            if re.search(r"\b(what|because|why)\)?$", rest.rstrip(" )")):  # a variable of the function has the sentence
                body = source[source.rindex("\n}", 0, at) if "\n}" in source[:at] else 0:at]
                for group in re.finditer(rf"\b(?:what|because|why) = ((?:{STRING}\s*)+)", body):
                    add(rule, re.findall(STRING, group[1]))
    return out


def refusals():
    """Each rule of the status unmodelled, and the sentences of its refusals."""
    said = sentences()
    out = []
    for identifier, name, status, meaning, _ in rows("sim/base/rule.def", "RULE"):
        if status == "UNMODELLED":
            if identifier == "BULK_FORM_UNMODELLED":
                said[identifier] = {f"a copy that {unquoted(r[4])}, outside a whole kernel" for r in rows("sim/isa/bulk.def", "UNEXECUTED")}
            out += ["", f"`{unquoted(name)}`: {unquoted(meaning)}", ""]
            out += [f"* {s}" for s in sorted(said.get(identifier, ["…"]))]
    return out


def functions():
    out = []
    for library, name, row, kind in (("`libcudart`", "runtime/cudart/function.def", "RT_FUNCTION", 2),
                                     ("`libcuda`", "runtime/cuda/function.def", "CU_FUNCTION", 4)):
        kinds = [r[kind] for r in rows(name, row)]
        missing = kinds.count("MISSING")
        out.append((library, str(len(kinds) - missing), str(missing)))
    return out


def said_by_the_runtime():
    out = []
    for path in sorted(ROOT.glob("runtime/*/*.c")):
        for said in re.findall(rf"wsimrt_say\({STRING}", path.read_text()):
            if said.endswith("not modelled"):
                out.append(f"* {said}")
    return sorted(set(out))


def targets():
    have = {re.match(r"sm_(\d+)", r[0])[1] for r in rows("sim/isa/arch.def", "ARCH")}
    all_of = {r[0]: r for r in rows("sim/isa/target.def", "TARGET")}
    return ", ".join(f"sm_{n}" for n in all_of if n not in have and n not in aliases())


def aliases():
    return {m for r in rows("sim/isa/arch.def", "ALIAS") for m in re.findall(r"sm_(\d+)", r[0])}


def page():
    lines = ["# What wsim does not model", "",
             "wsim refuses what it has no model of, with a rule and a sentence, and never guesses. The program ends with status 3.",
             "The library returns `WSIM_UNMODELLED`. The runtime returns `cudaErrorNotSupported`, and names it on standard error.",
             "`wsim check --contents FILE` finds all of it in a file, and runs nothing. [evidence.md](evidence.md) says how sure the answers are.",
             "", "## Instructions", "", *table(("instruction", "why", "rule"), *instructions()),
             "", "Other instructions of PTX ISA 9.0 have a model. `wsim check SPELLING` says whether one is legal.",
             "", "## Targets", "",
             f"Devices are those of `wsim arch`. There is none of {targets()}. PTX for these targets runs on newer devices.",
             "", "## Functions of CUDA", "",
             "[runtime.md](runtime.md) names them.", "", *table(("library", "there", "not there"), *functions()),
             "", "Of functions that are there:", "", *said_by_the_runtime(),
             "", "## Every refusal", "",
             "A rule, what wsim models, and the sentences that refuse the rest. `…` is a name, a number or a reason.",
             "`wsim why --rules unmodelled` prints the rules.", *refusals(),
             "", "## No rule, because no answer depends on it", "",
             "* Time: `%clock` counts executed instructions, events have times of the simulation, and no report has cycles.",
             "* Caches: sectors and lines are counted, hits are not.",
             "* The order of blocks and warps is one of many; `--seed` draws others.", ""]
    return "\n".join(lines)


def rules_of(program):
    said = subprocess.run([program, "why", "--rules", "unmodelled", "--format", "csv"], capture_output=True, text=True, check=True)
    return {row["name"] for row in csv.DictReader(said.stdout.splitlines()) if row["status"] == "unmodelled"}


def main():
    text = page()
    if "--program" in sys.argv:
        listed = rules_of(sys.argv[sys.argv.index("--program") + 1])
        named = set(re.findall(r"^`([a-z_.]+)`: ", text, flags=re.M))
        if listed != named:
            print("rules of the page and of the program:", *sorted(listed ^ named))
            return 1
    if "--record" in sys.argv:
        PAGE.write_text(text)
        return 0
    there = PAGE.read_text() if PAGE.exists() else ""
    sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), text.splitlines(True), str(PAGE.name), "sources"))
    if there != text:
        print("record again: tests/unmodelled/page.py . --record")
    return there != text


sys.exit(main())
