wsim ops --type f128
