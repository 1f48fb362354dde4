"""Lint in process: what it finds is what the program finds, in texts and in files."""

import re

import pytest

import wsim
from conftest import SOURCE

STATEMENTS = SOURCE / "tests" / "lint" / "statements.cu"


def test_a_file():
    found = wsim.lint(STATEMENTS, arch="sm_90a")
    assert found == wsim.lint(str(STATEMENTS), arch=wsim.arch("h100")) and len(found) > 40
    assert {one.severity for one in found} == {"error", "warning", "note"}
    lines = STATEMENTS.read_text().split("\n")
    for one in found:
        assert one.file == str(STATEMENTS) and one.message and lines[one.line - 1][one.column - 1 : one.end_column - 1]
        assert re.fullmatch(r".*statements\.cu:\d+:\d+: (error|warning|note): .* \[[a-z._0-9]+\]", str(one))
    # Each comment of the file names the rules of the statement after it.
    named = set(re.findall(r"^ *// ([a-z]+\.[a-z.]*[a-z])", STATEMENTS.read_text(), re.MULTILINE))
    assert named <= {one.rule for one in found} <= set(wsim.rules())


def test_a_text():
    text = STATEMENTS.read_text()
    found = wsim.lint(text, arch="sm_90a")
    assert [(one.rule, one.line, one.column) for one in found] == [
        (one.rule, one.line, one.column) for one in wsim.lint(STATEMENTS, arch="sm_90a")
    ]
    assert all(one.file is None for one in found)
    assert wsim.lint("int x;") == [] == wsim.lint("\n")
    assert [one.rule for one in wsim.lint('/* \u00e4\u20ac */ asm volatile("bar.sync 0;");')] == ["asm.memory"]


def test_suggestions():
    (one,) = wsim.lint('asm volatile("bar.sync 0;");')
    assert (one.suggestion, one.severity, one.line, one.column, one.end_column) == ('"memory"', "note", 1, 1, 4)
    (one,) = wsim.lint('asm("mov.b32 %0, %r1;" : "=r"(x));')
    assert (one.suggestion, one.severity) == ("%%", "error")


def test_what_is_not_judged():
    found = wsim.lint('asm("bar.sync 0" M ";"); asm("multimem.red;" ::: "memory");\n')
    assert (list(found), found.statements, found.hidden, found.unmodelled) == ([], 2, 1, 1)


def test_newer_spellings():
    text = 'asm volatile("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0}, [%1];" : "=r"(x) : "r"(y) : "memory");'
    assert [(one.severity, one.rule) for one in wsim.lint(text)] == [("note", "spelling.qualifier.unknown")]
    assert wsim.lint(text).unmodelled == 1 and wsim.lint(text).judged == 0
    assert [one.severity for one in wsim.lint(text, ptx="8.7")] == ["error"]
    assert [one.severity for one in wsim.lint(text, ptx="9.1")] == ["note"]
    assert wsim.lint(text, ptx="9.0", ignore=["asm", "spelling"]).ignored == 1
    for wrong in ("9", "nine", "9.00", 9.0, ""):
        with pytest.raises(ValueError, match="ptx has to be a version"):
            wsim.lint(text, ptx=wrong)  # type: ignore
    with pytest.raises(wsim.Refused, match="lint.rule.unknown"):
        wsim.lint(text, ignore="asm.memori")


def test_controls():
    found = wsim.lint('asm volatile("bar.sync 0;"); // wsim-lint: off-line asm.memory -- reads nothing\n')
    assert (list(found), found.ignored) == ([], 1)
    (one,) = wsim.lint("// wsim-lint: of\n")
    assert (one.rule, one.severity) == ("lint.comment", "warning")


def test_a_baseline(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file, known = tmp_path / "a.cu", tmp_path / "known.txt"
    file.write_text('asm volatile("bar.sync 0;");\n')
    found = wsim.lint(file)
    assert len(found) == 1 and re.fullmatch("asm.memory [0-9a-f]{16} a.cu\n", found.baseline())
    known.write_text("# known\n" + found.baseline())
    file.write_text('\n\n  asm volatile( "bar.sync 0;");\nasm volatile("bar.sync 1;");')
    for path in (file, "a.cu", "./a.cu"):
        left = wsim.lint(path, baseline=known)
        assert (left.known, [one.line for one in left]) == (1, [4])
    known.write_text("asm.memory\n")
    with pytest.raises(wsim.Refused, match="line 1 of the baseline"):
        wsim.lint(file, baseline=known)
    with pytest.raises(FileNotFoundError):
        wsim.lint(file, baseline="none.txt")


def test_the_target():
    text = (SOURCE / "tests" / "lint" / "targets.ptx").read_text()
    assert [one.line for one in wsim.lint(text)] == [7, 8, 9, 10]
    assert wsim.lint(text, arch="sm_90a") == []
    with pytest.raises(wsim.Refused):
        wsim.lint(text, arch="sm_11")


def test_wrong_sources(tmp_path):
    with pytest.raises(FileNotFoundError):
        wsim.lint(tmp_path / "none.cu")
    with pytest.raises(TypeError, match="a text or a path"):
        wsim.lint(b"asm;")  # type: ignore
