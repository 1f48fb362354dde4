# which bits fall off, as a page and as a list; every method, refusals, forward; what is no format of it
f=mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
cancel="--arch a100 --element 0,0 --b one"
wsim why $f $cancel --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' --format md
wsim why $f $cancel --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' --format csv
wsim why $f $cancel --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' --format svg | grep -c '<rect'
wsim why $f $cancel --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' --format html | grep -o '<td class="d2 marked"[^>]*>1'
wsim why $f $cancel --a '0,0=inf; 0,1=1' --c '0,0=-inf' --format md | tail -14
wsim why mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 --element 2,3,5 --a random:1 --b random:2 --c random:4 --format md | grep -v '^$'
wsim why mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 --element 3,5 --a random:1 --b random:2 --format md | tail -6
wsim why $f --element 3,5 --a-addr 'lane % 16 * 16' --a-by ldmatrix.sync.aligned.m8n8.x2.shared.b16 --format md | tail -13
wsim why $f --operand c --lane 12 --reg 1 --format csv
wsim why $f --operand c --lane 12 --reg 1 --format md
wsim why mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_80 --format md; echo $?
wsim why mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_80 --format csv
wsim why $f --element 0,0 --format cute
wsim why $f --element 0,0 --format pdf
wsim why "$(printf 'mma.sync.<script>\033[31m.m16n8k16')" --format html | grep -c '<script'
wsim why $f --element 0,0 --a "$(printf '0,0=1;\n1,1=2')" --format svg | grep '1,1'
wsim why $f --element 0,0 -o /nowhere/why.svg --format svg
wsim why $f $cancel --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' --digits
wsim why mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 --element 2,3,5 --a random:1 --b random:2 --c random:4 --digits | sed -n 8,40p
wsim why $f $cancel --digits --color always --a '0,0=4096; 0,1=0.0001220703125' --c '0,0=-4096' | grep 'k = 1' | od -c | head -8
wsim why $f $cancel --digits --format json
wsim why $f --operand a --lane 1 --reg 0 --digits
