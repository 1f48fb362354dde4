wsim banks st.shared.v2.f32 --addr 'lane * 128' --mask 0x000f000f
