wsim ops --arch sm_120a | wsim check --arch sm_120a - | sort | uniq -c
wsim ops --arch sm_70 | wsim check --arch sm_70 - | sort | uniq -c
