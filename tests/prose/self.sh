#!/bin/sh
# self.sh - check.sh can fail: each planted sentence is found by the rule that it breaks, and plain ones pass.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests" && cp -R "$here" "$work/tests/prose" && cd "$work" && git init -q . || exit 2
git -c user.name=a -c user.email=a@b commit -q --allow-empty -m 'First' && git rev-parse HEAD >tests/prose/commits-since
failed=0
expect() { # RULE FILE TEXT
    printf '%s\n' "$3" >"$2"
    git add "$2"
    tests/prose/check.sh "$2" >out 2>err
    status=$?
    [ $status != 77 ] || { cat out; exit 77; }
    if [ "$1" = none ]; then
        [ $status = 0 ] || { echo "$2: a plain sentence is refused:"; cat out err; failed=1; }
    else
        { [ $status = 1 ] && grep -q ": wsim\.$1: \|: $1" out; } || { echo "$2: $1 is not found in: $3"; cat out err; failed=1; }
    fi
    git rm -qf "$2"
}
expect told a.md 'The listener is told of each byte.'
expect nobody a.c '/* Bytes that nobody has written. */'
expect who a.h '// Asks those who wait.'
expect opening a.def '/* What a lane holds. */'
expect opening a.sh '# Of registers the first.'
expect long a.md 'One two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six.'
expect what-came a.c '/* Orders accesses, and says what became of each. */'
expect what-was a.md 'The launch returns what is left of the buffer.'
expect none a.md 'The page answers: what went wrong in the kernel, and where?'
expect so-many a.py '"""Takes so many bytes."""'
expect held a.c 'const char *s = "the value is held against the table of rows";'
expect lexical_illusions a.md 'The the kernel writes.'
expect none a.md 'What does this return? It returns the sum of the two registers.'
expect none a.c 'int who_asks; /* The first lane. */ const char *nobody = "nobody";'
expect none a.md '    $ what is told by nobody'

# More findings than allowed, fewer, and just as many.
compare() { # STATUS ALLOWED WHAT
    printf '.\t%s\n' "$2" >tests/prose/allowed.tsv
    tests/prose/check.sh >out 2>&1
    [ $? = "$1" ] || { echo "$3: expected status $1"; cat out; failed=1; }
}
echo 'It is told so.' >b.md && git add b.md
compare 1 0 'a new finding'
compare 0 1 'an allowed finding'
compare 1 2 'a finding that is gone'
git -c user.name=a -c user.email=a@b commit -qm 'What nobody told'
compare 1 1 'the subject of a commit'
exit $failed
