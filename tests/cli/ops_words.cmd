# families by their first words, types by a word for several; where there is nothing, where there is
wsim ops --family wgmma --type tf32 --arch hopper | head -2
wsim ops --type fp8 --family mma --arch 'RTX 4090' | head -3
wsim ops --type fp4 --arch sm_120
echo "exit $?"
wsim ops --family ldmatrix --type fp8
echo "exit $?"
wsim ops --type fp4 --arch SM120 --format json
echo "exit $?"
wsim ops --family wgmm
# instructions of one thread: by their first word, by more words, by a type
wsim ops --family bfind --arch h100
wsim ops --family cp.async.wait_group
wsim ops --family tanh --type bf16x2 --arch h200
wsim ops --family tanh --type bf16x2 --arch sm_100 --format csv
wsim ops --family rcp --type f64 | tail -2
wsim ops --family ad
wsim ops --family add --evidence
echo "exit $?"
