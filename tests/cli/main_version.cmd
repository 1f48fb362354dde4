wsim --version | sed -e '/^commit /d' -e '/PTX ISA/!s/[0-9]/N/g'
