"""bindings.py INCLUDE LOOPS OUT CC... - writes the C source of the extension module.

The preprocessor of the C compiler reads the declarations from the public headers, so no struct and no
function is written twice. cffi compiles the declarations against these headers: a wrong field does not
compile.
"""

import os
import re
import subprocess
import sys
import tempfile

from cffi import FFI

HEADERS = ["wsim/wsim.h"] + [
    "wsim/harness/%s.h" % name for name in ("launch", "lint", "multiply", "picture", "suggest")
]


def without_bodies(text):
    """The text with declarations of the functions that it defines: `static inline ... { ... }`."""
    kept, at = [], 0
    for found in re.finditer(r"^static inline [^;{]*\{", text, re.MULTILINE):
        if found.start() < at:
            continue
        kept.append(text[at : found.start()])
        kept.append(found.group()[len("static inline ") : -1] + ";\n")
        at, depth = found.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    return "".join(kept) + text[at:]


def declarations(include, loops, compiler):
    """The public headers in the words of cffi: without comments, macros and the headers of C."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stddef.h", "stdint.h", "string.h"):
            open(os.path.join(stubs, name), "w").close()
        text = "".join("#include <%s>\n" % name for name in HEADERS)
        # cffi knows the types of the C library; their headers are none of its business.
        flags = ["-E", "-P", "-nostdinc", "-I" + stubs, "-I" + include, "-U__GNUC__", "-xc", "-"]
        text = subprocess.run(compiler + flags, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout
    text = without_bodies(text)
    text += "".join(one + ";\n" for one in prototypes(loops))
    return text


def prototypes(path):
    """Declarations of the structs and functions that a file defines."""
    with open(path) as file:
        text = file.read()
    structs = re.findall(r"^(struct \w+ \{.*?^\});", text, re.MULTILINE | re.DOTALL)
    functions = re.findall(r"^static ([^;{]*) \{", text, re.MULTILINE)
    return [" ".join(one.split()) for one in structs + functions]


def flags_of(include, names):
    """Macros of flags and sizes that the package asks for by name."""
    found = []
    for folder, _, files in os.walk(include):
        for name in files:
            with open(os.path.join(folder, name)) as file:
                found += re.findall(r"^#define (%s) " % names, file.read(), re.MULTILINE)
    return "".join("#define %s ...\n" % name for name in sorted(set(found)))


def main(include, loops, out, *compiler):
    text = declarations(include, loops, list(compiler))
    text += flags_of(include, r"WSIM_(?:CHECK|MODULE)_[A-Z_]+|WSIM_(?:FINDING_MOST|LANES|PLAIN|VERSION_NUMBER)")
    ffi = FFI()
    ffi.cdef(text)
    source = "".join("#include <%s>\n" % name for name in HEADERS)
    ffi.set_source("wsim._wsim", source + '#include "%s"\n' % os.path.basename(loops))
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
