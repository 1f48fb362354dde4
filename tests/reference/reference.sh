#!/bin/sh
# reference.sh SOURCE_DIR - writes docs/generated/reference.md on standard output. It has every function and struct of
# the public headers with the first sentence of its comment. reference.sh SOURCE_DIR WSIM adds the commands of that
# program.
set -eu
cd "$1"
cat <<'END'
# Reference

What there is, in a sentence each. Shapes, units, errors and sources stand in the headers themselves; the commands have
`--help` and a manual page, refusals are in [rules.md](rules.md), forms and what each rests on in [evidence.md](evidence.md).
This page is made from the headers and from the program: `cmake --build build --target reference-record`.

## Commands

| command | |
| --- | --- |
END
"$2" --help | sed -n 's/^  \([a-z]*\)  *\(.*\)$/\1 \2/p' | while read -r command task; do
    echo "| \`wsim $command\` | $task |"
    "$2" "$command" --help |
        sed -n '/^Parts/,$ s/^  \([a-z]* [^ ]*\)  *\([a-z]*\)  *\(.*\)$/| `wsim \1`, `wsim \2` | \3 |/p'
done

for header in include/wsim/*.h include/wsim/harness/*.h; do
    LC_ALL=C awk -v path="$header" '
    # The text of a comment without its marks, blanks made one.
    function words(text) {
        gsub(/\/\*|\*\//, " ", text); gsub(/\n *\* ?/, "\n", text)
        return text
    }
    function one_line(text) { gsub(/[ \t\n]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text); return text }
    function sentence(text,   n) {
        text = one_line(words(text))
        n = match(text, /\.( |$)/)
        if (n) text = substr(text, 1, n - 1) "."
        gsub(/\|/, "\\|", text); gsub(/</, "\\&lt;", text); gsub(/\*/, "\\*", text); gsub(/_/, "\\_", text)
        return text
    }
    function row(name, text) {
        if (!any) print "| | |\n| --- | --- |"
        any = 1
        print "| `" name "` | " text " |"
    }
    NR == 1 {
        title = path; sub(/^include\//, "", title)
        print "\n## `<" title ">`\n"
    }
    # The first comment of the file says what it is for.
    /^\/\*/ && !head { text = $0; while (text !~ /\*\// && (getline line) > 0) text = text "\n" line
                       sub(/^\/\* *[a-z_]*\.h - /, "", text); text = words(text); sub(/\n *\n.*/, "", text)
                       text = one_line(text); text = toupper(substr(text, 1, 1)) substr(text, 2)
                       gsub(/</, "\\&lt;", text); gsub(/\*/, "\\*", text); gsub(/_/, "\\_", text)
                       print text "\n"; head = 1; next }
    /^\/\*/ { comment = $0; while (comment !~ /\*\// && (getline line) > 0) comment = comment "\n" line; next }
    /^$/ { comment = "" }
    /^struct [a-z_0-9]+ \{/ { if (comment != "") row("struct " $2, sentence(comment)); inside = 1 }
    /^(enum|union) [a-z]/ && /\{/ { if (comment != "") row($1 " " $2, sentence(comment)) }
    /^WSIM_API/ { text = $0; while (text !~ /;/ && (getline line) > 0) text = text " " line
                  match(text, /wsim_[a-z0-9_]+\(/)
                  name = substr(text, RSTART, RLENGTH - 1)
                  if (comment != "") last = comment
                  row(name "()", sentence(last)) }
    ' "$header"
done
