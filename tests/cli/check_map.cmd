wsim check --arch h200 tensormap.replace.tile.global_address.shared::cta.b1024.b64 tensormap.replace.b1024.b32.box_dim.tile tensormap.replace.tile.rank.global.b1024.b64 tensormap.replace.tile.swizzle_atomicity.b1024.b32 tensormap.replace.tile.rank.shared.b1024.b32 tensormap.cp_fenceproxy
wsim exec tensormap.replace.tile.rank.global.b1024.b32
