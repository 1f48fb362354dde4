# roots.sh - shell functions of the scripts here that work in a fresh Debian. $work is their folder.
say() { printf '== %s\n' "$*" >&2; }

# quietly COMMAND...: prints what it says only if it fails, and ends the script then
quietly() { "$@" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }; }

# fresh_root FOLDER SUITE [OPTION...]: a minimal Debian
fresh_root() {
    local folder=$1 suite=$2
    shift 2
    debootstrap --variant=minbase "$@" "$suite" "$folder"
    cp -L /etc/ssl/certs/ca-certificates.crt "$folder/certificates.crt" # those of a proxy too
}

# in_root FOLDER COMMAND: with nothing of this machine's environment but proxies
in_root() {
    chroot "$1" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        http_proxy="${http_proxy-}" https_proxy="${https_proxy-}" PIP_CERT=/certificates.crt PIP_ROOT_USER_ACTION=ignore sh -ec "$2"
}
