wsim ops --format json | head -1
