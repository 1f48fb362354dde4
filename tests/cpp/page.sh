#!/bin/sh
# page.sh CXX SOURCE_DIR - the code of docs/cpp.md compiles: its indented blocks, in their order.
cxx=$1 source=$2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
    /^    / { if (!inside) n++; inside = 1; print substr($0, 5) >(work "/block" n); next }
    /^$/    { if (inside) print "" >(work "/block" n); next }
            { inside = 0 }' "$source/docs/cpp.md" || exit 2
[ -e "$work/block3" ] || { echo "docs/cpp.md has no three blocks of code"; exit 1; }
{
    cat "$work/block1"
    echo '#include <wsim/wsim.hpp>'
    echo 'void objects(const char *ptx, const std::vector<float> &values) {'
    cat "$work/block2"
    echo '}'
} >"$work/page.cpp"
"$cxx" -std=c++17 -Wall -Wextra -Werror -Wno-unused -Wno-unused-but-set-variable -I"$source/include" -fsyntax-only "$work/page.cpp" || exit 1
# Without exceptions there are still the calls named try_.
echo '#include <wsim/wsim.hpp>' | "$cxx" -std=c++17 -fno-exceptions -Wall -Wextra -Werror -I"$source/include" -fsyntax-only -x c++ - ||
    exit 1
# The third has what test_matchers.cpp and test_check.c use: every name of it stands in them.
for name in $(grep -oE 'wsim::[A-Za-z]+\(|ck_assert_[a-z_]+' "$work/block3" | tr -d '('); do
    cat "$source"/tests/cpp/test_matchers.cpp "$source"/tests/cpp/test_check.c | grep -q "$name" ||
        { echo "$name of docs/cpp.md is not tested"; exit 1; }
done
