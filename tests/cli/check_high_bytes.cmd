printf 'mma.\303\244.sync\nmma.\377\n\200\n' | wsim check -
