#!/usr/bin/env python3
"""evidence.py <JSON - writes docs/generated/evidence.md from the output of `wsim ops --evidence --format json`."""
import json
import os
import sys

LETTERS = {"hardware": "H", "published": "P", "documented": "D", "inferred": "I", "none": "?"}
CLAIMS = ("results", "counts")

HEAD = """# Evidence

The evidence of the model for every architecture and form. `tests/golden/record.sh` writes this page
from `wsim ops --evidence --format json`, and a test compares: do not edit it. `traces/held.tsv` counts
the recorded results of each operation; the same script writes it from `traces/`. For one operation:
`wsim ops --evidence` with `--arch`, `--family` or `--type`.

| | |
| --- | --- |
| H | hardware-verified: recordings of a GPU hold the operation, and the model gives the same; `tests/golden` replays them |
| P | published vectors: others compared the rule with hardware of that generation, bit for bit |
| D | documented: the ISA leaves one answer |
| I | inferred: from machine code, or from a rule recorded on neighbours or elsewhere |
| ? | no model: refused |
| | not legal there |

More than one letter: operations of the form differ. Recordings and publications stand for the
arithmetic generation of their chip (`arch.def`), which several chips share; the recordings below name
the chip. A form is a row of `mma.def`, `move.def` or `access.def`. Architectures that agree in every
cell share a column, without their `sm_`.
"""


class Page:
    """Forms in the order of the tables. A cell is a claim of a form on an architecture."""

    def __init__(self, claims, archs):
        self.claims, self.archs = claims, archs
        self.forms = list(dict.fromkeys(c["row"] for c in claims))
        self.cells = {}  # (form, claim, arch): {level: source}
        self.ops = {}  # the same: [operations, those recorded as this target, recorded results]
        self.files = {}
        for c in claims:
            for arch in c["archs"]:
                key = c["row"], c["claim"], arch
                self.cells.setdefault(key, {}).setdefault(c["evidence"], c["source"])
                count = self.ops.setdefault(key, [0, 0, 0])
                own = sum(r["number"] for r in c["recordings"] if r["arch"] == arch)
                count[0] += 1
                count[1] += own > 0
                count[2] += own
            for r in c["recordings"]:
                held = self.files.setdefault(r["file"], dict(r, ops=0, results=0, counts=0, forms=set()))
                held["ops"] += 1
                held[c["claim"]] += r["number"]
                held["forms"].add(c["row"])
        self.files = dict(sorted(self.files.items()))

    def column(self, arch):
        return [(self.ops.get((f, c, arch), [0])[0], sorted(self.cells.get((f, c, arch), {}).items()))
                for f in self.forms for c in CLAIMS]

    def groups(self):
        """Architectures that agree in every cell, in the order of the tables."""
        groups = []
        for arch in self.archs:
            column = self.column(arch)
            for group in groups:
                if group[0] == column:
                    group[1].append(arch)
                    break
            else:
                groups.append((column, [arch]))
        return [members for _, members in groups]

    def ranges(self, archs):
        """"sm_70..sm_89 sm_100": three neighbours or more are a range."""
        words, i = [], 0
        at = [self.archs.index(a) for a in archs]
        while i < len(at):
            last = i
            while last + 1 < len(at) and at[last + 1] == at[last] + 1:
                last += 1
            if last < i + 2:
                last = i
            words.append(archs[i] + (".." + archs[last] if last > i else ""))
            i = last + 1
        return " ".join(words)

    def matrix(self, claim):
        groups = self.groups()
        print("\n| form |" + "".join(" " + " ".join(a[3:] for a in g) + " |" for g in groups))
        print("| --- |" + " --- |" * len(groups))
        for form in self.forms:
            if any((form, claim, a) in self.cells for a in self.archs):
                levels = [self.cells.get((form, claim, g[0]), {}) for g in groups]
                letters = ["".join(LETTERS[w] for w in LETTERS if w in cell) for cell in levels]
                print(f"| {form} |" + "".join(f" {text} |" for text in letters))

    def recordings(self):
        print("\n## Recordings\n\n| recording | GPU | as | driver | date | operations | results | accesses |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- |")
        for name, f in self.files.items():
            print(f"| {name} | {f['gpu']} | {f['arch']} | {f['driver']} | {f['date']} | {f['ops']} | "
                  f"{f['results']:,} | {f['counts']:,} |")
        recorded = [a for a in self.archs if any(f["arch"] == a for f in self.files.values())]
        none = []
        for arch in self.archs:
            if not any("hardware" in cell for (_, _, a), cell in self.cells.items() if a == arch):
                none.append(arch)
            elif arch not in recorded:
                print(f"\nNothing was recorded as {arch}: its letters H rest on recordings of another target of the "
                      "same\narithmetic generation.")
        if none:
            print(f"\nNo recordings at all: {self.ranges(none)}.")
        print("\n[hardware-notes.md](../../lab/reports/hardware-notes.md) has the comparisons that are too large to keep.")
        for arch in recorded:
            self.target(arch)

    def target(self, arch):
        print(f"\n### Recorded as {arch}\n\n"
              "| form | operations with results | results | operations with counts | accesses | recordings |\n"
              "| --- | --- | --- | --- | --- | --- |")
        total = {claim: [0, 0, 0] for claim in CLAIMS}

        def share(count):
            return f" {count[1]} of {count[0]} | {count[2]:,} |" if count[0] else " | |"

        for form in self.forms:
            counts = {claim: self.ops.get((form, claim, arch), [0, 0, 0]) for claim in CLAIMS}
            if not any(count[0] for count in counts.values()):
                continue
            for claim in CLAIMS:
                total[claim] = [a + b for a, b in zip(total[claim], counts[claim])]
            names = [os.path.basename(n).split(".")[0] for n, f in self.files.items()
                     if form in f["forms"] and f["arch"] == arch]
            print(f"| {form} |" + "".join(share(counts[c]) for c in CLAIMS) + "".join(" " + n for n in names) + " |")
        print("| all |" + "".join(share(total[c]) for c in CLAIMS) + " |")
        print(f"\n### Not recorded as {arch}\n\n| operation | claim | evidence |\n| --- | --- | --- |")
        for c in self.claims:
            if arch in c["archs"] and not any(r["arch"] == arch for r in c["recordings"]):
                level = "no model" if c["evidence"] == "none" else c["evidence"]
                print(f"| `{c['spelling']}` | {c['claim']} | {level} |")

    def sources(self):
        print("\n## Sources\n\n| | claim | source | architectures | forms |\n| --- | --- | --- | --- | --- |")
        for claim in CLAIMS:
            for level in LETTERS:
                rows = {}  # (source, architectures): forms
                for form in self.forms if level != "none" else ():
                    sources = {}
                    for arch in self.archs:
                        source = self.cells.get((form, claim, arch), {}).get(level)
                        if source is not None:
                            sources.setdefault(source, []).append(arch)
                    for source, archs in sources.items():
                        rows.setdefault((source, tuple(archs)), []).append(form)
                for (source, archs), forms in rows.items():
                    print(f"| {LETTERS[level]} | {claim} | {source} | {self.ranges(archs)} | {' '.join(forms)} |")

    def caveats(self):
        where, spellings = {}, {}
        for c in self.claims:
            for arch, text in c["caveats"].items():
                where.setdefault(text, set()).add(arch)
                spellings.setdefault(text, set()).add(c["spelling"])
        if where:
            print("\n## What is left open\n\nCases that the evidence of an answer does not cover; a recording of the operation "
                  "would settle them.\n\n| open | architectures | operations |\n| --- | --- | --- |")
        for text, archs in where.items():
            print(f"| {text} | {self.ranges([a for a in self.archs if a in archs])} | {len(spellings[text])} |")


def main():
    answer = json.load(sys.stdin)
    page = Page(answer["claims"], answer["targets"])
    print(HEAD)
    print("## Results: the bits an instruction leaves")
    page.matrix("results")
    print("\n## Counts: wavefronts and conflicts in shared memory")
    page.matrix("counts")
    page.recordings()
    page.sources()
    page.caveats()


main()
