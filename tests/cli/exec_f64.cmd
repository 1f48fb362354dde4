wsim exec mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --a random:1 --b random:2 --c random:3
