#!/bin/sh
# sarif.sh WSIM FOLDER - the SARIF of statements.cu has what SARIF 2.1.0 requires, a description of every rule that it names, and
# regions that lie in the file. With jsonschema, WSIM_SARIF_SCHEMA=FILE compares it with the schema of OASIS.
wsim=$1 file=$2/statements.cu
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
log=$(mktemp) && trap 'rm -f "$log"' EXIT
"$wsim" lint -q --arch sm_90a --format sarif "$file" "$2/targets.ptx" >"$log"
[ $? = 1 ] || { echo "not 1"; exit 1; }
python3 - "$log" "$file" <<'END'
import json, os, re, sys
from urllib.parse import unquote, urlsplit

log = json.load(open(sys.argv[1]))
lines = open(sys.argv[2], encoding="utf-8").read().split("\n")
assert log["version"] == "2.1.0" and urlsplit(log["$schema"]).scheme == "https"
(run,) = log["runs"]
driver, results = run["tool"]["driver"], run["results"]
assert driver["name"] == "wsim lint" and re.fullmatch(r"\d+\.\d+\.\d+", driver["version"])
assert "informationUri" not in driver  # a manual of another project is not that of wsim
assert run["columnKind"] == "unicodeCodePoints" and len(results) > 40
ids = [rule["id"] for rule in driver["rules"]]
assert len(set(ids)) == len(ids) > 20
for rule in driver["rules"]:
    assert rule["shortDescription"]["text"].endswith(".") and rule["help"]["text"].endswith("."), rule
    assert rule["help"]["text"] != rule["shortDescription"]["text"]
    assert "helpUri" not in rule or urlsplit(rule["helpUri"]).scheme == "https"
    assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
assert sum("helpUri" in rule for rule in driver["rules"]) >= len(ids) - 1
for result in results:
    assert ids[result["ruleIndex"]] == result["ruleId"] and result["message"]["text"]
    assert result["level"] in ("note", "warning", "error")
    (location,) = result["locations"]
    place = location["physicalLocation"]
    path, region = urlsplit(place["artifactLocation"]["uri"]), place["region"]
    assert os.path.exists(unquote(path.path)), path
    assert 1 <= region["startColumn"] < region["endColumn"], region
    if path.path.endswith("statements.cu"):
        assert region["endColumn"] <= len(lines[region["startLine"] - 1]) + 1, region
    (print_,) = result["partialFingerprints"].values()
    assert re.fullmatch("[0-9a-f]{16}", print_)
if os.environ.get("WSIM_SARIF_SCHEMA"):
    import jsonschema
    jsonschema.validate(log, json.load(open(os.environ["WSIM_SARIF_SCHEMA"])))
END
