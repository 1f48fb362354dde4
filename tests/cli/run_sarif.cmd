# findings of a kernel for code scanning; without a finding the list is empty
wsim try >/dev/null && cd wsim-try
wsim run reverse.ptx --block 64 --arg 'x[256]=0' --format sarif | grep -E '"(ruleId|uri|startLine|text|level)"'
wsim run --launch saxpy.json --format sarif | grep '"results"'
wsim run --launch saxpy.json --report sarif | grep '"results"'
wsim layout m16n8k16.f32.f16 --format sarif
