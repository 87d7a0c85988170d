# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by the scripts beside it: what they ask of the machine they run on. Works with bash 3.2, which macOS has.

set -euo pipefail

# shellcheck disable=SC2034 # for the sourcing scripts
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=$(basename "$0")

say() { printf '%s: %s\n' "$script" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

has_command() { command -v "$1" >/dev/null 2>&1; }

# /usr/sbin is where Debian keeps servers; a user's PATH often lacks it.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

has_header() {
    local folder
    # The starred folder is Debian's multiarch one (/usr/include/x86_64-linux-gnu).
    for folder in /usr/include /usr/include/* /usr/local/include; do
        [ ! -f "$folder/$1" ] || return 0
    done
    return 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@" # without a terminal nobody can type a password
    fi
}

# install_missing WHAT:PACKAGE... installs the Debian packages of those WHATs that are not there. A WHAT is a command (nginx) or a
# header (curl/curl.h). Returns 1, having said what a person can do, when it cannot.
install_missing() {
    local need what packages=()
    for need; do
        what=${need%%:*}
        case $what in
        *.h) has_header "$what" || packages+=("${need#*:}") ;;
        *) has_command "$what" || packages+=("${need#*:}") ;;
        esac
    done
    [ ${#packages[@]} -gt 0 ] || return 0

    if ! has_command apt-get; then
        say "missing here: ${packages[*]} (Debian's names). Install them with your system's package manager, then run this again."
        return 1
    fi
    if [ "$(id -u)" -ne 0 ] && ! has_command sudo; then
        say "missing here: ${packages[*]}, and installing needs root or sudo. As root: apt-get install ${packages[*]}"
        return 1
    fi
    say "installing ${packages[*]}"
    install_packages "${packages[@]}"
}

# Installs Debian packages without starting the services that some of them bring: they would take ports 80 and 8888.
install_packages() {
    local log policy=/usr/sbin/policy-rc.d own_policy=false status=0
    log=$(mktemp)
    if [ ! -e "$policy" ] && as_root tee "$policy" <<<$'#!/bin/sh\nexit 101' >/dev/null 2>"$log"; then
        as_root chmod +x "$policy"
        own_policy=true
    fi
    # A failed update is not the end: the lists that are there may do.
    apt_get update >"$log" 2>&1 || say "apt-get update failed; going on with the package lists that are there"
    apt_get install --yes --no-install-recommends "$@" >>"$log" 2>&1 || status=1
    if [ "$own_policy" = true ]; then as_root rm -f "$policy"; fi
    if [ "$status" -ne 0 ]; then
        tail -n 20 "$log" >&2
        say "could not install $*. The end of apt-get's output is above."
    fi
    rm -f "$log"
    return "$status"
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@"
}

# The libraries that the package stands on. Apple platforms need neither: URLSession and CryptoKit stand in for them there.
install_libraries() {
    [ "$(uname)" = Linux ] || return 0
    install_missing curl/curl.h:libcurl4-openssl-dev openssl/evp.h:libssl-dev ||
        fail "the package needs libcurl (7.81 or newer) and libcrypto (3.0 or newer) with their headers"
}

require_swift() {
    has_command swift || fail "there is no swift command on the PATH. A Swift 6.2 or newer toolchain: https://www.swift.org/install"
}
