# told where it is no recording of this architecture
for arch in sm_90a sm_80; do wsim banks st.shared.u32 --addr 'lane * 4' --arch $arch | sed -n 1,2p; done
wsim banks st.shared.u32 --addr 'lane * 4' --arch sm_80 --format json | grep -E '"(evidence|source)"'
wsim banks stmatrix.sync.aligned.m8n8.x1.shared.b16 --addr 'lane * 16' --format json | grep -E '"(evidence|source)"'
