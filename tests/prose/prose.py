#!/usr/bin/env python3
"""prose.py [--record] [PATH...]: plain English in comments, messages and pages.

Reads Markdown, comments and user-visible strings of C, comments of tables, scripts and CMake, Python
docstrings. Without PATH it reads all files of git and compares the findings of each folder with
allowed.tsv: more than allowed is an error, and so is fewer, so that the numbers only go down (--record
writes them) and reads the subjects of new commits. With PATHs it prints every finding there."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from proselint.checks import __register__ as PROSELINT

from style import CHECKS, OF_PROSELINT

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SKIP = re.compile(r"^(docs/generated/|lab/reports/|tests/cli/.*\.out$|tests/kernels/|tests/data/|tests/lint/|traces/|LICENSE|tests/prose/"
                  r"|python/notebooks/|docs/gallery/|packaging/abi/|include/wsim/index_table\.hpp)")


def blank(text):
    """The same number of lines, without words."""
    return "\n" * text.count("\n")


def markdown(text):
    text = re.sub(r"^(```.*?^```[^\n]*)", lambda m: blank(m.group(0)), text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", lambda m: blank(m.group(0)), text, flags=re.S)
    block, start, out = [], 1, []
    for number, line in enumerate(text.split("\n") + [""], 1):
        code = re.match(r" {4}|\t", line) and not re.match(r"\s*([*-]|\d+\.) ", line) and not block
        if code or not line.strip() or line.startswith(("|", "#")) or re.match(r"\s*([*-]|\d+\.) ", line):
            if block:
                out.append((start, "\n".join(block)))
            block = []
            if line.startswith("|"):
                out += [(number, cell) for cell in line.split("|") if len(cell.split()) > 3]
            elif line.strip() and not code and not line.startswith("#"):
                block, start = [line], number
        else:
            if not block:
                start = number
            block.append(line)
    return [(n, re.sub(r"\]\([^)]*\)", "]", t)) for n, t in out]


def comment(body):
    """A comment without its margin; lines that are drawings or tables are dropped."""
    lines = [re.sub(r"^\s*(\*|//|#)? ?", "", line) for line in body.split("\n")]
    return "\n".join("" if re.match(r"\s{2,}|[-=|+]{3}|\w+\(.*\)$", line) else line for line in lines)


C_TOKEN = re.compile(r'/\*(.*?)\*/|//([^\n]*)|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def c_source(text):
    out, run, run_at, last = [], [], 0, -2
    for match in C_TOKEN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match.group(1) is not None:
            out.append((line, comment(match.group(1))))
        elif match.group(2) is not None:
            if line == last + 1 and run:
                run.append("//" + match.group(2))
            else:
                if run:
                    out.append((run_at, comment("\n".join(run))))
                run, run_at = ["//" + match.group(2)], line
            last = line
        elif match.group(3) and len(match.group(3).split()) >= 4:
            words = match.group(3).replace("\\n", " ").replace('\\"', "'")
            out.append((line, re.sub(r"%-?[0-9*.]*(?:l|ll|z)?[a-zA-Z]|%\"\s*PRI\w+", "_", words)))
    if run:
        out.append((run_at, comment("\n".join(run))))
    return out


def hashes(text):
    out, run, at = [], [], 1
    for number, line in enumerate(text.split("\n") + [""], 1):
        match = re.match(r"\s*# ?(.*)", line)
        if match and not line.startswith("#!"):
            if not run:
                at = number
            run.append("# " + match.group(1))
        elif run:
            out.append((at, comment("\n".join(run))))
            run = []
    return out


def python(text):
    out = hashes(text)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return out
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module, ast.AsyncFunctionDef)):
            doc = ast.get_docstring(node, clean=True)
            if doc:
                line = node.body[0].lineno
                doc = re.sub(r"^(>>>|\.\.\.).*(\n(?!\n)(?!>>>).*)*", lambda m: blank(m.group(0)), doc, flags=re.M)
                out.append((line, doc))
    return out


def texts_of(path):
    text = (ROOT / path).read_text(encoding="utf8", errors="replace")
    if path.endswith(".md"):
        return markdown(text)
    if path.endswith((".c", ".h", ".hpp", ".cu", ".cuh", ".def", ".cpp")):
        return c_source(text)
    if path.endswith(".py"):
        return python(text)
    if path.endswith((".sh", ".cmake", ".awk", ".txt", ".toml", ".yml")):
        return hashes(text)
    return []


def folder_of(path):
    parts = path.split("/")
    if parts[0] in ("sim", "harness", "tools", "docs", "tests", "include") and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0] if len(parts) > 1 else "."


def load_checks():
    return CHECKS + [check for check in PROSELINT if check.path.split(".")[0] in OF_PROSELINT]


def repeats_word(text, start, end):
    """Sizes (8 x 8 x 8), digits (bc bc bc), names in capitals and code repeat on purpose; words of a sentence do not."""
    line = text[text.rfind("\n", 0, start) + 1:start]
    words = text[start:end].split()
    return (line.count("`") % 2 == 0 and words != ["long", "long"] and (len(words) == 2 or len(set(words)) > 1)
            and re.search(r"\b[A-Za-z]?[a-z]+\b\s+[a-z]{2,}", text[start:end]))


def findings_of(name, texts, checks):
    for line, text in texts:
        if not text.strip():
            continue
        padded = "\n" + text + "\n"
        for check in checks:
            for result in check.check_with_flags(padded):
                if check.path == "lexical_illusions" and not repeats_word(padded, *result.span):
                    continue
                start = max(result.span[0], 0)
                at = line + padded.count("\n", 0, start) - 1 + (padded[start:start + 1] == "\n")
                quote = " ".join(padded[result.span[0]:result.span[1]].split())
                yield f"{name}:{at}: {result.check_path}: {result.message}  [{quote[:90]}]"


def commits(checks):
    since = (HERE / "commits-since").read_text().strip()
    try:
        log = subprocess.check_output(["git", "log", "--no-merges", "--format=%h%x09%s", f"{since}.."], cwd=ROOT, text=True,
                                      stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return []
    out = []
    for line in log.splitlines():
        name, subject = line.split("\t", 1)
        if len(subject) > 72:
            out.append(f"commit {name}: a subject has at most 72 characters; this has {len(subject)}")
        out += findings_of(f"commit {name}", [(1, subject)], checks)
    return out


def main(arguments):
    record = "--record" in arguments
    paths = [a for a in arguments if not a.startswith("--")]
    checks = load_checks()
    listed = subprocess.check_output(["git", "ls-files", "--"] + paths, cwd=ROOT, text=True).splitlines()
    found = []
    for path in listed:
        if not SKIP.search(path) and (ROOT / path).is_file():
            found += [(folder_of(path), text) for text in findings_of(path, texts_of(path), checks)]
    if paths:
        print("\n".join(text for _, text in found))
        print(f"{len(found)} findings", file=sys.stderr)
        return 1 if found else 0

    counts = Counter(folder for folder, _ in found)
    table = HERE / "allowed.tsv"
    if record:
        table.write_text("# Findings of prose.py that each folder still has. The numbers only go down.\n" +
                         "".join(f"{folder}\t{counts[folder]}\n" for folder in sorted(counts)))
        return 0
    allowed = dict(line.split("\t") for line in table.read_text().splitlines() if not line.startswith("#"))
    failed = 0
    for folder in sorted(set(counts) | set(allowed)):
        want, have = int(allowed.get(folder, 0)), counts[folder]
        if have > want:
            failed = 1
            print(f"{folder}: {have} findings, {want} allowed: tests/prose/check.sh {folder}")
            if have - want <= 5 or want == 0:
                print("".join(f"    {text}\n" for where, text in found if where == folder)[:4000], end="")
        elif have < want:
            failed = 1
            print(f"{folder}: {have} findings, {want} allowed: lower the number (tests/prose/check.sh --record)")
    for text in commits(CHECKS):
        failed = 1
        print(text)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
