wsim --version | sed -e '/^commit /d' -e 's/[0-9]/N/g'
