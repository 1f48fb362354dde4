# a column only where one architecture is meant
wsim ops --family mma --type f64 --arch sm_90a
wsim ops --family red --type b64 --arch sm_80 | head -3
wsim ops --family movmatrix --arch sm_80 --format csv
wsim ops --family movmatrix --arch sm_80 --format json
