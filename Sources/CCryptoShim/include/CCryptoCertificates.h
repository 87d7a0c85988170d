// SPDX-License-Identifier: MIT
#ifndef CCRYPTOCERTIFICATES_H
#define CCRYPTOCERTIFICATES_H

#if __has_include(<openssl/evp.h>)

#include <stdbool.h>
#include <stddef.h>

// Certificates and keys are DER. Bytes that do not parse, or have others behind them, give false. Nothing is left in the calling
// thread's error queue, which belongs to whoever runs a TLS connection on that thread.

/// Whether `issuer` may issue certificates, is named and keyed as the issuer of `certificate`, and its key made the signature.
/// Dates and constraints on names and path length are not looked at.
bool ccrypto_certificate_is_issued_by(
    const void *certificate, size_t certificate_count, const void *issuer, size_t issuer_count);

/// Whether the key (a SubjectPublicKeyInfo) made the signature of `certificate`.
bool ccrypto_certificate_is_signed_by(const void *certificate, size_t certificate_count, const void *key, size_t key_count);

#endif
#endif
