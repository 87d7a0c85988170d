# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2154 # variables of the script that sources this
#
# Sourced by Scripts/benchmark for --check: counts the instructions and allocations of a request, which hardly change from run to run, and compares
# them with Benchmarks/baseline. What is counted is the difference between a long and a short run, so that start-up does not matter.

guard_baseline=$project/Benchmarks/baseline
# What the counts depend on beside this package; on another machine they say nothing.
guard_machine() {
    printf '%s; libcurl %s; glibc %s' "$(swift --version 2>/dev/null | head -n 1)" "$(curl-config --version 2>/dev/null | cut -d ' ' -f 2)" \
        "$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)"
}

# valgrind reads none of Swift's debug information.
guard_program() {
    [ "$state/$1" -nt "$programs/$1" ] || {
        cp "$programs/$1" "$state/$1"
        strip --strip-debug "$state/$1"
    }
    echo "$state/$1"
}

count_of() { # TOOL NUMBER COMMAND...
    local tool=$1 number=$2 options=(--tool=memcheck --leak-check=no --undef-value-errors=no) found
    shift 2
    [ "$tool" = allocations ] || options=(--tool=callgrind "--callgrind-out-file=$state/callgrind.out")
    SWIFT_DETERMINISTIC_HASHING=1 valgrind "${options[@]}" "$@" --requests "$number" >"$logs/guard.log" 2>&1 || {
        tail -n 5 "$logs/guard.log" >&2
        fail "valgrind failed: $*"
    }
    if [ "$tool" = allocations ]; then
        found=$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$logs/guard.log")
    else
        found=$(sed -n 's/.*refs: *\([0-9,]*\)$/\1/p' "$logs/guard.log")
    fi
    [ -n "$found" ] || fail "valgrind did not say how many $tool"
    echo "${found//,/}"
}

each() { # TOOL COMMAND...
    local tool=$1 long short
    shift
    short=$(count_of "$tool" 1000 "$@") || exit
    long=$(count_of "$tool" 5000 "$@") || exit
    echo $(((long - short) / 4000))
}

guard() {
    local name tool now usual status=0 machine program
    machine=$(guard_machine)
    program=$(guard_program OpenMoyaPeer)
    : >"$state/baseline"
    echo "machine: $machine" >>"$state/baseline"
    for tool in instructions allocations; do
        for name in get stub; do
            case $name in
            get) now=$(each "$tool" "$program" get --url "$http/message.json" --in-flight 16) || exit ;;
            stub) now=$(each "$tool" "$program" stub) || exit ;;
            esac
            echo "$name $tool: $now" >>"$state/baseline"
        done
    done
    if ! [ -f "$guard_baseline" ] || [ "$(head -n 1 "$guard_baseline")" != "machine: $machine" ]; then
        say "nothing to compare with: Benchmarks/baseline is missing or of another machine. Counted here, also in $state/baseline:"
        cat "$state/baseline"
        exit 2
    fi
    while IFS=: read -r name now; do
        [ "$name" != machine ] || continue
        usual=$(sed -n "s/^$name: //p" "$guard_baseline")
        [ -n "$usual" ] || fail "Benchmarks/baseline has no line for $name"
        printf '%-20s %8s a request, baseline %8s (%+.1f %%)\n' "$name" "$((now))" "$usual" "$(awk "BEGIN { print ($now / $usual - 1) * 100 }")"
        [ $((now * 100)) -le $((usual * 105)) ] || status=1
    done <"$state/baseline"
    [ "$status" -eq 0 ] || fail "a request costs over 5 % more than the baseline. If that is meant, copy $state/baseline to Benchmarks/baseline."
}
