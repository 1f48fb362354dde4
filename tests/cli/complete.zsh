# complete.zsh SCRIPT LINE - what zsh would complete the last word of a line to, each on a line: the functions of its
# completion system are stand-ins here.
compadd() {
    local -a given
    while [[ $1 == -* ]]; do
        [[ $1 == -d || $1 == -S ]] && shift
        [[ $1 == -a ]] && given=("${(@P)2}")
        shift
    done
    print -rl -- $given
}
compset() { PREFIX=${PREFIX#$~2}; }
_files() { print -rl -- ${PREFIX}*(N); }
PREFIX=${2##* }
words=("${(@s: :)2}")
CURRENT=$#words
functions[_wsim_file]=$(<$1)
_wsim_file
true # nothing to offer is no mistake
