#include "twins.h"

#include <srtp2/srtp.h>
#include <stdlib.h>
#include <string.h>

enum { packet_room = 256, payload_bytes = 120, header_bytes = 12 };

struct twin_relay {
  srtp_t publisher;
  srtp_t uplink;
  srtp_t *downlinks;
  int listeners;
  unsigned short number;
  unsigned char *packets;
  int *lengths;
  long capacity;
  long count;
};

static srtp_t session(const unsigned char *key, srtp_ssrc_type_t direction) {
  srtp_policy_t policy;
  memset(&policy, 0, sizeof policy);
  srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp);
  srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp);
  policy.ssrc.type = direction;
  policy.key = (unsigned char *)key;
  policy.window_size = 1024;
  srtp_t made = NULL;
  if (srtp_create(&made, &policy) != srtp_err_status_ok) { abort(); }
  return made;
}

twin_relay *twin_relay_create(int listeners, long capacity) {
  srtp_init();
  twin_relay *relay = calloc(1, sizeof *relay);
  unsigned char key[28] = {1, 2, 3};
  relay->publisher = session(key, ssrc_any_outbound);
  relay->uplink = session(key, ssrc_any_inbound);
  relay->downlinks = calloc((size_t)listeners, sizeof *relay->downlinks);
  for (int index = 0; index < listeners; index++) {
    key[0] = (unsigned char)(10 + index);
    relay->downlinks[index] = session(key, ssrc_any_outbound);
  }
  relay->listeners = listeners;
  relay->capacity = capacity;
  relay->packets = aligned_alloc(16, (size_t)capacity * packet_room);
  relay->lengths = calloc((size_t)capacity, sizeof *relay->lengths);
  return relay;
}

void twin_relay_destroy(twin_relay *relay) {
  srtp_dealloc(relay->publisher);
  srtp_dealloc(relay->uplink);
  for (int index = 0; index < relay->listeners; index++) { srtp_dealloc(relay->downlinks[index]); }
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
    packet[2] = (unsigned char)(relay->number >> 8);
    packet[3] = (unsigned char)relay->number;
    relay->number++;
    int length = header_bytes + payload_bytes;
    if (srtp_protect(relay->publisher, packet, &length) != srtp_err_status_ok) { abort(); }
    relay->lengths[index] = length;
  }
}

long twin_relay_run(twin_relay *relay) {
  unsigned char out[packet_room] __attribute__((aligned(16)));
  long bytes = 0;
  for (long index = 0; index < relay->count; index++) {
    unsigned char *packet = relay->packets + index * packet_room;
    int length = relay->lengths[index];
    if (srtp_unprotect(relay->uplink, packet, &length) != srtp_err_status_ok) { abort(); }
    for (int listener = 0; listener < relay->listeners; listener++) {
      memcpy(out, packet, (size_t)length);
      // Its own source and number, as a relay's.
      out[8] = (unsigned char)(listener + 1);
      out[3] ^= 0;
      int sent = length;
      if (srtp_protect(relay->downlinks[listener], out, &sent) != srtp_err_status_ok) { abort(); }
      bytes += sent;
    }
  }
  twin_use(bytes);
  return bytes;
}
