// SPDX-License-Identifier: MIT
#include "CCryptoCertificates.h"

#if __has_include(<openssl/evp.h>)

#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static X509 *parse_certificate(const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    if (bytes == NULL || count > LONG_MAX) {
        return NULL;
    }
    X509 *certificate = d2i_X509(NULL, &next, (long)count);
    if (certificate != NULL && next != (const unsigned char *)bytes + count) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

static EVP_PKEY *parse_key(const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    if (bytes == NULL || count > LONG_MAX) {
        return NULL;
    }
    EVP_PKEY *key = d2i_PUBKEY(NULL, &next, (long)count);
    if (key != NULL && next != (const unsigned char *)bytes + count) {
        EVP_PKEY_free(key);
        return NULL;
    }
    return key;
}

bool ccrypto_certificate_is_issued_by(
    const void *certificate_bytes, size_t certificate_count, const void *issuer_bytes, size_t issuer_count) {
    ERR_set_mark();
    X509 *certificate = parse_certificate(certificate_bytes, certificate_count);
    X509 *issuer = parse_certificate(issuer_bytes, issuer_count);
    // A server's own certificate has a key, too: without the look at the CA bit its owner could issue certificates for any name.
    bool issued = certificate != NULL && issuer != NULL && X509_check_ca(issuer) > 0 && X509_check_issued(issuer, certificate) == X509_V_OK
        && X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;
    X509_free(certificate);
    X509_free(issuer);
    ERR_pop_to_mark();
    return issued;
}

bool ccrypto_certificate_is_signed_by(const void *certificate_bytes, size_t certificate_count, const void *key_bytes, size_t key_count) {
    ERR_set_mark();
    X509 *certificate = parse_certificate(certificate_bytes, certificate_count);
    EVP_PKEY *key = parse_key(key_bytes, key_count);
    bool is_signed = certificate != NULL && key != NULL && X509_verify(certificate, key) == 1;
    X509_free(certificate);
    EVP_PKEY_free(key);
    ERR_pop_to_mark();
    return is_signed;
}

#endif
