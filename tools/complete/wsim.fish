# Completion of wsim for fish: the program itself says what can stand where (wsim complete).
function __wsim_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] complete $words[2..-1] 2>/dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case :files
                __fish_complete_path (string sub -s (math (string length -- "$parts[2]") + 1) -- $words[-1]) \
                    | string replace -r '^' -- "$parts[2]"
            case :folders
                __fish_complete_directories (string sub -s (math (string length -- "$parts[2]") + 1) -- $words[-1]) \
                    | string replace -r '^' -- "$parts[2]"
            case '*'
                echo $line
        end
    end
end
complete -c wsim -f -a '(__wsim_complete)'
