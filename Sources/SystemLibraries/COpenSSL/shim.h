#pragma once
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Macros with arguments, which Swift cannot call.

static inline EVP_PKEY *openssl_generate_p256(void) { return EVP_EC_gen("P-256"); }

static inline long openssl_set_mtu(SSL *ssl, long mtu) { return SSL_set_mtu(ssl, mtu); }

static inline long openssl_dtls_timeout(SSL *ssl, struct timeval *left) { return DTLSv1_get_timeout(ssl, left); }

static inline long openssl_handle_dtls_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

static inline int openssl_set_protocols(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) && SSL_CTX_set_max_proto_version(context, highest);
}
