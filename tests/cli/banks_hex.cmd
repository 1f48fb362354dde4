wsim banks ld.shared.u8 --addr hex:$(printf '%08x' $(seq 0 31)) --format csv
