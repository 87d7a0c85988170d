# SPDX-License-Identifier: MIT
#
# Draws, from the lines that Scripts/benchmark collected, one SVG: a quantity of each program against the number of requests in flight, both axes
# logarithmic, medians over the rounds with the least and the most as bars.
#     awk -v quantity=rate -f plot.awk RESULTS     requests a second
#     awk -v quantity=cpu -f plot.awk RESULTS      CPU microseconds a request

{
    for (i = 1; i <= NF; i++) {
        split($i, pair, "=")
        value[pair[1]] = pair[2]
    }
    if (value["label"] !~ /^scale/) next
    key = value["program"] SUBSEP (substr(value["label"], 6) + 0)
    if (!(value["program"] in colours)) {
        programs[++programCount] = value["program"]
        colours[value["program"]] = substr("#1b6ac9#c8502d#5b8c3e#8a4fb0#b58900#2a9d9d", (programCount - 1) * 7 + 1, 7)
    }
    values[key, ++count[key]] = quantity == "rate" ? value["count"] / value["seconds"] : value["cpu_seconds"] / value["count"] * 1e6
}

function arrange(key,    i, j, swap, n) {
    n = count[key]
    for (i = 1; i <= n; i++) sorted[i] = values[key, i]
    for (i = 2; i <= n; i++) {
        swap = sorted[i]
        for (j = i - 1; j >= 1 && sorted[j] > swap; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = swap
    }
    return n
}

function across(inFlight) { return 70 + log(inFlight) / log(4096) * 560 }
function down(x) { return 330 - (log(x) - log(low)) / (log(high) - log(low)) * 280 }
function label(x) { return x >= 1000 ? (x / 1000) "k" : x "" }

END {
    low = 1e30
    high = 0
    for (key in count) {
        n = arrange(key)
        if (sorted[1] < low) low = sorted[1]
        if (sorted[n] > high) high = sorted[n]
    }
    low = 10 ^ int(log(low) / log(10) + 1e-9)
    high = 10 ^ (int(log(high) / log(10) - 1e-9) + 1)
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"390\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"760\" height=\"390\" fill=\"white\"/>"
    printf "<text x=\"70\" y=\"28\" font-size=\"14\">%s</text>\n", quantity == "rate" ? "Requests a second" : "CPU microseconds a request"
    for (c = 1; c <= 4096; c *= 4) {
        printf "<line x1=\"%.1f\" y1=\"50\" x2=\"%.1f\" y2=\"330\" stroke=\"#e4e4e4\"/>\n", across(c), across(c)
        printf "<text x=\"%.1f\" y=\"348\" text-anchor=\"middle\">%d</text>\n", across(c), c
    }
    print "<text x=\"350\" y=\"372\" text-anchor=\"middle\">requests in flight</text>"
    for (decade = low; decade <= high * 1.001; decade *= 10) {
        for (step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            if (decade * step > high * 1.001) continue
            printf "<line x1=\"70\" y1=\"%.1f\" x2=\"630\" y2=\"%.1f\" stroke=\"%s\"/>\n", down(decade * step), down(decade * step), \
                step == 1 ? "#c8c8c8" : "#eeeeee"
            printf "<text x=\"62\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", down(decade * step) + 4, label(decade * step)
        }
    }
    for (p = 1; p <= programCount; p++) {
        program = programs[p]
        path = ""
        for (c = 1; c <= 4096; c *= 4) {
            key = program SUBSEP c
            if (!(key in count)) continue
            n = arrange(key)
            middle = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
            path = path sprintf("%s%.1f %.1f ", path == "" ? "M" : "L", across(c), down(middle))
            printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", across(c), down(sorted[1]), across(c), down(sorted[n]), \
                colours[program]
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", across(c), down(middle), colours[program]
        }
        printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, colours[program]
        printf "<text x=\"645\" y=\"%d\" fill=\"%s\">%s</text>\n", 60 + p * 18, colours[program], program
    }
    print "</svg>"
}
