# what the model rests on, architectures that share an answer in one line; results and counts apart
wsim ops -w --evidence --family mma --type e4m3 --arch sm_90
wsim ops -w --evidence --type 'x4' --family ldmatrix
wsim ops --evidence --family movmatrix --arch sm_90a --format csv
wsim ops --evidence --family movmatrix --arch sm_90a --format json
wsim ops -w --evidence --type cas
wsim ops -w --evidence --type f32 --family red --arch sm_90a
