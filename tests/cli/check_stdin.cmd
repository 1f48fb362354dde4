wsim check --arch sm_80 - <<'END'
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32
  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0}, {%r1}, {%f4};
ldmatrix.sync.aligned.m8n8.x4.shared.b16{%r0,%r1,%r2,%r3}, [%r4];
ldmatrix.sync.aligned.m8n8.x3.shared.b16
mma.sync.aligned.m16n8k16.row.col.f32.f16.f17.f32
mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32
mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32
   mma.sync.aligned.m16n8k16.row.col.f32.f61.f16.f32
mma..sync
foo
  
ld.shared.v4.u32
END
