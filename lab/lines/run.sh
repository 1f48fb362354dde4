#!/bin/sh
# run.sh FOLDER - the cost of each line by Nsight Compute. Builds lines.cu, runs it under the profiler and leaves
# FOLDER/lines.tsv.gz (every machine instruction), FOLDER/lines.csv.gz (the source page). NVCC and NCU may be set.
out=${1:?usage: run.sh FOLDER}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
ncu=${NCU:-ncu}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$nvcc" -O3 -lineinfo -arch=sm_90a lines.cu -o "$work/lines" || exit
"$work/lines" || exit
"$ncu" --set full --import-source yes --cache-control none --clock-control none -o "$work/lines" "$work/lines" >"$work/said" 2>&1 ||
    { tail -20 "$work/said"; exit 2; }
"$ncu" --import "$work/lines.ncu-rep" --page source --csv 2>&1 | gzip -9 >"$out/lines.csv.gz"
python3 lines.py "$work/lines.ncu-rep" >"$work/lines.tsv" || { cp "$work/lines.ncu-rep" "$out"; exit 2; }
gzip -9 <"$work/lines.tsv" >"$out/lines.tsv.gz"
wc -l "$work/lines.tsv"
