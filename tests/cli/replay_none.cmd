wsim replay --json
