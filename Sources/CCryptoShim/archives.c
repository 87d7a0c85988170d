// SPDX-License-Identifier: MIT
#include "CCryptoArchives.h"

#if __has_include(<openssl/evp.h>)

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs7.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

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

/// How many rounds of key derivation an archive may ask for in all: some seconds' work. Tools ask for 2,000 to 2,000,000; the format has no
/// limit of its own, and a hostile or damaged archive would take hours.
#define LONGEST_DERIVATION 10000000

static void spend(const ASN1_INTEGER *rounds, uint64_t factor, uint64_t *left) {
    uint64_t count = 0;
    // A count that is no number is refused when the archive is opened.
    if (rounds != NULL && ASN1_INTEGER_get_uint64(&count, rounds) != 1) {
        count = ASN1_STRING_length(rounds) > 8 ? UINT64_MAX : 0;
    }
    *left = count > *left / factor ? 0 : *left - count * factor;
}

/// Takes what deriving a key by `algorithm` costs from `left`, which is 0 if it is too much.
static void spend_on_key(const X509_ALGOR *algorithm, uint64_t *left) {
    const ASN1_OBJECT *identifier = NULL;
    const void *parameter = NULL;
    int type = V_ASN1_UNDEF;
    X509_ALGOR_get0(&identifier, &type, &parameter, algorithm);
    if (type != V_ASN1_SEQUENCE) {
        return;
    }
    const ASN1_STRING *sequence = parameter;
    const unsigned char *next = ASN1_STRING_get0_data(sequence);
    long count = ASN1_STRING_length(sequence);
    switch (OBJ_obj2nid(identifier)) {
    case NID_pbes2: {
        PBE2PARAM *scheme = d2i_PBE2PARAM(NULL, &next, count);
        // One level: a key derivation function has no other inside.
        if (scheme != NULL && OBJ_obj2nid(scheme->keyfunc->algorithm) != NID_pbes2) {
            spend_on_key(scheme->keyfunc, left);
        }
        PBE2PARAM_free(scheme);
        break;
    }
    case NID_id_pbkdf2: {
        PBKDF2PARAM *derivation = d2i_PBKDF2PARAM(NULL, &next, count);
        spend(derivation == NULL ? NULL : derivation->iter, 1, left);
        PBKDF2PARAM_free(derivation);
        break;
    }
    case NID_id_scrypt: {
        SCRYPT_PARAMS *derivation = d2i_SCRYPT_PARAMS(NULL, &next, count);
        uint64_t cost = 0;
        if (derivation != NULL && ASN1_INTEGER_get_uint64(&cost, derivation->costParameter) == 1 && cost > 0) {
            spend(derivation->parallelizationParameter, cost, left);
        }
        SCRYPT_PARAMS_free(derivation);
        break;
    }
    default: {
        PBEPARAM *derivation = d2i_PBEPARAM(NULL, &next, count);
        spend(derivation == NULL ? NULL : derivation->iter, 1, left);
        PBEPARAM_free(derivation);
    }
    }
}

/// libcrypto's own parser has limited how deep they are nested.
static void spend_on_bags(const STACK_OF(PKCS12_SAFEBAG) * bags, uint64_t *left) {
    for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags) && *left > 0; i++) {
        const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, i);
        switch (PKCS12_SAFEBAG_get_nid(bag)) {
        case NID_pkcs8ShroudedKeyBag: {
            const X509_ALGOR *algorithm = NULL;
            X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, NULL);
            spend_on_key(algorithm, left);
            break;
        }
        case NID_safeContentsBag: spend_on_bags(PKCS12_SAFEBAG_get0_safes(bag), left);
        }
    }
}

/// Whether checking the archive's authentication code is too much work.
static bool is_code_too_costly(PKCS12 *archive, uint64_t *left) {
    const ASN1_INTEGER *rounds = NULL;
    PKCS12_get0_mac(NULL, NULL, NULL, &rounds, archive);
    spend(rounds, 1, left);
    return *left == 0;
}

/// Whether decrypting what is in the archive is too much work. Decrypts what has more inside.
static bool is_content_too_costly(PKCS12 *archive, const char *passphrase, uint64_t *left) {
    STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(archive);
    for (int i = 0; i < sk_PKCS7_num(safes) && *left > 0; i++) {
        PKCS7 *safe = sk_PKCS7_value(safes, i);
        STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
        if (PKCS7_type_is_data(safe)) {
            bags = PKCS12_unpack_p7data(safe);
        } else if (PKCS7_type_is_encrypted(safe) && safe->d.encrypted != NULL && safe->d.encrypted->enc_data != NULL) {
            spend_on_key(safe->d.encrypted->enc_data->algorithm, left);
            if (*left > 0) {
                bags = PKCS12_unpack_p7encdata(safe, passphrase, -1);
                if (bags == NULL && passphrase[0] == '\0') {
                    bags = PKCS12_unpack_p7encdata(safe, NULL, 0);
                }
            }
        }
        spend_on_bags(bags, left);
        sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    }
    sk_PKCS7_pop_free(safes, PKCS7_free);
    return *left == 0;
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
    uint64_t left = LONGEST_DERIVATION;
    PKCS12 *archive = parse_archive(bytes, count, context);
    if (archive == NULL) {
        result = CCRYPTO_ARCHIVE_MALFORMED;
    } else if (is_code_too_costly(archive, &left)) {
        result = CCRYPTO_ARCHIVE_TOO_COSTLY;
    } else if (is_wrong_passphrase(archive, passphrase)) {
        result = CCRYPTO_ARCHIVE_WRONG_PASSPHRASE;
    } else if (is_content_too_costly(archive, passphrase, &left)) {
        result = CCRYPTO_ARCHIVE_TOO_COSTLY;
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
