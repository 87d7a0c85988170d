# SPDX-License-Identifier: MIT
#
# Turns the lines that Scripts/benchmark collected into two tables: what each program did, and the ratios that matter.

{
    for (i = 1; i <= NF; i++) {
        split($i, pair, "=")
        value[pair[1]] = pair[2]
    }
    key = value["label"] SUBSEP value["program"]
    if (!(key in runs)) order[++keys] = key
    runs[key]++
    round = value["round"]
    if (round > rounds) rounds = round
    rate[key, round] = value["count"] / value["seconds"]
    each[key, round] = value["seconds"] / value["count"]
    cpu[key, round] = value["cpu_seconds"] / value["count"]
    peak[key, round] = value["peak_kib"] / 1024
    if (value["label"] == "flood") {
        threads = value["threads"] > threads ? value["threads"] : threads
        held[round] = value["each_kib"]
    }
}

# Collects the rounds' values of one measure into sorted[1...n], and returns n.
function collect(measure, key,    round, n, i, j, swap) {
    n = 0
    for (round = 1; round <= rounds; round++) {
        if (!((key SUBSEP round) in rate)) continue
        sorted[++n] = measure == "rate" ? rate[key, round] : measure == "cpu" ? cpu[key, round] \
            : measure == "each" ? each[key, round] : peak[key, round]
    }
    arrange(n)
    return n
}

function arrange(n,    i, j, swap) {
    for (i = 2; i <= n; i++) {
        swap = sorted[i]
        for (j = i - 1; j >= 1 && sorted[j] > swap; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = swap
    }
}

function median(n) { return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2 }

function number(x) { return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.3f", x) }

# One line of the second table: the ratio, round by round, of a measure of two runs.
function compare(text, measure, label, program, otherLabel, otherProgram, target, aim,    key, other, round, n, a, b) {
    key = label SUBSEP program
    other = otherLabel SUBSEP otherProgram
    if (!(key in runs) || !(other in runs)) return
    n = 0
    for (round = 1; round <= rounds; round++) {
        if (!((key SUBSEP round) in rate) || !((other SUBSEP round) in rate)) continue
        a = measure == "rate" ? rate[key, round] : measure == "cpu" ? cpu[key, round] : measure == "each" ? each[key, round] : peak[key, round]
        b = measure == "rate" ? rate[other, round] : measure == "cpu" ? cpu[other, round] \
            : measure == "each" ? each[other, round] : peak[other, round]
        sorted[++n] = a / b
    }
    arrange(n)
    printf "| %-48s | %7.3f | %7.3f to %7.3f | %-9s | %-9s |\n", text, median(n), sorted[1], sorted[n], target, aim
}

END {
    name["get"] = "GET, 64 in flight"
    name["latency"] = "GET, 1 in flight"
    name["http2"] = "GET over HTTPS and HTTP/2, 64 in flight"
    name["download"] = "download of 256 MiB"
    name["upload"] = "upload of 256 MiB"
    name["form"] = "upload of 256 MiB as a form"
    name["flood"] = "10,000 GETs at once, 64 connections"
    name["upload64"] = "upload of 64 MiB"
    name["upload1024"] = "upload of 1 GiB"
    name["form64"] = "upload of 64 MiB as a form"
    name["form1024"] = "upload of 1 GiB as a form"
    for (c = 1; c <= 4096; c *= 4) name["scale" c] = "GET, " c " in flight"
    name["memory64"] = "download of 64 MiB"
    name["memory1024"] = "download of 1 GiB"
    name["stub"] = "immediate stub"

    printf "\n| %-39s | %-17s | %10s | %10s to %10s | %11s | %8s |\n", "work", "program", "per second", "least", "most", "CPU us each", "peak MiB"
    print "| --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= keys; k++) {
        key = order[k]
        split(key, parts, SUBSEP)
        n = collect("rate", key)
        least = sorted[1]
        most = sorted[n]
        middle = median(n)
        n = collect("cpu", key)
        middleCPU = median(n) * 1e6
        n = collect("peak", key)
        printf "| %-39s | %-17s | %10s | %10s to %10s | %11s | %8s |\n", name[parts[1]], parts[2], number(middle), number(least), number(most), \
            number(middleCPU), number(median(n))
    }

    printf "\n| %-48s | %7s | %7s to %7s | %-9s | %-9s |\n", "ratio", "median", "least", "most", "bar", "aim"
    print "| --- | --- | --- | --- | --- |"
    compare("N1 requests a second: of curl-multi", "rate", "get", "openmoya", "get", "curl-multi", ">= 0.55", ">= 0.8")
    compare("N1 requests a second: of URLSession", "rate", "get", "openmoya", "get", "urlsession", ">= 10", "")
    compare("N1 requests a second: of AsyncHTTPClient", "rate", "get", "openmoya", "get", "async-http-client", "", "")
    compare("N1 requests a second: of Alamofire", "rate", "get", "openmoya", "get", "alamofire", "", "")
    compare("N2 CPU a request: of curl-multi", "cpu", "get", "openmoya", "get", "curl-multi", "<= 2.2", "<= 1.5")
    compare("N2 CPU a request: of URLSession", "cpu", "get", "openmoya", "get", "urlsession", "<= 0.125", "")
    compare("N2 CPU a request: of AsyncHTTPClient", "cpu", "get", "openmoya", "get", "async-http-client", "", "")
    compare("N2 CPU a request: of Alamofire", "cpu", "get", "openmoya", "get", "alamofire", "", "")
    compare("N3 latency, 1 in flight: of curl-multi", "each", "latency", "openmoya", "latency", "curl-multi", "<= 1.5", "<= 1.2")
    compare("N3 latency, 1 in flight: of URLSession", "each", "latency", "openmoya", "latency", "urlsession", "", "")
    compare("N3 latency, 1 in flight: of AsyncHTTPClient", "each", "latency", "openmoya", "latency", "async-http-client", "", "")
    compare("N3 latency, 1 in flight: of Alamofire", "each", "latency", "openmoya", "latency", "alamofire", "", "")
    compare("N4 HTTP/2 requests a second: of curl-multi", "rate", "http2", "openmoya", "http2", "curl-multi", ">= 0.55", ">= 0.8")
    compare("N4 HTTP/2 requests a second: of AsyncHTTPClient", "rate", "http2", "openmoya", "http2", "async-http-client", "", "")
    compare("N5 download: time, of curl's command line", "each", "download", "openmoya", "download", "curl", "<= 1.25", "<= 1.05")
    compare("N5 download: time, of AsyncHTTPClient", "each", "download", "openmoya", "download", "async-http-client", "", "")
    compare("N5 download: time, of Alamofire", "each", "download", "openmoya", "download", "alamofire", "", "")
    compare("N5 download: peak memory, 1 GiB of 64 MiB", "peak", "memory1024", "openmoya", "memory64", "openmoya", "about 1", "")
    compare("N6 upload: time, of curl's command line", "each", "upload", "openmoya", "upload", "curl", "<= 1.25", "<= 1.05")
    compare("N6 form: time, of curl's command line", "each", "form", "openmoya", "form", "curl", "<= 1.25", "<= 1.05")
    compare("N6 upload: peak memory, 1 GiB of 64 MiB", "peak", "upload1024", "openmoya", "upload64", "openmoya", "about 1", "")
    compare("N6 form: peak memory, 1 GiB of 64 MiB", "peak", "form1024", "openmoya", "form64", "openmoya", "about 1", "")
    if (("flood" SUBSEP "openmoya") in runs) {
        n = 0
        for (round in held) sorted[++n] = held[round]
        arrange(n)
        printf "| %-48s | %7.3f | %7.3f to %7.3f | %-9s | %-9s |\n", "N7 10,000 at once: KiB of memory each", median(n), sorted[1], sorted[n], \
            "<= 12", "<= 6"
        printf "| %-48s | %7d | %18s | %-9s | %-9s |\n", "N7 10,000 at once: threads at most", threads, "", "<= 8", ""
    }
    if (("stub" SUBSEP "openmoya") in runs) {
        n = collect("rate", "stub" SUBSEP "openmoya")
        printf "| %-48s | %7.0f | %7.0f to %7.0f | %-9s | %-9s |\n", "N8 immediate stubs a second", median(n), sorted[1], sorted[n], \
            ">= 200000", ">= 500000"
    }
    for (c = 256; c <= 4096; c *= 4) {
        compare("N9 CPU a request, " c " in flight: of 64", "cpu", "scale" c, "openmoya", "scale64", "openmoya", "<= 1.2", "<= 1.2")
    }
    compare("N9 CPU a request, 16 in flight: of 64", "cpu", "scale16", "openmoya", "scale64", "openmoya", "", "<= 1.2")
}
