"""python -m wsim: the program."""

from _wsim_program import main

if __name__ == "__main__":
    main()
