wsim frobnicate
touch kernel.cu && wsim kernel.cu
