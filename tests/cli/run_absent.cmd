# options behind a program that is not installed are its own
wsim run no-such-program --pyargs x
