#!/bin/sh
# program.sh COMMAND [ARGUMENT...] - the tests of a project that uses CUDA, without a GPU: ctest, pytest, make check.
# WSIM_OPTIONS are options of wsim run, such as "--check memory,race". The folder WSIM_OUT (wsim-report) gets findings.sarif,
# report.html and the records of all processes; the log gets the report. Exit status: that of the command, 1 for findings, 3 if
# something did not run, or 2 if no process used CUDA.
[ $# -gt 0 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
out=${WSIM_OUT:-wsim-report}
mkdir -p "$out" && rm -rf "$out/records" || exit 2
# shellcheck disable=SC2086 # options are words
wsim run $WSIM_OPTIONS --records "$out/records" --format sarif -o "$out/findings.sarif" -- "$@"
status=$?
# A part of --shard alone is merged by a later job.
case " $WSIM_OPTIONS" in *" --shard"*) exit $status ;; esac
wsim run --merge --format html -o "$out/report.html" "$out/records"
wsim run --merge "$out/records"
[ $? -ne 2 ] || [ $status -ne 0 ] || status=2
exit $status
