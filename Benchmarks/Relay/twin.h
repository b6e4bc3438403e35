// Parts that the relay in C and its load share: shape, keys, packets, and binding requests.
//
// Keys come from user numbers, so that no signalling is needed. Packets have the layout, the IV and the
// authenticated bytes of SRTP with AES-128-GCM (RFC 7714); the session keys are used without derivation.
#ifndef TWIN_H
#define TWIN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define OPENSSL_SUPPRESS_DEPRECATED

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  tag_bytes = 16,
  // Fixed header of 12 bytes, and an extension of 8 bytes with the audio level.
  load_header_bytes = 20,
  // Opus at 32 kbit/s and 20 ms, as `audiopipe load` sends it.
  load_payload_bytes = 80,
  datagram_bytes = 1500,
};

_Noreturn static inline void fail(const char *what) {
  fprintf(stderr, "twin: %s: %s\n", what, strerror(errno));
  exit(69);
}

static inline uint64_t clock_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline uint16_t get16(const uint8_t *bytes) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }
static inline uint32_t get32(const uint8_t *bytes) { return (uint32_t)get16(bytes) << 16 | get16(bytes + 2); }
static inline void put16(uint8_t *bytes, uint16_t value) {
  bytes[0] = (uint8_t)(value >> 8);
  bytes[1] = (uint8_t)value;
}
static inline void put32(uint8_t *bytes, uint32_t value) {
  put16(bytes, (uint16_t)(value >> 16));
  put16(bytes + 2, (uint16_t)value);
}

// MARK: Shape

// Users, by number: the publishers of all channels, then their listeners, then silent users.
struct shape {
  int channels, publishers, listeners, silent;
  // Whether publishers are listeners, too: the first ones of each channel.
  bool both;
};

static inline int publisher_count(const struct shape *shape) { return shape->channels * shape->publishers; }
static inline int listener_count(const struct shape *shape) { return shape->channels * shape->listeners; }
static inline int user_count(const struct shape *shape) {
  return publisher_count(shape) + listener_count(shape) + shape->silent;
}

// User that is a channel's listener with an index.
static inline int listener_number(const struct shape *shape, int channel, int index) {
  if (shape->both && index < shape->publishers) { return channel * shape->publishers + index; }
  return publisher_count(shape) + channel * shape->listeners + index;
}

// SSRC of a publisher's packets at one listener; the index of the stream is one less.
static inline uint32_t leg_ssrc(const struct shape *shape, int publisher, int index) {
  return (uint32_t)(publisher * shape->listeners + index + 1);
}

// Reads an option of the shape; false for another option.
static inline bool shape_option(struct shape *shape, const char *name, const char *value, bool *took_value) {
  int *number = !strcmp(name, "--channels")     ? &shape->channels
                : !strcmp(name, "--publishers") ? &shape->publishers
                : !strcmp(name, "--listeners")  ? &shape->listeners
                : !strcmp(name, "--silent")     ? &shape->silent
                                                : NULL;
  *took_value = number != NULL;
  if (number && value) {
    *number = atoi(value);
    return true;
  }
  if (!strcmp(name, "--both")) { return shape->both = true; }
  return false;
}

// MARK: Keys

struct cipher {
  EVP_CIPHER_CTX *context;
  uint8_t salt[12];
};

// Key of one direction of a user's packets, "up" or "down".
static inline struct cipher make_cipher(const EVP_CIPHER *kind, const char *direction, int user, bool encrypts) {
  uint8_t digest[32];
  char text[32];
  snprintf(text, sizeof text, "%s %d", direction, user);
  SHA256((const uint8_t *)text, strlen(text), digest);
  struct cipher cipher = {.context = EVP_CIPHER_CTX_new()};
  memcpy(cipher.salt, digest + 16, 12);
  if (!EVP_CipherInit_ex(cipher.context, kind, NULL, digest, NULL, encrypts)) { fail("cipher"); }
  return cipher;
}

// IV of a packet (RFC 7714, section 8.1): SSRC, rollover counter and number, with the salt.
static inline void make_iv(const uint8_t salt[12], uint32_t ssrc, uint64_t index, uint8_t iv[12]) {
  uint8_t plain[12] = {0};
  put32(plain + 2, ssrc);
  put32(plain + 6, (uint32_t)(index >> 16));
  put16(plain + 10, (uint16_t)index);
  for (int byte = 0; byte < 12; byte++) { iv[byte] = plain[byte] ^ salt[byte]; }
}

// Encrypts a payload behind a header, which is authenticated; the tag follows the payload.
static inline void protect(
    const struct cipher *cipher, const uint8_t *header, int header_bytes, const uint8_t *payload, int bytes,
    uint8_t *sealed, uint32_t ssrc, uint64_t index) {
  uint8_t iv[12];
  int count;
  make_iv(cipher->salt, ssrc, index, iv);
  EVP_EncryptInit_ex(cipher->context, NULL, NULL, NULL, iv);
  EVP_EncryptUpdate(cipher->context, NULL, &count, header, header_bytes);
  EVP_EncryptUpdate(cipher->context, sealed, &count, payload, bytes);
  EVP_EncryptFinal_ex(cipher->context, sealed + bytes, &count);
  EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed + bytes);
}

// Decrypts a payload; false if the packet was changed. `bytes` does not include the tag.
static inline bool unprotect(
    const struct cipher *cipher, const uint8_t *header, int header_bytes, const uint8_t *sealed, int bytes,
    uint8_t *payload, uint32_t ssrc, uint64_t index) {
  uint8_t iv[12];
  int count;
  make_iv(cipher->salt, ssrc, index, iv);
  EVP_DecryptInit_ex(cipher->context, NULL, NULL, NULL, iv);
  EVP_DecryptUpdate(cipher->context, NULL, &count, header, header_bytes);
  EVP_DecryptUpdate(cipher->context, payload, &count, sealed, bytes);
  EVP_CIPHER_CTX_ctrl(cipher->context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, (void *)(sealed + bytes));
  return EVP_DecryptFinal_ex(cipher->context, payload + bytes, &count) > 0;
}

// Bytes of a packet's header with sources and extension; 0 if the packet is too short or has another version.
static inline int rtp_header_bytes(const uint8_t *packet, int bytes) {
  if (bytes < 12 + tag_bytes || packet[0] >> 6 != 2) { return 0; }
  int header = 12 + 4 * (packet[0] & 15);
  if (packet[0] & 0x10) {
    if (bytes < header + 4) { return 0; }
    header += 4 + 4 * get16(packet + header + 2);
  }
  return bytes < header + tag_bytes ? 0 : header;
}

// Number without wraps, from the number of a packet and the highest one so far (RFC 3711, section 3.3.1).
static inline int64_t unwrap(int64_t highest, uint16_t number) { return highest + (int16_t)(number - (uint16_t)highest); }

// MARK: Binding requests

// Password of a user: the state of SHA-1 behind the inner and the outer block of HMAC.
struct password {
  SHA_CTX inner, outer;
};

static inline struct password make_password(int user) {
  uint8_t digest[32], block[64];
  char text[32];
  snprintf(text, sizeof text, "password %d", user);
  SHA256((const uint8_t *)text, strlen(text), digest);
  struct password password;
  for (int byte = 0; byte < 64; byte++) { block[byte] = (byte < 32 ? digest[byte] : 0) ^ 0x36; }
  SHA1_Init(&password.inner);
  SHA1_Update(&password.inner, block, 64);
  for (int byte = 0; byte < 64; byte++) { block[byte] ^= 0x36 ^ 0x5C; }
  SHA1_Init(&password.outer);
  SHA1_Update(&password.outer, block, 64);
  return password;
}

static inline void hmac(const struct password *password, const uint8_t *bytes, int count, uint8_t digest[20]) {
  SHA_CTX state = password->inner;
  SHA1_Update(&state, bytes, (size_t)count);
  SHA1_Final(digest, &state);
  state = password->outer;
  SHA1_Update(&state, digest, 20);
  SHA1_Final(digest, &state);
}

static inline uint32_t crc32_of(const uint8_t *bytes, int count) {
  static uint32_t table[256];
  if (!table[1]) {
    for (uint32_t index = 0; index < 256; index++) {
      uint32_t value = index;
      for (int bit = 0; bit < 8; bit++) { value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1; }
      table[index] = value;
    }
  }
  uint32_t sum = ~0u;
  for (int index = 0; index < count; index++) { sum = table[(sum ^ bytes[index]) & 255] ^ sum >> 8; }
  return ~sum;
}

// A request: header 20, user name 8, priority 8, integrity 24, fingerprint 8.
// An answer: header 20, mapped address 12, integrity 24, fingerprint 8.
enum { stun_cookie = 0x2112A442, stun_request_bytes = 68, stun_answer_bytes = 64 };

// Ends a message with its integrity and its fingerprint; `count` is the length without them.
static inline int stun_end(uint8_t *message, int count, const struct password *password) {
  put16(message + 2, (uint16_t)(count + 24 - 20));
  put32(message + count, 0x0008 << 16 | 20);
  hmac(password, message, count, message + count + 4);
  count += 24;
  put16(message + 2, (uint16_t)(count + 8 - 20));
  put32(message + count, 0x8028u << 16 | 4);
  put32(message + count + 4, crc32_of(message, count) ^ 0x5354554E);
  return count + 8;
}

// Whether integrity and fingerprint of a message of either length are right.
static inline bool stun_is_valid(uint8_t *message, int count, const struct password *password) {
  int end = count - 32;
  uint8_t digest[20];
  if (get32(message + count - 4) != (crc32_of(message, count - 8) ^ 0x5354554E)) { return false; }
  put16(message + 2, (uint16_t)(end + 24 - 20));
  hmac(password, message, end, digest);
  return get32(message + end) == (0x0008 << 16 | 20) && !CRYPTO_memcmp(digest, message + end + 4, 20);
}

static inline int stun_request(uint8_t *message, int user, uint32_t transaction, const struct password *password) {
  memset(message, 0, stun_request_bytes);
  put16(message, 0x0001);
  put32(message + 4, stun_cookie);
  put32(message + 16, transaction);
  put32(message + 20, 0x0006 << 16 | 4);
  put32(message + 24, (uint32_t)user);
  put32(message + 28, 0x0024 << 16 | 4);
  put32(message + 32, 0x6E7F00FF);
  return stun_end(message, 36, password);
}

static inline int stun_answer(
    uint8_t *message, const uint8_t *request, const struct sockaddr_in *address, const struct password *password) {
  memcpy(message, request, 20);
  put16(message, 0x0101);
  put32(message + 20, 0x0020 << 16 | 8);
  put16(message + 24, 0x0001);
  put16(message + 26, ntohs(address->sin_port) ^ (stun_cookie >> 16));
  put32(message + 28, ntohl(address->sin_addr.s_addr) ^ stun_cookie);
  return stun_end(message, 32, password);
}

#endif
