// SPDX-License-Identifier: MIT
#ifndef CCURLSHIM_H
#define CCURLSHIM_H

// Without libcurl's headers, as with the trait `Curl` off, this module is empty.
#if __has_include(<curl/curl.h>)

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#if LIBCURL_VERSION_NUM < 0x075100
#error "libcurl 7.81 or newer is needed; on Debian and Ubuntu install libcurl4-openssl-dev"
#endif

// Swift does not see macros with casts in them.

static const long ccurl_auth_none = 0;
static const long ccurl_auth_basic = CURLAUTH_BASIC;
static const long ccurl_auth_ntlm = CURLAUTH_NTLM;
static const long ccurl_auth_negotiate = CURLAUTH_NEGOTIATE;

static inline const curl_version_info_data *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// Swift cannot call variadic functions: one typed call for each kind of value.

static inline CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// The bytes are not copied: they must outlive the easy handle or the next blob for the same option.
static inline CURLcode ccurl_easy_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
    return curl_easy_setopt(easy, option, &blob);
}

// For CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION.
static inline CURLcode ccurl_easy_set_data_callback(CURL *easy, CURLoption option, curl_write_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode ccurl_easy_set_seek_callback(CURL *easy, curl_seek_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode ccurl_easy_set_open_socket_callback(CURL *easy, curl_opensocket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode ccurl_easy_set_close_socket_callback(CURL *easy, curl_closesocket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

static inline CURLcode ccurl_easy_set_prerequest_callback(CURL *easy, curl_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode ccurl_easy_set_progress_callback(CURL *easy, curl_xferinfo_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode ccurl_easy_set_debug_callback(CURL *easy, curl_debug_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}

static inline CURLcode ccurl_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
    char *string = NULL;
    CURLcode code = curl_easy_getinfo(easy, info, &string);
    *value = string;
    return code;
}

static inline CURLcode ccurl_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline struct curl_certinfo *ccurl_easy_certificates(CURL *easy) {
    struct curl_certinfo *certificates = NULL;
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &certificates) == CURLE_OK ? certificates : NULL;
}

/// The socket of the last transfer's connection, CURL_SOCKET_BAD if that is closed.
static inline curl_socket_t ccurl_easy_connected_socket(CURL *easy) {
    curl_socket_t descriptor = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK ? descriptor : CURL_SOCKET_BAD;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_socket_callback(CURLM *multi, curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode ccurl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// The easy handle of the next finished transfer and how it ended; NULL when there is none.
static inline CURL *ccurl_multi_next_finished(CURLM *multi, CURLcode *result) {
    int waiting = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &waiting)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

// At most 15 bytes are kept of the name.
static inline void ccurl_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// Gives the system back whatever pages are free; other C libraries than glibc do so by themselves.
static inline void ccurl_give_memory_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Version checks.

// CURLE_TOO_LARGE, which libcurl has since 8.6; before, it says CURLE_OUT_OF_MEMORY.
static const unsigned int ccurl_code_too_large = 100;

static inline CURLcode ccurl_easy_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Has a transfer that ends while its host's name is looked up leave the resolver's thread alone. Before libcurl 7.87 it waits for that
// thread, and everything else with it.
static inline CURLcode ccurl_easy_never_wait_for_resolver(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

// Whether the transfer went through a proxy; negative before libcurl 8.7, which cannot tell.
static inline long ccurl_easy_used_proxy(CURL *easy) {
    long used = -1;
#if LIBCURL_VERSION_NUM >= 0x080700
    if (curl_easy_getinfo(easy, CURLINFO_USED_PROXY, &used) != CURLE_OK) {
        return -1;
    }
#else
    (void)easy;
#endif
    return used;
}

// The file of authorities that libcurl was built to use; NULL if there is none or before libcurl 7.84, which cannot tell.
static inline const char *ccurl_easy_default_authorities(CURL *easy) {
    char *path = NULL;
#if LIBCURL_VERSION_NUM >= 0x075400
    if (curl_easy_getinfo(easy, CURLINFO_CAINFO, &path) != CURLE_OK) {
        return NULL;
    }
#else
    (void)easy;
#endif
    return path;
}

#endif
#endif
