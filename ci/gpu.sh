#!/bin/sh
# gpu.sh DIR [OPTION...] - wsim-hw diff with these options (docs/hardware.md). It leaves report.txt in DIR. If
# something differs, it adds failing.trace, which any machine can replay, and small.trace, with the cases made small
# on this GPU. WSIM_HW is the program (./wsim-hw). Exit status: 0 equal, 1 different, 2 error, 77 no GPU.
hw=${WSIM_HW:-./wsim-hw}
[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
dir=$1
shift
mkdir -p "$dir" || exit 2
rm -f "$dir/failing.trace" "$dir/small.trace"

arch='' last=''
for word; do
    [ "$last" != --arch ] || arch=$word
    last=$word
done

: >"$dir/report.txt" || exit 2
"$hw" diff "$@" -o "$dir/failing.trace" >"$dir/report.txt"
status=$?
cat "$dir/report.txt"
case $status in
0 | 1 | 2 | 77) ;;
*) echo "gpu.sh: $hw ended with $status" >&2 && exit 2 ;; # is not there, or was killed
esac
if [ $status -eq 1 ] && [ -s "$dir/failing.trace" ]; then
    "$hw" minimize "$dir/failing.trace" ${arch:+--arch "$arch"} -o "$dir/small.trace"
    echo "Without a GPU: wsim replay failing.trace; wsim replay small.trace"
fi
exit $status
