# a tensor map that no driver makes, of the parameters that a kernel has
cat >map.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry take(.param .align 64 .b8 map[128]) { ret; }
END
take() {
    printf '{"ptx": "map.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}}, "launches": [{"args": [\n' >l.json
    printf '{"tensormap": {"dtype": "FLOAT32", "buffer": "in", "dims": [8, 2], "box": [%s, 2], "strides": [%s]}}]}]}\n' $1 $2 >>l.json
    wsim run --launch l.json --lines 0
    echo "exit $?"
}
take 8 32
take 8 33
take 257 32
