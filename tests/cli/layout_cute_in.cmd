# a layout of CuTe, as it is printed or as it stands in MMA_Traits, against an operand
op=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim layout $op --operand a --cute '((4,8),(2,2,2)):((32,1),(16,8,128))'
wsim layout $op --operand b --cute 'Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_16,_1>,Stride<_8,_64>>>'
wsim layout $op --operand d --cute '((_4,_8),(_2,_2)):((_32,_1),(_16,_8))' --format json
wsim layout $op --operand d --cute '((4,8),(2,2)):((32,1),(8,16))'; echo "status $?"
wsim layout $op --operand d --cute '(32,4):(0,1)' --format json; echo "status $?"
wsim layout $op --operand d --cute 'cute::Layout<cute::Shape<cute::Int<32>,_4>, cute::Stride<_1,_32>>'; wsim layout $op --operand d --cute '(32,4):(4,1000)'
for operand in a b c d; do wsim layout $op --operand $operand --cute "$(wsim layout $op --operand $operand --format cute | sed 's/.: //')"; done
for text in '' '(' '(4,8)' '(4,8):4' '((4,8),(2,2)):((32,1),(16))' '(8,4,2):(1,2,3)' '(0,4):(1,1)' '(32,4):(1,2)x3' '(99999999999,1):(1,1)' \
    '((((((((((((((((((4)))))))))))))))))),1):(1,1)' '(64,4):(1,1)' '(32,4):(1,1' 'Layout<Shape<_32,_4>>'
do wsim layout $op --operand d --cute "$text"; done
wsim layout $op --cute '(32,4):(1,1)'; wsim layout $op --operand d --cute '(32,4):(1,1)' --format svg
wsim layout mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --operand a --cute '(32,4):(1,1)'
