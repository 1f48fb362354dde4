"""The command `wsim` of an installed package: the program is a file beside the library. NumPy is not loaded for it."""

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program."""
    root = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "wsim")
    program = os.path.join(root, "bin", "wsim")
    if not os.path.exists(program):
        sys.exit(
            "wsim: this package has no program, because popt or jansson was missing when pip built it. Debian: apt install"
            " pkg-config libpopt-dev libjansson-dev, then pip install --force-reinstall --no-deps of the source"
        )
    os.execv(program, ["wsim", *sys.argv[1:]])
