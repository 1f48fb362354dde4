wsim check
