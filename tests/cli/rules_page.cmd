# docs/generated/rules.md is what the program prints; `cmake --build BUILD --target rules-record` writes it
wsim rules --format markdown | diff "$(dirname "$0")/../../docs/generated/rules.md" - && echo the same
