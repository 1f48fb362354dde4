#!/usr/bin/env python3
"""commands.py WSIM SOURCE SECONDS [SEED] - randomly changed command lines of the tests and pages. wsim may refuse them, but not crash, hang or leak (build it with sanitizers). Exit status 1 and the
command lines, if any does. Commands that write files, run a compiler or read all folders are excluded."""
import glob
import os
import random
import shlex
import subprocess
import sys
import time

HOSTILE = ["", "-1", "0", "18446744073709551615", "4294967296", "9" * 20, "1e999", "nan", "0x", "%s%n",
           "\x1b[31m", "<script>", "../../../etc/passwd", "a" * 300, "(" * 2000, "[" * 3000, "{" * 500,
           "<" * 1000, "lane" * 500, "/dev/null", "/", "-", "--", "*,*=1", "0,0=1;" * 200, "\u00ff",
           "0..", "..7", "0..99999999", "k=0..7", "1/0", "lane%0", "lane<<99", "-9223372036854775808",
           "m0n0k0", "sm_", "random:", "lane*lane*lane*lane*4294967295", "~lane", "\u202e", '"', "'", "\\"]
FORMATS = ["json", "csv", "md", "svg", "html", "cute", "text", "github", "sarif", "x"]
SIGNS = "0123456789-+*/%()[]{}<>,.:;=xXaZ &|^~!@#$"
WRITES = ("-o", "--output", "--save", "--plan", "--c")


def command_lines(source):
    """The words of each `wsim ...` of the pages and of tests/cli."""
    pages = glob.glob(source + "/tests/cli/*.cmd") + glob.glob(source + "/docs/**/*.md", recursive=True)
    for page in pages:
        with open(page, errors="replace") as text:
            for line in text:
                line = line.strip().lstrip("$ ")
                for end in (" | ", " ; ", ">", "&&"):
                    line = line.split(end)[0]
                try:
                    words = shlex.split(line)
                except ValueError:
                    continue
                if len(words) > 1 and words[0] == "wsim" and words[1] not in ("bench", "replay"):
                    yield words[1:]


def change(draw, words, known):
    """A word is replaced, left out, put in, cut, repeated ..."""
    words = list(words)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(1, len(words) + 1)
        kind = draw.randrange(8)
        if at == len(words) or kind == 0:
            words.insert(at, draw.choice(draw.choice((HOSTILE, known))))
        elif kind == 1:
            words[at] = draw.choice(HOSTILE)
        elif kind == 2:
            del words[at]
        elif kind == 3 and words[at]:
            i = draw.randrange(len(words[at]))
            words[at] = words[at][:i] + draw.choice(SIGNS) + words[at][i + draw.randrange(2):]
        elif kind == 4:
            words[at] += draw.choice(HOSTILE)
        elif kind == 5 and "=" in words[at]:
            words[at] = words[at].split("=")[0] + "=" + draw.choice(HOSTILE)
        elif kind == 6:
            i = draw.randrange(len(words[at]) + 1)
            words[at] = words[at][:i] + words[at][i:] * draw.choice((0, 2, 50))
        else:
            words += ["--format", draw.choice(FORMATS)]
    return words


def main():
    wsim, source, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else time.time_ns())
    lines = sorted(command_lines(source))
    known = [word for words in lines for word in words]
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99:allocator_may_return_null=1",
                       UBSAN_OPTIONS="halt_on_error=1:exitcode=98")
    end, runs, bad = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        words = change(draw, draw.choice(lines), known)
        if any(word.startswith(WRITES) or word == "/" for word in words):
            continue
        runs += 1
        try:
            done = subprocess.run([wsim, *words], cwd=source, env=environment, timeout=60,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            how = "exit status %d" % done.returncode
            if done.returncode in (0, 1, 2, 3, 77) and b"ERROR: AddressSanitizer" not in done.stderr:
                continue
        except subprocess.TimeoutExpired:
            how, done = "60 seconds", None
        bad += 1
        print(how, shlex.join(words), sep=": ")
        if done:
            print(done.stderr[-2000:].decode(errors="replace"))
    print(f"{runs} command lines of {len(lines)}, {bad} bad")
    return bad != 0 or runs == 0


sys.exit(main())
