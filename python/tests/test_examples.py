"""Programs of examples/python print the text beside them; notebooks run to their end and say what they said."""

import subprocess
import sys

import numpy as np
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


def test_notebook_in_pieces(monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    monkeypatch.syspath_prepend(str(NOTEBOOKS[0].parent))
    import record

    said = [("stdout", "passed"), ("stderr", "slow"), ("stdout", "\n")]
    outputs = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in said]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("test()", outputs=outputs)])
    assert list(record.texts(notebook)) == [("test()", "passed\n"), ("test()", "slow")]


TUTORIALS = sorted(path for path in (SOURCE / "docs" / "tutorials").glob("*.md") if "```python\n" in path.read_text())


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial(page, monkeypatch):
    """The Python code of a tutorial runs in the folder of its kernel, with two matrices a and b."""
    monkeypatch.chdir(SOURCE / "tests" / "kernels" / "sgemm")
    names = {"a": np.eye(16, dtype=np.float16), "b": np.ones((16, 8), np.float16)}
    for block in page.read_text().split("```python\n")[1:]:
        exec(compile(block.split("```")[0], str(page), "exec"), names)
