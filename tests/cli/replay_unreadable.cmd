# each file has its own message; what can be read is still run
head() { printf '#wsim-trace 1\n#arch: sm_90a\n'; for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done; }
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
echo 'not a trace' >first.trace
{ head; printf 'ld.shared.u32\taddr=%s\tmsak=ffffffff\twavefronts=1\n' "$(same 00000040)"; } >typo.trace
head >empty.trace
{ head; printf 'ld.shared.u32\taddr=%s\twavefronts=1\n' "$(same 00000040)"; } >good.trace
wsim replay first.trace typo.trace missing.trace empty.trace . good.trace
