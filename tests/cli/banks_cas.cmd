wsim banks atom.shared.cas.b64 --addr 'lane%4*8' --mask 0xff
