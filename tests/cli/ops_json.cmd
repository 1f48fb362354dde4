wsim ops --family movmatrix --format json
