wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --show-inputs
