"""record.py - runs the notebooks and writes what they say into them. The tests run them again and compare the text."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def run(path):
    """The notebook, executed in its folder."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    return notebook


def clean(notebook):
    """Without what differs from run to run and from machine to machine."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def texts(notebook):
    """What each cell says in text. A busy machine sends the text of a stream in pieces."""
    for cell in notebook.cells:
        said = {}
        for output in cell.get("outputs", []):
            name = output.get("name", len(said))  # of a stream
            said[name] = said.get(name, "") + (output.get("text") or output.get("data", {}).get("text/plain", ""))
        for text in said.values():
            yield cell.source, text


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or sorted(HERE.glob("*.ipynb"))):
        nbformat.write(clean(run(path.resolve())), path)
