# better places of a tile: a transpose, a tile of halves that is copied and loaded, nothing to mend,
# and what is asked in vain
wsim banks ld.shared.f32 --addr 'lane * 128 + k * 4' --with 'st.shared.f32 k * 128 + lane * 4' --let k=0..31 --suggest
wsim banks ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addr 'lane % 16 * 128 + lane / 16 * 16 + k * 32' --let k=0..3 --with 'cp.async.cg.shared.global lane / 8 * 128 + lane % 8 * 16' --suggest
wsim banks ld.shared.f32 --addr 'lane * 144' --pitch 144 --suggest --format json
wsim banks ld.shared.f32 --addr 'lane * 4' --suggest
wsim banks ld.shared.f32 --addr 'lane * 4' --with 'st.shared.f32 lane * 4'
wsim banks ld.shared.f32 --addr 'lane * 4' --suggest --with st.shared.f32
wsim banks ld.shared.f32 --addr 'lane * 4' --suggest --with 'mma.sync lane'
wsim banks ld.shared.f32 --addr 'lane * 4' --suggest --with 'st.shared.f32 lane +'
wsim banks ld.shared.f32 --addr 'lane * 2' --suggest
wsim banks ld.shared.f32 --addr 'lane * 4' --suggest --format svg
wsim banks cp.async.ca.shared.global --addr 'lane * 4' --suggest
wsim banks ld.shared.f32 --suggest
