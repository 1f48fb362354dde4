"""Modules of the package import each other as a tree: a module uses only those below it."""

import ast
from pathlib import Path

import wsim

FOLDER = Path(wsim.__file__).parent


def imports_of(text):
    """The modules of the package that a source imports, also inside functions and for types only."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "wsim":
            found |= set(node.module.split(".")[1:2]) or {name.name for name in node.names}
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[1] for name in node.names if name.name.startswith("wsim.")}
    return found


def circles(graph):
    """The modules that remain after removing modules without imports of the rest, repeatedly."""
    left = {name: {one for one in used if one in graph} for name, used in graph.items()}
    while True:
        leaves = {name for name, used in left.items() if not used}
        if not leaves:
            return sorted(left)
        left = {name: used - leaves for name, used in left.items() if name not in leaves}


def graph_of(folder):
    return {path.stem: imports_of(path.read_text()) for path in folder.glob("*.py")}


def test_no_circle():
    graph = graph_of(FOLDER)
    assert len(graph) > 25 and "_core" in graph["_ops"]
    assert circles(graph) == []


def test_a_circle_is_seen(tmp_path):
    for path in FOLDER.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text())
    with open(tmp_path / "_layout.py", "a") as file:
        file.write("\n\ndef late():\n    from ._ops import op\n\n    return op\n")
    left = circles(graph_of(tmp_path))
    assert {"_layout", "_ops"} <= set(left) and "_core" not in left
