# Completion of wsim for bash: the program itself says what can stand where (wsim complete).
_wsim() {
    local line=${COMP_LINE:0:COMP_POINT} word about current cut
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${words[${#words[@]}-1]}
    # Bash begins a word at each of COMP_WORDBREAKS: what is before that in ours it does not want.
    cut=${current%"${current##*["$COMP_WORDBREAKS"]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r word about; do
        case $word in
        :files | :folders)
            local kind=-f
            [[ $word == :folders ]] && kind=-d
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen $kind -- "${current#"$about"}")
            cut=
            ;;
        *)
            case $word in *[.,=]) compopt -o nospace 2>/dev/null ;; esac
            COMPREPLY+=("${word#"$cut"}")
            ;;
        esac
    done < <("$1" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _wsim wsim
