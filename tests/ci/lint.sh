#!/bin/sh
# lint.sh SOURCE_DIR - the templates of ci/ and the workflow of this project are scripts and YAML, and
# name nothing that is not there.
# Without shellcheck or a YAML reader, their checks are skipped by name.
cd "$1" || exit 2
failed=0
yaml="ci/*.yml .github/workflows/*.yml"

for script in ci/*.sh; do
    sh -n "$script" || failed=1
    [ -x "$script" ] || { echo "$script cannot be executed"; failed=1; }
done
if command -v shellcheck >/dev/null; then
    shellcheck ci/*.sh || failed=1
else
    echo "left out: no shellcheck"
fi

read_yaml() { python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$1"; }
if python3 -c 'import yaml' 2>/dev/null; then
    for file in $yaml; do read_yaml "$file" || failed=1; done
else
    echo "left out: no reader of YAML"
fi

for path in $(grep -hoE '(\.ci|tools/hw|tools|ci)/[a-z]+(\.sh)?' $yaml | sort -u); do
    [ -x "$path" ] || { echo "a template runs $path, which is not there"; failed=1; }
done
for option in $(grep -hE -e 'tools/test\.sh' $yaml | grep -oE -e ' --[a-z]+' | sort -u); do
    grep -qF -e "[${option# }]" tools/test.sh || { echo "tools/test.sh has no $option"; failed=1; }
done
for option in $(grep -hoE -e 'wsim (check|run) .*' ci/project.yml | grep -oE -e ' --[a-z]+' | sort -u); do
    grep -rqF -e "\"${option#--}\"" tools/wsim/common tools/wsim/check tools/wsim/lint tools/wsim/run || { echo "wsim has no $option"; failed=1; }
done
for option in $(grep -hoE -e ' --[a-z]+' ci/g*.yml | sort -u); do
    grep -rqF -e "\"$option\"" tools/hw/*.[ch] || { echo "wsim-hw has no $option"; failed=1; }
done
for option in $(grep -rhoE -e '-DWSIM_[A-Z_]+=|-DBUILD_[A-Z_]+=' ci | sort -u); do
    option=${option#-D}
    grep -qF -e "${option%=} " CMakeLists.txt || { echo "CMakeLists.txt has no ${option%=}"; failed=1; }
done
exit $failed
