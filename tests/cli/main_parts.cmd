# parts of commands: the old names are the same
for p in 'run --env' 'run --merge' 'check --contents' 'layout --fits' 'layout --sparse' 'exec --compare' 'why --rules' 'desc swizzle' 'replay --bench'; do
    wsim $p --help | head -1; wsim help $p | head -1; done
for p in env merge lint ptx fits meta compare rules swizzle bench; do wsim $p --help | head -1; done
for p in run check layout exec why desc replay; do wsim $p --help | sed -n '/^Parts/,$p'; done
f=ldmatrix.sync.aligned.m8n8.x2.shared.b16; g=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim layout --fits $f $g --operand b | head -2; wsim fits $f $g --operand b | head -2
wsim desc swizzle 128B 0x880; wsim swizzle 128B 0x880
mkdir src; printf 'asm("mov.b16 %%0, %%1;" : "=r"(a) : "r"(b));\n' >src/a.cu
wsim check src/a.cu; wsim check --arch=sm_90a src; wsim lint src/a.cu
wsim check $g; wsim check no/such/file.cu; wsim check --arch sm_80 $g -o out; wsim check -o out $g
wsim why --rules cute.text.syntax | head -2
wsim layout --fit $f $g
wsim complete layout --; wsim complete desc ''; wsim complete desc swizzle --fo; wsim complete layout --fits --oper
wsim complete ''; wsim complete fi
wsim check -q src/a.cu; wsim check -q src; echo $?; wsim check --color never src --ptx 9.0 2>&1 | tail -1; wsim check --arch src
printf '__global__ void k() {}\n' >k.cu; wsim check k.cu
