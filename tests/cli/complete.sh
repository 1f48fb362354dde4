#!/bin/sh
# complete.sh SHELL PROGRAM SCRIPT - completion in a shell: the offers of the function of SCRIPT with the cursor at
# the end of a line. Skipped (77) without the shell.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
shell=$1 script=$3
command -v "$shell" >/dev/null || { echo "skipped: no $shell"; exit 77; }
PATH=$(cd "$(dirname "$2")" && pwd):$PATH
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
HOME=$work LC_ALL=C.UTF-8
export HOME LC_ALL PATH
mkdir launches && touch launches/one.json kernel.ptx

failed=0
# offers LINE WORD...: all of the words are offered, whole as the line has them then; a word after '!' is not.
offers() {
    line=$1
    shift
    "$shell" "$here/complete.$shell" "$script" "$line" >offered 2>said || { cat said; failed=1; }
    [ ! -s said ] || { echo "$line: said"; cat said; failed=1; }
    for word in "$@"; do
        case $word in
        !*) grep -qxF -e "${word#!}" offered && echo "$line: offered ${word#!}" && failed=1 ;;
        *) grep -qxF -e "$word" offered || { echo "$line: not offered $word, but:" && head -20 offered && failed=1; } ;;
        esac
    done
}

offers 'wsim ' banks layout run --version
offers 'wsim la' layout '!banks'
offers 'wsim help ba' banks
offers 'wsim layout --op' --operand= '!--arch='
offers 'wsim layout --arch=sm_9' --arch=sm_90 --arch=sm_90a '!--arch=sm_80'
offers 'wsim layout --arch a' a100 ampere '!sm_80'
offers 'wsim layout mma.sync.al' mma.sync.aligned.m16n8k16. mma.sync.aligned.m8n8k4.
offers 'wsim layout mma.sp::o' mma.sp::ordered_metadata.sync.aligned.m16n8k16. '!mma.sync.'
offers 'wsim banks ldmatrix.sync.aligned.m8n8.x4.sh' ldmatrix.sync.aligned.m8n8.x4.shared.b16
offers 'wsim check bar' barrier.
offers 'wsim swizzle 128' 128B 128B_ATOM_32B '!64B'
offers 'wsim swizzle --format=' --format=text --format=json
offers 'wsim gemm --compare=a100,h2' --compare=a100,h200
offers 'wsim tma sh' show '!store'
offers 'wsim desc check wgmma.mma_async.sync.aligned.m64n8k1' wgmma.mma_async.sync.aligned.m64n8k16.f16. '!encode'
offers 'wsim run --async ea' eager
offers 'wsim run --launch lau' launches
offers 'wsim run ker' kernel.ptx
offers 'wsim fits ldm' ldmatrix.sync.aligned.m8n8. '!ld.'
offers 'wsim fits ldmatrix.sync.aligned.m8n8.x4.shared.b16 mma.sync' mma.sync.aligned.m16n8k16. '!movmatrix.'
offers 'wsim compare x --arch=a100,h2' --arch=a100,h200
offers 'wsim why x --a-by=ldm' --a-by=ldmatrix.sync.aligned.m8n8.
offers 'wsim meta ex' expand '!compress'
offers 'wsim nothing x'
exit $failed
