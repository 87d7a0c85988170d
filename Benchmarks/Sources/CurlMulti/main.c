// SPDX-License-Identifier: MIT
//
// Sends many GETs over libcurl's multi interface from one thread, as well as libcurl lets one: socket actions driven by epoll, easy handles
// reused for request after request, connections kept alive, content collected in memory.
//
//     CurlMulti get --url URL --requests N --in-flight C [--ca FILE]

#include "WorkReport.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    CURL *easy;
    char *content;
    size_t length, capacity;
} Transfer;

// What epoll has been told of a socket, so that it is told only of changes. libcurl drops interest in a socket after each response and takes
// it up again with the next request: between the two the registration stays.
typedef struct {
    uint32_t registered, wanted;
} Interest;

static CURLM *multi;
static int poller;
static Interest *interests;
static size_t interestCount;
static int64_t deadline = -1; // in milliseconds of nanoseconds()'s clock; -1: none
static long startable, unfinished, failures;
static size_t expectedLength;

static void die(const char *what) {
    fprintf(stderr, "CurlMulti: %s\n", what);
    exit(1);
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static Interest *interestIn(curl_socket_t socket) {
    if ((size_t)socket >= interestCount) {
        size_t count = (size_t)socket * 2 + 64;
        interests = realloc(interests, count * sizeof *interests);
        if (!interests) die("out of memory");
        memset(interests + interestCount, 0, (count - interestCount) * sizeof *interests);
        interestCount = count;
    }
    return &interests[socket];
}

static void tellPoller(curl_socket_t socket, Interest *interest) {
    struct epoll_event event = {.events = interest->wanted, .data.fd = socket};
    int operation = !interest->wanted ? EPOLL_CTL_DEL : interest->registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(poller, operation, socket, &event) != 0) die(strerror(errno));
    interest->registered = interest->wanted;
}

static int socketChanged(CURL *easy, curl_socket_t socket, int what, void *context, void *socketContext) {
    (void)easy, (void)context, (void)socketContext;
    Interest *interest = interestIn(socket);
    interest->wanted = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (what == CURL_POLL_REMOVE) interest->wanted = 0; // stays registered until an event nobody wants
    else if (interest->wanted != interest->registered) tellPoller(socket, interest);
    return 0;
}

static int closeSocket(void *context, curl_socket_t socket) {
    (void)context;
    *interestIn(socket) = (Interest){0}; // closing takes it out of epoll
    return close(socket);
}

static int timerChanged(CURLM *changed, long milliseconds, void *context) {
    (void)changed, (void)context;
    deadline = milliseconds < 0 ? -1 : nanoseconds() / 1000000 + milliseconds;
    return 0;
}

static size_t received(char *bytes, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size_t length = size * count;
    if (transfer->length + length > transfer->capacity) {
        size_t capacity = (transfer->length + length) * 2;
        char *content = realloc(transfer->content, capacity);
        if (!content) return 0;
        transfer->content = content;
        transfer->capacity = capacity;
    }
    memcpy(transfer->content + transfer->length, bytes, length);
    transfer->length += length;
    return length;
}

static void start(Transfer *transfer) {
    startable--;
    transfer->length = 0;
    if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) die("a request could not be added");
}

static void collectFinished(void) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result; // the message is gone with the next call
        Transfer *transfer;
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (!expectedLength) expectedLength = transfer->length;
        if (code != CURLE_OK || status != 200 || transfer->length != expectedLength) failures++;
        curl_multi_remove_handle(multi, easy);
        unfinished--;
        if (startable > 0) start(transfer);
    }
}

static void run(Transfer *transfers, long count, long requests) {
    struct epoll_event events[256];
    int running;
    startable = unfinished = requests;
    for (long index = 0; index < count && startable > 0; index++) start(&transfers[index]);
    while (unfinished > 0) {
        int wait = -1;
        if (deadline >= 0) {
            int64_t rest = deadline - nanoseconds() / 1000000;
            wait = rest > 0 ? (int)rest : 0;
        }
        int ready = epoll_wait(poller, events, 256, wait);
        if (ready < 0 && errno != EINTR) die(strerror(errno));
        for (int index = 0; index < ready; index++) {
            int socket = events[index].data.fd;
            Interest *interest = interestIn(socket);
            if (!interest->wanted) {
                if (interest->registered) tellPoller(socket, interest);
                continue;
            }
            uint32_t happened = events[index].events;
            int what = (happened & EPOLLIN ? CURL_CSELECT_IN : 0) | (happened & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                       (happened & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            curl_multi_socket_action(multi, socket, what, &running);
        }
        if (deadline >= 0 && nanoseconds() / 1000000 >= deadline) {
            deadline = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        collectFinished();
    }
}

int main(int argc, char **argv) {
    const char *url = NULL, *authority = NULL;
    long requests = 0, inFlight = 0;
    if (argc < 2 || strcmp(argv[1], "get") != 0) die("the one thing it does is: get");
    for (int index = 2; index + 1 < argc; index += 2) {
        if (!strcmp(argv[index], "--url")) url = argv[index + 1];
        else if (!strcmp(argv[index], "--requests")) requests = atol(argv[index + 1]);
        else if (!strcmp(argv[index], "--in-flight")) inFlight = atol(argv[index + 1]);
        else if (!strcmp(argv[index], "--ca")) authority = argv[index + 1];
        else die("unknown option");
    }
    if (!url || requests < 1 || inFlight < 1) die("needs --url, --requests and --in-flight");

    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!multi || poller < 0) die("could not be set up");
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socketChanged);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timerChanged);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);

    Transfer *transfers = calloc((size_t)inFlight, sizeof *transfers);
    for (long index = 0; index < inFlight; index++) {
        Transfer *transfer = &transfers[index];
        CURL *easy = transfer->easy = curl_easy_init();
        if (!easy) die("out of memory");
        curl_easy_setopt(easy, CURLOPT_URL, url);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, received);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
        curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closeSocket);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
        if (authority) curl_easy_setopt(easy, CURLOPT_CAINFO, authority);
    }

    run(transfers, inFlight, inFlight * 2 + 200); // connections are there, handles and buffers have grown
    failures = 0;
    Stopwatch stopwatch = startStopwatch(false);
    run(transfers, inFlight, requests);
    reportWork(stopwatch, "curl-multi", "get", inFlight, requests, failures, "");

    for (long index = 0; index < inFlight; index++) {
        curl_easy_cleanup(transfers[index].easy);
        free(transfers[index].content);
    }
    free(transfers);
    curl_multi_cleanup(multi);
    free(interests);
    close(poller);
    return failures ? 1 : 0;
}
