f=mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim meta
wsim meta comprss $f
wsim meta compress
wsim meta compress $f
wsim meta compress $f --dense one
wsim meta compress $f --dense nothing
wsim meta compress $f --dense one --a one
wsim meta expand $f --dense one
wsim meta expand $f --selector 4
wsim meta expand $f --e hex:$(printf '%0256d' 0)
wsim meta check $f
wsim meta check $f --e keep --dense one
wsim meta lanes $f --e keep
wsim meta lanes $f --arch sm_75
wsim meta lanes mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim meta compress $f --dense '0,0=0.1'
wsim meta compress $f --dense '16,0=1'
wsim meta compress $f --dense nothing.csv
