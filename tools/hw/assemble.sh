#!/bin/sh
# assemble.sh NVCC TARGET FILE.ptx... - FILE.cubin of each, kernels a line. A line that the assembler refuses is left
# out and written to FILE.refused: the name of the kernel, the message, the instruction. An earlier result for an
# equal text and assembler is kept. Exit status 2 if leaving lines out does not help.
nvcc=$1 target=$2
shift 2
ptxas=$(dirname "$nvcc")/ptxas
for file; do
    part=${file%.ptx}
    key=$(echo "$target"; "$ptxas" --version; cat "$file" "$0")
    key=$(echo "$key" | cksum)
    [ -e "$part.cubin" ] && [ "$(cat "$part.key" 2>/dev/null)" = "$key" ] && continue
    rm -f "$part.key"
    : >"$part.refused"
    cp "$file" "$part.left"
    while ! "$ptxas" -arch="$target" -o "$part.cubin" "$part.left" >"$part.said" 2>&1; do
        sed -n 's/.*, line \([0-9]*\); error *: *\(.*\)/\1 \2/p' "$part.said" >"$part.lines"
        [ -s "$part.lines" ] || { cat "$part.said" >&2; exit 2; }
        awk -v refused="$part.refused" '
            NR == FNR { line = $1; sub(/^[0-9]+ /, ""); if (!(line in why)) why[line] = $0; next }
            !(FNR in why) { print; next }
            { kernel = $3; sub(/\(.*/, "", kernel)
              text = $0; sub(/.*<< \*\/ /, "", text); sub(/ \/\* >>.*/, "", text)
              print kernel "\t" why[FNR] "\t" text >>refused }
        ' "$part.lines" "$part.left" >"$part.next" && mv "$part.next" "$part.left" || exit 2
    done
    rm -f "$part.left" "$part.said" "$part.lines"
    echo "$key" >"$part.key"
done
