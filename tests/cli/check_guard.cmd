wsim check - <<'END'
@p mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0};
	@!p	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0};
@%p1 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32;
@p mma.sync.aligned.m16n8k16.row.col.f32.f16.f17.f32;
@p
@!
@ mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
@p,q mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32// comment
// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
@p // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
END
