# the help of a command, said either way
for command in ops check layout exec banks replay; do
    wsim $command --help >said; wsim help $command | cmp - said && sed -n 1p said
done
wsim help frobnicate
