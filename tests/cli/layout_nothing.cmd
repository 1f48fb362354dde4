wsim layout
