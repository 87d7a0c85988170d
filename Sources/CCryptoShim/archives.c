// SPDX-License-Identifier: MIT
#include "CCryptoArchives.h"

#if __has_include(<openssl/evp.h>)

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <stdbool.h>

/// Algorithms of the process's context if `context` is NULL.
static PKCS12 *parse_archive(const void *bytes, size_t count, OSSL_LIB_CTX *context) {
    const unsigned char *next = bytes;
    PKCS12 *archive = PKCS12_init_ex(NID_pkcs7_data, context, NULL);
    // Frees the archive and sets it to NULL if the bytes are none.
    if (archive != NULL) {
        d2i_PKCS12(&archive, &next, (long)count);
    }
    return archive;
}

/// Whether the passphrase is not the archive's. False if that cannot be told: without a code that authenticates the archive, or with one
/// that libcrypto does not offer.
static bool is_wrong_passphrase(PKCS12 *archive, const char *passphrase) {
    if (!PKCS12_mac_present(archive)) {
        return false;
    }
    // A code that does not match raises no error; one that cannot be computed does.
    ERR_raise(ERR_LIB_USER, 1);
    unsigned long before = ERR_peek_last_error();
    // "No passphrase" and "the empty passphrase" are told apart by the format, and by nobody else.
    bool matches = PKCS12_verify_mac(archive, passphrase, -1) == 1
        || (passphrase[0] == '\0' && PKCS12_verify_mac(archive, NULL, 0) == 1);
    return !matches && ERR_peek_last_error() == before;
}

static ccrypto_archive_result write_archive(
    EVP_PKEY *key, X509 *certificate, STACK_OF(X509) *others, unsigned char **output, size_t *output_count) {
    ccrypto_archive_result result = CCRYPTO_ARCHIVE_FAILED;
    PKCS12 *archive = PKCS12_create("", NULL, key, certificate, others, NID_aes_256_cbc, NID_aes_256_cbc, 0, 0, 0);
    unsigned char *bytes = NULL;
    int count = archive == NULL ? 0 : i2d_PKCS12(archive, &bytes);
    if (count > 0) {
        *output = bytes;
        *output_count = (size_t)count;
        result = CCRYPTO_ARCHIVE_OPENED;
    }
    PKCS12_free(archive);
    return result;
}

static ccrypto_archive_result convert(
    const void *bytes, size_t count, const char *passphrase, OSSL_LIB_CTX *context, unsigned char **output, size_t *output_count) {
    EVP_PKEY *key = NULL;
    X509 *certificate = NULL;
    STACK_OF(X509) *others = NULL;
    ccrypto_archive_result result;
    PKCS12 *archive = parse_archive(bytes, count, context);
    if (archive == NULL) {
        result = CCRYPTO_ARCHIVE_MALFORMED;
    } else if (is_wrong_passphrase(archive, passphrase)) {
        result = CCRYPTO_ARCHIVE_WRONG_PASSPHRASE;
    } else if (PKCS12_parse(archive, passphrase, &key, &certificate, &others) != 1) {
        result = CCRYPTO_ARCHIVE_UNREADABLE;
    } else if (key == NULL || certificate == NULL) {
        result = CCRYPTO_ARCHIVE_NO_IDENTITY;
    } else {
        result = write_archive(key, certificate, others, output, output_count);
    }
    EVP_PKEY_free(key);
    X509_free(certificate);
    sk_X509_pop_free(others, X509_free);
    PKCS12_free(archive);
    return result;
}

/// The same with algorithms that new archives should not have. They are loaded for this call, and for nobody else in the process.
static ccrypto_archive_result convert_legacy(
    const void *bytes, size_t count, const char *passphrase, unsigned char **output, size_t *output_count) {
    ccrypto_archive_result result = CCRYPTO_ARCHIVE_UNREADABLE;
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *standard = context == NULL ? NULL : OSSL_PROVIDER_load(context, "default");
    OSSL_PROVIDER *legacy = context == NULL ? NULL : OSSL_PROVIDER_load(context, "legacy");
    if (standard != NULL && legacy != NULL) {
        result = convert(bytes, count, passphrase, context, output, output_count);
    }
    if (legacy != NULL) {
        OSSL_PROVIDER_unload(legacy);
    }
    if (standard != NULL) {
        OSSL_PROVIDER_unload(standard);
    }
    OSSL_LIB_CTX_free(context);
    return result;
}

ccrypto_archive_result ccrypto_archive_without_passphrase(
    const void *bytes, size_t count, const char *passphrase, unsigned char **output, size_t *output_count) {
    if (bytes == NULL || count > LONG_MAX) {
        return CCRYPTO_ARCHIVE_MALFORMED;
    }
    ERR_set_mark();
    ccrypto_archive_result result = convert(bytes, count, passphrase, NULL, output, output_count);
    if (result == CCRYPTO_ARCHIVE_UNREADABLE) {
        result = convert_legacy(bytes, count, passphrase, output, output_count);
    }
    ERR_pop_to_mark();
    return result;
}

void ccrypto_archive_free(unsigned char *bytes, size_t count) { OPENSSL_clear_free(bytes, count); }

#endif
