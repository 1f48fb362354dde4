"""The examples of every docstring; and there is one for everything that is public."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import wsim
from conftest import SOURCE

LAUNCH = str(SOURCE / "examples" / "kernels" / "saxpy.json")
SAXPY = (SOURCE / "examples" / "kernels" / "saxpy.ptx").read_text()
MODULES = ["wsim"] + [
    "wsim." + found.name
    for found in pkgutil.iter_modules(wsim.__path__)
    if found.name not in ("_wsim", "pytest_plugin")
]
PLAIN = {
    "Arch",
    "Atom",
    "Copied",
    "Counter",
    "Expectation",
    "Factor",
    "Fit",
    "MetaGroup",
    "Step",
    "Term",
    "Parameter",
    "Problem",
    "Group",
    "LintFinding",
    "Evidence",
    "Place",
    "Box",
    "Recording",
}  # what a function answers, shown there


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    options = doctest.ELLIPSIS | doctest.REPORT_ONLY_FIRST_FAILURE
    failed, _ = doctest.testmod(module, extraglobs={"LAUNCH": LAUNCH, "SAXPY": SAXPY}, optionflags=options)
    assert not failed


def public(thing, name):
    """Things with a docstring of their own that a reader meets."""
    yield name, thing
    if inspect.isclass(thing):
        for part, value in vars(thing).items():
            if not part.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                yield name + "." + part, value


def test_everything_public_has_an_example():
    names = [(name, getattr(wsim, name)) for name in wsim.__all__ if not inspect.ismodule(getattr(wsim, name))]
    names += [("desc." + name, getattr(wsim.desc, name)) for name in wsim.desc.__all__]
    missing = [
        name
        for top, thing in names
        for name, one in public(thing, top)
        if name not in PLAIN and ">>>" not in (inspect.getdoc(one) or "")
    ]
    assert missing == []


def test_the_page(monkeypatch):
    monkeypatch.chdir(SOURCE)
    failed, tried = doctest.testfile(
        str(SOURCE / "docs" / "python.md"), module_relative=False, optionflags=doctest.REPORT_ONLY_FIRST_FAILURE
    )
    assert tried > 30 and not failed
