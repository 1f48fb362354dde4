wsim layout --lanes 5
