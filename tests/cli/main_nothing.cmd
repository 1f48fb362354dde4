wsim
