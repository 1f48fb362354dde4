# colours of lanes in a terminal; marks are yellow
wsim layout movmatrix.sync.aligned.m8n8.trans.b16 --operand a --color=always | sed -n '3,8p;38,42p' | tr '\033' '^'
wsim swizzle 32B --pitch 64 --color=always | tail -2 | tr '\033' '^'
NO_COLOR=1 wsim swizzle 32B --pitch 64 --color=always | tail -1 | tr '\033' '^'
wsim rules --color=never mma.metadata.undefined >/dev/null && echo fine
