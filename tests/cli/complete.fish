# complete.fish SCRIPT LINE - what fish would complete the last word of a line to, each on a line.
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' '' | string replace -r '/$' ''
true
