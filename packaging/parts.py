#!/usr/bin/env python3
"""parts.py VERSION SECONDS FOLDER - writes the parts of a release as SPDX 2.3. Parts are the files of FOLDER with their checksums,
and the libraries that the program is linked with, as this machine has them. SECONDS since 1970 are the date of the commit."""
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys

version, seconds, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
LIBRARIES = [  # module of pkg-config, licence
    ("popt", "X11"), ("jansson", "MIT"), ("libzstd", "BSD-3-Clause"), ("liblzma", "0BSD"), ("zlib", "Zlib")]


def package(name, version, licence, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False} | more


packages = [package("wsim", version, "MIT")]
relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-wsim")]
for module, licence in LIBRARIES:
    found = subprocess.run(["pkg-config", "--modversion", module], capture_output=True, text=True)
    if found.returncode == 0:
        packages.append(package(module, found.stdout.strip(), licence))
        relations.append(("SPDXRef-wsim", "DEPENDS_ON", f"SPDXRef-{module}"))
files = []
for number, path in enumerate(sorted(folder.iterdir())):
    bytes_ = path.read_bytes()
    files.append({"SPDXID": f"SPDXRef-File-{number}", "fileName": f"./{path.name}", "copyrightText": "NOASSERTION",
                  "licenseConcluded": "MIT", "checksums": [
                      {"algorithm": name.upper(), "checksumValue": hashlib.new(name, bytes_).hexdigest()}
                      for name in ("sha1", "sha256")]})
    relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", f"SPDXRef-File-{number}"))
digest = hashlib.sha256("".join(f["checksums"][1]["checksumValue"] for f in files).encode()).hexdigest()
json.dump({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"wsim-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/wsim-{version}-{digest}",
    "creationInfo": {"created": f"{datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}",
                     "creators": ["Tool: packaging/parts.py"]},
    "packages": packages, "files": files,
    "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
}, sys.stdout, indent=1)
