#!/bin/sh
# fake.sh - stands in for ncu and for wsim-hw: the recorded reports of a few launches, and their
# cases. REPORTS is the folder of the reports.
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
--version)
    echo 'Version 2025.3.1.0 (build 36398880) (public-release)'
    ;;
access)
    while [ "$1" != -o ]; do shift; done
    cp "$here/cases.trace" "$2"
    ;;
*)
    while [ "$1" != --log-file ]; do shift; done
    cp "$REPORTS/$(basename "$2")" "$2" || exit 9
    shift 2
    exec "$@"
    ;;
esac
