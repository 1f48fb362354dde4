#!/bin/sh
# wgmma.sh WSIM RECORD KERNELS - the recorder of wgmma without a GPU: kernels of all forms are
# printed, and where there is a ptxas some are assembled; cases of the model come back equal.
wsim=$1 record=$2 kernels=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
say() { echo "$*"; failed=1; }

count=$("$kernels" 0 1 | grep -c 'entry k')
forms=$("$wsim" ops --family wgmma.mma_async | wc -l)
[ "$count" -gt "$forms" ] || say "$count kernels of $forms operations"
"$kernels" 0 1 | sed -n 's/^\(wgmma[^ ]*64n8k[^ ]*\) .*/\1/p' | grep mma_async | sort -u >"$work/have"
"$wsim" ops --format csv | sed -n 's/^\(wgmma.mma_async[^,]*64n8k[^,]*\),.*/\1/p' | sort -u |
    cmp - "$work/have" || say "a form has no kernel"

"$record" 1 all 2>/dev/null | head -409 >"$work/cases"
"$wsim" replay "$work/cases" >"$work/said" || say "the model is not equal to itself"
tail -1 "$work/said" | grep -q '^ *401 *401 ' || say "not 401 cases: $(tail -1 "$work/said")"
sed 's/\(d_fnv=.*\)[0-9a-f]$/\1x/; s/x$/0/' "$work/cases" >"$work/wrong"
"$wsim" replay "$work/wrong" >/dev/null && say "wrong results are equal"

"$record" 5 odd >"$work/odd" 2>/dev/null
"$wsim" replay "$work/odd" >"$work/said" || say "odd descriptors: the model is not equal to itself"
tail -1 "$work/said" | grep -q '^ *803 *803 ' || say "odd: not 803 cases: $(tail -1 "$work/said")"
[ "$(grep -c 'trap=1$' "$work/odd")" = 47 ] || say "odd: not 47 traps"
[ "$("$kernels" 0 1 odd | grep -c 'entry k')" = 126 ] || say "odd: not 126 kernels"

if command -v ptxas >/dev/null; then
    "$kernels" 3 60 >"$work/some.ptx"
    ptxas -arch sm_90a -O0 "$work/some.ptx" -o "$work/some.cubin" >"$work/said" 2>&1 ||
        { say "ptxas does not take the kernels:"; grep -m3 error "$work/said"; }
fi
exit $failed
