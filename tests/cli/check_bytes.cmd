printf 'mma.\000sync\nmma.\033[31m.x\nmma.sync' | wsim check -
