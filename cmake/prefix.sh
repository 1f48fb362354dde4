#!/bin/sh
# prefix.sh NM OBJCOPY NAMES ARCHIVE [MORE_NAMES] - renames the global names that ARCHIVE defines: NAME becomes
# wsim__NAME. Names that begin with wsim_ stay, and those that begin with __, which are the compiler's. Writes these
# pairs to NAMES. MORE_NAMES are the pairs of an archive that this one uses.
# The sources use short names for what rooms share. A program that links a shipped archive keeps these names for
# itself, so the build renames them there. Objects, tests and debuggers keep the short names.
set -e
nm=$1 objcopy=$2 names=$3 archive=$4 more=$5
LC_ALL=C
export LC_ALL
"$nm" -g "$archive" >"$names.nm"
awk 'NF == 3 && $2 !~ /[UuVvWw]/ && $3 !~ /^(wsim_|__)/ && !seen[$3]++ { print $3, "wsim__" $3 }' "$names.nm" | sort >"$names"
rm "$names.nm"
"$objcopy" --redefine-syms="$names" ${more:+--redefine-syms="$more"} "$archive"
