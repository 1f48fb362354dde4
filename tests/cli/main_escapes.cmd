# nothing that a terminal obeys comes back from it, and nothing of any length
escape=$(printf '\033[31m') title=$(printf '\033]0;x\a') csi=$(printf '\233')
wsim "$escape"
wsim exec "mma.${escape}red"
wsim exec "--${escape}"
wsim check --arch "$title" ldmatrix
wsim check "${csi}ldmatrix"
wsim banks ld.shared.u32 --addr "$title"
wsim banks ld.shared.u32 --addr "@$title$csi"
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a "$escape"
wsim tma check --dtype "$title" --dims 8 --box 8
wsim tma check "$title"
wsim desc decode "$title"
wsim swizzle "$escape"
wsim replay "$escape" "$(printf '\303\251.trace')"
printf '{"%s": 1}' "$(printf 'a\\u001b')" | wsim tma check -
wsim layout ldmatrix.sync.aligned.m8n8.x1.b16 --operand "$(printf '\342\200\256')"
long=$(printf '%01000d' 0)
wsim banks ld.shared.u32 --addr "lane +* $long"
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a "x$long"
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --a "$(printf '%0256d' 0)" | head -4
