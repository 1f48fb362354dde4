#!/bin/sh
# scalar.sh GENERATE NVCC SOURCE_DIR - the assembler accepts exactly the legal forms of scalar instructions. Tries one
# form in four on one target, with DEEP=1 all forms on all targets. Skipped (77) without nvcc.
generate=$1 nvcc=$2 source=$3
[ -x "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
names() { grep -ho '^[.]visible [.]entry s[0-9]*' "$@" | sed 's/.* //' | sort; }
targets=sm_90a every=4 least=1250
[ -n "$DEEP" ] && every=1 least=5000 targets='sm_75 sm_80 sm_86 sm_89 sm_90a sm_100a sm_103a sm_120a'
for target in $targets; do
    "$nvcc" --list-gpu-code | grep -qx "$(echo "$target" | tr -d a)" || { echo "$target: not in this nvcc"; continue; }
    rm -f all* legal*
    "$generate" --all --every $every all "$target" && "$generate" --every $every legal "$target" || exit 1
    printf '%s\n' all*.ptx | xargs -P 2 -n 1 "$source/tools/hw/assemble.sh" "$nvcc" "$target" || exit 1
    names legal*.ptx >legal
    cat all*.refused | cut -f1 | sort >refused
    names all*.ptx | comm -23 - refused >taken
    [ "$(wc -l <taken)" -gt $least ] || { echo "$target: only $(wc -l <taken) forms are taken"; failed=1; }
    comm -12 legal refused >difference
    [ ! -s difference ] || { echo "$target: legal, but refused:"; cat all*.refused | grep -wFf difference | cut -f2- | head -20; failed=1; }
    comm -13 legal taken >difference
    [ ! -s difference ] || { echo "$target: not legal, but taken:"; cat all*.ptx | grep -wFf difference | sed 's/.*<< .. //; s/ .. >>.*//' | head -20; failed=1; }
    echo "$target: $(wc -l <taken) forms are taken, $(wc -l <refused) refused"
done
exit $failed
