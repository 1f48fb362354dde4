# the commands that wsim try prints work where it says, and files that a reader changed stay
wsim try; echo "status $?"
wsim try --help >/dev/null || exit 1
cd wsim-try
wsim try .. | sed -n 's/^  wsim/wsim/p' >commands
while IFS= read -r command; do
    sh -c "$command" >out 2>err </dev/null
    echo "status $?: $command: $(grep -c . <out) lines, $(sed -n '/^wsim:/p' err)"
done <commands
cd .. && echo changed >wsim-try/reverse.cu && wsim try; echo "status $?"
cat wsim-try/reverse.cu
wsim try wsim-try/reverse.cu 2>&1; echo "status $?"
wsim try a b
mkdir pipe && mkfifo pipe/reverse.ptx && wsim try pipe; echo "status $?" # a pipe without a writer is no file with other contents
mkdir "$(printf 'a\nb c')" && wsim try "$(printf 'a\nb c')" | head -1
