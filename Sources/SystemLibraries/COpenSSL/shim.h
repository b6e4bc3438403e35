#pragma once
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Macros with arguments, which Swift cannot call.

static inline EVP_PKEY *openssl_generate_p256(void) { return EVP_EC_gen("P-256"); }

// The longest datagram also sets the size of the buffer for writing, which has 17 KB otherwise.
static inline long openssl_set_mtu(SSL *ssl, long mtu) {
  return SSL_set_mtu(ssl, mtu) && SSL_set_max_send_fragment(ssl, mtu);
}

static inline long openssl_dtls_timeout(SSL *ssl, struct timeval *left) { return DTLSv1_get_timeout(ssl, left); }

static inline long openssl_handle_dtls_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }

static inline int openssl_set_protocols(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) && SSL_CTX_set_max_proto_version(context, highest);
}

static inline void openssl_set_dtls_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_NO_ENCRYPT_THEN_MAC | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int openssl_set_groups(SSL_CTX *context, const char *names) { return SSL_CTX_set1_groups_list(context, names); }

static inline int openssl_set_signatures(SSL_CTX *context, const char *names) {
  return SSL_CTX_set1_sigalgs_list(context, names);
}

static inline void openssl_set_certificate_limit(SSL *ssl, long bytes) { SSL_set_max_cert_list(ssl, bytes); }

static inline void openssl_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

static inline void openssl_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline int openssl_error_reason(unsigned long code) { return ERR_GET_REASON(code); }

// The interface to replace the generator is deprecated without a successor for whole processes.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

static inline int openssl_set_random(int (*bytes)(unsigned char *, int), int (*status)(void)) {
  static RAND_METHOD method;
  method.bytes = method.pseudorand = bytes;
  method.status = status;
  return RAND_set_rand_method(&method);
}

// Draws from OpenSSL's own generator, whichever is set.
static inline int openssl_draw(unsigned char *bytes, int count) { return RAND_OpenSSL()->bytes(bytes, count); }

// The state of a hash can be copied without an allocation here alone.
static inline void openssl_sha1_begin(SHA_CTX *state) { SHA1_Init(state); }

static inline void openssl_sha1_update(SHA_CTX *state, const void *bytes, size_t count) {
  if (count > 0) { SHA1_Update(state, bytes, count); }
}

static inline void openssl_sha1_end(SHA_CTX *state, unsigned char *hash) { SHA1_Final(hash, state); }

#pragma clang diagnostic pop
