#!/usr/bin/env python3
"""matcher.py WSIM SOURCE [PLANTED] - the problem matchers of ci/matcher.json find each line that is a finding, and no
other line. One line has one matcher."""
import json
import pathlib
import re
import subprocess
import sys

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
matchers = {m["owner"]: m for m in json.load(open(source / "ci" / "matcher.json"))["problemMatcher"]}


def found(owner, *command, text=None):
    pattern = matchers[owner]["pattern"][0]
    done = text is None and subprocess.run([program, *command], cwd=source, capture_output=True, text=True)
    text = text or done.stdout + done.stderr
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

# A rule, a note, a kernel without a line, a name of C++; a message of wsim has no matcher.
lines = {"wsim-run": "tests/race.cu:8: race.read_only: reads what it wrote",
         "wsim-run-note": "tests/race.cu:8: note: sync.group.leak: exits with pending copies",
         "wsim-run-kernel": "a::sum<int>(int*): race.global: nothing orders the two"}
for owner in lines:
    assert [o for o in lines if found(o, text=lines[owner])] == [owner], owner
    assert not found(owner, text="wsim: launch.json: No such file") and not found(owner, text="launches  blocks  kernel")
if len(sys.argv) > 3 and sys.argv[3]:
    run = ["run", "--check", "all,leak", sys.argv[3]]
    assert [f["code"] for f in found("wsim-run-kernel", *run, "race", "wrong")] == ["race.global"]
    leak = found("wsim-run", *run, "leak", "wrong")  # where addr2line knows the line
    assert not leak or (leak[0]["file"].startswith("tests/runtime/planted/") and leak[0]["code"] == "api.leak"), leak
