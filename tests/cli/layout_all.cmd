wsim layout mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
