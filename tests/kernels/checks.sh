#!/bin/sh
# checks.sh PROGRAM DIR - each check finds what it is for: a sample kernel with one line of its PTX
# changed. The answer names rule, kernel, block, thread and the line of the PTX, and `--check none` says
# nothing of what does not stop a GPU.
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(cd "$2" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
case $("$program" run --launch "$dir/sgemm/tiled.json" --lines 0 2>&1) in
*'which this build cannot read'*) exit 77 ;;
esac

# plant FOLDER LAUNCH KERNEL NUMBER REGEX SED: a copy, in which the line NUMBER of KERNEL that REGEX
# matches was changed. Its line is in $line.
plant() {
    rm -rf "$work/k"
    mkdir "$work/k"
    cp "$dir/$1"/* "$work/k"
    chmod -R u+w "$work/k"
    launch=$work/k/$2.json
    line=$(awk -v kernel="$3" -v number="$4" -v regex="$5" '
        $0 ~ "\\.entry " kernel "\\(" { inside = 1 }
        inside && $0 ~ regex && ++seen == number { print FNR; exit }' "$work/k/$1.ptx")
    [ -n "$line" ] || { echo "$1 $3: no line $4 with $5"; failed=1; return 1; }
    sed "$line$6" "$work/k/$1.ptx" >"$work/ptx"
    cmp -s "$work/ptx" "$work/k/$1.ptx" && { echo "$1 $3: $6 changes nothing in line $line"; failed=1; }
    cp "$work/ptx" "$work/k/$1.ptx"
}

# found RULE WORDS [OPTIONS]: it is, with these words (@: the line that was changed) in one paragraph.
found() {
    rule=$1
    words=$(printf '%s' "$2" | sed "s/@/$line/g")
    options=$3
    # shellcheck disable=SC2086
    "$program" run --launch "$launch" --lines 0 --max-instructions 3000000 $options \
        >"$work/out" 2>"$work/err"
    status=$?
    grep -A 2 -F ": $rule: " "$work/out" | tr '\n' ' ' >"$work/one"
    if [ $status -ne 1 ] || ! grep -qE "$words" "$work/one" ||
        ! grep -qE 'kernel [a-z_0-9]+, block \([0-9]+,[0-9]+,[0-9]+\), thread \([0-9]+,[0-9]+,[0-9]+\), PTX line [0-9]+' "$work/one" ||
        ! grep -qE '^[a-z_0-9]+\.(cu|cuh|h):[0-9]+: ' "$work/out"; then
        echo "$(basename "$launch" .json), line $line: status $status, not found: $rule with $words"
        cat "$work/out" "$work/err"
        failed=1
    fi
}

# noted RULE WORDS: a note with these words, and nothing that counts.
noted() {
    "$program" run --launch "$launch" --lines 0 >"$work/out" 2>"$work/err"
    status=$?
    grep -A 2 -F ": note: $1: " "$work/out" | tr '\n' ' ' >"$work/one"
    [ $status -eq 0 ] && grep -qE "$2" "$work/one" && grep -q ' findings 0 ' "$work/out" && return
    echo "$(basename "$launch" .json), line $line: status $status, not noted: $1 with $2"
    cat "$work/out" "$work/err"
    failed=1
}

# paragraphs N WORDS: the mistake of the last `found` fills N paragraphs, and these lines are folded into them.
paragraphs() {
    count=$(grep -cE '^[^ ][^:]*:[0-9]+: (note: )?[a-z]+\.[a-z_.]+: ' "$work/out")
    [ "$count" -eq "$1" ] && grep -qE "^    explains: $2" "$work/out" && return
    echo "$(basename "$launch" .json), line $line: $count paragraphs, expected $1 and: explains: $2"
    cat "$work/out"
    failed=1
}

# And it is not looked for.
silent() {
    "$program" run --launch "$launch" --lines 0 --check none >"$work/out" 2>&1
    grep -q ' findings 0 ' "$work/out" && return
    echo "$(basename "$launch" .json), line $line: found with --check none"
    cat "$work/out"
    failed=1
}

# differs WORDS OPTIONS: runs in other orders leave something else.
differs() {
    # shellcheck disable=SC2086
    "$program" run --launch "$launch" --lines 0 --check none $2 >"$work/out" 2>&1
    status=$?
    [ $status -eq 1 ] && grep -qE "$1" "$work/out" && return
    echo "$(basename "$launch" .json), line $line: status $status, not seen: $1"
    cat "$work/out"
    failed=1
}

drop='s,^,//,'

# Out of bounds, misaligned: with the buffer and the distance.
plant sgemm naive sgemm_naive 1 'st.global.f32' 's/\[%rd\([0-9]*\)\]/[%rd\1+8000]/'
found memory.bounds "bytes past the end of 'C', which has 7844.* PTX line @; the launch ends here"
plant reductions tree tree_sum 1 'ld.global.u32' 's/\]/+2]/'
found access.align "not a multiple of 4: it is byte [0-9]+ of 'in'.* PTX line @"
plant reductions tree tree_sum 2 'ld.shared.u32' 's/\]/+65536]/'
found memory.bounds "shared address .* bytes past the end: the block has.* PTX line @"

# Uninitialised bytes.
plant reductions tree tree_sum 1 'st.shared.u32' "$drop"
found init.shared 'reads uninitialised shared memory at tree\+0x0, and the kernel stores the value .*; the use: reductions.cu:73, .* and 3 more blocks \(4 times\)'
silent
plant memory_forms spaces spaces 2 'st.local.v4' "$drop"
found init.local 'uninitialised local memory at 0x[0-9a-f]+'
silent
plant sgemm tiled sgemm_tiled 1 'ld.global.v4.f32' 's/ld.global/ld.global/;s/$/ \/\/ of a buffer without bytes/'
sed '/"tiled.A.bin"/d; s/"bytes": 40960,/"bytes": 40960/' "$launch" >"$work/json" && cp "$work/json" "$launch"
found init.global "reads uninitialised byte [0-9]* of 'A', and the kernel stores the value"
silent

# Races in shared memory: a barrier that is missing, with both lines.
plant transposes plain transpose_plain 1 'bar.sync' "$drop"
found race.shared 'warp [0-9]+ (reads|writes) tile\+0x[0-9a-f]+, which warp [0-9]+ (wrote|read).*; the other: transposes.cu:[0-9]+, PTX line [0-9]+'
found race.shared 'nothing orders the two' '--seed 3'
found race.shared 'times'
paragraphs 1 'transposes.cu:16: init.shared: reads uninitialised shared memory at tile\+0x'
silent
plant sgemm tiled sgemm_tiled 2 'bar.sync' "$drop"
found race.shared 'nothing orders the two'
paragraphs 2 'sgemm.cu:31: init.shared: '
plant reductions histogram histogram 1 'bar.sync' "$drop"
found race.shared 'nothing orders the two'

# Races with copies: the wait that is missing.
plant mma_gemm f16 gemm_f16 1 'cp.async.wait_group' "$drop"
found race.shared 'which cp.async of warp [0-9]+ wrote: nothing orders the two; before it, warp [0-9]+ must wait with cp.async.wait_group [0-9]+ and arrive'
silent
plant mma_gemm f16 gemm_f16 1 'cp.async.wait_group' 's/wait_group 1/wait_group 3/'
found race.shared 'must wait with cp.async.wait_group [01] and arrive at a barrier'
plant transposes tma128 transpose_tma128 1 'mbarrier.try_wait' 's/.*/setp.eq.u32 done, 0, 0;/'
found race.shared 'which an asynchronous copy of warp 0 wrote: nothing orders the two; missing: mbarrier.try_wait'
silent
plant wgmma_gemm one wgmma_one 1 'wgmma.wait_group' "$drop"
found race.shared 'wgmma of warp [0-9]+ read: nothing orders the two; missing: wgmma.wait_group 0'

# One wait is missing, and four lines read the accumulator: one paragraph.
"$program" run "$dir/../corpus/planted/matrices.ptx" --kernel wgmma_nowait --block 128 --lines 0 --arg 'a[65536]=1' --arg 'b[65536]=0' \
    --arg 'u[4096]' --arg s32:0 >"$work/out" 2>&1
if [ "$(grep -c '^    also: .*: wgmma.wait.missing: ' "$work/out")" -ne 3 ] || [ "$(grep -cE '^[^ ].*: wgmma.wait.missing: ' "$work/out")" -ne 1 ]; then
    echo "wgmma_nowait: not one paragraph"
    cat "$work/out"
    failed=1
fi

# Races between blocks: all write where the first one does, or add without an atomic.
plant reductions tree tree_sum 1 'add.s64 .*%rd10' 's/add.s64 .*/mov.u64 %rd10, %rd8;/'
found race.global "block \([0-9,]+\) writes byte 0 of 'out', which block \(0,0,0\) writes with another value: nothing orders the two.*; the other: "
found race.global "block \(1,0,0\) writes byte 0 of 'out', which block \(0,0,0\) writes" '--seed 5'
silent

# Fences of the async proxy.
plant tma_add_one launch tma_add_one 2 'fence.proxy.async' "$drop"
found proxy.fence.missing 'cp.async.bulk of warp 0 reads tile\+0x[0-9a-f]+, which warp [0-9]+ wrote: fence.proxy.async is missing.*; the other: tma_add_one.cu:'
silent
plant wgmma_forms registers wgmma_registers 2 'fence.proxy.async' "$drop"
found proxy.fence.missing 'fence.proxy.async is missing between the two'

# Registers of products: the fence before, the wait after.
plant wgmma_forms registers wgmma_registers 1 'wgmma.fence' "$drop"
found wgmma.fence.missing 'the first wgmma of the warp has register %[rf][0-9]+: wgmma.fence is missing in front of it'
plant wgmma_forms registers wgmma_registers 2 'wgmma.fence' "$drop"
found wgmma.fence.missing 'has register %[rf][0-9]+, which the warp has accessed: wgmma.fence is missing.*; the other: wgmma_forms.cu:[0-9]+'
silent
plant wgmma_gemm one wgmma_one 2 'wgmma.wait_group' "$drop"
found wgmma.wait.missing 'register %f[0-9]+ is read while a wgmma that has it in its accumulator may still be pending.*; the other: wgmma_gemm.cu:[^&]* and [0-9]+ more registers, [0-9]+ more warps'
paragraphs 1 'tma_ops.cuh:34: race.shared: .* missing: wgmma.wait_group 0'
paragraphs 1 'wgmma_gemm.cu:90: sync.group.leak: '
silent

# Barriers that a part of the block reaches; deadlock, with who waits where.
plant reductions tree tree_sum 1 'bar.sync' 's/bar.sync/setp.lt.u32 %p1, %r3, 32; @%p1 bar.sync/'
found race.shared 'nothing orders the two' '--check race'
plant divergence part_warps part_warps 1 'barrier.sync 1, 128' 's/barrier.sync 1/barrier.sync 3/'
found sync.deadlock 'waits at barrier 3, where 64 of 128 threads have come'
plant transposes tma128 transpose_tma128 1 'mbarrier.arrive.expect_tx' 's/%r8;/8192;/'
found sync.deadlock 'waits for parity 0 of the mbarrier at bar, where 0 of 1 arrivals and 4096 bytes are missing'

# mbarrier misuse, groups left open, .aligned in divergent code.
plant transposes tma128 transpose_tma128 1 'mbarrier.init' 's/\(mbarrier.init.*\)/\1 \1/'
found mbarrier.state.in_use 'is in use: mbarrier.inval comes before another init.* PTX line @'
silent
plant transposes tma128 transpose_tma128 1 'cp.async.bulk.wait_group' "$drop"
noted sync.group.leak 'the thread exits with cp.async.bulk pending: its group was not waited for; PTX promises .* PTX line [0-9]+; not counted     and 15 more blocks \(16 times\)'
silent
plant reductions tree tree_sum 1 'bar.sync' 's/bar.sync/setp.lt.u32 %p1, %r3, 16; @%p1 bar.sync 0; @!%p1 bar.sync/'
found sync.aligned.divergent 'PTX line @'
silent

# What depends on when copies complete, or on who goes first.
plant mma_gemm f16 gemm_f16 1 'cp.async.wait_group' "$drop"
differs 'with --seed 0 --async late: C: [0-9]+ of 65536 bytes differ' '--async both'
plant reductions tree tree_sum 1 'bar.sync' "$drop"
differs 'with --seed [1-7] --async eager: out: [0-9]+ of' '--seeds 8'
exit $failed
