[ -w /dev/full ] || { echo 'wsim: cannot write the output: No space left on device' >&2; exit 2; }
wsim ops --family ldmatrix >/dev/full
