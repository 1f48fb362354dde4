wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a iota --format json --show-inputs
