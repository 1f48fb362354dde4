wsim ops --family stmatrix --arch sm_80 --format csv
