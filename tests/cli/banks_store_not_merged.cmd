wsim banks st.shared.v2.u32 --addr 'lane / 2 * 8' --format csv
