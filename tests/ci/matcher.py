#!/usr/bin/env python3
"""matcher.py WSIM SOURCE - the problem matchers of ci/matcher.json find each line of a lint and of a run that is a finding."""
import json
import pathlib
import re
import subprocess
import sys

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
matchers = {m["owner"]: m for m in json.load(open(source / "ci" / "matcher.json"))["problemMatcher"]}


def found(owner, *command):
    pattern = matchers[owner]["pattern"][0]
    text = subprocess.run([program, *command], cwd=source, capture_output=True, text=True).stdout
    fields = [name for name in pattern if name != "regexp"]
    matches = [m for m in map(re.compile(pattern["regexp"], re.A).match, text.splitlines()) if m]
    return [{name: m.group(pattern[name]) for name in fields} for m in matches]


lint = found("wsim-lint", "lint", "tests/lint/garbage.cu")
assert [(f["file"], f["line"], f["column"], f["severity"], f["code"]) for f in lint] == [
    ("tests/lint/garbage.cu", "3", "5", "warning", "asm.volatile"),
    ("tests/lint/garbage.cu", "5", "15", "warning", "asm.pointer")], lint
run = found("wsim-run", "run", "examples/kernels/reverse.ptx", "--block", "64", "--arg", "x[256]=0")
assert [(f["file"], f["line"], f["code"]) for f in run] == [("reverse.cu", "4", "race.shared")], run
assert "nothing orders the two" in run[0]["message"], run
