wsim --help
