wsim banks
