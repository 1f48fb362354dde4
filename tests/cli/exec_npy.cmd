# matrices of NumPy: floats that fit, bits of bf16 as raw bytes, what does not fit, hostile headers
npy() { printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"; }
zeros() { dd if=/dev/zero bs=1 count=$1 2>/dev/null; }
op=mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
{ npy '<f4' False '(16, 8)'; printf '\000\000\200\077'; zeros 508; } >a.npy
wsim exec $op --a a.npy --b '0,*=3' --row 0 --col 0
{ npy '<f4' False '(16, 8)'; printf '\001\000\200\077'; zeros 508; } >a.npy
wsim exec $op --a a.npy --row 0 --col 0; wsim exec $op --a a.npy --b '0,0=1' --round --row 0 --col 0
{ npy '|V2' True '(16, 8)'; zeros 2; printf '\200\077'; zeros 252; } >v.npy
wsim exec $op --a v.npy --b '0,0=1' --row 1 --col 0
{ npy '<u2' False '(16, 8)'; printf '\200\077'; zeros 254; } >u.npy
wsim exec $op --a u.npy --b '0,0=1' --row 0 --col 0; wsim exec $op --a u.npy --bits --b '0,0=1' --row 0 --col 0
{ npy '<i2' False '(16, 8)'; printf '\377\377'; zeros 254; } >i.npy
wsim exec $op --a i.npy --b '0,0=1' --row 0 --col 0
{ npy '<f4' False '(8, 16)'; zeros 512; } >t.npy; wsim exec $op --a t.npy
npy '<f4' False '(1073741824, 1073741824)' >h.npy; wsim exec $op --a h.npy
npy '<f4' False '(16, 8)' >s.npy; wsim exec $op --a s.npy; echo text >n.npy; wsim exec $op --a n.npy
