# a matrix of which agree, both sums of the first difference; random cases; CSV
f=mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
two="--arch a100,h100"
wsim compare $f $two --a '0,0=4096; 0,1=0.0001220703125' --b one --c '0,0=-4096' --format md | cut -c1-120; echo $?
wsim compare $f $two --a '0,0=4096; 0,1=0.0001220703125' --b one --c '0,0=-4096' --format csv; echo $?
wsim compare $f $two --a '0,0=4096; 0,1=0.0001220703125' --b one --c '0,0=-4096' --format svg | grep -c 'is lost'
wsim compare $f $two --a eye --format md >/dev/null; echo $?
wsim compare $f $two --a "$(printf '<b>\n')" --format html
wsim compare $f $two --random 200 --dist near-one --format md
wsim compare $f --arch a100,h100,b200 --random 200 --dist near-one --format csv
wsim compare mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 --arch a100,h100,b200 --a random:1 --format csv; echo $?
wsim compare $f $two --format cute
