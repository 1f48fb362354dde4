# the same parameters in a file; options stand over it, and what JSON says can be asked again
cat >a.json <<'J'
{"dtype": "float16", "dims": [256, 512], "strides": [512], "box": [64, 8], "swizzle": "128b"}
J
wsim tma check a.json
wsim tma check --box 128,8 - <a.json
wsim tma check --format json a.json
wsim tma check --format json --box 128,8 a.json
