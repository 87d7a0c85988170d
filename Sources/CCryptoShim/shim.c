// SPDX-License-Identifier: MIT
#include "CCryptoShim.h"

#if __has_include(<openssl/evp.h>)

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>

#define FUNCTION_COUNT 3

// Fetched once and kept for the life of the process: an implicit fetch costs more than hashing a short string. An EVP_MD may be
// used from several threads at once.
static EVP_MD *fetched[FUNCTION_COUNT];
static pthread_once_t fetched_once = PTHREAD_ONCE_INIT;

static void fetch_all(void) {
    static const char *const names[FUNCTION_COUNT] = {"MD5", "SHA2-256", "SHA2-512/256"};
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        fetched[i] = EVP_MD_fetch(NULL, names[i], NULL);
    }
}

static const EVP_MD *message_digest(ccrypto_hash function) {
    pthread_once(&fetched_once, fetch_all);
    if ((int)function < 0 || (int)function >= FUNCTION_COUNT) {
        return NULL;
    }
    return fetched[(int)function];
}

bool ccrypto_hash_is_available(ccrypto_hash function) {
    return message_digest(function) != NULL;
}

size_t ccrypto_hash_bytes(ccrypto_hash function, const void *bytes, size_t count, unsigned char *output) {
    const EVP_MD *digest = message_digest(function);
    unsigned int written = 0;
    if (digest == NULL || EVP_Digest(count > 0 ? bytes : "", count, output, &written, digest, NULL) != 1) {
        return 0;
    }
    return written;
}

ccrypto_hash_state *ccrypto_hash_start(ccrypto_hash function) {
    const EVP_MD *digest = message_digest(function);
    if (digest == NULL) {
        return NULL;
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_DigestInit_ex(context, digest, NULL) != 1) {
        EVP_MD_CTX_free(context);
        return NULL;
    }
    return (ccrypto_hash_state *)context;
}

bool ccrypto_hash_add(ccrypto_hash_state *state, const void *bytes, size_t count) {
    return count == 0 || EVP_DigestUpdate((EVP_MD_CTX *)state, bytes, count) == 1;
}

size_t ccrypto_hash_finish(ccrypto_hash_state *state, unsigned char *output) {
    unsigned int written = 0;
    if (EVP_DigestFinal_ex((EVP_MD_CTX *)state, output, &written) != 1) {
        return 0;
    }
    return written;
}

void ccrypto_hash_free(ccrypto_hash_state *state) {
    EVP_MD_CTX_free((EVP_MD_CTX *)state);
}

bool ccrypto_random_bytes(void *output, size_t count) {
    unsigned char *next = output;
    while (count > 0) {
        int part = count > INT_MAX ? INT_MAX : (int)count;
        if (RAND_bytes(next, part) != 1) {
            return false;
        }
        next += part;
        count -= (size_t)part;
    }
    return true;
}

#endif
