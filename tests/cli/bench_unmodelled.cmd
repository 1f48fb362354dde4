wsim bench ld.shared.b32
