# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2154 # variables of the script that sources this
#
# Sourced by Scripts/benchmark for --check and --accept: counts the instructions and allocations of a request, which hardly change from run to run, and
# compares them with Benchmarks/baseline. What is counted is the difference between a long and a short run, so that start-up does not matter.
#
# Counts depend on more than this package. On the very machine of the baseline all of them are compared. On another one with the same Swift and libcurl
# allocations are, and the instructions in relation to those of the C program, which the other machine changes alike. Where Swift or libcurl is another
# version there is nothing to compare.

guard_baseline=$project/Benchmarks/baseline

# What both programs and all libraries that they spend their time in are made of.
guard_software() {
    printf '%s; libcurl %s' "$(swift --version 2>/dev/null | head -n 1)" "$(curl-config --version 2>/dev/null | cut -d ' ' -f 2)"
}

# The C library chooses among its functions by the processor.
guard_machine() {
    printf '%s; glibc %s; %s' "$(guard_software)" "$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2)" \
        "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)"
}

# Before anything is built: how far the baseline's counts can be compared with those of this machine, as guard_extent; status 2 if not at all.
guard_begin() {
    local line=""
    [ "$(uname)" = Linux ] || {
        say "counting instructions needs Linux"
        exit 2
    }
    guard_extent=all
    [ "$1" = check ] || return 0
    [ ! -f "$guard_baseline" ] || line=$(sed -n 's/^machine: //p' "$guard_baseline")
    case $line in
    "$(guard_machine)") ;;
    "$(guard_software); "*) guard_extent=relative ;;
    *)
        say "nothing to compare with: Benchmarks/baseline is of ${line:-no machine}; this is $(guard_machine)"
        say "Scripts/benchmark --accept would count here and write what it finds to Benchmarks/baseline"
        exit 2
        ;;
    esac
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
        if grep -q 'nrecognised instruction' "$logs/guard.log"; then
            say "valgrind does not know this processor"
            exit 2
        fi
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

guard_names=("16 gets: instructions" "1 get: instructions" "1 get in C: instructions" "stub: instructions" "16 gets: allocations" "stub: allocations")
# In thousandths. With one in flight, since with more the C program's count depends on how many responses it finds at a time.
guard_relative="1 get: instructions of C's"

# guard_count NAME: what the baseline calls by that name, counted here; 16 gets are that many in flight.
guard_count() {
    local get=(get --url "$http/message.json" --in-flight "${1%% *}")
    case $1 in
    "$guard_relative") guard_relation "$(guard_count "1 get: instructions")" "$(guard_count "1 get in C: instructions")" ;;
    *" in C: "*) each "${1##* }" "$(guard_program CurlMulti)" "${get[@]}" ;;
    stub*) each "${1##* }" "$(guard_program OpenMoyaPeer)" stub ;;
    *) each "${1##* }" "$(guard_program OpenMoyaPeer)" "${get[@]}" ;;
    esac
}

guard_relation() { # OURS C
    [ -n "$1" ] && [ -n "$2" ] || exit
    echo $(($1 * 1000 / $2))
}

guard_usual() { # NAME
    local usual
    if [ "$1" = "$guard_relative" ]; then
        usual=$(guard_relation "$(guard_usual "1 get: instructions")" "$(guard_usual "1 get in C: instructions")") || exit
    else
        usual=$(sed -n "s/^$1: //p" "$guard_baseline")
    fi
    [ -n "$usual" ] || fail "Benchmarks/baseline has no line for $1"
    echo "$usual"
}

guard() { # check or accept
    if [ "$1" = accept ]; then guard_accept; else guard_check; fi
}

guard_accept() {
    local name now
    echo "machine: $(guard_machine)" >"$state/baseline"
    for name in "${guard_names[@]}"; do
        # The second of three: one may have met a busy machine.
        now=$(for _ in 1 2 3; do guard_count "$name" || exit; done) || exit
        printf '%s: %s\n' "$name" "$(sort -n <<<"$now" | sed -n 2p)" >>"$state/baseline"
    done
    cp "$state/baseline" "$guard_baseline"
    cat "$guard_baseline"
}

guard_check() {
    local names=() name now again usual status=0
    for name in "${guard_names[@]}"; do
        case $guard_extent:$name in
        *" in C: "*) ;;
        relative:"1 get: "*) names+=("$guard_relative") ;;
        relative:*": instructions") ;;
        *) names+=("$name") ;;
        esac
    done
    if [ "$guard_extent" = relative ]; then
        say "the baseline is of another machine with the same Swift and libcurl: instructions are compared in relation to the C program's"
    fi
    for name in "${names[@]}"; do
        usual=$(guard_usual "$name") || exit
        now=$(guard_count "$name") || exit
        # A busy machine hands out responses in other portions; code that costs more costs it every time.
        for _ in 1 2; do
            [ $((now * 100)) -gt $((usual * 105)) ] || break
            again=$(guard_count "$name") || exit
            [ "$again" -ge "$now" ] || now=$again
        done
        awk -v name="$name" -v now="$now" -v usual="$usual" 'BEGIN {
            unit = name ~ /of C.s$/ ? 1000 : 1
            printf "%-26s %10.6g a request, baseline %10.6g (%+.1f %%)\n", name, now / unit, usual / unit, (now / usual - 1) * 100
        }'
        [ $((now * 100)) -le $((usual * 105)) ] || status=1
    done
    [ "$status" -eq 0 ] || fail "a request costs over 5 % more than the baseline. If that is meant, Scripts/benchmark --accept makes it the baseline."
}
