for name in /nonexistent addresses.txt addresses; do wsim banks ld.shared.u32 --addr $name; done
wsim banks ld.shared.u32 --addr @addresses
