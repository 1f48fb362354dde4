# a call goes on over lines, so it is not for lists
wsim ops --arch sm_120a | grep -v '^call' | wsim check --arch sm_120a - | sort | uniq -c
wsim ops --arch sm_70 | grep -v '^call' | wsim check --arch sm_70 - | sort | uniq -c
