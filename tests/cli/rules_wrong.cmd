wsim rules mma.metadata.undefind; echo $?
wsim rules nothing-like-a-rule-at-all; echo $?
wsim rules matrix no.such; echo $?
wsim rules ''; echo $?
wsim rules met; echo $?
wsim rules '*metal*'; echo $?
wsim rules --format yaml
