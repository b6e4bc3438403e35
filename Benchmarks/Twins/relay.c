#include "twins.h"

#include <openssl/evp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { packet_room = 256, payload_bytes = 120, header_bytes = 12, tag_bytes = 16, window = 1024 };

// One direction under one key; the twin has session keys, and does not derive them.
typedef struct {
  EVP_CIPHER_CTX *context;
  unsigned char salt[12];
  uint64_t highest;
  uint64_t used[window / 64];
} session;

struct twin_relay {
  session publisher;
  session uplink;
  session *downlinks;
  int listeners;
  uint64_t number;
  unsigned char *packets;
  int *lengths;
  long capacity;
  long count;
};

static session make_session(const EVP_CIPHER *cipher, unsigned char first, int encrypts) {
  unsigned char key[16] = {first, 2, 3};
  session made = {.context = EVP_CIPHER_CTX_new(), .salt = {4, 5, 6, first}};
  if (!made.context || EVP_CipherInit_ex(made.context, cipher, NULL, key, NULL, encrypts) != 1) { abort(); }
  return made;
}

// Notes the index of a packet. Returns 0 for one that has been used, or is too old.
static int take_index(session *own, uint64_t index) {
  if (index > own->highest) {
    for (uint64_t next = own->highest + 1; next <= index && next <= own->highest + window; next++)
      own->used[next / 64 % (window / 64)] &= ~(1ull << next % 64);
    own->highest = index;
  } else if (own->highest - index >= window) {
    return 0;
  }
  uint64_t *word = &own->used[index / 64 % (window / 64)], bit = 1ull << index % 64;
  if (*word & bit) { return 0; }
  *word |= bit;
  return 1;
}

static void begin(session *own, const unsigned char *packet, uint64_t index) {
  unsigned char nonce[12] = {0, 0, packet[8], packet[9], packet[10], packet[11]};
  for (int byte = 0; byte < 6; byte++) nonce[6 + byte] = (unsigned char)(index >> (40 - 8 * byte));
  for (int byte = 0; byte < 12; byte++) nonce[byte] ^= own->salt[byte];
  int count;
  if (EVP_CipherInit_ex(own->context, NULL, NULL, NULL, nonce, -1) != 1) { abort(); }
  if (EVP_CipherUpdate(own->context, NULL, &count, packet, header_bytes) != 1) { abort(); }
}

static int protect(session *own, unsigned char *packet, int length, uint64_t index) {
  if (!take_index(own, index)) { abort(); }
  begin(own, packet, index);
  int count;
  EVP_CipherUpdate(own->context, packet + header_bytes, &count, packet + header_bytes, length - header_bytes);
  EVP_CipherFinal_ex(own->context, packet + length, &count);
  EVP_CIPHER_CTX_ctrl(own->context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, packet + length);
  return length + tag_bytes;
}

static int unprotect(session *own, unsigned char *packet, int length, uint64_t index) {
  begin(own, packet, index);
  length -= tag_bytes;
  int count;
  EVP_CipherUpdate(own->context, packet + header_bytes, &count, packet + header_bytes, length - header_bytes);
  EVP_CIPHER_CTX_ctrl(own->context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, packet + length);
  if (EVP_CipherFinal_ex(own->context, packet + length, &count) != 1 || !take_index(own, index)) { abort(); }
  return length;
}

twin_relay *twin_relay_create(int listeners, long capacity) {
  twin_relay *relay = calloc(1, sizeof *relay);
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
  relay->publisher = make_session(cipher, 1, 1);
  relay->uplink = make_session(cipher, 1, 0);
  relay->downlinks = calloc((size_t)listeners, sizeof *relay->downlinks);
  for (int index = 0; index < listeners; index++)
    relay->downlinks[index] = make_session(cipher, (unsigned char)(10 + index), 1);
  EVP_CIPHER_free(cipher);
  relay->listeners = listeners;
  relay->capacity = capacity;
  relay->packets = aligned_alloc(16, (size_t)capacity * packet_room);
  relay->lengths = calloc((size_t)capacity, sizeof *relay->lengths);
  return relay;
}

void twin_relay_destroy(twin_relay *relay) {
  EVP_CIPHER_CTX_free(relay->publisher.context);
  EVP_CIPHER_CTX_free(relay->uplink.context);
  for (int index = 0; index < relay->listeners; index++) { EVP_CIPHER_CTX_free(relay->downlinks[index].context); }
  free(relay->downlinks);
  free(relay->packets);
  free(relay->lengths);
  free(relay);
}

void twin_relay_prepare(twin_relay *relay) {
  relay->count = relay->capacity;
  for (long index = 0; index < relay->count; index++) {
    unsigned char *packet = relay->packets + index * packet_room;
    memset(packet, 7, header_bytes + payload_bytes);
    packet[0] = 0x80;
    packet[1] = 111;
    uint64_t number = ++relay->number;
    packet[2] = (unsigned char)(number >> 8);
    packet[3] = (unsigned char)number;
    relay->lengths[index] = protect(&relay->publisher, packet, header_bytes + payload_bytes, number);
  }
}

long twin_relay_run(twin_relay *relay) {
  unsigned char out[packet_room] __attribute__((aligned(16)));
  long bytes = 0;
  uint64_t number = relay->number - (uint64_t)relay->count;
  for (long index = 0; index < relay->count; index++) {
    unsigned char *packet = relay->packets + index * packet_room;
    number++;
    int length = unprotect(&relay->uplink, packet, relay->lengths[index], number);
    for (int listener = 0; listener < relay->listeners; listener++) {
      memcpy(out, packet, (size_t)length);
      // Its own source and number, as a relay's.
      out[8] = (unsigned char)(listener + 1);
      bytes += protect(&relay->downlinks[listener], out, length, number);
    }
  }
  twin_use(bytes);
  return bytes;
}
