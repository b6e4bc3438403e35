#define _GNU_SOURCE

#include "datagrams.h"
#include "sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

static void *checked(void *memory) {
  if (!memory) { abort(); }
  return memory;
}

// MARK: Receiving

struct cplatform_receiver {
  unsigned capacity, byte_count;
  char *bytes;
  struct mmsghdr *messages;
  struct iovec *parts;
  struct sockaddr_storage *sources;
  // Time of the first datagram's arrival, from the kernel.
  _Alignas(struct cmsghdr) char control[64];
};

cplatform_receiver *cplatform_make_receiver(unsigned capacity, unsigned byte_count) {
  cplatform_receiver *receiver = checked(calloc(1, sizeof *receiver));
  receiver->capacity = capacity;
  receiver->byte_count = byte_count;
  receiver->bytes = checked(malloc((size_t)capacity * byte_count));
  receiver->messages = checked(calloc(capacity, sizeof *receiver->messages));
  receiver->parts = checked(calloc(capacity, sizeof *receiver->parts));
  receiver->sources = checked(calloc(capacity, sizeof *receiver->sources));
  for (unsigned index = 0; index < capacity; index++) {
    receiver->parts[index] = (struct iovec){receiver->bytes + (size_t)index * byte_count, byte_count};
    receiver->messages[index].msg_hdr.msg_iov = &receiver->parts[index];
    receiver->messages[index].msg_hdr.msg_iovlen = 1;
    receiver->messages[index].msg_hdr.msg_name = &receiver->sources[index];
  }
  return receiver;
}

void cplatform_free_receiver(cplatform_receiver *receiver) {
  free(receiver->bytes);
  free(receiver->messages);
  free(receiver->parts);
  free(receiver->sources);
  free(receiver);
}

int cplatform_receive_many(cplatform_receiver *receiver, int descriptor) {
  for (unsigned index = 0; index < receiver->capacity; index++)
    receiver->messages[index].msg_hdr.msg_namelen = sizeof(struct sockaddr_storage);
  receiver->messages[0].msg_hdr.msg_control = receiver->control;
  receiver->messages[0].msg_hdr.msg_controllen = sizeof receiver->control;
  return recvmmsg(descriptor, receiver->messages, receiver->capacity, MSG_DONTWAIT, NULL);
}

void *cplatform_received(cplatform_receiver *receiver, int index, unsigned *byte_count,
                         const void **source, unsigned *length) {
  if (receiver->messages[index].msg_hdr.msg_flags & MSG_TRUNC) return NULL;
  *byte_count = receiver->messages[index].msg_len;
  *source = &receiver->sources[index];
  *length = receiver->messages[index].msg_hdr.msg_namelen;
  return receiver->parts[index].iov_base;
}

long cplatform_received_age(const cplatform_receiver *receiver) {
  return cplatform_age(&receiver->messages[0].msg_hdr);
}

// MARK: Sending

enum {
  // The kernel's largest number of segments.
  longest_train = 64,
  // Bytes of a train, with space for the headers of IPv6.
  largest_train = 65000,
  // A segment must fit into a packet of the path's MTU, or the kernel refuses the train.
  largest_segment = 1200,
};

typedef struct {
  struct sockaddr_in6 address;
  unsigned char address_length;
  // Whether the datagram has its place in a message.
  unsigned char is_placed;
  unsigned offset, byte_count;
  // Next datagram to the same address, and the last one of the list at its first; -1 without one.
  int next, last;
} entry;

typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(uint16_t))];
} control;

struct cplatform_batch {
  unsigned capacity, byte_capacity, count, byte_count, table_size;
  char *bytes;
  // Keeps clients from choosing addresses of one hash.
  uint64_t seed;
  entry *entries;
  // First datagram of each address, by a hash; -1 for a free place.
  int *table;
  struct mmsghdr *messages;
  struct iovec *parts;
  control *controls;
  cplatform_batch_counts counts;
};

cplatform_batch *cplatform_make_batch(unsigned capacity, unsigned byte_count) {
  cplatform_batch *batch = checked(calloc(1, sizeof *batch));
  batch->capacity = capacity;
  batch->byte_capacity = byte_count;
  for (batch->table_size = 4; batch->table_size < 4 * capacity;) batch->table_size *= 2;
  batch->bytes = checked(malloc(byte_count));
  batch->entries = checked(calloc(capacity, sizeof *batch->entries));
  batch->table = checked(malloc(batch->table_size * sizeof *batch->table));
  batch->messages = checked(calloc(capacity, sizeof *batch->messages));
  batch->parts = checked(calloc(capacity, sizeof *batch->parts));
  batch->controls = checked(calloc(capacity, sizeof *batch->controls));
  batch->counts.uses_trains = 1;
  if (getrandom(&batch->seed, sizeof batch->seed, 0) < 0) batch->seed = 1;
  return batch;
}

void cplatform_free_batch(cplatform_batch *batch) {
  free(batch->bytes);
  free(batch->entries);
  free(batch->table);
  free(batch->messages);
  free(batch->parts);
  free(batch->controls);
  free(batch);
}

int cplatform_batch_append(cplatform_batch *batch, const void *bytes, unsigned byte_count, const void *to,
                           unsigned length) {
  if (batch->count == batch->capacity || byte_count > batch->byte_capacity - batch->byte_count) return 0;
  entry *new = &batch->entries[batch->count++];
  if (length > sizeof new->address) length = sizeof new->address;
  // Addresses are compared as bytes.
  memset(&new->address, 0, sizeof new->address);
  memcpy(&new->address, to, length);
  new->address_length = (unsigned char)length;
  new->is_placed = 0;
  new->offset = batch->byte_count;
  new->byte_count = byte_count;
  new->next = new->last = -1;
  memcpy(batch->bytes + batch->byte_count, bytes, byte_count);
  batch->byte_count += byte_count;
  return 1;
}

static unsigned hash(uint64_t seed, const struct sockaddr_in6 *address) {
  uint64_t words[3], sum = seed;
  memcpy(words, address, sizeof words);
  for (int index = 0; index < 3; index++) {
    // Both halves of the product, so that every bit of an address reaches the lower bits.
    unsigned __int128 product = (unsigned __int128)(sum ^ words[index]) * (seed | 1);
    sum = (uint64_t)product ^ (uint64_t)(product >> 64);
  }
  return (unsigned)sum;
}

// Puts each datagram behind the others to its address.
static void gather(cplatform_batch *batch) {
  unsigned mask = batch->table_size - 1;
  // The table is cleared as far as this batch needs it.
  while (mask > 4 * batch->count) mask /= 2;
  memset(batch->table, 0xFF, (mask + 1) * sizeof *batch->table);
  for (unsigned index = 0; index < batch->count; index++) {
    entry *own = &batch->entries[index];
    unsigned place = hash(batch->seed, &own->address) & mask;
    for (;; place = (place + 1) & mask) {
      int first = batch->table[place];
      if (first < 0) {
        batch->table[place] = (int)index;
        own->last = (int)index;
        break;
      }
      entry *head = &batch->entries[first];
      if (memcmp(&head->address, &own->address, sizeof own->address)) continue;
      batch->entries[head->last].next = (int)index;
      head->last = (int)index;
      break;
    }
  }
}

typedef struct {
  unsigned messages, parts;
} fill;

static void begin_message(cplatform_batch *batch, fill *fill, entry *to) {
  struct msghdr *message = &batch->messages[fill->messages++].msg_hdr;
  memset(message, 0, sizeof *message);
  message->msg_name = &to->address;
  message->msg_namelen = to->address_length;
  message->msg_iov = &batch->parts[fill->parts];
}

static void add(cplatform_batch *batch, fill *fill, entry *datagram) {
  batch->parts[fill->parts++] = (struct iovec){batch->bytes + datagram->offset, datagram->byte_count};
  batch->messages[fill->messages - 1].msg_hdr.msg_iovlen++;
  datagram->is_placed = 1;
}

static void end_message(cplatform_batch *batch, fill *fill) {
  unsigned index = fill->messages - 1;
  struct msghdr *message = &batch->messages[index].msg_hdr;
  if (message->msg_iovlen < 2) return;
  control *own = &batch->controls[index];
  message->msg_control = own->bytes;
  message->msg_controllen = sizeof own->bytes;
  own->header.cmsg_level = SOL_UDP;
  own->header.cmsg_type = UDP_SEGMENT;
  own->header.cmsg_len = CMSG_LEN(sizeof(uint16_t));
  uint16_t size = (uint16_t)message->msg_iov[0].iov_len;
  memcpy(CMSG_DATA(&own->header), &size, sizeof size);
}

// Joins at most `longest_train` datagrams to one address into trains, in their order: in a train all have one size, and the
// last one may be shorter. They are not sorted: some programs drop a flight of DTLS that comes in another order, and
// listeners request packets that come late.
static void join(cplatform_batch *batch, fill *fill, entry **some, int count) {
  for (int index = 0; index < count;) {
    unsigned size = some[index]->byte_count, total = 0;
    begin_message(batch, fill, some[index]);
    do {
      total += some[index]->byte_count;
      add(batch, fill, some[index++]);
    } while (index < count && size <= largest_segment && some[index - 1]->byte_count == size &&
             some[index]->byte_count <= size && total + some[index]->byte_count <= largest_train);
    end_message(batch, fill);
  }
}

static unsigned build(cplatform_batch *batch) {
  fill fill = {0, 0};
  if (batch->counts.uses_trains && batch->count > 1) gather(batch);
  for (unsigned index = 0; index < batch->count; index++) {
    entry *first = &batch->entries[index];
    if (first->is_placed) continue;
    if (first->next < 0) {
      begin_message(batch, &fill, first);
      add(batch, &fill, first);
      continue;
    }
    for (int next = (int)index; next >= 0;) {
      entry *some[longest_train];
      int count = 0;
      for (; next >= 0 && count < longest_train; next = batch->entries[next].next) some[count++] = &batch->entries[next];
      join(batch, &fill, some, count);
    }
  }
  return fill.messages;
}

static void count_refusal(cplatform_batch *batch, unsigned long datagrams) {
  if (errno == EAGAIN || errno == ENOBUFS)
    batch->counts.full += datagrams;
  else
    batch->counts.refused += datagrams;
}

// Sends the datagrams of a train that the kernel has refused.
static void send_singly(cplatform_batch *batch, int descriptor, struct msghdr *train) {
  for (size_t index = 0; index < train->msg_iovlen; index++) {
    struct iovec part = train->msg_iov[index];
    long sent = sendto(descriptor, part.iov_base, part.iov_len, MSG_DONTWAIT, train->msg_name, train->msg_namelen);
    batch->counts.calls++;
    if (sent >= 0)
      batch->counts.sent++;
    else
      count_refusal(batch, 1);
  }
}

void cplatform_batch_flush(cplatform_batch *batch, int descriptor) {
  if (!batch->count) return;
  unsigned count = build(batch);
  for (unsigned index = 0; index < count;) {
    int taken = sendmmsg(descriptor, batch->messages + index, count - index, MSG_DONTWAIT);
    if (taken < 0 && errno == EINTR) continue;
    batch->counts.calls++;
    if (taken > 0) {
      for (unsigned end = index + (unsigned)taken; index < end; index++) {
        size_t datagrams = batch->messages[index].msg_hdr.msg_iovlen;
        batch->counts.sent += datagrams;
        if (datagrams > 1) batch->counts.trains++;
      }
      continue;
    }
    struct msghdr *refused = &batch->messages[index++].msg_hdr;
    if (refused->msg_iovlen == 1 || errno == EAGAIN || errno == ENOBUFS) {
      count_refusal(batch, refused->msg_iovlen);
      continue;
    }
    // The reason may be one peer's: a smaller MTU of its path, or a false address. Trains end for all only where none has
    // ever been taken.
    if (!batch->counts.trains && (errno == EIO || errno == EINVAL || errno == EOPNOTSUPP)) batch->counts.uses_trains = 0;
    send_singly(batch, descriptor, refused);
  }
  batch->count = batch->byte_count = 0;
}

const cplatform_batch_counts *cplatform_batch_counted(const cplatform_batch *batch) { return &batch->counts; }
