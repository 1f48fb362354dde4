wsim banks ld.shared.u32 --addr 'lane * 4' --mask 010 --format csv
for mask in '' 0x 12z -1 4294967296; do wsim banks ld.shared.u32 --addr 'lane * 4' --mask "$mask"; done
