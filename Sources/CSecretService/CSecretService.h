// SPDX-License-Identifier: MIT
#ifndef CSECRETSERVICE_H
#define CSECRETSERVICE_H

#include <libsecret/secret.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Typed calls into libsecret's variadic ones. A secret is kept with the attributes `service` (whose it is) and `key`; attributes are
// not encrypted. Calls wait, also for a person who is asked to unlock the keyring, on the calling thread.

typedef enum csecret_outcome {
    CSECRET_DONE = 0,
    /// Nothing is kept under the attributes.
    CSECRET_NOTHING = 1,
    /// The keyring is locked, or the person did not unlock it.
    CSECRET_LOCKED = 2,
    /// No service, or it failed.
    CSECRET_FAILED = 3,
} csecret_outcome;

static inline const SecretSchema *csecret_schema(void) {
    static const SecretSchema schema = {
        .name = "org.openmoya.Secret",
        .flags = SECRET_SCHEMA_NONE,
        .attributes = {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"key", SECRET_SCHEMA_ATTRIBUTE_STRING}},
    };
    return &schema;
}

/// Reads the error's kind, copies its message, which is to be freed by csecret_free, and frees it.
static inline csecret_outcome csecret_outcome_of(GError *error, char **message) {
    csecret_outcome outcome = CSECRET_FAILED;
    if (g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED)) {
        outcome = CSECRET_LOCKED;
    }
    *message = g_strdup(error->message);
    g_error_free(error);
    return outcome;
}

static inline void csecret_free(char *text) { g_free(text); }

/// Keeps the bytes, in the keyring that is the default, instead of what was there.
static inline csecret_outcome csecret_store(
    const char *service, const char *key, const char *label, const char *bytes, size_t count, char **message) {
    GError *error = NULL;
    SecretValue *value = secret_value_new(bytes, (gssize)count, "application/octet-stream");
    gboolean done = secret_password_store_binary_sync(
        csecret_schema(), SECRET_COLLECTION_DEFAULT, label, value, NULL, &error, "service", service, "key", key, NULL);
    secret_value_unref(value);
    if (error != NULL) {
        return csecret_outcome_of(error, message);
    }
    // Without an error: the person closed the window that asked to unlock the keyring.
    return done ? CSECRET_DONE : CSECRET_LOCKED;
}

/// Hands the bytes to `read`, once, if there are any.
static inline csecret_outcome csecret_look_up(
    const char *service, const char *key, void (*read)(void *context, const char *bytes, size_t count), void *context, char **message) {
    GError *error = NULL;
    SecretValue *value =
        secret_password_lookup_binary_sync(csecret_schema(), NULL, &error, "service", service, "key", key, NULL);
    if (error != NULL) {
        return csecret_outcome_of(error, message);
    }
    if (value == NULL) {
        return CSECRET_NOTHING;
    }
    gsize count = 0;
    const gchar *bytes = secret_value_get(value, &count);
    read(context, bytes, count);
    secret_value_unref(value);
    return CSECRET_DONE;
}

/// Drops what is kept under the key; with a NULL key everything of the service.
static inline csecret_outcome csecret_clear(const char *service, const char *key, char **message) {
    GError *error = NULL;
    gboolean done = key != NULL
        ? secret_password_clear_sync(csecret_schema(), NULL, &error, "service", service, "key", key, NULL)
        : secret_password_clear_sync(csecret_schema(), NULL, &error, "service", service, NULL);
    if (error != NULL) {
        return csecret_outcome_of(error, message);
    }
    return done ? CSECRET_DONE : CSECRET_NOTHING;
}

#endif
