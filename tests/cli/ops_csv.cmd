wsim ops --family stmatrix --format csv
