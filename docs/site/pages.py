#!/usr/bin/env python3
"""pages.py SOURCE PAGES MKDOCS - copies the pages of docs/ into PAGES and adds a page for each public header.
MKDOCS is the configuration that it writes. A link to a file outside of docs/ leads to a copy of the file. A link to a folder
becomes plain text."""
import pathlib
import re
import shutil
import sys

source, pages, config = map(pathlib.Path, sys.argv[1:])
docs = source / "docs"
shutil.rmtree(pages, ignore_errors=True)
shutil.copytree(docs, pages, ignore=shutil.ignore_patterns("site"))
shutil.copy(docs / "site" / "index.md", pages / "index.md")
(pages / "assets").mkdir()
for name in ("iframe-worker.js", "pages.css"):
    shutil.copy(docs / "site" / name, pages / "assets")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def link(page):
    def other(match):
        words, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        path = (docs / page.parent / target).resolve()
        if docs.resolve() in path.parents or path == docs.resolve():
            return match.group(0)
        if not path.is_file():
            return words
        inside = path.relative_to(source.resolve())
        up = "../" * len(page.parent.parts)
        if inside.parts[0] == "include" and inside.suffix in (".h", ".hpp"):
            return f"[{words}]({up}headers/{header_page(inside)})"
        if str(inside) == "README.md":
            return f"[{words}]({up}index.md)"
        copy = pages / "source" / inside.with_name(inside.name + ".txt")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
        return f"[{words}]({up}source/{inside}.txt)"

    return lambda text: LINK.sub(other, text)


def header_page(inside):
    return "_".join(inside.parts[1:]) + ".md"


for path in sorted(pages.rglob("*.md")):
    page = path.relative_to(pages)
    path.write_text(link(page)(path.read_text()))

(pages / "headers").mkdir()
nav = []
for path in sorted((source / "include").rglob("*.h")) + sorted((source / "include").rglob("*.hpp")):
    inside = path.relative_to(source)
    language = "c++" if path.suffix == ".hpp" else "c"
    name = "/".join(inside.parts[1:])
    (pages / "headers" / header_page(inside)).write_text(f"# {name}\n\n```{language}\n{path.read_text()}```\n")
    nav.append(f"      - {name}: headers/{header_page(inside)}")
config.write_text((docs / "site" / "mkdocs.yml").read_text().replace("HEADERS", "  - Headers:\n" + "\n".join(nav)))
