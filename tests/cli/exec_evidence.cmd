for arch in sm_70 sm_75 sm_80 sm_90a sm_100a; do
    wsim exec --wide mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --arch $arch | sed -n 2p
done
wsim exec --wide movmatrix.sync.aligned.m8n8.trans.b16 | sed -n 2p
wsim exec --wide movmatrix.sync.aligned.m8n8.trans.b16 --format json | grep -E '"(evidence|source)"'
