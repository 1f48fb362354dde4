"""Programs of examples/python print what is beside them; notebooks run to their end and say what they said."""

import subprocess
import sys

import pytest

from conftest import SOURCE

PROGRAMS = sorted(path for path in (SOURCE / "examples" / "python").glob("*.py") if not path.name.startswith("test_"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program):
    said = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    assert said.stdout == program.with_suffix(".txt").read_text()


def test_kernel_tests():
    how = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    said = subprocess.run([*how, str(SOURCE / "examples" / "python" / "test_gemm.py")], capture_output=True, text=True)
    assert said.returncode == 0 and "6 passed" in said.stdout, said.stdout


NOTEBOOKS = sorted((SOURCE / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    monkeypatch.syspath_prepend(str(notebook.parent))
    import record

    kept = list(record.texts(nbformat.read(notebook, as_version=4)))
    assert kept and list(record.texts(record.run(notebook))) == kept
