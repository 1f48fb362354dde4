"""The style of this project as checks of proselint: plain English for comments, messages and pages."""

import re
from typing import Iterator

from proselint.registry.checks import Check, CheckResult, types

MOST_WORDS = 25

# Phrases of a translation, and what to write instead.
PHRASES = [
    ("told", r"\b(?:is|are|was|were|be|been|being|gets?) told\b", "name who reports what: 'the check reports ...'"),
    ("tells", r"\btells? (?:who|of|what|whether|which|how)\b", "write 'reports', 'returns' or 'says'"),
    ("nobody", r"\b[Nn]obody\b", "name the thing: 'no check hears it', 'uninitialised'"),
    ("somebody", r"\b(?:[Ss]omebody|[Ee]verybody|[Aa]nybody)\b", "name the thing: 'a listener', 'every warp'"),
    ("who", r"\b(?:those|they|him|her|one) who\b|\bwho (?:asks|waits|listens|watches|comes|wants|looks|reads|calls|hears|wrote|knows)\b",
     "name the subject: 'the caller', 'a waiting warp'"),
    ("stands", r"\bas (?:it|they) stands?\b|\bstands? (?:behind|beside|there)\b", "write 'unchanged', 'follows', 'is'"),
    ("so-many", r"\bso many\b", "write 'this many' or give the number"),
    ("of-it", r"\bof (?:it|them|those)[.;:)]", "name it, or drop the phrase"),
    ("of-those", r"\bof those (?:that|which)\b", "name them"),
    ("held", r"\bheld (?:against|to)\b", "write 'compared with' or 'must equal'"),
    ("what-is", r"\bwhat(?: \w+){0,3} (?:is|has|does)[.;,]", "turn it round: name the thing first"),
    ("what-came", r"\bwhat (?:came|comes|became|becomes|went|goes)\b(?![^.]*\?)", "name it: 'the result', 'later accesses', 'the error'"),
    ("what-was", r"\bwhat (?:is|are|was|were) (?:there|left|kept|below|above|beside|moved|read|written|stored|loaded|run|tested|more|wider|longer"
     r"|gone|done|asked for|looked|found|made|released|recorded|judged|published|compared|copied|known|new|lost|taken|counted|computed|needed)\b"
     r"(?![^.]*\?)", "name it: 'the old value', 'the rest', 'its findings'"),
    ("has-not", r"\b(?:has|have) not\b(?! (?:been|yet|changed|exited|arrived|seen|run))", "write 'lacks' or 'does not have'"),
    ("says-nothing", r"\bsays nothing of\b|\bknows nothing of\b", "write 'does not mention', 'does not depend on'"),
    ("the-same", r"\bthe same as it stands\b|\bof the same\b", "name what is equal"),
    ("herewith", r"\b(?:hereby|whereby|therein|thereof|wherein|thereby|herein)\b", "write a sentence of its own"),
]

# A statement that begins with one of these hides its subject. Questions may.
OPENINGS = r"(?:What|Who|Those|Whoever|Whatever|Of (?!course))\b"


def words_of(sentence: str) -> int:
    sentence = re.sub(r"`[^`]*`", "code", sentence)
    return len(re.findall(r"[A-Za-z0-9][^\s]*", sentence))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in re.finditer(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)(?:[.?!][\"')\]]*(?=\s|$)|\n\n)", text):
        yield start, stop.end()
        start = stop.end()
    if text[start:].strip():
        yield start, len(text)


def too_long(text: str, check: Check) -> Iterator[CheckResult]:
    for start, end in sentences(text):
        count = words_of(text[start:end])
        if count > MOST_WORDS:
            lead = len(text[start:end]) - len(text[start:end].lstrip())
            yield CheckResult(check.path, check.message.format(count), (start + lead, end), None)


def bad_opening(text: str, check: Check) -> Iterator[CheckResult]:
    for start, end in sentences(text):
        sentence = text[start:end]
        lead = len(sentence) - len(sentence.lstrip())
        if re.match(OPENINGS, sentence.lstrip()) and not sentence.rstrip().endswith("?"):
            yield CheckResult(check.path, check.message, (start + lead, end), None)


CHECKS = [
    Check(check_type=too_long, path="wsim.long", message=f"a sentence has at most {MOST_WORDS} words; this has {{}}"),
    Check(check_type=bad_opening, path="wsim.opening", message="begin with the subject, not with What, Who, Those, Of"),
]


def phrase(pattern: str):
    compiled = re.compile(pattern)

    def find(text: str, check: Check) -> Iterator[CheckResult]:
        for match in compiled.finditer(text):
            yield CheckResult(check.path, check.message.format(match.group(0)), match.span(), None)

    return find


for name, pattern, advice in PHRASES:
    CHECKS.append(Check(check_type=phrase(pattern), path=f"wsim.{name}", message="'{}': " + advice.replace("{", "{{")))

# Groups of proselint that suit technical text.
OF_PROSELINT = ("lexical_illusions", "spelling", "malapropisms", "mondegreens", "nonwords", "archaism")
