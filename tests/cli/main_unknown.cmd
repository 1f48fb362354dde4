wsim frobnicate
