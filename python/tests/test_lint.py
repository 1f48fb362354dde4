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
    assert named <= {one.rule for one in found}


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
    found = wsim.lint('asm("bar.sync 0" M ";"); asm("tcgen05.wait::ld.sync.aligned;" ::: "memory");\n')
    assert (list(found), found.statements, found.hidden, found.unmodelled) == ([], 2, 1, 1)


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
