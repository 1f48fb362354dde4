# what differs where, as a page and as a list
g="wsim gemm mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random near-one --size 72x30x64 --arch h100 --path plain"
$g --compare a100,b200 --format md; echo $?
$g --compare a100,b200 --format csv
$g --format md
$g --compare a100 --format svg | grep -c '<rect'
$g --d '<i>.npy' >/dev/null
$g --seed 2 --expect '<i>.npy' --format html | grep -o '&lt;i&gt;[^<]*' | sort | uniq -c
$g --format cute
