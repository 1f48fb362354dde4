# everyday PTX is legal, what the tables leave out is not illegal; what is illegal of both is
wsim check - <<'END'
bar.sync 0;
mbarrier.try_wait.parity.shared.b64 p, [m], r;
ld.global.nc.v4.f32 {a, b, c, d}, [p];
shfl.sync.down.b32 r0|p, r1, 16, 31, -1;
cp.async.wait_group 1;
add.rn.f32 a, b, c;
END
echo "exit $?"
wsim check --arch sm_80 - <<'END'
multimem.red.relaxed.gpu.global.add.u32 [a], b;
multimem.st.relaxed.gpu.global.u32 [a], b;
add.bf16 a, b, c;
tanh.approx.f32 a, b;
rcp.approx.f64 a, b;
END
echo "exit $?"
wsim check - <<'END'
bar.snyc 0;
ld.global.v3.f32 {a, b, c}, [p];
setp.s32 p, a, b, c, d
add a, b, c;
movv.u32 a, b;
END
echo "exit $?"
wsim check multimem.red mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32; echo "exit $?"
wsim check multimem.red mma.sync; echo "exit $?"
printf '\n  // nothing\n/* at all\n*/\n' | wsim check -; echo "exit $?"
wsim check multimem.red ''; echo "exit $?"
wsim check '@p' ; echo "exit $?"
printf 'mma.sync /* never ends\nfoo' | wsim check -
# legal, and no results are known
wsim check --arch sm_100a cvt.rs.satfinite.e4m3x4.f32 add.f32; echo "exit $?"
wsim check --arch sm_70 wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16; echo "exit $?"
