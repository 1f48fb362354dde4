# complete.bash SCRIPT LINE - what bash would complete the last word of a line to, each on a line. Bash puts what
# is offered behind the last of COMP_WORDBREAKS in a word.
. "$1" || exit 1
compopt() { :; } # there is no completion going on
COMP_LINE=$2 COMP_POINT=${#2}
_wsim wsim
last=${COMP_LINE##* }
for word in "${COMPREPLY[@]}"; do
    case $last in
    *[:=]*) printf '%s\n' "${last%"${last##*[:=]}"}$word" ;;
    *) printf '%s\n' "$word" ;;
    esac
done
