#!/bin/sh
# commit.sh CMAKE PROGRAM SOURCE_DIR - the program prints the commit of its sources. A source archive of git has it
# without git; other sources have none. Skipped (77) where the sources are no repository.
cmake=$1 program=$2 source=$3
[ -e "$source/.git" ] && command -v git >/dev/null && git -C "$source" rev-parse HEAD >/dev/null 2>&1 ||
    { echo "skipped: no repository"; exit 77; }
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
set -e
commit=$(git -C "$source" rev-parse HEAD | cut -c1-12)
said=$("$program" --version | sed -n 's/^commit \([0-9a-f]*\).*/\1/p')
# A repository with tags says the nearest one too.
case $said in *"$commit"*) ;; *) echo "--version says commit '$said', not $commit"; exit 1 ;; esac

header() { # FOLDER
    "$cmake" -DSOURCE="$1" -DOUT="$out/commit.h" -P "$source/cmake/commit.cmake"
    sed -n 's/^#define WSIM_COMMIT "\(.*\)"$/\1/p' "$out/commit.h"
}
mkdir "$out/archive" "$out/copy" "$out/copy/cmake"
git -C "$source" archive HEAD cmake .gitattributes | tar -x -C "$out/archive"
[ "$(header "$out/archive")" = "$commit" ] || { echo "an archive says commit '$(header "$out/archive")'"; exit 1; }
cp "$source/cmake/commit.txt" "$out/copy/cmake/"
[ -z "$(header "$out/copy")" ] || { echo "a copy says commit '$(header "$out/copy")'"; exit 1; }
