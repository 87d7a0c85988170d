// SPDX-License-Identifier: MIT
#ifndef CCRYPTOSHIM_H
#define CCRYPTOSHIM_H

#include "CCryptoArchives.h"
#include "CCryptoCertificates.h"

// Typed, allocation-light calls into OpenSSL's libcrypto (3.0 or newer). The module is empty where its headers are missing:
// Apple platforms use CryptoKit instead.
#if __has_include(<openssl/evp.h>)

#include <stdbool.h>
#include <stddef.h>

/// The hash functions that Digest, PKCE and certificate pins need.
typedef enum ccrypto_hash {
    CCRYPTO_MD5 = 0,
    CCRYPTO_SHA256 = 1,
    /// SHA-512/256 of FIPS 180-4, with its own initial values: not a truncated SHA-512.
    CCRYPTO_SHA512_256 = 2,
} ccrypto_hash;

/// The longest hash that any function here writes, in bytes.
#define CCRYPTO_MAX_HASH_SIZE 32

/// Whether libcrypto's loaded providers offer the function; a FIPS-only set-up lacks MD5.
bool ccrypto_hash_is_available(ccrypto_hash function);

/// Hashes `count` bytes into `output`, which must hold CCRYPTO_MAX_HASH_SIZE bytes.
/// Returns the number of bytes written, or 0 on failure. `bytes` may be NULL when `count` is 0.
size_t ccrypto_hash_bytes(ccrypto_hash function, const void *bytes, size_t count, unsigned char *output);

/// A hash in progress. One thread at a time.
typedef struct ccrypto_hash_state ccrypto_hash_state;

/// NULL if the function is not available or memory is short; otherwise to be freed by ccrypto_hash_free.
ccrypto_hash_state *ccrypto_hash_start(ccrypto_hash function);
bool ccrypto_hash_add(ccrypto_hash_state *state, const void *bytes, size_t count);
/// Ends the hash; nothing may be added afterwards. Returns the number of bytes written, or 0 on failure.
size_t ccrypto_hash_finish(ccrypto_hash_state *state, unsigned char *output);
void ccrypto_hash_free(ccrypto_hash_state *state);

/// Fills `output` with bytes from libcrypto's seeded generator; false if it could not be seeded, and then `output` must not be used.
bool ccrypto_random_bytes(void *output, size_t count);

#endif
#endif
