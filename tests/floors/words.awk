# Prints each line that has one of `words` outside comments and strings, with the `rule` it breaks.
FNR == 1 { comment = 0 }
{
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    if (comment) { if (!sub(/^.*\*\//, "", line)) next; comment = 0 }
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
    sub(/\/\/.*/, "", line)
    if (sub(/\/\*.*/, "", line)) comment = 1
    if ((" " line " ") ~ ("[^A-Za-z0-9_](" words ")[^A-Za-z0-9_]"))
        print FILENAME ":" FNR ": " $0 "   <- " rule
}
