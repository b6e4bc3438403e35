#pragma once
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Macros, unions and structures of many fields, which Swift cannot use or would have to spell out.

// Bytes that lws_write needs in front of a message.
static inline size_t cwebsockets_prefix(void) { return LWS_PRE; }

// Creates a context without hosts. The first context of a process prepares the library's use of OpenSSL: a second preparation
// would change the index by which the library finds its connections.
static inline struct lws_context *cwebsockets_context(int is_first, unsigned int descriptors, void *user) {
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                 (is_first ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.fd_limit_per_thread = descriptors;
  info.user = user;
  info.pcontext = 0;
  return lws_create_context(&info);
}

// Creates the one host of a context: a server's, whose sockets are listened on elsewhere, or a client's.
static inline struct lws_vhost *cwebsockets_host(
    struct lws_context *context, const struct lws_protocols *protocols, int is_server, int has_tls,
    unsigned int handshake_seconds) {
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.vhost_name = "websocket";
  info.protocols = protocols;
  info.port = is_server ? CONTEXT_PORT_NO_LISTEN_SERVER : CONTEXT_PORT_NO_LISTEN;
  info.options = LWS_SERVER_OPTION_VALIDATE_UTF8;
  if (has_tls) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
  if (has_tls && is_server) info.options |= LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
  info.alpn = "http/1.1";
  info.timeout_secs = handshake_seconds;
  info.connect_timeout_secs = handshake_seconds;
  // An empty address keeps the environment's proxy out.
  info.http_proxy_address = "";
  return lws_create_vhost(context, &info);
}

// Hands a listening socket to the library, which reports when a connection waits.
static inline struct lws *cwebsockets_adopt_listener(struct lws_vhost *host, int descriptor, const char *protocol) {
  lws_sock_file_fd_type file;
  file.filefd = descriptor;
  return lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, file, protocol, 0);
}

// Hands an accepted connection to the library, which closes it after an error.
static inline struct lws *cwebsockets_adopt(struct lws_vhost *host, int descriptor, int has_tls) {
  lws_sock_file_fd_type file;
  file.sockfd = descriptor;
  int type = LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET | (has_tls ? LWS_ADOPT_ALLOW_SSL : 0);
  return lws_adopt_descriptor_vhost(host, (lws_adoption_type)type, file, 0, 0);
}

// Begins a client's connection, without redirects.
static inline struct lws *cwebsockets_connect(
    struct lws_context *context, struct lws_vhost *host, const char *address, int port, int has_tls, const char *path,
    const char *authority, const char *protocol, struct lws **early) {
  struct lws_client_connect_info info;
  memset(&info, 0, sizeof info);
  info.context = context;
  info.vhost = host;
  info.address = address;
  info.port = port;
  info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (has_tls ? LCCSCF_USE_SSL : 0);
  info.path = path;
  info.host = authority;
  info.protocol = protocol;
  info.local_protocol_name = protocol;
  info.alpn = "http/1.1";
  info.pwsi = early;
  return lws_client_connect_via_info(&info);
}

// A timer that knows its owner.
struct cwebsockets_timer {
  lws_sorted_usec_list_t entry;
  void *user;
};

static inline void *cwebsockets_timer_user(lws_sorted_usec_list_t *entry) {
  return lws_container_of(entry, struct cwebsockets_timer, entry)->user;
}

// Calls once, after so many microseconds.
static inline void cwebsockets_schedule(
    struct lws_context *context, struct cwebsockets_timer *timer, sul_cb_t call, long long microseconds) {
  lws_sul_schedule(context, 0, &timer->entry, call, microseconds);
}

// Ends a connection at the next turn of the service loop, without a close frame.
static inline void cwebsockets_kill(struct lws *connection) {
  lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

// A key with a password must not ask for it on the terminal.
static inline int cwebsockets_no_password(char *buffer, int size, int writes, void *user) {
  (void)buffer, (void)size, (void)writes, (void)user;
  return 0;
}

// Result of cwebsockets_load_certificates.
enum cwebsockets_load {
  CWEBSOCKETS_LOADED = 0,
  CWEBSOCKETS_NO_CHAIN = 1,
  CWEBSOCKETS_NO_KEY = 2,
  CWEBSOCKETS_OTHER_KEY = 3,
};

// Loads a certificate chain and its key.
static inline enum cwebsockets_load cwebsockets_load_certificates(SSL_CTX *context, const char *chain, const char *key) {
  enum cwebsockets_load result = CWEBSOCKETS_LOADED;
  ERR_clear_error();
  SSL_CTX_set_default_passwd_cb(context, cwebsockets_no_password);
  if (SSL_CTX_use_certificate_chain_file(context, chain) != 1) {
    result = CWEBSOCKETS_NO_CHAIN;
  } else if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    // OpenSSL compares the key with the certificate here already.
    int reason = ERR_GET_REASON(ERR_peek_last_error());
    int differs = reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH;
    result = differs ? CWEBSOCKETS_OTHER_KEY : CWEBSOCKETS_NO_KEY;
  } else if (SSL_CTX_check_private_key(context) != 1) {
    result = CWEBSOCKETS_OTHER_KEY;
  }
  ERR_clear_error();
  return result;
}

// Returns a context that holds a certificate chain and its key, or 0 if they cannot be used.
static inline SSL_CTX *cwebsockets_identity(const char *chain, const char *key) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context || cwebsockets_load_certificates(context, chain, key) == CWEBSOCKETS_LOADED) return context;
  SSL_CTX_free(context);
  return 0;
}

// Loads them into a context that no connection uses.
static inline enum cwebsockets_load cwebsockets_check_certificates(const char *chain, const char *key) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  enum cwebsockets_load result = context ? cwebsockets_load_certificates(context, chain, key) : CWEBSOCKETS_NO_CHAIN;
  SSL_CTX_free(context);
  return result;
}

// Prepares a server's context: `choose` gives each handshake its certificate. A later certificate of the context itself would
// not replace an earlier one with another kind of key.
static inline void cwebsockets_prepare_server(SSL_CTX *context, int (*choose)(SSL *, void *), void *user) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_cert_cb(context, choose, user);
}

// Gives a handshake the certificate of a context. Returns 1, or 0 after an error.
static inline int cwebsockets_use_identity(SSL *session, SSL_CTX *identity) {
  STACK_OF(X509) *chain = 0;
  if (!identity) return 0;
  SSL_certs_clear(session);
  SSL_CTX_get0_chain_certs(identity, &chain);
  return SSL_use_certificate(session, SSL_CTX_get0_certificate(identity)) == 1 &&
         SSL_use_PrivateKey(session, SSL_CTX_get0_privatekey(identity)) == 1 && SSL_set1_chain(session, chain) == 1;
}

// Prepares a client's context: `verify` decides about certificates; the roots are those of `file`, of the system if it is 0.
// Returns 1, or 0 if the file has no certificates.
static inline int cwebsockets_prepare_client(
    SSL_CTX *context, const char *file, int (*verify)(X509_STORE_CTX *, void *), void *user) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_cert_verify_callback(context, verify, user);
  int result = file ? SSL_CTX_load_verify_file(context, file) : SSL_CTX_set_default_verify_paths(context);
  ERR_clear_error();
  return result == 1;
}

// Returns whether a file has certificates to verify with.
static inline int cwebsockets_check_roots(const char *file) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  int result = context && SSL_CTX_load_verify_file(context, file) == 1;
  SSL_CTX_free(context);
  ERR_clear_error();
  return result;
}

// Verifies a server's chain and its name or numeric address. Returns an error of X509_V_ERR_..., or X509_V_OK.
static inline int cwebsockets_verify(X509_STORE_CTX *chain, const char *host) {
  X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(chain);
  // The library has set a name that it cuts at a colon and at 127 bytes.
  X509_VERIFY_PARAM_set1_ip(rules, 0, 0);
  X509_VERIFY_PARAM_set1_host(rules, 0, 0);
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (!X509_VERIFY_PARAM_set1_ip_asc(rules, host) && !X509_VERIFY_PARAM_set1_host(rules, host, 0))
    return X509_V_ERR_OUT_OF_MEM;
  ERR_clear_error();
  if (X509_verify_cert(chain) == 1) return X509_V_OK;
  int error = X509_STORE_CTX_get_error(chain);
  return error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error;
}

// SHA-256 of the server's certificate. Returns 1, or 0 if there is none.
static inline int cwebsockets_fingerprint(X509_STORE_CTX *chain, unsigned char hash[32]) {
  unsigned int length = 0;
  X509 *certificate = X509_STORE_CTX_get0_cert(chain);
  return certificate && X509_digest(certificate, EVP_sha256(), hash, &length) == 1 && length == 32;
}
