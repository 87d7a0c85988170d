// SPDX-License-Identifier: MIT
#ifndef CCRYPTOARCHIVES_H
#define CCRYPTOARCHIVES_H

#if __has_include(<openssl/evp.h>)

#include <stddef.h>

/// What became of opening a PKCS#12 archive (RFC 7292).
typedef enum ccrypto_archive_result {
    CCRYPTO_ARCHIVE_OPENED = 0,
    /// The bytes are no PKCS#12 archive.
    CCRYPTO_ARCHIVE_MALFORMED = 1,
    /// Or the archive is damaged: its authentication code does not fit.
    CCRYPTO_ARCHIVE_WRONG_PASSPHRASE = 2,
    /// There is no key, or no certificate that belongs to the key.
    CCRYPTO_ARCHIVE_NO_IDENTITY = 3,
    /// libcrypto does not offer the archive's encryption, or the archive has a passphrase and no authentication code.
    CCRYPTO_ARCHIVE_UNREADABLE = 4,
    /// Memory is short, or libcrypto cannot write an archive.
    CCRYPTO_ARCHIVE_FAILED = 5,
    /// Opening it would take more rounds of key derivation than any tool asks for, 10,000,000 in all.
    CCRYPTO_ARCHIVE_TOO_COSTLY = 6,
} ccrypto_archive_result;

/// Opens an archive and writes its key, the key's certificate and the other certificates into one that the empty passphrase opens.
///
/// Old archives' encryption (RC2) is read, too, where libcrypto's legacy provider is installed; what is written has AES-256.
/// `output` is set only if the archive was opened, and is to be freed by ccrypto_archive_free. Nothing is left in the calling thread's
/// error queue.
ccrypto_archive_result ccrypto_archive_without_passphrase(
    const void *bytes, size_t count, const char *passphrase, unsigned char **output, size_t *output_count);

/// Overwrites and frees what ccrypto_archive_without_passphrase wrote.
void ccrypto_archive_free(unsigned char *bytes, size_t count);

#endif
#endif
