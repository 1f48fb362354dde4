# the evidence of one operation as a table
wsim ops --evidence --format markdown --family movmatrix --arch sm_90
wsim ops --evidence --format svg --family movmatrix | grep -c '<rect'
