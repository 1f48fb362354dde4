# docs/generated/evidence.md is what the program prints; tests/golden/record.sh writes it
wsim ops --evidence --format markdown | diff "$(dirname "$0")/../../docs/generated/evidence.md" - && echo the same
# filters hold for the page too
wsim ops --evidence --format markdown --family movmatrix --arch sm_90
wsim ops --evidence --format svg
