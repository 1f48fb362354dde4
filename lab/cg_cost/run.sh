#!/bin/sh
# run.sh FOLDER - builds the experiment and runs it on the first GPU (sm_90a). FOLDER gets list.csv
# (patterns), time.csv (cycles of an access), metrics.txt (names of the counters) and said.txt
# (messages). counts.csv has the counters of Nsight Compute in the order of list.csv.
#
# Set NVCC and NCU for other programs. BUILD_ONLY=1 only builds. Without ncu there are no counts.
# Exit status: 0, 2 error, 77 no GPU.
out=${1:?run.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)} ncu=${NCU:-ncu}
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$nvcc" -std=c++17 -O2 -gencode arch=compute_90a,code=sm_90a -o "$work/cg_cost" "$here/cg_cost.cu" ||
    exit 2
[ -z "$BUILD_ONLY" ] || exit 0
"$work/cg_cost" list >"$out/list.csv" || exit 2
"$work/cg_cost" time >"$out/time.csv" || exit
command -v "$ncu" >/dev/null || { echo "run.sh: no ncu: times only" >&2; exit 0; }

# All counters of banks, writes, LDGSTS or its traffic from L2 that this ncu has.
"$ncu" --query-metrics >"$work/known" 2>"$out/said.txt"
awk '$2 ~ /^(Ratio|Throughput)$/ || $1 ~ /(_pct|_ratio|_throughput)(\.|$)/ { next }
    $1 ~ /^(l1tex|smsp|sm|idc|lts)__/ && $1 ~ /(data_bank|ldgsts|cache_bypass|wavefronts_mem_shared|wavefronts_mem_lg|data_pipe|m_xbar2l1tex|m_l1tex2xbar|lsu_writeback|inst_executed_pipe_lsu|f_wavefronts|t_sectors_pipe_lsu|lsuin|mem_shared|memory_shared|bank_conflict)/ {
         print $1 ($1 ~ /\.(sum|avg|max|min)/ ? "" : ".sum") }' "$work/known" |
    sort -u >"$out/metrics.txt"
# One unknown name would end the profiler: names come from its own list, and instrumented ones,
# which need another pass over the code, go last.
grep -v sass "$out/metrics.txt" >"$work/plain"
grep sass "$out/metrics.txt" >"$work/sass"
echo l1tex__data_bank_writes.sum l1tex__data_bank_reads.sum l1tex__data_pipe_lsu_wavefronts.sum \
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__data_bank_conflicts_pipe_lsu.sum \
    l1tex__m_xbar2l1tex_read_sectors.sum smsp__inst_executed_op_ldgsts.sum | tr ' ' '\n' >"$work/few"
count() { # SET
    timeout 200 "$ncu" --csv --page raw --print-units base --cache-control none \
        --clock-control none --metrics "$(paste -sd, "$work/$1")" \
        --log-file "$work/$1.csv" "$work/cg_cost" count >>"$out/said.txt" 2>&1 && return
    { echo "ncu on $1 ended with $?"; tail -3 "$work/$1.csv"; } >>"$out/said.txt"
    return 1
}
for set in plain few sass; do
    [ -s "$work/$set" ] || continue
    [ $set = few ] && [ -s "$out/counts_plain.csv" ] && continue # it is in there
    count $set || continue
    # Columns that are one value in every row say nothing and are left out.
    grep '^"' "$work/$set.csv" | awk -v keep='^"?(ID|Kernel Name)"?$' '
        { gsub(/^"|"$/, ""); n = split($0, cell, /","/)
          for (i = 1; i <= n; i++) { value[NR, i] = cell[i]
              if (NR > 3 && cell[i] != value[3, i]) varies[i] = 1 } columns = n }
        END { for (r = 1; r <= NR; r++) { line = ""
              for (i = 1; i <= columns; i++)
                  if (varies[i] || value[1, i] ~ keep) { gsub(/,/, "", value[r, i]); line = line (line == "" ? "" : ",") value[r, i] }
              print line } }' >"$out/counts_$set.csv"
done

# Drawn patterns: the counts of the source page alone, which are instrumented.
"$work/cg_cost" mix-list >"$out/mix.csv"
timeout 200 "$ncu" --csv --page raw --print-units base --metrics \
    sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts_cache_bypass.sum,sm__sass_l1tex_m_xbar2l1tex_read_sectors_mem_global_op_ldgsts_cache_bypass.sum \
    --log-file "$out/mix_counts.csv" "$work/cg_cost" mix >>"$out/said.txt" 2>&1
exit 0
