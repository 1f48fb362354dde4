wsim ops --family mma --type e4m3 --arch sm_89
echo
wsim ops --family ldmatrix --type x4
echo
wsim ops --type mxf4 --arch sm_120a
