# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by the scripts that start servers, after machine.bash and after they have set `state`, the folder that holds all they write.

# shellcheck disable=SC2154 # state comes from the sourcing script
logs=$state/logs
# shellcheck disable=SC2154
processes=$state/processes

# launch NAME COMMAND...: in the background, in a process group of its own, so that neither a closed terminal nor Ctrl-C ends it half.
launch() {
    local name=$1
    shift
    set -m
    nohup "$@" </dev/null >"$logs/$name.log" 2>&1 &
    set +m
    printf '%s\n' $! >"$processes/$name"
}

# A process id may have gone to somebody else since it was written down: ours have the state folder on their command line.
is_running() {
    local pid
    [ -f "$processes/$1" ] || return 1
    pid=$(<"$processes/$1")
    case $(ps -ww -o command= -p "$pid" 2>/dev/null) in
    *"$state"*) return 0 ;;
    *) return 1 ;;
    esac
}

is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Waits for NAME to accept connections on each PORT; returns 1, with the end of its log, if it ends instead.
wait_for() {
    local name=$1 port tries pid
    shift
    pid=$(<"$processes/$name")
    for port; do
        tries=0
        until is_listening "$port"; do
            tries=$((tries + 1))
            if ! kill -0 "$pid" 2>/dev/null || [ "$tries" -gt 200 ]; then
                say "$name does not listen on port $port. The end of its log:"
                tail -n 10 "$logs/$name.log" >&2 || true
                return 1
            fi
            sleep 0.05
        done
    done
}

stop_one() {
    local name=$1 pid tries=0
    if is_running "$name"; then
        pid=$(<"$processes/$name")
        kill -TERM "$pid" 2>/dev/null || true
        while is_running "$name" && [ "$tries" -lt 60 ]; do
            tries=$((tries + 1))
            sleep 0.05
        done
        # The whole group: workers that outlived their parent, too.
        kill -KILL -- "-$pid" 2>/dev/null || true
    fi
    rm -f "$processes/$name"
}

# Ports below the range that outgoing connections draw from (32768 and up on Linux), so that none of those takes one in between.
taken=" "
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        case $taken in *" $port "*) continue ;; esac
        is_listening "$port" || break
    done
    taken="$taken$port "
    # shellcheck disable=SC2034 # the result
    free=$port
}

# render TEMPLATE TARGET NAME=value...: each @NAME@ becomes its value.
render() {
    local template=$1 target=$2 pair value program=
    shift 2
    for pair; do
        value=${pair#*=}
        value=${value//\\/\\\\}
        value=${value//&/\\&}
        value=${value//|/\\|}
        program="${program}s|@${pair%%=*}@|$value|g;"
    done
    sed "$program" "$template" >"$target"
}

