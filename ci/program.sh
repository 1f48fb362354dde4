#!/bin/sh
# program.sh COMMAND [ARGUMENT...] - the tests of a project that uses CUDA, without a GPU: ctest, pytest, make check.
# WSIM_OPTIONS are options of wsim run, such as "--check memory,race". The folder WSIM_OUT (wsim-report) gets findings.sarif,
# report.html and the records of all processes; the log gets the report. Exit status: that of the command, or 1 for findings.
[ $# -gt 0 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
out=${WSIM_OUT:-wsim-report}
mkdir -p "$out" && rm -rf "$out/records" || exit 2
# shellcheck disable=SC2086 # options are words
wsim run $WSIM_OPTIONS --records "$out/records" --format sarif -o "$out/findings.sarif" -- "$@"
status=$?
wsim run --merge --format html -o "$out/report.html" "$out/records" 2>/dev/null
wsim run --merge "$out/records" 2>/dev/null || [ $? -eq 1 ] || echo "no process used CUDA"
exit $status
